"""A project with samples in every stage, made by the people in it through the services, full of canaries."""

from __future__ import annotations

import itertools

from annotation.models import Sample
from annotation.models.project import VerificationMode
from annotation.services.configure_project import create_project, publish_guideline
from config.accounts.models import Invitation, Role, User
from config.accounts.services import give_roles, invite
from config.api.services import make_token
from tests.blindness.arguments import image_tokens
from tests.blindness.beside import add_ratings, add_screening
from tests.blindness.pages import add_pages, file_of
from tests.blindness.participants import add_baseline
from tests.blindness.states import (
    add_brought,
    add_disputed,
    add_finished,
    add_in_hand,
    add_sent_back,
    add_waiting,
)
from tests.blindness.world import PEOPLE, World
from tests.factories import PASSWORD


def build_world(mode: VerificationMode) -> World:
    """Everything, in an order in which each person is given exactly the sample that is wanted."""
    world = World(mode)
    _people(world)
    _project(world)
    add_pages(world)
    add_brought(world)
    add_finished(world)
    add_disputed(world)
    add_sent_back(world)
    add_in_hand(world)
    add_waiting(world)
    add_ratings(world)
    add_screening(world)
    add_baseline(world)
    _name_the_rest(world)
    world.image_tokens = image_tokens(world)
    return world


def _people(world: World) -> None:
    for name in PEOPLE:
        user = User.objects.create_user(
            username=world.plant("user name", name),
            password=PASSWORD,
            first_name=world.plant("full name", name),
            last_name=world.plant("full name", name),
            email=f"{world.plant('e-mail', name)}@example.org",
            is_staff=name in ("root", "rex"),
            is_superuser=name == "root",
        )
        world.people[name] = user
        world.tokens[name] = make_token(user=user, name=world.plant("API token", name))


def _project(world: World) -> None:
    boss = world.people["manager"]
    world.project = create_project(
        by=boss,
        name="Letters",
        slug="letters",
        guideline="Write what the ink says.",
        verification_mode=world.mode,
        description=world.plant("description"),
    )
    for name, roles in PEOPLE.items():
        give_roles(team=world.project.team, user=world.people[name], roles=roles)
    publish_guideline(project=world.project, by=boss, text="Write what the ink says, all of it.", based_on=1)
    world.invitation = invite(team=world.project.team, by=boss, roles=[Role.REVIEWER])
    Invitation.objects.filter(pk=world.invitation.pk).update(token=world.plant("invitation"))
    world.invitation.refresh_from_db()
    world.elsewhere = create_project(
        by=world.people["stranger"], name="Elsewhere", slug="elsewhere", guideline="Ours."
    )


def _name_the_rest(world: World) -> None:
    """Name every sample, and give what belongs to its file to its state."""
    names = {sample.pk: state for state, sample in world.samples.items()}
    spare = itertools.count(1)
    for sample in Sample.objects.filter(project=world.project).order_by("pk"):
        state = names.get(sample.pk)
        if state is None:
            state = f"{'twin' if sample.intake == 'duplicate' else 'untouched'} {next(spare)}"
            world.samples[state] = sample
        for canary in world.canaries.planted.values():
            if canary.owner == file_of(sample):
                canary.owner = state
