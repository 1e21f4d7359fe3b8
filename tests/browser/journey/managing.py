"""What a manager does around the work: project, people, import, release, export, scores. Page controls alone."""

from __future__ import annotations

import json
import re
import zipfile
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from playwright.sync_api import Locator, expect

from tests.browser.journey.person import Person

Gold = dict[str, dict[str, Any]]  # records by sample id, in the release's order


def make_project(manager: Person, name: str, *, recogniser: str = "ppocr-v6") -> None:
    """With one recogniser of the three that are offered: what they read is tested elsewhere, and takes long."""
    manager.page.get_by_role("link", name="New project").click()
    manager.page.get_by_label("Name", exact=True).fill(name)
    manager.page.locator("summary", has_text="Advanced").click()
    for box in manager.page.locator("input[name=recognisers]").all():
        box.set_checked(box.get_attribute("value") == recogniser)
    manager.page.get_by_role("button", name="Create project").click()
    expect(manager.page.get_by_role("heading", level=1)).to_contain_text(name)


def invite(manager: Person, guest: Person, project: str, *roles: str) -> None:
    """A link made on the people page, opened by the guest."""
    manager.page.get_by_role("link", name="People", exact=True).click()
    for role in roles:
        manager.page.get_by_role("checkbox", name=role, exact=True).check()
    manager.page.get_by_role("button", name="Create link").click()
    link = manager.page.locator("code[id^=link-]").first.inner_text()
    guest.page.goto(link)
    guest.page.get_by_role("main").get_by_role("button").first.click()
    expect(guest.page.get_by_role("main")).to_contain_text(project)


def take_role(manager: Person, role: str) -> None:
    """A manager gives themself another role."""
    manager.page.get_by_role("link", name="People", exact=True).click()
    manager.page.get_by_role("link", name=f"Change the roles of {manager.name}").click()
    manager.page.get_by_role("checkbox", name=role, exact=True).check()
    manager.page.get_by_role("main").get_by_role("button").first.click()


def import_files(manager: Person, files: Collection[Path], n_pages: int) -> None:
    tabs = manager.page.get_by_role("navigation", name="Project", exact=True)
    tabs.get_by_role(
        "link", name="Samples"
    ).click()  # with the number of those that wait, where there are any
    manager.page.get_by_role("link", name="Import", exact=True).click()
    manager.page.get_by_label("Files").set_input_files([str(path) for path in files])
    manager.page.get_by_label("Language").select_option("en")
    manager.page.get_by_role("main").get_by_role("button", name="Import").click()
    expect(manager.page.get_by_role("heading", level=1)).to_contain_text("Import")
    live = manager.page.locator("#live")
    expect(live).to_contain_text(f"Pages: {n_pages} of {n_pages}", timeout=120_000)
    manager.page.get_by_role("link", name="View samples").click()


def read_numbers(manager: Person, names: Collection[str]) -> dict[int, str]:
    """The file name of each sample by its number, from the list of samples: files are numbered as they come in."""
    rows = manager.page.locator("table tbody tr")
    expect(rows).to_have_count(len(names))
    numbers = {}
    for text in rows.all_inner_texts():
        number = re.search(r"\d+", text)
        assert number, text
        numbers[int(number.group())] = next(name for name in names if name in text)
    return numbers


def release_all(manager: Person, project: str, title: str, count: int, **choices: str) -> None:
    """Freeze everything; `choices` are radio buttons of the form, by name."""
    manager.go_home()
    manager.page.get_by_role("main").get_by_role("link", name=project).click()
    manager.page.get_by_role("link", name="Releases", exact=True).click()
    manager.page.get_by_role("link", name="New release").click()
    manager.page.get_by_label("Title").fill(title)
    for name, value in choices.items():
        manager.page.locator(f"input[name={name}][value={value}]").check()
    manager.page.get_by_role("checkbox", name=re.compile("never be changed")).check()
    manager.press(f"Freeze {count} samples")
    expect(manager.page.get_by_role("heading", level=1)).to_contain_text(title)


def export_release(manager: Person, form: str, archive: Path) -> Path:
    """Export the release whose page this is, wait for the job, download to `archive`."""
    manager.page.get_by_role("link", name="Reports", exact=True).click()
    manager.page.get_by_role("button", name=re.compile(form)).click()
    expect(manager.page.get_by_role("link", name="Download")).to_be_visible(timeout=60_000)
    with manager.page.expect_download() as download:
        manager.page.get_by_role("link", name="Download").click()
    download.value.save_as(archive)
    manager.page.get_by_role("link", name="Back to the reports").click()
    return archive


def members(archive: Path) -> dict[str, bytes]:
    """What an archive holds, without the folder that all of it may stand in."""
    with zipfile.ZipFile(archive) as held:
        names = [name for name in held.namelist() if not name.endswith("/")]
        roots = {name.partition("/")[0] for name in names if "/" in name}
        root = f"{roots.pop()}/" if len(roots) == 1 and all("/" in name for name in names) else ""
        return {name.removeprefix(root): held.read(name) for name in names}


def read_gold(archive: Path) -> Gold:
    """The records of an export of ours."""
    lines = members(archive)["gold.jsonl"].decode().splitlines()
    return {record["id"]: record for record in map(json.loads, lines)}


def import_release(manager: Person, archive: Path, title: str) -> None:
    """The archive comes in as the next release of the project whose page this is."""
    manager.page.get_by_role("link", name="Releases", exact=True).first.click()
    manager.page.get_by_role("link", name="Import a release").click()
    manager.page.locator("input[type=file]").set_input_files(str(archive))
    manager.page.get_by_role("main").get_by_role("button", name="Import").click()
    expect(manager.page.get_by_role("heading", level=1)).to_contain_text(title)


def submit_predictions(
    manager: Person, system: str, answers: Mapping[str, Mapping[str, Any]], folder: Path
) -> Locator:
    """Answers by sample id, through the form; the system's row of the leaderboard once it has figures."""
    path = folder / "predictions.jsonl"
    lines = [json.dumps({"id": key, **answer}) for key, answer in answers.items()]
    path.write_text("\n".join(lines), encoding="utf-8")
    manager.page.get_by_role("link", name="Leaderboard").first.click()
    manager.page.get_by_role("link", name="Add predictions").first.click()
    manager.page.get_by_label("System", exact=True).fill(system)
    manager.page.get_by_label("Files").set_input_files(str(path))
    manager.press("Submit and score")
    expect(manager.page.get_by_role("main")).to_contain_text(system)
    pages = manager.page.get_by_role("navigation", name="Release", exact=True)
    row = manager.page.locator("table tbody tr").filter(has_text=system)
    for _ in range(60):
        pages.get_by_role("link", name="Leaderboard").click()
        if row.count() and re.search(r"\d\.\d", row.first.inner_text()):
            return row.first
        manager.page.wait_for_timeout(1000)
    raise AssertionError(f"{system} has no figures yet")
