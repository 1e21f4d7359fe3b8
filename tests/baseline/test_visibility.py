"""The canary matrix for those who take part: the addresses of a baseline, as each of them and as others."""

from __future__ import annotations

import logging
from collections.abc import Iterator

import pytest
from django.db import transaction
from django.test import override_settings
from pytest_django import DjangoDbBlocker

from annotation.models.project import VerificationMode
from config.accounts.models import Role
from config.accounts.services import give_roles
from config.exposure.reservations import reserved_for
from tests.blindness.addresses import addresses
from tests.blindness.build import build_world
from tests.blindness.matrix import Walk, walk
from tests.blindness.studies import add_studies
from tests.blindness.visitor import SESSION_ENGINE, Visitor
from tests.blindness.world import World

pytestmark = pytest.mark.django_db
# What managers see in lists and on a sample's page; none of it tells what stands on the image.
FACTS = ("file name", "source", "sample consent", "sample group", "sample split", "sample writer_id")
READERS = ("reader done", "reader reading", "reader practising", "reader waiting")
OTHERS = ("manager", "ann", "stranger")


@pytest.fixture(scope="module")
def world(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[World]:
    with (
        django_db_blocker.unblock(),
        override_settings(SESSION_ENGINE=SESSION_ENGINE),
        transaction.atomic(),
    ):
        logging.disable(logging.ERROR)
        yield build_world(VerificationMode.VERIFY)
        logging.disable(logging.NOTSET)
        transaction.set_rollback(True)


@pytest.fixture(scope="module", params=[False, pytest.param(True, marks=pytest.mark.long, id="full")])
def walked(request: pytest.FixtureRequest, world: World) -> Walk:
    everybody = [Visitor("nobody", None)]
    everybody += [Visitor(name, world.people[name], world.tokens[name]) for name in (*READERS, *OTHERS)]
    ours = [
        address for address in addresses(world) if address.pattern.removeprefix("api:").startswith("baseline")
    ]
    assert len({address.pattern for address in ours}) >= 15
    result = walk(world, everybody, only=ours, is_full=request.param)
    with request.config.pluginmanager.getplugin("capturemanager").global_and_fixture_disabled():
        print(
            f"\nbaseline: {result.cells:,} cells, {len(result.patterns)} patterns, {len(result.people)} people"
        )
    return result


def test_walk_when_over_then_nobody_has_what_is_not_theirs(world: World, walked: Walk) -> None:
    assert walked.leaks(world) == []


def test_walk_when_over_then_no_page_broke_and_nothing_of_a_pass_is_stored(walked: Walk) -> None:
    assert (walked.errors, walked.uncached) == ([], [])


def test_walk_when_over_then_readers_found_their_draft_and_managers_the_link(
    world: World, walked: Walk
) -> None:
    mine = {
        c.token: c for c in world.canaries.planted.values() if c.kind in ("baseline draft", "baseline code")
    }
    seen = {(person, mine[token].kind) for token, person, _place in walked.found if token in mine}
    assert seen == {("reader reading", "baseline draft"), ("manager", "baseline code")}


def test_walk_when_somebody_with_every_role_is_still_to_read_then_they_find_facts_of_the_pages_and_no_word(
    world: World,
) -> None:
    """All addresses of the site; that the words planted in the labels are to be found, the manager shows."""
    add_studies(world)
    reader, manager = "reader waiting", "manager"
    give_roles(team=world.project.team, user=world.people[reader], roles=Role)
    reserved = set(reserved_for(world.people[reader]))
    theirs = {state for state, sample in world.samples.items() if sample.pixel_hash in reserved}
    assert len(theirs) >= 4
    shown = [address for address in addresses(world) if address.pattern in ("sample_labels", "item_score")]
    seen = {}
    for name, places in ((reader, list(addresses(world))), (manager, shown)):
        visitor = Visitor(name, world.people[name], world.tokens[name])
        result = walk(world, [visitor], only=places)
        assert result.errors == []
        met = [(world.canaries.planted[token], where) for (token, _, _), where in result.found.items()]
        seen[name] = {
            canary.kind: where for canary, where in met if canary.owner in theirs and canary.kind not in FACTS
        }
    assert seen[reader] == {}
    assert {"primary text", "second text", "prediction"} <= seen[manager].keys()
