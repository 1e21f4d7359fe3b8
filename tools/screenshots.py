"""Screenshots of the pages, from a fresh demo.

    python -m tools.screenshots     the ones the docs show: docs/screenshots/<page>-<theme>-<language>.webp
    python -m tools.screenshots --to FOLDER [PAGE ...]   these pages, or all, in both looks as PNG; not committed

Pages of a baseline (baseline-..., session-...) need no demo and take seconds.
"""

from __future__ import annotations

import argparse
import io
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser.conftest import FLAGS
from tests.live_site import LiveSite, live_site
from tools.session_screenshots import NAMES, Walk

DOCS = Path(__file__).resolve().parents[1] / "docs" / "screenshots"
LIGHT, DARK = ("light", "en"), ("dark", "zh-hans")
LOOKS = (LIGHT, DARK)
MAX_BYTES = 150_000  # of a screenshot in the docs
# What the docs show, and in which look.
SHOWN = {
    "work": LOOKS,
    "review": (LIGHT,),
    "consensus": (DARK,),
    "work-table": (LIGHT,),
    "overview": (LIGHT,),
    "import": (LIGHT,),
    "leaderboard": (LIGHT,),
    "study-choice": (LIGHT,),
    "session-text": (LIGHT,),
    "baseline-results": (LIGHT,),
}
EXPERTS = ("ines", "omar", "lian")
MANAGER, PASSWORD = "mei", "password for screenshots 1"
PARTICIPANTS = {LIGHT: "ana", DARK: "ben"}  # who takes part in the open baseline in which look
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
        links = page.locator(".chip[href*='/consensus/']").evaluate_all(
            "links => links.map(link => link.href)"
        )
        for link in links:
            page.goto(link)
            page.locator("ink-viewer[data-drawn]").wait_for()
            if page.locator(f"ink-disputed-field[open][kind={kind}]").count():
                page.locator(f"ink-disputed-field[open][kind={kind}]").first.scroll_into_view_if_needed()
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


def open_next(task: str) -> Callable[[Page, LiveSite], None]:
    """The next page to screen, to rate, or the next question to answer."""

    def go(page: Page, site: LiveSite) -> None:
        page.goto(f"{site.url}/")
        page.locator(f"form[action$='/{task}/'] button").click()
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
    """The current item of the expert study that waits; at step 2 once its grade is given."""

    def go(page: Page, site: LiveSite) -> None:
        page.goto(f"{site.url}/")
        page.goto(page.locator("a[href*='/expert-studies/']").first.evaluate("a => `${a.href}?begin=1`"))
        if grade and page.locator("input[name=grade]").count():
            page.locator("input[name=grade][value='6']").check(force=True)
            page.locator("form[data-answer] .button--primary").click()
            page.locator("ink-viewer[data-drawn]").wait_for()

    return go


def open_whole(address: str) -> Callable[[Page, LiveSite], None]:
    """A page at its full height."""

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
    "overview": ("mei", open_address("/projects/demo/"), WIDE),
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


class Sheet:
    """Where screenshots go: which pages in which looks, and in which format."""

    def __init__(self, folder: Path, wanted: dict[str, tuple[tuple[str, str], ...]]) -> None:
        self.folder, self.wanted = folder, wanted

    def wants(self, name: str, look: tuple[str, str]) -> bool:
        return look in self.wanted.get(name, ())

    def write(self, page: Page, name: str, look: tuple[str, str]) -> None:
        path = self.folder / f"{name}-{look[0]}-{look[1].partition('-')[0]}"
        png = page.screenshot()
        if self.folder != DOCS:
            path.with_suffix(".png").write_bytes(png)
            return
        for quality in (80, 65, 50, 35):
            buffer = io.BytesIO()
            Image.open(io.BytesIO(png)).convert("RGB").save(buffer, "WEBP", quality=quality, method=6)
            if buffer.tell() <= MAX_BYTES:
                break
        path.with_suffix(".webp").write_bytes(buffer.getvalue())


def take_screenshots(site: LiveSite, passwords: dict[str, str], sheet: Sheet) -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        for look in LOOKS:
            for user in sorted({user for user, _, _ in PAGES.values()}):
                chosen = {
                    name: page for name, page in PAGES.items() if page[0] == user and sheet.wants(name, look)
                }
                if not chosen:
                    continue
                with signed_in(browser, site, user, passwords[user], look) as page:
                    for name, (_, go, screen) in chosen.items():
                        page.set_viewport_size({"width": screen["width"], "height": screen["height"]})
                        go(page, site)
                        page.wait_for_timeout(1500)
                        sheet.write(page, name, look)
        for look, user in PARTICIPANTS.items():  # last: it ends their session
            if any(sheet.wants(name, look) for name in NAMES):
                take_session(browser, site, passwords, sheet, look, user)
        browser.close()


def take_session(
    browser: Browser,
    site: LiveSite,
    passwords: dict[str, str],
    sheet: Sheet,
    look: tuple[str, str],
    user: str,
) -> None:
    """The pages of one participant's session, in one look."""
    with signed_in(browser, site, user, passwords[user], look) as page:
        page.set_viewport_size({"width": WIDE["width"], "height": WIDE["height"]})

        def keep(name: str) -> None:
            if sheet.wants(name, look):
                sheet.write(page, name, look)

        Walk(page, site, user, keep).go()


def make_people(site: LiveSite, names: set[str]) -> dict[str, str]:
    """Make what the named pages show: the demo, an expert study, a baseline. Returns passwords by user name."""
    participants = list(PARTICIPANTS.values())
    if all(name.startswith(("baseline-", "session-")) for name in names):
        site.add_people(MANAGER, *participants, password=PASSWORD)
        passwords = dict.fromkeys([MANAGER, *participants], PASSWORD)
    else:
        print("Making the demo (a minute or two)")
        output = site.manage("demo")
        passwords = dict(re.findall(r"^  (\w+) +(\S+-\S+-\d+) ", output, re.MULTILINE))
        strangers = [name for name in EXPERTS if name not in passwords]
        site.add_people(*strangers, password=passwords[MANAGER])
        passwords |= dict.fromkeys(strangers, passwords[MANAGER])
        site.manage("example_study", "--manager", MANAGER, "--raters", *EXPERTS)
    site.manage("example_baseline", "--manager", MANAGER, "--people", *participants)
    return passwords


def main() -> None:
    parser = argparse.ArgumentParser(description="Screenshots of the pages.")
    parser.add_argument(
        "--to", type=Path, metavar="FOLDER", help="PNG files of all pages, instead of the docs'"
    )
    parser.add_argument("pages", nargs="*", metavar="PAGE", help=", ".join([*PAGES, *NAMES]))
    options = parser.parse_args()
    known = {*PAGES, *NAMES} if options.to else set(SHOWN)
    if unknown := set(options.pages) - known:
        sys.exit(f"Unknown pages: {', '.join(sorted(unknown))}. Choose from {', '.join(sorted(known))}.")
    names = set(options.pages) or known
    sheet = Sheet(options.to or DOCS, {name: LOOKS if options.to else SHOWN[name] for name in names})
    sheet.folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, live_site(Path(folder)) as site:
        take_screenshots(site, make_people(site, names), sheet)


if __name__ == "__main__":
    main()
