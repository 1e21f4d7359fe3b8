"""Messages that a row keeps in parts, said in the reader's language."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.utils.translation import gettext


def render_message(parts: Iterable[Any], otherwise: str = "") -> str:
    """The words of [message, {fact: text}] parts, as an error of ours writes them; `otherwise` where there are none.

    The messages were marked for the message files where they were written.
    """
    translate = gettext  # by another name: there is no literal here to collect
    return (
        ": ".join(translate(text) % facts if facts else translate(text) for text, facts in parts) or otherwise
    )
