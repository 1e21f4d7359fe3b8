"""The canary matrix: every address x person x way of asking, in both modes of verification."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from dataclasses import replace

import pytest
from django.db import transaction
from django.test import override_settings
from pytest_django import DjangoDbBlocker

from annotation.models import Assignment
from annotation.models.project import VerificationMode
from annotation.visibility.labels import mask_sheets, verify_sheet
from annotation.worksheets import VerifySheet
from tests.blindness.addresses import Address, Uncovered, addresses
from tests.blindness.build import build_world
from tests.blindness.matrix import Walk, walk
from tests.blindness.providers import PROVIDERS
from tests.blindness.studies import add_studies
from tests.blindness.visitor import SESSION_ENGINE, Visitor
from tests.blindness.world import World

pytestmark = pytest.mark.django_db


# Those who may no more and no less than somebody else who walks; the long form takes them along.
ALIKE = {"newcomer", "cyd", "rater two"}
ALIKE |= {"reader done", "reader practising", "reader waiting"}  # whose addresses tests/baseline walks
FULL = [pytest.param((mode, True), marks=pytest.mark.long, id=f"{mode}-full") for mode in VerificationMode]
SHORT = [pytest.param((mode, False), id=str(mode)) for mode in VerificationMode]


@pytest.fixture(scope="module", params=[*SHORT, *FULL])
def asked(request: pytest.FixtureRequest) -> tuple[VerificationMode, bool]:
    """The mode, and whether every cell is visited."""
    return request.param


@pytest.fixture(scope="module")
def world(
    asked: tuple[VerificationMode, bool], django_db_setup: None, django_db_blocker: DjangoDbBlocker
) -> Iterator[World]:
    with (
        django_db_blocker.unblock(),
        override_settings(SESSION_ENGINE=SESSION_ENGINE),
        transaction.atomic(),
    ):
        logging.disable(logging.ERROR)  # a recogniser fails on purpose, and most of the walk is refused
        built = build_world(asked[0])
        add_studies(built)
        yield built
        logging.disable(logging.NOTSET)
        transaction.set_rollback(True)


@pytest.fixture(scope="module")
def visitors(world: World, asked: tuple[VerificationMode, bool]) -> list[Visitor]:
    return [Visitor("nobody", None)] + [
        Visitor(name, user, world.tokens[name])
        for name, user in world.people.items()
        if asked[1] or name not in ALIKE
    ]


@pytest.fixture(scope="module")
def places(world: World) -> list[Address]:
    """Every address, found once: there are thousands."""
    return list(addresses(world))


@pytest.fixture(scope="module")
def walked(
    request: pytest.FixtureRequest,
    world: World,
    places: list[Address],
    visitors: list[Visitor],
    asked: tuple[VerificationMode, bool],
) -> Walk:
    start = time.process_time()
    result = walk(world, visitors, only=places, is_full=asked[1])
    seconds = time.process_time() - start
    with request.config.pluginmanager.getplugin("capturemanager").global_and_fixture_disabled():
        print(
            f"\n{world.mode}: {result.cells:,} cells visited in {seconds:.0f} s of processor time: "
            f"{len(result.patterns)} patterns, {len(result.people)} people"
        )
    return result


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


@pytest.mark.parametrize("kind", LEAKS)
@pytest.mark.parametrize("where", ["work", "api:work"])
def test_walk_when_a_worksheet_carries_what_is_the_primarys_then_the_leak_is_told(
    world: World, places: list[Address], monkeypatch: pytest.MonkeyPatch, where: str, kind: str
) -> None:
    """What makes the other tests worth something: a leak put there for a moment is found."""
    put, modes = LEAKS[kind]
    assignment, primary = world.assignments["reviewed/second"], world.assignments["reviewed/primary"]
    rev = [Visitor("rev", world.people["rev"], world.tokens["rev"])]
    here = [at for at in places if at.pattern == where and str(assignment.uuid) in at.path]
    assert len(here) == 1
    assert walk(world, rev, only=here).leaks(world) == []
    for views in ("annotation.views.work", "annotation.api.work"):
        monkeypatch.setattr(f"{views}.verify_sheet", lambda of: put(verify_sheet(of), primary))
    leaks = walk(world, rev, only=here).leaks(world)
    assert any(f"rev found the {kind} of “reviewed”" in leak for leak in leaks) == (world.mode in modes)
    assert bool(leaks) == (world.mode in modes)


def test_addresses_when_a_pattern_has_no_arguments_given_then_it_is_named(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(PROVIDERS, "work")
    with pytest.raises(Uncovered, match="work/<uuid:assignment>"):
        list(addresses(world))


def _is_empty(told: list[str]) -> None:
    if told:
        pytest.fail("\n".join(told))


def test_walk_when_over_then_every_pattern_was_met(world: World, places: list[Address], walked: Walk) -> None:
    """Behind the gates of the admin site and of signing in one mode is enough."""
    is_verify = world.mode == VerificationMode.VERIFY
    wanted = {at.pattern for at in places if at.is_first and (is_verify or not at.is_library)}
    _is_empty(sorted(wanted - walked.patterns))


def test_walk_when_every_address_is_opened_by_everybody_then_no_page_breaks(walked: Walk) -> None:
    _is_empty(walked.errors)


def test_walk_when_a_person_is_not_entitled_then_no_canary_reaches_them(world: World, walked: Walk) -> None:
    _is_empty(walked.leaks(world))


def test_walk_when_a_person_is_entitled_then_they_find_the_canary(world: World, walked: Walk) -> None:
    _is_empty(walked.lost(world))


def test_walk_when_a_page_shows_work_then_nothing_of_it_is_stored(walked: Walk) -> None:
    _is_empty(walked.uncached)
