"""The world of a mode of verification and the walk through it, made once by the file that tests the mode."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator

import pytest
from django.db import transaction
from django.test import override_settings
from pytest_django import DjangoDbBlocker

from tests.blindness.addresses import Address, addresses
from tests.blindness.build import build_world
from tests.blindness.matrix import Walk, walk
from tests.blindness.studies import add_studies
from tests.blindness.visitor import SESSION_ENGINE, Visitor
from tests.blindness.world import World

# Those who may no more and no less than somebody else who walks; the long form takes them along.
ALIKE = {"newcomer", "cyd", "rater two"}
ALIKE |= {"reader done", "reader practising", "reader waiting"}  # whose addresses tests/baseline walks


@pytest.fixture(
    scope="module",
    params=[pytest.param(False, id="short"), pytest.param(True, id="full", marks=pytest.mark.long)],
)
def is_full(request: pytest.FixtureRequest) -> bool:
    """Whether every cell is visited."""
    return request.param


@pytest.fixture(scope="module")
def world(
    request: pytest.FixtureRequest, is_full: bool, django_db_setup: None, django_db_blocker: DjangoDbBlocker
) -> Iterator[World]:
    with (
        django_db_blocker.unblock(),
        override_settings(SESSION_ENGINE=SESSION_ENGINE),
        transaction.atomic(),
    ):
        logging.disable(logging.ERROR)  # a recogniser fails on purpose, and most of the walk is refused
        built = build_world(request.module.MODE)
        add_studies(built)
        yield built
        logging.disable(logging.NOTSET)
        transaction.set_rollback(True)


@pytest.fixture(scope="module")
def visitors(world: World, is_full: bool) -> list[Visitor]:
    return [Visitor("nobody", None)] + [
        Visitor(name, user, world.tokens[name])
        for name, user in world.people.items()
        if is_full or name not in ALIKE
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
    is_full: bool,
) -> Walk:
    start = time.process_time()
    result = walk(world, visitors, only=places, is_full=is_full)
    seconds = time.process_time() - start
    with request.config.pluginmanager.getplugin("capturemanager").global_and_fixture_disabled():
        print(
            f"\n{world.mode}: {result.cells:,} cells visited in {seconds:.0f} s of processor time: "
            f"{len(result.patterns)} patterns, {len(result.people)} people"
        )
    return result
