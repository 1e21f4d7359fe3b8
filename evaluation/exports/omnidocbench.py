"""OmniDocBench JSON: one object a page, in a list, beside the pictures.

A page of text becomes one element a paragraph (what blank lines part), in reading order, because that evaluator
matches paragraphs of a prediction with elements of the ground truth. We know no place of a paragraph, so each
carries the whole page as its polygon. A display formula by itself becomes `equation_isolated`, a table `table`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from evaluation.exports.data_card import data_card
from evaluation.exports.inkbench import write_images
from evaluation.exports.still_archive import StillArchive
from evaluation.models import Release
from evaluation.payloads.text import split_lines
from evaluation.records import GoldRecord
from evaluation.services.checking import gold_of

FILE = "OmniDocBench.json"
VERSION = "1.6"
_FORMULA = re.compile(r"\A(\$\$.+\$\$|\\\[.+\\\])\Z", re.DOTALL)
_TABLE = re.compile(r"\A<table\b.*</table>\Z", re.DOTALL | re.IGNORECASE)
_TITLE = re.compile(r"\A#{1,6} (?P<text>[^\n]+)\Z")
_HOW_TO = f"""
## Files

- `{FILE}`: a list with one object a page, in the form that the OmniDocBench evaluator {VERSION} reads. Checked with
  InkBench's own reading of that version's rules (page matching and edit distance); that program was not run on it.
- `images/`: the pages; predictions are `.md` files of the same stem.

A page of text is one element a paragraph (parted by blank lines), in reading order. The place of a paragraph is not
known, so each has the whole page as its `poly`. A title is a line that begins with `#`, written without it.
"""


def write_omnidocbench(release: Release, archive: StillArchive, tick: Callable[[int], None]) -> None:
    """Write the release; `tick` hears how many samples are done. Raises MissingPicture."""
    archive.add_text("README.md", data_card(release) + _HOW_TO)
    with archive.member(FILE) as write:
        for position, item in enumerate(release.items.order_by("position").iterator(chunk_size=200)):
            page = json.dumps(page_of(gold_of(item)), ensure_ascii=False, sort_keys=True)
            write((("[\n" if position == 0 else ",\n") + page).encode("utf-8"))
        write(b"\n]\n")
    write_images(release, archive, tick)


def page_of(record: GoldRecord) -> dict[str, Any]:
    """One page object.

    >>> record = GoldRecord(id="1", file_name="a.png", structure="text", language="en", text="Dear\\nAnn\\n\\n$$x$$")
    >>> page = page_of(record)
    >>> [(each["category_type"], each.get("text"), each.get("latex")) for each in page["layout_dets"]]
    [('text_block', 'Dear\\nAnn', None), ('equation_isolated', None, '$$x$$')]
    """
    poly = [0, 0, record.width, 0, record.width, record.height, 0, record.height]
    elements = [
        {
            **content,
            "anno_id": order,
            "order": order,
            "ignore": False,
            "poly": poly,
            "attribute": {},
        }
        for order, content in enumerate(_contents(record))
    ]
    return {
        "layout_dets": elements,
        "extra": {"relation": []},
        "page_info": {
            "page_no": 0,
            "height": record.height,
            "width": record.width,
            "image_path": record.file_name,
            "page_attribute": {
                "scenario": record.scenario,
                "language": record.language,
                "source": record.source,
            },
        },
    }


def _contents(record: GoldRecord) -> list[dict[str, str]]:
    if record.structure == "table":
        return [{"category_type": "table", "html": record.text}]
    if record.structure == "formula":
        text = record.text if _FORMULA.match(record.text.strip()) else f"$${record.text}$$"
        return [{"category_type": "equation_isolated", "latex": text}]
    return [_content(paragraph) for paragraph in _paragraphs(record.text)]


def _paragraphs(text: str) -> list[str]:
    paragraphs: list[list[str]] = [[]]
    for line in split_lines(text):
        if line.strip():
            paragraphs[-1].append(line)
        elif paragraphs[-1]:
            paragraphs.append([])
    return ["\n".join(lines) for lines in paragraphs if lines]


def _content(paragraph: str) -> dict[str, str]:
    if _FORMULA.match(paragraph):
        return {"category_type": "equation_isolated", "latex": paragraph}
    if _TABLE.match(paragraph):
        return {"category_type": "table", "html": paragraph}
    if title := _TITLE.match(paragraph):
        return {"category_type": "title", "text": title["text"]}
    return {"category_type": "text_block", "text": paragraph}
