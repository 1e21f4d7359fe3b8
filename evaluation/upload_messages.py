"""People's words for everything of an upload that was not taken: what happened, and how to mend it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from config.error_messages import render_message
from evaluation.import_messages import explain

_WORDS: dict[str, Promise] = {
    "unknown_sample": _(
        "The release has no sample %(id)s. Identify predictions by the sample's id or by the "
        "file name of its image."
    ),
    "answered_twice": _(
        "Sample %(id)s already has a prediction earlier in the upload; the first one was used. Keep one."
    ),
    "wants_regions": _(
        "Sample %(id)s is a formula page that this release expects by region. In JSONL, give "
        'an object that maps region numbers to LaTeX ("regions": {"1": ...}), not a whole '
        "page. Its regions: %(regions)s."
    ),
    "wants_text": _('This release expects one text for sample %(id)s: give "text", not "regions".'),
    "unknown_region": _(
        "Sample %(id)s has no region %(region)s; its regions: %(regions)s. See the image "
        "with numbered outlines."
    ),
    "not_predictions": _("This is not a prediction file. Upload .jsonl, .md or a zip of these."),
    "not_utf8": _("It is not UTF-8 (byte %(byte)s). Save it as UTF-8."),
    "line_too_long": _(
        "The line is longer than %(limit)s bytes. Remove everything that is not the prediction."
    ),
    "bad_line": _("The line is not a prediction: %(why)s"),
    "too_long": _(
        "The prediction for sample %(id)s has more than %(limit)s characters. Cut it down to "
        "what is on the page."
    ),
    "unprintable": _(
        "Sample %(id)s, field '%(field)s' contains an invalid character (NUL, or half of a "
        "character). Delete it."
    ),
}


def words_for(entry: Mapping[str, Any]) -> str:
    """The words for one line of a report, in the reader's language."""
    words = _WORDS.get(entry["problem"])
    if words is not None:
        why = entry.get("why", "")
        return str(words) % (dict(entry) | {"why": render_message(why) if isinstance(why, list) else why})
    problem = explain(entry["problem"], entry)
    return f"{problem.message} {problem.mend}"


def line_for(entry: Mapping[str, Any]) -> str:
    """The same after the file and line it stood in."""
    where, line = entry.get("file", ""), entry.get("line")
    place = gettext("%(file)s, line %(line)s") % {"file": where, "line": line} if line else str(where)
    return f"{place}: {words_for(entry)}" if place else words_for(entry)
