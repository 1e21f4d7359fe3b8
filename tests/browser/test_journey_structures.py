"""Tables, formula pages and masks from end to end, by page controls alone: two of each, from import to scores.

Ana transcribes, Chen reviews, Mei manages and adjudicates. On one page of each pair the two agree at once; a cell and a
mask are settled in discussion, an outline by the adjudicator. The release goes out, comes back equal, and is scored.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image, ImageDraw
from playwright.sync_api import Browser, expect

from evaluation.payloads.table import canonical_table
from tests.browser.conftest import Troubles
from tests.browser.journey.managing import (
    Gold,
    export_release,
    import_files,
    import_release,
    invite,
    make_project,
    members,
    read_gold,
    read_numbers,
    release_all,
    submit_predictions,
    take_role,
)
from tests.browser.journey.person import PASSWORD, Person
from tests.browser.journey.settling import settle_by_adjudicator, settle_by_talking, wait_for_work
from tests.browser.shapes import cell, is_near, mask_box, outline, press_tool
from tests.live_site import LiveSite, live_site

PROJECT = "Every structure"
RAIN = (
    '<table><thead><tr><th colspan="2">Rain</th></tr></thead>'
    "<tbody><tr><td>May</td><td>$x^2$ mm</td></tr></tbody></table>"
)
TEA = "<table><tr><td>tea</td><td>250 g</td></tr><tr><td>figs</td><td>7</td></tr></table>"
# file -> structure, split, writer
FILES = {
    "rain.png": ("table", "train", "w1"),
    "tea.png": ("table", "test", "w2"),
    "roots.png": ("formula", "train", "w1"),
    "area.png": ("formula", "test", "w2"),
    "letter.png": ("text", "train", "w1"),
    "torn.png": ("text", "test", "w2"),
}
INK = {
    "rain.png": "Rain\nMay    x2 mm",
    "tea.png": "tea    250 g\nfigs      7",
    "roots.png": "a/b\n\n   y + 1",
    "area.png": "A = ab",
    "letter.png": "Dear Harriet,\nthe ~~~~ came",
    "torn.png": "Bring the\n~~~~~~ home",
}
TEXTS = {"letter.png": "Dear Harriet,\nthe ⟦masked⟧ came", "torn.png": "Bring the\n⟦masked⟧ home"}
FIRST, SECOND = [(60, 60), (300, 60), (300, 160), (60, 160)], [(80, 300), (360, 320), (200, 420)]
AREA = [(60, 60), (400, 60), (400, 180), (60, 180)]
BLOT, WIDE_BLOT = ((180, 180), (320, 240)), ((140, 180), (320, 250))
EVIDENCE = "The parish register has the same hand."


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveSite]:
    with live_site(tmp_path_factory.mktemp("structures")) as running:
        running.add_people("mei", "ana", "chen", password=PASSWORD)
        yield running


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    """Six pages and the manifest that says what they are."""
    paths = []
    for number, (name, text) in enumerate(INK.items()):
        image = Image.new("RGB", (900, 560), (250 - number, 248, 240))
        draw = ImageDraw.Draw(image)
        for line, words in enumerate(text.split("\n")):
            draw.text((60, 70 + 110 * line), words, fill=(20, 30, 70), font_size=52)
        draw.rectangle((20 + 130 * number, 460, 120 + 130 * number, 540), fill=(90, 60 + 20 * number, 60))
        paths.append(tmp_path / name)
        image.save(paths[-1])
    manifest = tmp_path / "manifest.jsonl"
    facts = (
        {"file": name, "structure": structure, "split": split, "writer_id": writer, "group": f"{split} group"}
        for name, (structure, split, writer) in FILES.items()
    )
    manifest.write_text("\n".join(map(json.dumps, facts)), encoding="utf-8")
    return [*paths, manifest]


def label_all(ana: Person, names: dict[int, str]) -> None:
    wait_for_work(ana, "to transcribe", len(names))
    ana.press("Transcribe")
    ana.skip_hints()
    for _ in names:
        name = names[ana.sample_number()]
        LABEL[name](ana)
        ana.expect_saved()
        ana.submit()
    expect(ana.page.get_by_role("heading", level=1)).to_contain_text("Hello")


def begin_grid(person: Person, *cells: str) -> None:
    """A grid of two by two, its cells typed one after the other."""
    expect(person.page.locator("ink-table[data-ready]")).to_be_visible()
    person.page.get_by_label("Rows").fill("2")
    person.page.get_by_label("Columns").fill("2")
    person.page.get_by_role("button", name="Create grid").click()
    for number, words in enumerate(cells):
        if number:
            person.page.keyboard.press("Tab")
        person.page.keyboard.insert_text(words)


def label_rain(ana: Person) -> None:
    """A header over both columns, and math in a cell."""
    begin_grid(ana, "Rain", "", "May", "$x^2$ mm")
    cell(ana.page, 0).click()
    cell(ana.page, 1).click(modifiers=["Shift"])
    press_tool(ana.page, "Merge")


def label_tea(ana: Person) -> None:
    """No header; she misreads the last cell."""
    begin_grid(ana, "tea", "250 g", "figs", "1")
    for index in (0, 1):
        cell(ana.page, index).click()
        press_tool(ana.page, "Header cell")


def label_roots(ana: Person) -> None:
    outline(ana.page, FIRST)
    ana.page.keyboard.insert_text(r"\frac{a}{b}")
    outline(ana.page, SECOND)
    ana.page.keyboard.insert_text("y + 1")


def label_area(ana: Person) -> None:
    outline(ana.page, AREA)
    ana.page.keyboard.insert_text("A = ab")


def label_masked(name: str, ana: Person) -> None:
    """What cannot be read is masked, its mark is in the text; where she looked it up is in her log."""
    ana.write(TEXTS[name])
    mask_box(ana.page, *BLOT)
    ana.page.keyboard.insert_text("ink blot")
    ana.page.get_by_role("tab", name="Notes").click()
    log = ana.page.locator("#own-evidence > form")
    log.get_by_label("What you learned").fill(EVIDENCE)
    log.get_by_role("button", name="Add to the log").click()
    expect(ana.page.locator("#own-evidence .thread")).to_contain_text(EVIDENCE)
    ana.page.get_by_role("tab", name="Write").click()


LABEL = {
    "rain.png": label_rain,
    "tea.png": label_tea,
    "roots.png": label_roots,
    "area.png": label_area,
    "letter.png": lambda ana: label_masked("letter.png", ana),
    "torn.png": lambda ana: label_masked("torn.png", ana),
}


def review_all(chen: Person, names: dict[int, str]) -> None:
    """Chen accepts the first of each pair; of the second ones he changes a cell, an outline and a mask."""
    chen.go_home()
    chen.press("Review")
    chen.skip_hints()
    for _ in names:
        name = names[chen.sample_number()]
        expect(chen.page.get_by_role("main")).not_to_contain_text(EVIDENCE)
        if name in CHANGE:
            CHANGE[name](chen)
            chen.expect_saved()
        chen.submit()


def change_cell(chen: Person) -> None:
    expect(chen.page.locator("ink-table[data-ready]")).to_be_visible()
    cell(chen.page, 3).click()
    chen.page.keyboard.press("End")
    chen.page.keyboard.press("Shift+Home")
    chen.page.keyboard.insert_text("7")


def change_outline(chen: Person) -> None:
    """The lower side goes down by steps of ten pixels."""
    chen.page.get_by_role("button", name="Change the outline of formula 1").click()
    for _ in range(2):  # from the first point to the third, then the fourth
        chen.page.keyboard.press("n")
    for _ in range(6):
        chen.page.keyboard.press("Shift+ArrowDown")
    chen.page.keyboard.press("n")
    for _ in range(6):
        chen.page.keyboard.press("Shift+ArrowDown")
    chen.page.keyboard.press("Enter")


def change_mask(chen: Person) -> None:
    chen.page.get_by_role("tab", name="Masks").click()
    chen.page.get_by_role("button", name="Remove: Mask 1").click()
    mask_box(chen.page, *WIDE_BLOT)
    chen.page.keyboard.insert_text("torn off")


CHANGE = {"tea.png": change_cell, "area.png": change_outline, "torn.png": change_mask}


def check_gold(gold: Gold, names: dict[int, str]) -> None:
    """Every label as it was settled, and of every field where it came from."""
    by_name = {names[record["number"]]: record for record in gold.values()}
    assert by_name["rain.png"]["text"] == canonical_table(RAIN)
    assert by_name["tea.png"]["text"] == canonical_table(TEA)
    assert by_name["tea.png"]["origins"] == ["agreed"] * 4 + ["second"]
    roots, area = by_name["roots.png"], by_name["area.png"]
    assert roots["text"] == "$$\\frac{a}{b}$$\n\n$$y+1$$"
    assert [
        is_near(region["polygon"], points)
        for region, points in zip(roots["regions"], (FIRST, SECOND), strict=True)
    ]
    lower = [(x, y + 60 * (y > 100)) for x, y in AREA]
    assert is_near(area["regions"][0]["polygon"], lower), area["regions"]
    assert "second" in area["origins"] and "agreed" in area["origins"]
    for name, points, reason in (("letter.png", BLOT, "ink blot"), ("torn.png", WIDE_BLOT, "torn off")):
        record = by_name[name]
        assert record["text"] == TEXTS[name]
        (mask,) = record["masks"]
        assert is_near(mask["points"], points), mask
        assert (mask["shape"], mask["reason"]) == ("box", reason)
    assert by_name["torn.png"]["origins"] == ["agreed", "agreed", "second"]
    for name, (structure, split, writer) in FILES.items():
        record = by_name[name]
        assert (record["structure"], record["verification"]) == (structure, "double verified")
        message = {"split": split, "writer_id": writer, "group": f"{split} group"}
        assert {key: record["extra"][key] for key in message} == message


HEADS = ("README.md", "manifest.json")  # they say number and date of the release


def check_card(card: str) -> None:
    assert "| double verified | 6 |" in card
    assert "Formulas: 3 regions on 2 pages." in card
    assert "Masks: 2 on 2 samples." in card


def check_omnidocbench(archive: Path, names: dict[int, str], gold: Gold) -> None:
    """Formulas, tables and masks as its evaluator reads them."""
    pages = json.loads(members(archive)["OmniDocBench.json"])
    files = {record["file_name"]: names[record["number"]] for record in gold.values()}
    elements = {files[Path(page["page_info"]["image_path"]).name]: page["layout_dets"] for page in pages}
    assert [element["category_type"] for element in elements["roots.png"]] == ["equation_isolated"] * 2
    assert elements["roots.png"][1]["latex"] == "$$y+1$$"
    assert elements["rain.png"][0]["category_type"] == "table"
    assert elements["rain.png"][0]["html"] == canonical_table(RAIN)
    assert [element["ignore"] for element in elements["letter.png"]][-1] is True


def test_journey_of_every_structure_from_import_to_scores(
    browser: Browser, site: LiveSite, files: list[Path], tmp_path: Path, troubles: Troubles
) -> None:
    mei, ana, chen = (Person(browser, site, name, troubles) for name in ("mei", "ana", "chen"))
    for person in (mei, ana, chen):
        person.sign_in()
    make_project(mei, PROJECT)
    invite(mei, ana, PROJECT, "Annotator")
    invite(mei, chen, PROJECT, "Second reviewer")
    take_role(mei, "Adjudicator")
    import_files(mei, files, len(FILES))
    names = read_numbers(mei, FILES)
    numbers = {name: number for number, name in names.items()}
    label_all(ana, names)
    review_all(chen, names)
    settle_by_talking(ana, chen, numbers["tea.png"], "second", "It has the bar of a seven.")
    settle_by_talking(ana, chen, numbers["torn.png"], "second", "The tear goes on to the margin.")
    settle_by_adjudicator(ana, mei, numbers["area.png"], "second", "Does the tail belong to it?")
    release_all(mei, PROJECT, "First of all", 6)
    first = export_release(mei, "InkBench", tmp_path / "first.zip")
    gold = read_gold(first)
    check_gold(gold, names)
    check_card(members(first)["README.md"].decode())
    check_omnidocbench(export_release(mei, "OmniDocBench", tmp_path / "theirs.zip"), names, gold)
    mei.go_home()
    make_project(mei, "Another home")
    import_release(mei, first, "First of all")
    again = members(export_release(mei, "InkBench", tmp_path / "again.zip"))
    assert all(again[name] == held for name, held in members(first).items() if name not in HEADS)
    answers = {key: {"text": record["text"]} for key, record in gold.items()}
    row = submit_predictions(mei, "Careful reader", answers, tmp_path)
    expect(row).to_contain_text("100.0")  # Overall of texts, tables and formulas
