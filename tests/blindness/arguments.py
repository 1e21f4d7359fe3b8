"""The arguments of the addresses of a world: slugs, assignments, samples, people, rows, and some that do not exist."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from annotation.models import Evidence, Flag, Question, Rating, Screening
from annotation.stages import Verb
from baseline.views.session import VERBS
from config.signed_images import image_token, private_image_token
from evaluation.models import ScoreRun
from evaluation.preference.models import Enrolment, Study
from tests.blindness.world import World

Arguments = Callable[[World], list[dict[str, Any]]]


def slugs(world: World) -> list[dict[str, Any]]:
    return [{"slug": world.project.slug}, {"slug": world.elsewhere.slug}, {"slug": "no-such-project"}]


def assignments(world: World) -> list[dict[str, Any]]:
    return [{"assignment_uuid": assignment.uuid} for assignment in world.assignments.values()]


def positions(world: World) -> list[dict[str, Any]]:
    return [
        {"assignment_uuid": assignment.uuid, "position": position}
        for assignment in world.assignments.values()
        for position in (0, 99)
    ]


def samples(world: World) -> list[dict[str, Any]]:
    return [{"sample": sample.uuid} for sample in world.samples.values()]


def verbs(world: World) -> list[dict[str, Any]]:
    verbs = [*Verb, "no-such-verb"]
    samples = list(world.samples.values())
    return [{"sample": s.uuid, "verb": verbs[index % len(verbs)]} for index, s in enumerate(samples)]


def flags(world: World) -> list[dict[str, Any]]:
    rows = [{"sample": flag.sample.uuid, "pk": flag.pk} for flag in Flag.objects.select_related("sample")]
    return [*rows, {"sample": world.samples["begun"].uuid, "pk": rows[0]["pk"]}]


def people(world: World) -> list[dict[str, Any]]:
    slugs = (world.project.slug, world.elsewhere.slug)
    return [{"slug": slug, "pk": user.pk} for slug in slugs for user in world.people.values()]


def recognisers(world: World) -> list[dict[str, Any]]:
    kinds = ("endpoint", "embedded", "no-such-kind")
    return [{"slug": world.project.slug, "slot": slot, "kind": kind} for slot in (1, 2, 9) for kind in kinds]


def image_tokens(world: World) -> dict[str, str]:
    """Tokens of images and whose each is: the page as it came too, which opens for none but a manager."""
    team = world.project.team
    shown, shut = world.samples["begun"].full_blob, world.redacted.unredacted_blob
    tokens = {}
    for name in ("ann", "rev", "manager", "screener", "expert"):
        for blob in (shown, shut) if name != "screener" else (shut,):
            tokens[image_token(person=world.people[name], blob=blob, team=team)] = name
    for name in ("ann", "expert", "manager"):
        tokens[private_image_token(person=world.people[name], blob=shut, team=team)] = name
    return tokens


def images(world: World) -> list[dict[str, Any]]:
    tokens = [*world.image_tokens]
    return [{"token": token} for token in [*tokens, tokens[0][:-1] + "x", "no-such-token"]]


def pks(model: type[Any]) -> Arguments:
    return lambda world: [{"pk": pk} for pk in [*model.objects.values_list("pk", flat=True)[:4], 999_999]]


def actions(model: type[Any]) -> Arguments:
    actions = ("cancel", "again", "delete", "no-such-action")
    return lambda world: [{"pk": row.pk, "action": name} for row in model.objects.all() for name in actions]


def scores(world: World) -> list[dict[str, Any]]:
    ids = [world.samples[state].uuid.hex for state in ("decided", "agreed", "outlined", "reopened", "begun")]
    return [{"pk": run.pk, "sample_id": sample} for run in ScoreRun.objects.all() for sample in ids]


def sessions(world: World) -> list[dict[str, Any]]:
    return [{"session": row.uuid} for row in world.passes.values()]


def sessions_with_tab(world: World) -> list[dict[str, Any]]:
    return [
        {"session": row.uuid, "tab_token": tab_token}
        for row in world.passes.values()
        for tab_token in ("tab", "other")
    ]


def session_verbs(world: World) -> list[dict[str, Any]]:
    return [
        {"session": row.uuid, "verb": verb}
        for row in world.passes.values()
        for verb in (*VERBS, "no-such-verb")
    ]


def baseline_actions(world: World) -> list[dict[str, Any]]:
    actions = ("open", "close", "open-link", "close-link", "publish", "no-such-action")
    return [{"pk": world.baseline.pk, "action": action} for action in actions]


def baseline_people(world: World) -> list[dict[str, Any]]:
    actions = ("strike", "withdraw", "no-such-action")
    return [{"pk": world.baseline.pk, "number": n, "action": a} for n in (1, 99) for a in actions]


def enrolments(world: World) -> list[dict[str, Any]]:
    return [{"enrolment_uuid": row.uuid} for row in Enrolment.objects.order_by("-pk")]


def study_files(kind: str, *names: str) -> Arguments:
    return lambda world: [
        {"pk": study.pk, "name": name, "kind": kind}
        for study in Study.objects.order_by("-pk")
        for name in names
    ]


def in_project(name: str, *values: object) -> Arguments:
    return lambda world: [{"slug": world.project.slug, name: value} for value in values]


def ratings(world: World) -> list[dict[str, Any]]:
    return [{"rating": row.uuid} for row in Rating.objects.order_by("pk")]


def screenings(world: World) -> list[dict[str, Any]]:
    return [{"screening": row.uuid} for row in Screening.objects.order_by("pk")]


def questions(world: World) -> list[dict[str, Any]]:
    return [{"question": row.uuid} for row in Question.objects.order_by("pk")]


def own_questions(world: World) -> list[dict[str, Any]]:
    rows = Question.objects.select_related("assignment").order_by("pk")
    return [{"assignment_uuid": row.assignment.uuid, "pk": row.pk} for row in rows]


def entries(world: World) -> list[dict[str, Any]]:
    rows = Evidence.objects.select_related("assignment").order_by("pk")
    return [{"assignment_uuid": row.assignment.uuid, "pk": row.pk} for row in rows]
