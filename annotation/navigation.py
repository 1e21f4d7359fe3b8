"""The sections of a project and their pages: what a person's tabs show, and how many things wait there."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from annotation.selectors.manager_tasks import ManagerCounts


@dataclass(frozen=True, slots=True)
class NavigationPage:
    """A page of a section; `name` is the name of its address, `count` the things there that need a manager."""

    name: str
    label: str | Promise
    count: int = 0


@dataclass(frozen=True, slots=True)
class Section:
    """A tab with its pages; the first is where the tab leads."""

    label: str | Promise
    pages: tuple[NavigationPage, ...]
    icon: str = ""
    is_at_end: bool = False

    @property
    def name(self) -> str:
        return self.pages[0].name

    @property
    def count(self) -> int:
        return sum(page.count for page in self.pages)

    def has(self, name: str) -> bool:
        return any(page.name == name for page in self.pages)


def sections_for_manager(counts: ManagerCounts) -> list[Section]:
    """All five sections, and the settings at the end."""
    return [
        Section(_("Overview"), (NavigationPage("project", _("Overview")),)),
        Section(
            _("Samples"),
            (
                NavigationPage("project_samples", pgettext_lazy("samples", "List"), counts.flags),
                NavigationPage("project_import", _("Import")),
                NavigationPage("project_duplicates", _("Duplicates"), counts.duplicates),
                NavigationPage("project_suggestions", _("Suggestions")),
            ),
        ),
        Section(
            _("People"),
            (
                NavigationPage("project_people", _("People and invitations")),
                NavigationPage("project_difficulty", _("Difficulty")),
                NavigationPage("project_questions", _("Questions")),
            ),
        ),
        Section(
            _("Quality"),
            (
                NavigationPage("project_agreement", _("Agreement")),
                NavigationPage("project_checks", _("Checks")),
                NavigationPage("project_guideline", _("Guideline")),
            ),
        ),
        Section(_("Releases"), (NavigationPage("project_releases", _("Releases")),)),
        Section(
            _("Settings"),
            (
                NavigationPage("project_settings", _("Settings")),
                NavigationPage("project_recognisers", _("Recognisers")),
            ),
            icon="settings",
            is_at_end=True,
        ),
    ]


def sections_for_member() -> list[Section]:
    """What everybody in a project may read."""
    return [
        Section(_("Guideline"), (NavigationPage("project_guideline", _("Guideline")),)),
        Section(_("Releases"), (NavigationPage("project_releases", _("Releases")),)),
    ]
