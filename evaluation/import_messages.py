"""People's words for every problem of an import: what happened, and how to mend it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.template.defaultfilters import filesizeformat
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from config.error_messages import render_message
from evaluation.files.errors import FileProblem


@dataclass(frozen=True, slots=True)
class ImportMessage:
    """`title` names the kind of problem, `message` says what happened to one file, `mend` what to do about it."""

    title: str
    message: str
    mend: str


_WORDS: dict[FileProblem, tuple[Promise, Promise, Promise]] = {
    FileProblem.EMPTY: (
        _("Empty file"),
        _("The file holds nothing (0 bytes)."),
        _("Copy it again from where it came, then import it once more."),
    ),
    FileProblem.TOO_LARGE: (
        _("File too large"),
        _("The file is %(bytes)s; the most that is taken is %(limit)s."),
        _("Save it smaller, or split it, then import it again."),
    ),
    FileProblem.NOT_AN_IMAGE: (
        _("Not an image"),
        _("The content is not an image, whatever the name says."),
        _("Import PNG, JPEG, WebP, TIFF, BMP, HEIC, PDF or a zip of these."),
    ),
    FileProblem.UNSUPPORTED: (
        _("Kind of image not supported"),
        _("It is an image, but of a kind that is not taken."),
        _("Save it as PNG, JPEG, WebP, TIFF, BMP, HEIC or PDF."),
    ),
    FileProblem.SVG: (
        _("Drawing instead of an image"),
        _("The content is an SVG drawing, which can carry programs."),
        _("Export it as PNG and import that."),
    ),
    FileProblem.HIDDEN_FILE: (
        _("A second file hides in it"),
        _("Another file (an archive, a page or a program) is hidden in this image."),
        _("Open it in an image editor, save it anew and import the new file."),
    ),
    FileProblem.DAMAGED: (
        _("Damaged file"),
        _("The image is damaged or stops early; it cannot be read to its end."),
        _("Copy or scan it again, then import it once more."),
    ),
    FileProblem.TOO_MANY_PIXELS: (
        _("Too many pixels"),
        _("The page has %(pixels)s pixels; the most that is taken is %(limit)s."),
        _("Scan at a lower resolution, or scale it down, then import it again."),
    ),
    FileProblem.TOO_MANY_PAGES: (
        _("Too many pages"),
        _("The file has more than %(limit)s pages."),
        _("Split it into smaller files."),
    ),
    FileProblem.ENCRYPTED: (
        _("Locked by a password"),
        _("The file is locked by a password."),
        _("Save it without a password and import it again."),
    ),
    FileProblem.WRONG_EXTENSION: (
        _("Name and content differ"),
        _("The content is %(format)s, the name says otherwise. It was imported by its content."),
        _("Nothing needs to be done."),
    ),
    FileProblem.TOO_MANY_MEMBERS: (
        _("Too many files in the archive"),
        _("The archive holds %(members)s files; the most that is taken is %(limit)s. Nothing was unpacked."),
        _("Split it into smaller archives."),
    ),
    FileProblem.UNPACKS_TOO_LARGE: (
        _("Archive unpacks too large"),
        _(
            "The archive would unpack to %(bytes)s; the most that is taken is %(limit)s. Nothing was unpacked."
        ),
        _("Split it into smaller archives."),
    ),
    FileProblem.PACKED_TOO_TIGHT: (
        _("Packed too tightly"),
        _("It is packed %(ratio)s to 1, as no image is. It was not unpacked."),
        _("If it is a real page, import the file by itself, not in an archive."),
    ),
    FileProblem.UNSAFE_NAME: (
        _("Unsafe name in the archive"),
        _(
            "Its name points outside the archive or holds characters that no file name may hold. It was not unpacked."
        ),
        _("Pack the archive again from a plain folder."),
    ),
    FileProblem.SPECIAL_FILE: (
        _("Link or device in the archive"),
        _("It is a link or a device, not a file. It was not unpacked."),
        _("Put the file itself into the archive."),
    ),
    FileProblem.NESTED_ARCHIVE: (
        _("Archive in an archive"),
        _("An archive inside an archive is not opened."),
        _("Unpack the inner archive and import it by itself."),
    ),
    FileProblem.DAMAGED_ARCHIVE: (
        _("Damaged archive"),
        _("The archive, or this file in it, is damaged and cannot be unpacked."),
        _("Pack it again and test it, then import it once more."),
    ),
    FileProblem.MISSING_BYTES: (
        _("Upload lost"),
        _("The uploaded bytes are no longer in the store."),
        _("Import the file again."),
    ),
    FileProblem.BAD_LINE: (
        _("Fault in the manifest"),
        _("Manifest line %(line)s, field '%(field)s': %(fault)s"),
        _("Correct that line and import the file again with the manifest."),
    ),
    FileProblem.NO_SUCH_FILE: (
        _("Named in the manifest, but not there"),
        _("Manifest line %(line)s names this file, but no such file was imported."),
        _("Correct the name in the manifest, or import the file with it."),
    ),
    FileProblem.NO_LANGUAGE: (
        _("No language"),
        _("Nothing says which language the page is in."),
        _("Choose a language for the import, or give the field 'language' in the manifest."),
    ),
    FileProblem.NO_GROUND_TRUTH: (
        _("Masks without ground truth"),
        _("The manifest gives masks for this page, but no ground truth."),
        _("Give the field 'ground_truth' (or 'regions') too, or leave 'masks' out: annotators set them."),
    ),
    FileProblem.NO_VERIFICATION: (
        _("Nothing says how it was verified"),
        _("The manifest gives a ground truth for this page, but not how it was verified."),
        _("Give the field 'verification': unverified, or verified elsewhere."),
    ),
    FileProblem.REGIONS_ELSEWHERE: (
        _("Regions where there can be none"),
        _("The manifest gives regions for a page that is no formula page, or besides a ground truth."),
        _("Give formula pages either 'regions' or 'ground_truth', all other pages 'ground_truth'."),
    ),
    FileProblem.BAD_GROUND_TRUTH: (
        _("Fault in the ground truth"),
        _("The ground truth of the manifest cannot be kept. %(why)s"),
        _("Correct it in the manifest and import the file again."),
    ),
}
_FACTS = ("bytes", "limit", "pixels", "format", "members", "ratio", "line", "field", "fault", "why")


def explain(problem: str, facts: Mapping[str, Any]) -> ImportMessage:
    """The words for one problem in the reader's language."""
    title, message, mend = _WORDS[FileProblem(problem)]
    shown = {name: _show(name, value, facts) for name, value in facts.items()}
    known = dict.fromkeys(_FACTS, "?")
    return ImportMessage(str(title), str(message) % (known | shown), str(mend))


def _show(name: str, value: Any, facts: Mapping[str, Any]) -> str:
    if isinstance(value, int) and (name == "bytes" or (name == "limit" and "bytes" in facts)):
        return filesizeformat(value)
    if name == "fault":
        return explain_fault(value)
    if name == "why":
        return render_message(value)
    return f"{value:,}" if isinstance(value, int) else str(value)


_FAULTS: dict[str, Promise] = {
    "not_json": _("this line is not a JSON object"),
    "unknown": _("there is no such field; the fields are %(known)s"),
    "missing": _("the field is missing; add it"),
    "not_text": _("must be text"),
    "too_long": _("must have at most %(limit)s characters"),
    "not_a_choice": _("must be one of %(choices)s"),
    "not_a_link": _("must be a link that begins with http:// or https://"),
    "not_links": _("must be a list of links that begin with http:// or https://"),
    "not_a_page": _("must be a whole number from 1"),
    "not_a_list": _("must be a list of objects, at most %(limit)s"),
    "twice": _("one page is named on lines %(line)s; keep one of them"),
    "doubled": _("the field is given twice, perhaps by another name; keep one"),
    "nameless": _("no file is named: the line is not a JSON object, or has no field 'file'"),
}


def explain_fault(fault: Mapping[str, Any]) -> str:
    """The words for one fault of a manifest field."""
    return str(_FAULTS[fault["kind"]]) % fault
