"""Screenshots of a participant's session in a baseline, from consent to the end: each kind of page once."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Page

from tests.live_site import LiveSite

NAMES = tuple(
    f"session-{name}"
    for name in (
        *("consent", "about", "brief", "practice", "feedback", "ready"),
        *("text", "table", "formula", "break", "debrief", "over"),
    )
)
_PAGE_BEFORE = {"agree": "consent", "begin": "brief", "seen": "feedback", "show": "ready", "rested": "break"}
_TRUTH = """
import json
from baseline.models import Participation
from baseline.services.onboard_participant import practice_item
from baseline.services.lock_device import open_task
row = Participation.objects.get(person__username={name!r}, baseline__state="open")
task = open_task(row)
item = task.item if task else practice_item(row)
print(json.dumps([item.structure, item.record["text"], item.record.get("regions", [])]))
"""


@dataclass(slots=True)
class Walk:
    """A participant who goes through the open baseline and fills each page in before its screenshot is taken."""

    page: Page
    site: LiveSite
    name: str
    keep: Callable[[str], None]  # takes the image of this name
    kept: set[str] = field(default_factory=set)

    def go(self) -> None:
        self.page.goto(f"{self.site.url}/baselines/")
        self.page.locator("main a[href*='/baselines/']").first.click()
        while self._step():
            self.page.wait_for_load_state()
        self._keep("over")

    def _keep(self, name: str) -> None:
        if name not in self.kept:
            self.kept.add(name)
            self.page.wait_for_timeout(1500)
            self.keep(f"session-{name}")

    def _step(self) -> bool:
        """One page: its image, and its button. False on the last."""
        form = self.page.locator("main form:not([action$='/withdraw/'])").first
        if not form.count():
            return False
        verb = str(form.get_attribute("action")).rstrip("/").rpartition("/")[2]
        if verb in ("practise", "submit"):
            self._write(verb)
            return True
        if verb == "answer":
            for choices in form.locator("fieldset").all():
                choices.locator("input").first.check()
            form.locator("input[type=text]").fill("English, 中文")
        if verb == "finish":
            form.locator("textarea").fill("The telephone rang on the fourth page.")
        self._keep(_PAGE_BEFORE.get(verb, {"answer": "about", "finish": "debrief"}.get(verb, verb)))
        with self.page.expect_navigation():
            form.locator("button").last.click()
        return True

    def _write(self, verb: str) -> None:
        self.page.locator("ink-viewer[data-drawn]").wait_for()
        printed = self.site.manage("shell", "-c", _TRUTH.format(name=self.name))
        structure, text, regions = json.loads(printed.strip().splitlines()[-1])
        if self.page.locator("ink-region-fields").count():
            self._fill_regions(regions)
        elif structure == "table":
            self._fill_table(text)
        else:
            self.page.locator(".cm-content").focus()
            self.page.keyboard.insert_text("\n".join(text.split("\n")[:-2]))
        self._keep("practice" if verb == "practise" else structure)
        with self.page.expect_navigation():
            self.page.locator("[data-submit]").click()

    def _fill_regions(self, regions: list[dict[str, Any]]) -> None:
        for region in regions[:2]:
            self.page.locator(f"[data-region='{region['number']}']").fill(region["latex"])

    def _fill_table(self, text: str) -> None:
        """All but the last row, put in as source and shown as a grid."""
        self.page.locator(".table-start button").click()
        source = self.page.locator("ink-table .table-tools [aria-pressed]")
        source.click()
        self.page.locator("ink-table .cm-content").focus()
        self.page.keyboard.press("Control+A")
        self.page.keyboard.insert_text(
            text[: text.rindex("<tr")] + text[text.rindex("</tr>") + len("</tr>") :]
        )
        source.click()
