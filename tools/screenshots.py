"""Images of the pages, from a fresh demo: docs/screenshots/<page>-<theme>-<language>.png.

python -m tools.screenshots [PAGE ...]

Without names all are made. Those of a baseline (baseline-..., room-...) need no demo and are made soon.
"""

from __future__ import annotations

import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser.conftest import FLAGS
from tests.live_site import LiveSite, live_site
from tools.session_screenshots import NAMES, Walk

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "screenshots"
LOOKS = (("light", "en"), ("dark", "zh-hans"))
EXPERTS = ("ines", "omar", "lian")
MANAGER, PASSWORD = "mei", "a pass for images 1"
READERS = {LOOKS[0]: "ana", LOOKS[1]: "ben"}  # who takes the open baseline before which look
HINTS_SEEN = "try { localStorage.setItem('inkbench:hints:work', 'seen') } catch {}"
WIDE, TABLET = {"width": 1440, "height": 900}, {"width": 820, "height": 1180}


def open_home(page: Page, site: LiveSite) -> None:
    page.goto(f"{site.url}/")


def open_queue(stage: str) -> Callable[[Page, LiveSite], None]:
    def go(page: Page, site: LiveSite) -> None:
        page.goto(f"{site.url}/")
        page.locator(f"form[action$='next/{stage}/'] button").first.click()
        page.locator("ink-viewer[data-drawn]").wait_for()

    return go


def open_discussion(kind: str) -> Callable[[Page, LiveSite], None]:
    """The discussion in which a field of this kind is open."""

    def go(page: Page, site: LiveSite) -> None:
        page.goto(f"{site.url}/")
        links = page.locator(".chip[href*='/consensus/']").evaluate_all("all => all.map(one => one.href)")
        for link in links:
            page.goto(link)
            page.locator("ink-viewer[data-drawn]").wait_for()
            if page.locator(f"ink-case[open][kind={kind}]").count():
                page.locator(f"ink-case[open][kind={kind}]").first.scroll_into_view_if_needed()
                return
        raise LookupError(f"no discussion of the demo has an open {kind}")

    return go


def open_masks(page: Page, site: LiveSite) -> None:
    """The Masks tab of a work page, with a box drawn over a piece of the image where there is none yet."""
    open_queue("label")(page, site)
    page.locator("[role=tab][href='#masks'], [role=tab][aria-controls='masks']").click()
    if page.locator("ink-masks .mask").count() == 0:
        page.locator("ink-masks .toolbar button").first.click()
        frame = page.locator("ink-viewer .openseadragon-canvas").bounding_box()
        assert frame
        x, y = frame["x"] + frame["width"] * 0.5, frame["y"] + frame["height"] * 0.5
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x + 120, y + 36, steps=6)
        page.mouse.up()
        page.locator("ink-masks .mask input").fill("A blot covers two words.")
    page.wait_for_timeout(2500)  # saved, and the note over the image gone


def open_next(what: str) -> Callable[[Page, LiveSite], None]:
    """The next page to screen, to rate, or the next question to answer."""

    def go(page: Page, site: LiveSite) -> None:
        page.goto(f"{site.url}/")
        page.locator(f"form[action$='/{what}/'] button").click()
        page.locator("ink-viewer[data-drawn]").wait_for()

    return go


def open_address(address: str) -> Callable[[Page, LiveSite], None]:
    def go(page: Page, site: LiveSite) -> None:
        page.goto(f"{site.url}{address}")

    return go


def open_result(page: Page, site: LiveSite) -> None:
    """The sample result that is worst under the first system."""
    page.goto(f"{site.url}/score-runs/1/")
    page.locator("a[href*='/items/']").first.click()
    page.locator("ink-viewer[data-drawn]").wait_for()


def open_study(*, grade: bool = False) -> Callable[[Page, LiveSite], None]:
    """The item at hand in the expert study that waits; at step 2 once its grade is given."""

    def go(page: Page, site: LiveSite) -> None:
        page.goto(f"{site.url}/")
        page.goto(page.locator("a[href*='/expert-studies/']").first.evaluate("a => `${a.href}?begin=1`"))
        if grade and page.locator("input[name=grade]").count():
            page.locator("input[name=grade][value='6']").check(force=True)
            page.locator("form[data-answer] .button--primary").click()
            page.locator("ink-viewer[data-drawn]").wait_for()

    return go


def open_whole(address: str) -> Callable[[Page, LiveSite], None]:
    """A page that is read from top to bottom, in one image."""

    def go(page: Page, site: LiveSite) -> None:
        page.goto(f"{site.url}{address}")
        height = page.evaluate("document.documentElement.scrollHeight")
        page.set_viewport_size({"width": WIDE["width"], "height": height})

    return go


# page name -> (who, how to get there, screen)
PAGES: dict[str, tuple[str, Callable[[Page, LiveSite], None], dict[str, int]]] = {
    "home": ("ana", open_home, WIDE),
    "work": ("ana", open_queue("label"), WIDE),
    "work-tablet": ("ana", open_queue("label"), TABLET),
    "review": ("chen", open_queue("verify"), WIDE),
    "work-table": ("gita", open_queue("label"), WIDE),
    "work-formula": ("ben", open_queue("label"), WIDE),
    "masks": ("ana", open_masks, WIDE),
    "consensus": ("ana", open_discussion("line"), WIDE),
    "consensus-cell": ("ana", open_discussion("cell"), WIDE),
    "consensus-formula": ("ana", open_discussion("region"), WIDE),
    "consensus-mask": ("ana", open_discussion("mask"), WIDE),
    "adjudication": ("eva", open_queue("adjudicate"), WIDE),
    "board": ("mei", open_address("/projects/demo/"), WIDE),
    "samples": ("mei", open_address("/projects/demo/samples/"), WIDE),
    "import": ("mei", open_address("/projects/demo/samples/import/"), WIDE),
    "suggestions": ("mei", open_address("/projects/demo/samples/suggestions/"), WIDE),
    "screening": ("finn", open_next("screen"), WIDE),
    "rating": ("hugo", open_next("rate"), WIDE),
    "question": ("ines", open_next("answer"), WIDE),
    "difficulty": ("mei", open_address("/projects/demo/people/difficulty/"), WIDE),
    "release": ("mei", open_address("/releases/1/"), WIDE),
    "leaderboard": ("mei", open_address("/releases/1/leaderboard/"), WIDE),
    "result": ("mei", open_result, WIDE),
    "study-grade": ("ines", open_study(), WIDE),
    "study-choice": ("omar", open_study(grade=True), WIDE),
    "study-report": ("mei", open_whole("/studies/2/"), WIDE),
    "study-setup": ("mei", open_address("/studies/3/setup/"), WIDE),
    "study-draft": ("mei", open_address("/studies/3/"), WIDE),
    "baseline-setup": ("mei", open_whole("/baselines/2/edit/"), WIDE),
    "baseline-people": ("mei", open_address("/baselines/2/"), WIDE),
    "baseline-results": ("mei", open_whole("/baselines/1/results/"), WIDE),
}


@contextmanager
def signed_in(
    browser: Browser, site: LiveSite, name: str, password: str, look: tuple[str, str]
) -> Iterator[Page]:
    theme, language = look
    context = browser.new_context(locale="zh-CN" if language.startswith("zh") else "en-GB")
    context.add_init_script(HINTS_SEEN)
    page = context.new_page()
    page.goto(f"{site.url}/accounts/login/")
    page.locator("input[name=login]").fill(name)
    page.locator("input[name=password]").fill(password)
    page.keyboard.press("Enter")
    page.wait_for_url(f"{site.url}/")
    site.manage(
        "shell",
        "-c",
        "from config.accounts.models import User\n"
        f"User.objects.filter(username={name!r}).update(theme={theme!r}, language={language!r})",
    )
    try:
        yield page
    finally:
        context.close()


def take_images(site: LiveSite, passwords: dict[str, str], wanted: set[str]) -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        for look in LOOKS:
            for who in sorted({who for who, _, _ in PAGES.values()}):
                chosen = {name: page for name, page in PAGES.items() if page[0] == who and name in wanted}
                if not chosen:
                    continue
                with signed_in(browser, site, who, passwords[who], look) as page:
                    for name, (_, go, screen) in chosen.items():
                        page.set_viewport_size({"width": screen["width"], "height": screen["height"]})
                        go(page, site)
                        page.wait_for_timeout(1500)
                        page.screenshot(path=image_file(name, look))
        if wanted & set(NAMES):
            for look, who in READERS.items():  # last: with it their part is over
                take_room(browser, site, passwords, wanted, look, who)
        browser.close()


def image_file(name: str, look: tuple[str, str]) -> Path:
    return FOLDER / f"{name}-{look[0]}-{look[1].partition('-')[0]}.png"


def take_room(
    browser: Browser,
    site: LiveSite,
    passwords: dict[str, str],
    wanted: set[str],
    look: tuple[str, str],
    who: str,
) -> None:
    """The pages of one pass, in one look."""
    with signed_in(browser, site, who, passwords[who], look) as page:
        page.set_viewport_size({"width": WIDE["width"], "height": WIDE["height"]})

        def keep(name: str) -> None:
            if name in wanted:
                page.screenshot(path=image_file(name, look))

        Walk(page, site, who, keep).go()


def make_people(site: LiveSite, wanted: set[str]) -> dict[str, str]:
    """The demo, an expert study and a baseline, or the baseline alone where no more is wanted; names and passwords."""
    readers = list(READERS.values())
    if all(name.startswith(("baseline-", "room-")) for name in wanted):
        site.add_people(MANAGER, *readers, password=PASSWORD)
        passwords = dict.fromkeys([MANAGER, *readers], PASSWORD)
    else:
        print("Making the demo (a minute or two)")
        said = site.manage("demo")
        passwords = dict(re.findall(r"^  (\w+) +(\S+-\S+-\d+) ", said, re.MULTILINE))
        strangers = [name for name in EXPERTS if name not in passwords]
        site.add_people(*strangers, password=passwords[MANAGER])
        passwords |= dict.fromkeys(strangers, passwords[MANAGER])
        site.manage("example_study", "--manager", MANAGER, "--raters", *EXPERTS)
    site.manage("example_baseline", "--manager", MANAGER, "--people", *readers)
    return passwords


def main() -> None:
    wanted = set(sys.argv[1:]) or {*PAGES, *NAMES}
    if unknown := wanted - {*PAGES, *NAMES}:
        sys.exit(f"There is no page {', '.join(sorted(unknown))}. There are {', '.join([*PAGES, *NAMES])}.")
    FOLDER.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, live_site(Path(folder)) as site:
        take_images(site, make_people(site, wanted), wanted)


if __name__ == "__main__":
    main()
