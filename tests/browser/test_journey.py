"""The main job from end to end, by page controls alone: three people, six samples, from import to leaderboard.

Mei manages and adjudicates, Ana transcribes, Chen reviews. Of six pages two agree at once, one is settled in
discussion, one by the adjudicator, one is returned and then agreed, and one is done by keyboard only. The site is the
real one: server, worker, embedded broker, SQLite in a folder of its own.
"""

from __future__ import annotations

import json
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image, ImageDraw
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.conftest import Troubles, watch
from tests.live_site import LiveSite, live_site

PASSWORD = "ink-and-paper-1905"
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


class Person:
    """One person in a browser context of their own, who knows what they read on each page by its number."""

    def __init__(self, browser: Browser, site: LiveSite, name: str, troubles: Troubles) -> None:
        self.site, self.name = site, name
        self.context: BrowserContext = browser.new_context(
            viewport={"width": 1280, "height": 800}, locale="en-GB"
        )
        self.context.set_default_timeout(20_000)
        watch(self.context, troubles)
        self.page: Page = self.context.new_page()

    def sign_in(self) -> None:
        self.page.goto(f"{self.site.url}/accounts/login/")
        self.page.get_by_label("Login").fill(self.name)
        self.page.get_by_label("Password", exact=True).fill(PASSWORD)
        self.page.get_by_role("main").get_by_role("button", name="Sign in").click()
        expect(self.page.get_by_role("heading", level=1)).to_contain_text("Hello")

    def go_home(self) -> None:
        self.page.get_by_role("link", name="InkBench, home").click()
        expect(self.page.get_by_role("heading", level=1)).to_contain_text("Hello")

    def press(self, name: str) -> None:
        self.page.get_by_role("button", name=name).first.click()

    # -- work pages

    def sample_number(self) -> int:
        """Which sample is on the work page, once its picture is drawn."""
        expect(self.page.locator("ink-viewer[data-drawn]")).to_be_visible()
        words = self.page.locator(".work__place").inner_text()
        found = re.search(r"Sample (\d+)", words)
        assert found, words
        return int(found.group(1))

    def write(self, text: str) -> None:
        editor = self.page.locator("ink-editor .cm-content")
        editor.click()
        self.page.keyboard.press("Control+A")
        self.page.keyboard.insert_text(text)
        expect(self.page.locator("[data-save-state]").first).to_contain_text("Saved")

    def hand_in(self) -> None:
        before = self.page.url
        self.page.locator("[data-submit]").click()
        self.page.wait_for_url(lambda url: url != before)


def make_project(mei: Person) -> None:
    mei.page.get_by_role("link", name="New project").click()
    mei.page.get_by_label("Name", exact=True).fill("Six letters")
    mei.page.get_by_role("button", name="Make the project").click()
    expect(mei.page.get_by_role("heading", level=1)).to_contain_text("Six letters")


def invite(mei: Person, guest: Person, *roles: str) -> None:
    """A link made on the people page, opened by the guest."""
    mei.page.get_by_role("link", name="People").click()
    for role in roles:
        mei.page.get_by_role("checkbox", name=role, exact=True).check()
    mei.page.get_by_role("button", name="Make a link").click()
    link = mei.page.locator("code[id^=link-]").first.inner_text()
    guest.page.goto(link)
    guest.page.get_by_role("main").get_by_role("button").first.click()
    expect(guest.page.get_by_role("main")).to_contain_text("Six letters")


def take_role(mei: Person, role: str) -> None:
    """A manager gives themself another role."""
    mei.page.get_by_role("link", name="People").click()
    mei.page.get_by_role("link", name="Change the roles of mei").click()
    mei.page.get_by_role("checkbox", name=role, exact=True).check()
    mei.page.get_by_role("main").get_by_role("button").first.click()


def import_scans(mei: Person, scans: list[Path]) -> None:
    mei.page.get_by_role("link", name="Import", exact=True).click()
    mei.page.get_by_label("Files").set_input_files([str(path) for path in scans])
    mei.page.get_by_label("Language").select_option("en")
    mei.page.get_by_role("main").get_by_role("button", name="Import").click()
    expect(mei.page.get_by_role("heading", level=1)).to_contain_text("Import")
    expect(mei.page.locator("#live")).to_contain_text("6 of 6 pages", timeout=120_000)
    mei.page.get_by_role("link", name="See the samples").click()


def read_numbers(mei: Person) -> dict[int, str]:
    """What each sample says by its number, from the list of samples: the files were numbered as they came in."""
    rows = mei.page.locator("table tbody tr")
    expect(rows).to_have_count(6)
    truth = {}
    for text in rows.all_inner_texts():
        name = next(name for name in PAGES if name in text)
        number = re.search(r"\d+", text)
        assert number, text
        truth[int(number.group())] = PAGES[name]
    return truth


def wait_for_work(person: Person, words: str, count: int) -> None:
    """Home says how much waits; the recognisers may take their time."""
    waiting = person.page.locator("li").filter(has_text=words).locator(".todo__figure")
    for _ in range(120):
        person.go_home()
        if waiting.count() and waiting.first.inner_text() == str(count):
            return
        person.page.wait_for_timeout(2000)
    raise AssertionError(f"{person.name} still does not see {count} {words}")


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
            ana.hand_in()
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
    """The editor has the focus when the page opens; F7 walks the tabs; Ctrl+Enter hands in."""
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
            chen.hand_in()


def mend_returned(ana: Person, chen: Person, truth: dict[int, str], order: list[int]) -> None:
    ana.go_home()
    ana.press("Transcribe")
    expect(ana.page.get_by_role("main")).to_contain_text("The last line is missing.")
    assert ana.sample_number() == order[3]
    ana.write(truth[order[3]])
    ana.hand_in()
    chen.go_home()
    chen.press("Review")
    assert chen.sample_number() == order[3]
    chen.hand_in()


def open_discussion(person: Person, number: int) -> None:
    """The discussion of one sample, from home."""
    person.go_home()
    person.page.get_by_role("link", name=f"Sample {number}", exact=True).click()
    assert person.sample_number() == number


def choose(person: Person, value: str) -> None:
    case = person.page.locator("ink-case").first
    case.locator(f"input[type=radio][value={value}]").check()
    case.get_by_role("button", name="Stand behind this text").click()


def settle_by_talking(ana: Person, chen: Person, number: int) -> None:
    open_discussion(chen, number)
    chen.page.get_by_label(re.compile("Say something about")).fill("It is an e, look at the loop.")
    chen.press("Say")
    expect(chen.page.locator(".thread")).to_contain_text("look at the loop")
    choose(chen, "second")
    expect(chen.page.locator("ink-case")).to_contain_text("waits for the other person")
    open_discussion(ana, number)
    expect(ana.page.locator(".thread")).to_contain_text("look at the loop")
    expect(ana.page.get_by_role("main")).not_to_contain_text("chen")
    choose(ana, "second")
    expect(ana.page.get_by_role("main")).to_contain_text("This sample is settled")


def settle_by_adjudicator(ana: Person, mei: Person, number: int, truth: dict[int, str]) -> None:
    open_discussion(ana, number)
    ana.page.get_by_text("Ask an adjudicator").click()
    ana.page.get_by_label("Reason").fill("We read the first line differently.")
    ana.press("Hand it to an adjudicator")
    expect(ana.page.get_by_role("main")).to_contain_text("An adjudicator has it now")
    mei.go_home()
    mei.press("Decide")
    assert mei.sample_number() == number
    expect(mei.page.get_by_role("main")).to_contain_text("We read the first line differently.")
    mei.page.locator("ink-case input[type=radio][value=second]").check()
    mei.press("Decide and go on")
    expect(mei.page.get_by_role("heading", level=1)).to_contain_text("Hello")


def release_all(mei: Person) -> None:
    mei.go_home()
    mei.page.get_by_role("main").get_by_role("link", name="Six letters").click()
    mei.page.get_by_role("link", name="Releases", exact=True).click()
    mei.page.get_by_role("link", name="New release").click()
    mei.page.get_by_label("Title").fill("First six")
    mei.page.get_by_role("checkbox", name=re.compile("never be changed")).check()
    mei.press("Freeze 6 samples")
    expect(mei.page.get_by_role("heading", level=1)).to_contain_text("First six")


def export_release(mei: Person, folder: Path) -> dict[str, dict[str, object]]:
    """Export, wait for the job, download; returns the records by sample id."""
    mei.page.get_by_role("button", name=re.compile("InkBench")).click()
    expect(mei.page.get_by_role("link", name="Download")).to_be_visible(timeout=60_000)
    with mei.page.expect_download() as download:
        mei.page.get_by_role("link", name="Download").click()
    archive = folder / "release.zip"
    download.value.save_as(archive)
    with zipfile.ZipFile(archive) as held:
        name = next(name for name in held.namelist() if name.endswith("gold.jsonl"))
        records = [json.loads(line) for line in held.read(name).decode().splitlines()]
        assert sum(name.endswith(".png") for name in held.namelist()) == 6
    mei.page.get_by_role("link", name="Back to the release").click()
    return {str(record["id"]): record for record in records}


def check_gold(gold: dict[str, dict[str, object]], truth: dict[int, str], order: list[int]) -> None:
    """Every page says what it says, and every line knows where it came from."""
    by_number = {record["number"]: record for record in gold.values()}
    assert {number: record["text"] for number, record in by_number.items()} == truth
    assert by_number[order[0]]["origins"] == ["agreed", "agreed"]
    assert by_number[order[1]]["origins"] == ["second", "agreed"]
    assert by_number[order[2]]["origins"] == ["second", "agreed"]
    assert by_number[order[3]]["origins"] == ["agreed", "agreed"]


def score_predictions(mei: Person, gold: dict[str, dict[str, object]], folder: Path) -> None:
    """A system that is right on four pages, wrong on one and silent on one."""
    lines = [{"id": key, "text": record["text"]} for key, record in list(gold.items())[:5]]
    lines[4]["text"] = "something else entirely"
    path = folder / "predictions.jsonl"
    path.write_text("\n".join(json.dumps(line) for line in lines), encoding="utf-8")
    mei.page.get_by_role("link", name="Leaderboard").first.click()
    mei.page.get_by_role("link", name="Add predictions").first.click()
    mei.page.get_by_label("System", exact=True).fill("Careful reader")
    mei.page.get_by_label("Files").set_input_files(str(path))
    mei.press("Hand in and score")
    expect(mei.page.get_by_role("main")).to_contain_text("Careful reader")
    release = mei.page.get_by_role("navigation", name="Pages of the release")
    for _ in range(60):
        release.get_by_role("link", name="Leaderboard").click()
        row = mei.page.locator("table tbody tr").filter(has_text="Careful reader")
        if row.count() and re.search(r"\d\.\d", row.first.inner_text()):
            break
        mei.page.wait_for_timeout(1000)
    figures = row.first.inner_text()
    assert re.search(r"83(\.\d)?", figures), figures  # five of six answered
    assert "1" in figures


def test_journey_from_import_to_leaderboard(
    browser: Browser, site: LiveSite, scans: list[Path], tmp_path: Path, troubles: Troubles
) -> None:
    mei, ana, chen = (Person(browser, site, name, troubles) for name in ("mei", "ana", "chen"))
    for person in (mei, ana, chen):
        person.sign_in()
    make_project(mei)
    invite(mei, ana, "Annotator")
    invite(mei, chen, "Second reviewer")
    take_role(mei, "Adjudicator")
    import_scans(mei, scans)
    truth = read_numbers(mei)
    order = label_all(ana, truth)
    review_all(chen, truth, order)
    mend_returned(ana, chen, truth, order)
    settle_by_talking(ana, chen, order[1])
    settle_by_adjudicator(ana, mei, order[2], truth)
    release_all(mei)
    gold = export_release(mei, tmp_path)
    check_gold(gold, truth, order)
    score_predictions(mei, gold, tmp_path)
