"""OmniDocBench pages of formulas, tables and masks, and the exports of all structures read back."""

from __future__ import annotations

import io
import json
import zipfile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from config.blobs import open_blob
from config.jobs.services import run_waiting
from evaluation.exports.omnidocbench import page_of
from evaluation.exports.quadrilateral import convex_hull, smallest_quadrilateral
from evaluation.models import ExportFormat
from evaluation.record_parts import RecordMask, RecordRegion
from evaluation.records import GoldRecord
from evaluation.services.export_release import request_export
from evaluation.services.reimport_release import reimport_release
from tests.factories import make_gold, make_gold_release, make_project

pytestmark = pytest.mark.database

TURNED = ((50, 10), (90, 50), (50, 90), (10, 50), (12, 48))
REGIONS = (
    RecordRegion(1, ((10, 10), (100, 10), (100, 40), (10, 40)), r"x^2⟦masked⟧"),
    RecordRegion(2, TURNED, r"\frac{a}{b}"),
)
MASKS = (
    RecordMask("box", ((30, 20), (10, 12.5)), reason="faded"),
    RecordMask("polygon", ((0, 0), (9, 0), (9, 9))),
    RecordMask("brush", ((5, 5), (25, 5)), 6),
)
ODD_TABLES = [
    "<table><tr><td>a</td></tr><tr><td>b</td><td>c</td><td>d</td></tr></table>",  # ragged
    '<table><tr><th colspan="2" rowspan="2">a</th><td>b</td></tr><tr><td>c</td></tr></table>',
    "<table><tr><td>a | b</td><td>$|x|$</td></tr></table>",
    "<table><tr><td><table><tr><td>inner</td></tr></table></td></tr></table>",
    "<table></table>",
    '<table><tr><td colspan="0" rowspan="-3">a</td><td>b',  # never closed
    "⟦masked⟧",
]


def page_with(**fields):
    values = {"id": "1", "file_name": "a.png", "structure": "text", "language": "en", "text": ""}
    return page_of(GoldRecord(**(values | {"width": 200, "height": 100} | fields)))


def test_formula_page_then_one_equation_a_region_at_its_place_in_order():
    page = page_with(structure="formula", text="$$x^2⟦masked⟧$$\n\n$$y$$", regions=REGIONS)
    first, second = page["layout_dets"]
    assert first == {
        "category_type": "equation_isolated",
        "latex": "$$x^2$$",
        "poly": [10, 10, 100, 10, 100, 40, 10, 40],
        "attribute": {"polygon": [[10, 10], [100, 10], [100, 40], [10, 40]], "number": 1},
        "ignore": False,
        "order": 0,
        "anno_id": 0,
    }
    assert second["order"] == 1
    assert second["poly"] == [50, 10, 90, 50, 50, 90, 10, 50]
    assert second["attribute"]["polygon"] == [list(point) for point in TURNED]


def test_masks_then_each_is_an_element_to_be_ignored_and_no_mark_is_left_in_the_text():
    page = page_with(text="Dear ⟦masked⟧Jane", masks=MASKS)
    text, box, polygon, brush = page["layout_dets"]
    assert text["text"] == "Dear Jane"
    assert [element["ignore"] for element in page["layout_dets"]] == [False, True, True, True]
    assert box["poly"] == [10, 12.5, 30, 12.5, 30, 20, 10, 20]
    assert box["attribute"]["reason"] == "faded"
    assert brush["poly"] == [2, 2, 28, 2, 28, 8, 2, 8]
    assert len(polygon["poly"]) == 8
    assert [element["anno_id"] for element in page["layout_dets"]] == [0, 1, 2, 3]


corners = st.tuples(st.integers(0, 400), st.integers(0, 400))


@settings(max_examples=200, deadline=None)
@given(st.lists(corners, min_size=1, max_size=12))
def test_quadrilateral_of_any_points_then_it_holds_them_all_clockwise_from_the_top_left(points):
    numbers = smallest_quadrilateral(points)
    quad = list(zip(numbers[0::2], numbers[1::2], strict=True))
    assert sum(quad[0]) <= min(map(sum, quad)) + 1e-3
    for (x0, y0), (x1, y1) in zip(quad, quad[1:] + quad[:1], strict=True):
        for x, y in points:
            side = (x1 - x0) * (y - y0) - (y1 - y0) * (x - x0)
            assert side >= -0.1 * max(1, abs(x1 - x0) + abs(y1 - y0))
    twice_area = sum(x0 * y1 - x1 * y0 for (x0, y0), (x1, y1) in zip(quad, quad[1:] + quad[:1], strict=True))
    hull = convex_hull(points)
    around = (max(x for x, _ in hull) - min(x for x, _ in hull)) * (
        max(y for _, y in hull) - min(y for _, y in hull)
    )
    assert twice_area <= 2 * around + 1


@pytest.mark.django_db(transaction=True)
def test_exports_of_every_structure_then_ours_reads_back_equal_and_theirs_has_every_page():
    rating = {"cursiveness": {"mean": 2.4, "spread": 0.49, "n": 5}}
    gold = [
        make_gold("Dear ⟦masked⟧", masks=MASKS, verification="unverified", difficulty=rating),
        make_gold("$$x^2$$\n\n$$y$$", structure="formula", regions=REGIONS, masks=MASKS[:1]),
        *(make_gold(table, structure="table", verification="verified elsewhere") for table in ODD_TABLES),
    ]
    release = make_gold_release(make_project().team, gold, settings={"formula_answers": "regions"})
    ours, theirs = (
        request_export(release=release, format=export_format, by=release.created_by)
        for export_format in (ExportFormat.INKBENCH, ExportFormat.OMNIDOCBENCH)
    )
    run_waiting()
    for run in (ours, theirs):
        run.refresh_from_db()
        assert run.checksum, run.error
    other = make_project().team
    again = reimport_release(team=other, by=other.memberships.get().user, file=open_blob(ours.checksum))
    assert again.checksum == release.checksum
    before, after = (list(version.items.values("record", "outlines_blob")) for version in (release, again))
    assert before == after
    second = request_export(release=again, format=ExportFormat.INKBENCH, by=again.created_by)
    run_waiting()
    second.refresh_from_db()
    with (
        zipfile.ZipFile(open_blob(ours.checksum)) as first_archive,
        zipfile.ZipFile(open_blob(second.checksum)) as second_archive,
    ):
        assert first_archive.read("gold.jsonl") == second_archive.read("gold.jsonl")
        assert first_archive.read("gold.sha256") == second_archive.read("gold.sha256")
    with zipfile.ZipFile(io.BytesIO(open_blob(theirs.checksum).read())) as archive:
        pages = json.loads(archive.read("OmniDocBench.json"))
    assert len(pages) == len(gold)
    tables = [element["html"] for page in pages for element in page["layout_dets"] if "html" in element]
    assert tables == [*ODD_TABLES[:-1], ""]
