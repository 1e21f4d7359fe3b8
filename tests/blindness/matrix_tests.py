"""The canary matrix of a mode of verification: every address x person x way of asking."""

from __future__ import annotations

from dataclasses import replace

import pytest

from annotation.models import Assignment
from annotation.models.project import VerificationMode
from annotation.visibility.labels import mask_sheets, verify_sheet
from annotation.worksheets import VerifySheet
from tests.blindness.addresses import Address, Uncovered, addresses
from tests.blindness.matrix import Walk, walk
from tests.blindness.providers import PROVIDERS
from tests.blindness.visitor import Visitor
from tests.blindness.world import World


def _with_note(sheet: VerifySheet, primary: Assignment) -> VerifySheet:
    return replace(sheet, page=replace(sheet.page, guideline_text=primary.notes.get().text))


def _with_mask(sheet: VerifySheet, primary: Assignment) -> VerifySheet:
    return replace(sheet, primary_masks=mask_sheets(primary.labels.get().masks))


def _with_latex(sheet: VerifySheet, primary: Assignment) -> VerifySheet:
    return replace(sheet, primary_text=primary.labels.get().text, primary_masks=())


# What leaks -> how it is put onto the second reviewer's worksheet, and the modes in which nobody may find it there.
LEAKS = {
    "note primary": (_with_note, [*VerificationMode]),
    "primary mask": (_with_mask, [VerificationMode.DOUBLE_BLIND]),
    "primary LaTeX": (_with_latex, [VerificationMode.DOUBLE_BLIND]),
}


def _expect_none(findings: list[str]) -> None:
    if findings:
        pytest.fail("\n".join(findings))


class MatrixTests:
    """The findings of the walk in one mode. Each mode has a file, so that two workers can share them."""

    @pytest.mark.parametrize("kind", LEAKS)
    @pytest.mark.parametrize("where", ["work", "api:work"])
    def test_walk_when_a_worksheet_carries_what_is_the_primarys_then_the_leak_is_found(
        self, world: World, places: list[Address], monkeypatch: pytest.MonkeyPatch, where: str, kind: str
    ) -> None:
        """The walk finds a leak that is planted for a moment: without this the other tests would prove nothing."""
        put, modes = LEAKS[kind]
        assignment, primary = world.assignments["reviewed/second"], world.assignments["reviewed/primary"]
        rev = [Visitor("rev", world.people["rev"], world.tokens["rev"])]
        here = [place for place in places if place.pattern == where and str(assignment.uuid) in place.path]
        assert len(here) == 1
        assert walk(world, rev, only=here).leaks(world) == []
        for views in ("annotation.views.work", "annotation.api.work"):
            monkeypatch.setattr(f"{views}.verify_sheet", lambda of: put(verify_sheet(of), primary))
        leaks = walk(world, rev, only=here).leaks(world)
        assert any(f"rev found the {kind} of “reviewed”" in leak for leak in leaks) == (world.mode in modes)
        assert bool(leaks) == (world.mode in modes)

    def test_addresses_when_a_pattern_has_no_arguments_given_then_it_is_named(
        self, world: World, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.delitem(PROVIDERS, "work")
        with pytest.raises(Uncovered, match="work/<uuid:assignment_uuid>"):
            list(addresses(world))

    def test_walk_when_over_then_every_pattern_was_met(
        self, world: World, places: list[Address], walked: Walk
    ) -> None:
        """Behind the gates of the admin site and of signing in one mode is enough."""
        is_verify = world.mode == VerificationMode.VERIFY
        wanted = {place.pattern for place in places if place.is_first and (is_verify or not place.is_library)}
        _expect_none(sorted(wanted - walked.patterns))

    def test_walk_when_every_address_is_opened_by_everybody_then_no_page_breaks(self, walked: Walk) -> None:
        _expect_none(walked.errors)

    def test_walk_when_a_person_is_not_entitled_then_no_canary_reaches_them(
        self, world: World, walked: Walk
    ) -> None:
        _expect_none(walked.leaks(world))

    def test_walk_when_a_person_is_entitled_then_they_find_the_canary(
        self, world: World, walked: Walk
    ) -> None:
        _expect_none(walked.lost(world))

    def test_walk_when_a_page_shows_work_then_nothing_of_it_is_stored(self, walked: Walk) -> None:
        _expect_none(walked.uncached)
