"""The settings of an OpenAI-compatible endpoint and their limits."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from evaluation.errors import gettext_noop as _
from evaluation.model_clients.failures import BadSetting

MAX_OUTPUT_TOKENS = 8192
MAX_TIMEOUT_S = 600.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplyLimits:
    """How much of an endpoint's reply is read and kept, in bytes.

    A reply longer than `reply_bytes`, counted after decompression, is a failure, and the rest of it is not read. A text
    longer than `answer_bytes` in UTF-8 is a failure too: a transcription is never shortened. The reply as received is
    kept up to `raw_bytes`, with a mark at its end where it was cut (`shorten_raw`).
    """

    reply_bytes: int = 4 * 2**20
    answer_bytes: int = 256 * 2**10
    raw_bytes: int = 2**20

    def shorten_raw(self, raw: str) -> str:
        """The reply as it is kept.

        >>> ReplyLimits(raw_bytes=4).shorten_raw("abcdef")
        'abcd\\n[cut: 4 of 6 bytes are kept]'
        """
        encoded = raw.encode("utf-8", "replace")
        if len(encoded) <= self.raw_bytes:
            return raw
        head = encoded[: self.raw_bytes].decode("utf-8", "ignore")
        return f"{head}\n[cut: {self.raw_bytes} of {len(encoded)} bytes are kept]"


@dataclass(frozen=True, slots=True, kw_only=True)
class EndpointSettings:
    """Address and name of a model. Raises BadSetting.

    The key itself is never here: `api_key_variable` names the environment variable that contains it and is empty for
    an endpoint without a key. `timeout_s` limits one request from its first byte to the last one of the reply, at most
    600.
    """

    base_url: str
    model: str
    api_key_variable: str = ""
    timeout_s: float = 300.0
    limits: ReplyLimits = field(default_factory=ReplyLimits)

    def __post_init__(self) -> None:
        if not self.model.strip():
            raise BadSetting(_("model: enter the model's name as listed by the endpoint"))
        if not 0 < self.timeout_s <= MAX_TIMEOUT_S:
            raise BadSetting(
                _("timeout_s: %(given)s is not between 0 and %(most)s seconds"),
                given=f"{self.timeout_s:g}",
                most=f"{MAX_TIMEOUT_S:g}",
            )
        if self.api_key_variable and not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", self.api_key_variable):
            # Probably somebody pasted the key, so it is not repeated.
            raise BadSetting(
                _("api_key_variable: enter the name of an environment variable, not the key itself")
            )
