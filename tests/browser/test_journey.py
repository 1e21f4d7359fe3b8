"""The main job from end to end, by page controls alone: three people, six samples, from import to leaderboard.

Mei manages and adjudicates, Ana transcribes, Chen reviews. Of six pages two agree at once, one is settled in
discussion, one by the adjudicator, one is returned and then agreed, and one is done by keyboard only. The site is the
real one: server, worker, embedded broker, SQLite in a folder of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image, ImageDraw
from playwright.sync_api import Browser, expect

from tests.browser.conftest import Troubles
from tests.browser.journey.managing import (
    Gold,
    export_release,
    import_files,
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
from tests.live_site import LiveSite, live_site

PROJECT = "Six letters"
PAGES = {
    "plums.png": "Dear Harriet,\nthe plums arrived.",
    "boots.png": "Come before the frost.\nBring boots.",
    "worm.png": "The invisible worm\nthat flies in the night",
    "tea.png": "tea: 250 g loose\nplasters",
    "rain.png": "It rained all day.\nWe stayed in.",
    "ship.png": "The ship sails on Monday.\nYours, E.",
}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveSite]:
    with live_site(tmp_path_factory.mktemp("journey")) as running:
        running.add_people("mei", "ana", "chen", password=PASSWORD)
        yield running


@pytest.fixture
def scans(tmp_path: Path) -> list[Path]:
    paths = []
    for number, (name, text) in enumerate(PAGES.items()):
        image = Image.new("RGB", (900, 420), (250 - number, 248, 240))
        draw = ImageDraw.Draw(image)
        for line, words in enumerate(text.split("\n")):
            draw.text((60, 70 + 110 * line), words, fill=(20, 30, 70), font_size=48)
        draw.rectangle((20 + 130 * number, 330, 120 + 130 * number, 400), fill=(90, 60 + 20 * number, 60))
        paths.append(tmp_path / name)
        image.save(paths[-1])
    return paths


def label_all(ana: Person, truth: dict[int, str]) -> list[int]:
    """Ana transcribes what comes; the fifth page by keyboard only. Returns the numbers in her order."""
    order = []
    wait_for_work(ana, "to transcribe", 6)
    ana.press("Transcribe")
    for turn in range(6):
        number = ana.sample_number()
        order.append(number)
        if turn == 4:
            label_by_keyboard(ana, truth[number])
        else:
            ana.write(slip(truth[number], turn))
            ana.submit()
    expect(ana.page.get_by_role("heading", level=1)).to_contain_text("Hello")
    return order


def slip(text: str, turn: int) -> str:
    """Ana misreads the first line of her second and third page, and forgets the last line of her fourth."""
    lines = text.split("\n")
    if turn in (1, 2):
        lines[0] = lines[0].replace("e", "c")
    if turn == 3:
        lines.pop()
    return "\n".join(lines)


def label_by_keyboard(ana: Person, text: str) -> None:
    """The editor has the focus when the page opens; F7 walks the tabs; Ctrl+Enter submits."""
    before = ana.page.url
    ana.page.bring_to_front()
    expect(ana.page.locator("ink-editor .cm-content")).to_be_focused()
    ana.page.keyboard.press("F7")
    expect(ana.page.get_by_role("tab", name="Preview")).to_have_attribute("aria-selected", "true")
    ana.page.keyboard.press("Shift+F7")
    for number, line in enumerate(text.split("\n")):
        if number:
            ana.page.keyboard.press("Enter")
        ana.page.keyboard.type(line)
    assert ana.page.url == before
    expect(ana.page.locator("[data-save-state]").first).to_contain_text("Saved")
    ana.page.keyboard.press("Control+Enter")
    ana.page.wait_for_url(lambda url: url != before)


def review_all(chen: Person, truth: dict[int, str], order: list[int]) -> None:
    """Chen accepts what is right, corrects Ana's slips, and returns the page without its last line."""
    chen.go_home()
    chen.press("Review")
    for _ in range(6):
        turn = order.index(chen.sample_number())
        if turn == 3:
            before = chen.page.url
            chen.page.get_by_text("Return", exact=True).click()
            chen.page.get_by_label("Reason").fill("The last line is missing.")
            chen.press("Return to the annotator")
            chen.page.wait_for_url(lambda url, before=before: url != before)
        else:
            if turn in (1, 2):
                chen.write(truth[order[turn]])
            chen.submit()


def mend_returned(ana: Person, chen: Person, truth: dict[int, str], order: list[int]) -> None:
    ana.go_home()
    ana.press("Transcribe")
    expect(ana.page.get_by_role("main")).to_contain_text("The last line is missing.")
    assert ana.sample_number() == order[3]
    ana.write(truth[order[3]])
    ana.submit()
    chen.go_home()
    chen.press("Review")
    assert chen.sample_number() == order[3]
    chen.submit()


def check_gold(gold: Gold, truth: dict[int, str], order: list[int]) -> None:
    """Every page says what it says, and every line knows where it came from."""
    by_number = {record["number"]: record for record in gold.values()}
    assert {number: record["text"] for number, record in by_number.items()} == truth
    assert by_number[order[0]]["origins"] == ["agreed", "agreed"]
    assert by_number[order[1]]["origins"] == ["second", "agreed"]
    assert by_number[order[2]]["origins"] == ["second", "agreed"]
    assert by_number[order[3]]["origins"] == ["agreed", "agreed"]


def score_predictions(mei: Person, gold: Gold, folder: Path) -> None:
    """A system that is right on four pages, wrong on one and silent on one."""
    answers = {key: {"text": record["text"]} for key, record in list(gold.items())[:5]}
    answers[list(answers)[4]] = {"text": "something else entirely"}
    row = submit_predictions(mei, "Careful reader", answers, folder)
    expect(row).to_contain_text("83")  # five of six answered


def test_journey_from_import_to_leaderboard(
    browser: Browser, site: LiveSite, scans: list[Path], tmp_path: Path, troubles: Troubles
) -> None:
    mei, ana, chen = (Person(browser, site, name, troubles) for name in ("mei", "ana", "chen"))
    for person in (mei, ana, chen):
        person.sign_in()
    make_project(mei, PROJECT)
    invite(mei, ana, PROJECT, "Annotator")
    invite(mei, chen, PROJECT, "Second reviewer")
    take_role(mei, "Adjudicator")
    import_files(mei, scans, len(PAGES))
    truth = {number: PAGES[name] for number, name in read_numbers(mei, PAGES).items()}
    order = label_all(ana, truth)
    review_all(chen, truth, order)
    mend_returned(ana, chen, truth, order)
    settle_by_talking(ana, chen, order[1], "second", "It is an e, look at the loop.")
    settle_by_adjudicator(ana, mei, order[2], "second", "We read the first line differently.")
    release_all(mei, PROJECT, "First six", 6)
    archive = export_release(mei, "InkBench", tmp_path / "release.zip")
    assert sum(name.endswith(".png") for name in members(archive)) == 6
    gold = read_gold(archive)
    check_gold(gold, truth, order)
    score_predictions(mei, gold, tmp_path)
