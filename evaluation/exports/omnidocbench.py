"""OmniDocBench JSON: one object a page, in a list, beside the images.

A page of text becomes one element a paragraph (what blank lines part), in reading order, because that evaluator
matches paragraphs of a prediction with elements of the ground truth. We know no place of a paragraph, so each
carries the whole page as its polygon. A display formula by itself becomes `equation_isolated`, a table `table`.
A formula page becomes one `equation_isolated` a region, at its place. A masked area is an element to be ignored.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from evaluation.exports.data_card import data_card
from evaluation.exports.inkbench import write_images
from evaluation.exports.quadrilateral import smallest_quadrilateral
from evaluation.exports.reproducible_zip import ReproducibleZip
from evaluation.models import Release
from evaluation.payloads.mask_mark import remove_masks
from evaluation.payloads.text import split_lines
from evaluation.record_parts import RecordMask
from evaluation.records import GoldRecord

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

A formula page is one element a region. `poly` is the region's smallest quadrilateral (itself where it is one, else its
smallest rectangle, upright or turned); the polygon as drawn is in `attribute.polygon`, with the region's number.
A masked area is an element `need_mask` with `ignore` true; its mark is taken out of the texts, since that evaluator
does not know it.
"""


def write_omnidocbench(release: Release, archive: ReproducibleZip, tick: Callable[[int], None]) -> None:
    """Write the release; `tick` hears how many samples are done. Raises MissingImage."""
    archive.add_text("README.md", data_card(release) + _HOW_TO)
    with archive.member(FILE) as write:
        for position, item in enumerate(release.items.order_by("position").iterator(chunk_size=200)):
            page = json.dumps(page_of(item.gold), ensure_ascii=False, sort_keys=True)
            write((("[\n" if position == 0 else ",\n") + page).encode("utf-8"))
        write(b"\n]\n")
    write_images(release, archive, tick)


def page_of(record: GoldRecord) -> dict[str, Any]:
    """One page object.

    >>> record = GoldRecord(id="1", file_name="a.png", structure="text", language="en", text="Dear\\nAnn\\n\\n$$x$$")
    >>> page = page_of(record)
    >>> [(element["category_type"], element.get("text"), element.get("latex")) for element in page["layout_dets"]]
    [('text_block', 'Dear\\nAnn', None), ('equation_isolated', None, '$$x$$')]
    """
    page = [0, 0, record.width, 0, record.width, record.height, 0, record.height]
    contents = [{"poly": page, "ignore": False, "attribute": {}} | content for content in _contents(record)]
    contents += [_masked(mask) for mask in record.masks]
    elements = [{**element, "anno_id": order, "order": order} for order, element in enumerate(contents)]
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


def _contents(record: GoldRecord) -> list[dict[str, Any]]:
    text = remove_masks(record.text)
    if record.structure == "table":
        return [{"category_type": "table", "html": text}]
    if record.regions:
        return [
            {
                "category_type": "equation_isolated",
                "latex": f"$${remove_masks(region.latex)}$$",
                "poly": smallest_quadrilateral(region.polygon),
                "attribute": {"polygon": [list(point) for point in region.polygon], "number": region.number},
            }
            for region in record.regions
        ]
    if record.structure == "formula":
        latex = text if _FORMULA.match(text.strip()) else f"$${text}$$"
        return [{"category_type": "equation_isolated", "latex": latex}]
    return [dict(_content(paragraph)) for paragraph in _paragraphs(text)]


def _masked(mask: RecordMask) -> dict[str, Any]:
    """The masked area's outline: a stroke's points with its width around them."""
    half = mask.width / 2
    around = [(x + dx, y + dy) for x, y in mask.points for dx in {-half, half} for dy in {-half, half}]
    if mask.shape == "box":
        (x0, y0), (x1, y1) = mask.points
        around = [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]
    return {
        "category_type": "need_mask",
        "poly": smallest_quadrilateral(around),
        "ignore": True,
        "attribute": {
            "shape": mask.shape,
            "points": [list(point) for point in mask.points],
            "width": mask.width,
            "reason": mask.reason,
        },
    }


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
