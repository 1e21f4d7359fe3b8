"""The real work page in a browser: how tests open it, kill the browser before it, and write by input methods."""

from __future__ import annotations

import re
import subprocess

from django.conf import settings as django_settings
from django.test import Client
from playwright.sync_api import BrowserContext, Page, Playwright, expect

from config.accounts.models import User
from tests.browser.conftest import PATIENCE_MS
from tests.sites.serving import free_port
from tests.waiting import wait_until

SAVED = re.compile(r"Saved \d\d:\d\d")
OFFLINE = "Offline – saved on this device"


def sign_in(context: BrowserContext, site: str, person: User) -> None:
    client = Client()
    client.force_login(person)
    cookie = client.cookies[django_settings.SESSION_COOKIE_NAME]
    context.add_cookies([{"name": cookie.key, "value": cookie.value, "url": site}])


def open_page(context: BrowserContext, address: str, *, is_drawn: bool = True) -> Page:
    context.add_init_script("try { localStorage.setItem('inkbench:hints:work', 'seen') } catch {}")
    page = context.new_page()
    page.goto(address)
    if is_drawn:
        expect(page.locator("ink-viewer[data-drawn]")).to_be_visible()
    return page


def says(page: Page, words: str | re.Pattern[str]) -> None:
    expect(page.locator(".work__foot [data-save-state]")).to_have_text(words)


COPY_IS_OF_NOW = """async () => {
  const settled = (request) => new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  const database = await settled(indexedDB.open("inkbench"));
  const rows = await settled(database.transaction("unsaved").objectStore("unsaved").getAll());
  database.close();
  const now = (name) => document.querySelector(`textarea[name=${name}]`)?.value ?? null;
  return rows.some((row) => row.text === now("text") && (row.masks ?? null) === now("masks"));
}"""


def until_kept(page: Page) -> None:
    """Until the copy on this device holds what the page shows: a disk that others use may take a moment."""
    wait_until(lambda: bool(page.evaluate(COPY_IS_OF_NOW)), "the copy on the device")


def start_browser(
    playwright: Playwright, command: list[str]
) -> tuple[subprocess.Popen[bytes], BrowserContext]:
    port = free_port()
    process = subprocess.Popen(
        [*command, f"--remote-debugging-port={port}"], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL
    )
    assert process.stderr
    for line in process.stderr:  # it says when it listens
        if b"DevTools listening" in line:
            break
    context = playwright.chromium.connect_over_cdp(f"http://127.0.0.1:{port}").contexts[0]
    context.set_default_timeout(PATIENCE_MS)
    return process, context


def confirm_candidate(page: Page, order: str) -> None:
    """The Enter that confirms an input method's candidate, as browsers send it; Safari ends the composition first."""
    page.evaluate(
        """order => {
            const field = document.activeElement;
            const press = how => field.dispatchEvent(new KeyboardEvent('keydown',
                {key: 'Enter', code: 'Enter', bubbles: true, cancelable: true, ...how}));
            field.dispatchEvent(new CompositionEvent('compositionstart', {bubbles: true}));
            if (order === 'safari') {
                field.dispatchEvent(new CompositionEvent('compositionend', {bubbles: true, data: '你'}));
                press({keyCode: 229});
                press({keyCode: 229, ctrlKey: true});
            } else {
                press({isComposing: true, keyCode: 13});
                press({isComposing: true, keyCode: 229, ctrlKey: true});
                field.dispatchEvent(new CompositionEvent('compositionend', {bubbles: true, data: '你'}));
            }
        }""",
        order,
    )


def compose_hello(page: Page) -> None:
    """你好 by an input method into what has the focus: pinyin that grows, Enter on the candidate, the candidate."""
    tools = page.context.new_cdp_session(page)
    for typed in ("n", "ni", "ni h", "ni hao"):
        tools.send(
            "Input.imeSetComposition",
            {"text": typed, "selectionStart": len(typed), "selectionEnd": len(typed)},
        )
    tools.send(
        "Input.dispatchKeyEvent",
        {"type": "rawKeyDown", "key": "Enter", "code": "Enter", "windowsVirtualKeyCode": 229},
    )
    tools.send("Input.insertText", {"text": "你好"})
