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
        "The release holds no sample %(id)s. Name predictions by the sample's id, or by its image's file name."
    ),
    "answered_twice": _("Sample %(id)s was answered before; the first answer was taken. Keep one."),
    "wants_regions": _(
        "Sample %(id)s is a formula page that this release wants answered by region: give an object of LaTeX by region "
        'number in JSONL ("regions": {"1": ...}), not a page. Its regions: %(regions)s.'
    ),
    "wants_text": _('Sample %(id)s is answered as one text in this release: give "text", not "regions".'),
    "unknown_region": _(
        "Sample %(id)s has no region %(region)s; its regions: %(regions)s. See the image with numbered outlines."
    ),
    "not_predictions": _("This is not a file of predictions. Give .jsonl, .md or a zip of these."),
    "not_utf8": _("It is not UTF-8 (byte %(byte)s). Save it as UTF-8."),
    "line_too_long": _("The line is longer than %(limit)s bytes. Leave out what is not the answer."),
    "bad_line": _("The line is not a prediction: %(why)s"),
    "too_long": _(
        "The answer to sample %(id)s has more than %(limit)s characters. Cut it to what is on the page."
    ),
    "unprintable": _(
        "Sample %(id)s, field '%(field)s': it holds a character that is none (NUL, or half of one). Delete it."
    ),
}


def words_for(entry: Mapping[str, Any]) -> str:
    """The words for one line of a report, in the reader's language."""
    words = _WORDS.get(entry["problem"])
    if words is not None:
        why = entry.get("why", "")
        return str(words) % (dict(entry) | {"why": render_message(why) if isinstance(why, list) else why})
    found = explain(entry["problem"], entry)
    return f"{found.message} {found.mend}"


def line_for(entry: Mapping[str, Any]) -> str:
    """The same after the file and line it stood in."""
    where, line = entry.get("file", ""), entry.get("line")
    place = gettext("%(file)s, line %(line)s") % {"file": where, "line": line} if line else str(where)
    return f"{place}: {words_for(entry)}" if place else words_for(entry)
