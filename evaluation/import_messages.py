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
        _("The file is empty (0 bytes)."),
        _("Copy it again from its source, then import it again."),
    ),
    FileProblem.TOO_LARGE: (
        _("File too large"),
        _("The file is %(bytes)s; the limit is %(limit)s."),
        _("Save it at a smaller size, or split it, then import it again."),
    ),
    FileProblem.NOT_AN_IMAGE: (
        _("Not an image file"),
        _("The content is not an image, even if the file name suggests one."),
        _("Import PNG, JPEG, WebP, TIFF, BMP, HEIC, PDF or a zip of these."),
    ),
    FileProblem.UNSUPPORTED: (
        _("Unsupported image format"),
        _("This image format cannot be imported."),
        _("Save it as PNG, JPEG, WebP, TIFF, BMP, HEIC or PDF."),
    ),
    FileProblem.SVG: (
        _("SVG drawing"),
        _("The content is an SVG drawing, which can contain programs."),
        _("Export it as PNG and import the PNG."),
    ),
    FileProblem.HIDDEN_FILE: (
        _("Contains a hidden file"),
        _("Another file (an archive, a web page or a program) is hidden in this image."),
        _("Open it in an image editor, save it as a new file and import that."),
    ),
    FileProblem.DAMAGED: (
        _("Damaged file"),
        _("The image is damaged or incomplete and cannot be read to the end."),
        _("Copy or scan it again, then import it again."),
    ),
    FileProblem.TOO_MANY_PIXELS: (
        _("Too many pixels"),
        _("The page has too many pixels (%(pixels)s); the limit is %(limit)s."),
        _("Scan at a lower resolution, or scale it down, then import it again."),
    ),
    FileProblem.TOO_MANY_PAGES: (
        _("Too many pages"),
        _("The file has more than %(limit)s pages."),
        _("Split it into smaller files."),
    ),
    FileProblem.ENCRYPTED: (
        _("Password-protected"),
        _("The file is protected by a password."),
        _("Save it without a password and import it again."),
    ),
    FileProblem.WRONG_EXTENSION: (
        _("File name and content differ"),
        _(
            "The content is %(format)s, but the file name says otherwise. It was imported "
            "according to its content."
        ),
        _("No action needed."),
    ),
    FileProblem.TOO_MANY_MEMBERS: (
        _("Too many files in the archive"),
        _("The archive contains too many files (%(members)s); the limit is %(limit)s. Nothing was unpacked."),
        _("Split it into smaller archives."),
    ),
    FileProblem.UNPACKS_TOO_LARGE: (
        _("Archive too large when unpacked"),
        _("The archive would unpack to %(bytes)s; the limit is %(limit)s. Nothing was unpacked."),
        _("Split it into smaller archives."),
    ),
    FileProblem.PACKED_TOO_TIGHT: (
        _("Suspicious compression"),
        _("It is compressed %(ratio)s to 1, which no real image is. It was not unpacked."),
        _("If it is a real page, import the file on its own, not in an archive."),
    ),
    FileProblem.UNSAFE_NAME: (
        _("Unsafe name in the archive"),
        _(
            "Its name points outside the archive or contains characters not allowed in file "
            "names. It was not unpacked."
        ),
        _("Create the archive again from a normal folder."),
    ),
    FileProblem.SPECIAL_FILE: (
        _("Link or device in the archive"),
        _("It is a link or a device, not a file. It was not unpacked."),
        _("Put the file itself in the archive."),
    ),
    FileProblem.NESTED_ARCHIVE: (
        _("Archive inside an archive"),
        _("An archive inside another archive is not opened."),
        _("Unpack the inner archive and import it on its own."),
    ),
    FileProblem.DAMAGED_ARCHIVE: (
        _("Damaged archive"),
        _("The archive, or this file in it, is damaged and cannot be unpacked."),
        _("Create the archive again and test it, then import it again."),
    ),
    FileProblem.MISSING_BYTES: (
        _("Upload lost"),
        _("The uploaded file is no longer in the store."),
        _("Import the file again."),
    ),
    FileProblem.BAD_LINE: (
        _("Error in the manifest"),
        _("Manifest line %(line)s, field '%(field)s': %(fault)s"),
        _("Correct that line, then import the file again with the manifest."),
    ),
    FileProblem.NO_SUCH_FILE: (
        _("Listed in the manifest but not imported"),
        _("Manifest line %(line)s lists this file, but no such file was imported."),
        _("Correct the name in the manifest, or import the file with it."),
    ),
    FileProblem.NO_LANGUAGE: (
        _("No language"),
        _("The language of the page is not specified."),
        _("Choose a language for the import, or add the field 'language' to the manifest."),
    ),
    FileProblem.NO_GROUND_TRUTH: (
        _("Masks without ground truth"),
        _("The manifest has masks for this page, but no ground truth."),
        _("Add the field 'ground_truth' (or 'regions'), or remove 'masks': annotators add masks themselves."),
    ),
    FileProblem.NO_VERIFICATION: (
        _("Verification not specified"),
        _("The manifest has ground truth for this page, but does not say how it was verified."),
        _("Add the field 'verification': unverified, or verified elsewhere."),
    ),
    FileProblem.REGIONS_ELSEWHERE: (
        _("Regions not allowed here"),
        _(
            "The manifest has regions for a page that is not a formula page, or has both "
            "regions and ground truth."
        ),
        _(
            "Use either 'regions' or 'ground_truth' for formula pages, and 'ground_truth' for "
            "all other pages."
        ),
    ),
    FileProblem.BAD_GROUND_TRUTH: (
        _("Error in the ground truth"),
        _("The ground truth in the manifest cannot be imported. %(why)s"),
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
    "unknown": _("unknown field; the fields are %(known)s"),
    "missing": _("the field is missing; add it"),
    "not_text": _("must be text"),
    "too_long": _("must have at most %(limit)s characters"),
    "not_a_choice": _("must be one of %(choices)s"),
    "not_a_link": _("must be a link starting with http:// or https://"),
    "not_links": _("must be a list of links starting with http:// or https://"),
    "not_a_page": _("must be a whole number, at least 1"),
    "not_a_list": _("must be a list of objects, at most %(limit)s"),
    "twice": _("the same page is listed on lines %(line)s; keep one of them"),
    "doubled": _("the field is given twice, perhaps under another name; keep one"),
    "nameless": _("no file is given: the line is not a JSON object, or has no field 'file'"),
}


def explain_fault(fault: Mapping[str, Any]) -> str:
    """The words for one fault of a manifest field."""
    return str(_FAULTS[fault["kind"]]) % fault
