"""Every address of the site, with every id of a world in it. A pattern without a provider here is an error."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from django.apps import apps
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from annotation.models import DuplicatePair, Evidence, Flag, ImportRun, Question, Rating, Screening
from annotation.stages import Stage, Verb
from baseline.models import Baseline
from baseline.views.room import VERBS
from config.api.models import ApiToken
from config.pictures import picture_token
from evaluation.models import ExportRun, PredictionSet, Release, ScoreRun
from evaluation.preference.models import Enrolment, Study
from tests.blindness.world import World

Arguments = Callable[[World], list[dict[str, Any]]]


_OF_WORK = (
    "home",
    "project",
    "sample",
    "next",
    "flag",
    "work",
    "consensus",
    "picture",
    "import",
    "recogniser",
    "rating",
    "screening",
    "question",
)


class Uncovered(Exception):
    """A pattern for which nobody has said what its arguments are."""


@dataclass(frozen=True, slots=True)
class Address:
    pattern: str  # the pattern's name, with its namespace
    path: str
    person: str = ""  # the short name of who sits at the seat it names, or opens the labels
    is_action: bool = False  # at a seat or on a sample: there are as many as ids times verbs
    is_first: bool = False  # of its pattern

    @property
    def is_of_work(self) -> bool:
        """Where the mode of verification can change what is told."""
        return self.pattern.removeprefix("api:").startswith(_OF_WORK)

    @property
    def is_library(self) -> bool:
        """A page of the admin site or of the sign-in pages: one gate, many pages."""
        return self.path.startswith(("/admin/", "/accounts/"))


def _slugs(world: World) -> list[dict[str, Any]]:
    return [{"slug": world.project.slug}, {"slug": world.elsewhere.slug}, {"slug": "no-such-project"}]


def _seats(world: World) -> list[dict[str, Any]]:
    return [{"seat": seat.uuid} for seat in world.seats.values()]


def _positions(world: World) -> list[dict[str, Any]]:
    return [{"seat": seat.uuid, "position": at} for seat in world.seats.values() for at in (0, 99)]


def _samples(world: World) -> list[dict[str, Any]]:
    return [{"sample": sample.uuid} for sample in world.samples.values()]


def _verbs(world: World) -> list[dict[str, Any]]:
    verbs = [*Verb, "no-such-verb"]
    samples = list(world.samples.values())
    return [{"sample": s.uuid, "verb": verbs[at % len(verbs)]} for at, s in enumerate(samples)]


def _flags(world: World) -> list[dict[str, Any]]:
    rows = [{"sample": flag.sample.uuid, "pk": flag.pk} for flag in Flag.objects.select_related("sample")]
    return [*rows, {"sample": world.samples["begun"].uuid, "pk": rows[0]["pk"]}]


def _people(world: World) -> list[dict[str, Any]]:
    slugs = (world.project.slug, world.elsewhere.slug)
    return [{"slug": slug, "pk": user.pk} for slug in slugs for user in world.people.values()]


def _recognisers(world: World) -> list[dict[str, Any]]:
    kinds = ("endpoint", "embedded", "no-such-kind")
    return [{"slug": world.project.slug, "slot": slot, "kind": kind} for slot in (1, 2, 9) for kind in kinds]


def _pictures(world: World) -> list[dict[str, Any]]:
    blobs = [world.samples["begun"].full_blob]
    holders = [world.people[name] for name in ("ann", "rev", "manager")]
    tokens = [
        picture_token(person=who, blob=blob, team=world.project.team) for who in holders for blob in blobs
    ]
    return [{"token": token} for token in [*tokens, tokens[0][:-1] + "x", "no-such-token"]]


def _pks(model: type[Any]) -> Arguments:
    return lambda world: [{"pk": pk} for pk in [*model.objects.values_list("pk", flat=True)[:4], 999_999]]


def _actions(model: type[Any]) -> Arguments:
    actions = ("cancel", "again", "delete", "no-such-action")
    return lambda world: [{"pk": row.pk, "action": name} for row in model.objects.all() for name in actions]


def _scores(world: World) -> list[dict[str, Any]]:
    ids = [world.samples[state].uuid.hex for state in ("decided", "agreed", "reopened", "begun")]
    return [{"pk": run.pk, "sample_id": sample} for run in ScoreRun.objects.all() for sample in ids]


def _rooms(world: World) -> list[dict[str, Any]]:
    return [{"room": row.uuid} for row in world.passes.values()]


def _rooms_with_seat(world: World) -> list[dict[str, Any]]:
    return [{"room": row.uuid, "seat": seat} for row in world.passes.values() for seat in ("tab", "other")]


def _room_verbs(world: World) -> list[dict[str, Any]]:
    return [
        {"room": row.uuid, "verb": verb} for row in world.passes.values() for verb in (*VERBS, "no-such-verb")
    ]


def _baseline_actions(world: World) -> list[dict[str, Any]]:
    actions = ("open", "close", "open-link", "close-link", "publish", "no-such-action")
    return [{"pk": world.baseline.pk, "action": action} for action in actions]


def _baseline_people(world: World) -> list[dict[str, Any]]:
    actions = ("strike", "withdraw", "no-such-action")
    return [{"pk": world.baseline.pk, "number": n, "action": a} for n in (1, 99) for a in actions]


def _enrolments(world: World) -> list[dict[str, Any]]:
    return [{"seat": row.uuid} for row in Enrolment.objects.order_by("-pk")]


def _study_files(kind: str, *names: str) -> Arguments:
    return lambda world: [
        {"pk": study.pk, "name": name, "kind": kind}
        for study in Study.objects.order_by("-pk")
        for name in names
    ]


def _in_project(name: str, *values: object) -> Arguments:
    return lambda world: [{"slug": world.project.slug, name: value} for value in values]


def _ratings(world: World) -> list[dict[str, Any]]:
    return [{"rating": row.uuid} for row in Rating.objects.order_by("pk")]


def _screenings(world: World) -> list[dict[str, Any]]:
    return [{"screening": row.uuid} for row in Screening.objects.order_by("pk")]


def _questions(world: World) -> list[dict[str, Any]]:
    return [{"question": row.uuid} for row in Question.objects.order_by("pk")]


def _own_questions(world: World) -> list[dict[str, Any]]:
    rows = Question.objects.select_related("assignment").order_by("pk")
    return [{"seat": row.assignment.uuid, "pk": row.pk} for row in rows]


def _entries(world: World) -> list[dict[str, Any]]:
    rows = Evidence.objects.select_related("assignment").order_by("pk")
    return [{"seat": row.assignment.uuid, "pk": row.pk} for row in rows]


_ACTIONS = frozenset(
    [
        "work_questions",
        "work_question",
        "rating_put_back",
        "work_evidence_entry",
        "question_answer",
        "question_give_back",
        "study_seat_grade",
        "study_seat_vote",
        "study_seat_pause",
        "study_seat_event",
        "sample_unredacted",
        "sample_screen_again",
        "screening_finish",
        "screening_save",
        "screening_put_back",
        "rating_submit",
        "rating_save",
        "rating_skip",
        "work_submit",
        "work_draft",
        "work_skip",
        "work_flag",
        "work_put_back",
        "work_return",
        "work_autosave",
        "work_heartbeat",
        "work_taken",
        "work_reached_end",
        "work_notes",
        "work_evidence",
        "consensus_show",
        "consensus_escalate",
        "consensus_decide",
        "consensus_sign",
        "consensus_say",
        "sample_labels",
        "sample_move",
        "person_roles",
        "baseline_act",
        "baseline_save",
        "baseline_signs",
        "baseline_action",
        "baseline_person",
    ]
)
# Pattern names -> their arguments.
PROVIDERS: dict[str, Arguments] = {
    "account_confirm_email": lambda world: [{"key": "no-such-key"}],
    "account_reset_password_from_key": lambda world: [{"uidb36": "1", "key": "no-such-key"}],
    "invitation": lambda world: [{"token": world.invitation.token}, {"token": "no-such-link"}],
    "picture": _pictures,
    **dict.fromkeys(
        [
            "project",
            "project_samples",
            "project_checks",
            "project_settings",
            "project_archive",
            "project_people",
            "project_guideline",
            "guideline_edit",
            "project_recognisers",
            "project_import",
            "project_duplicates",
            "project_difficulty",
            "rating_next",
            "question_next",
            "screening_next",
            "project_suggestions",
            "project_releases",
            "release_new",
            "release_import",
        ],
        _slugs,
    ),
    "person_roles": _people,
    "invitation_revoke": lambda world: [{"slug": world.project.slug, "pk": world.invitation.pk}],
    "guideline_version": _in_project("number", 1, 2, 99),
    "recogniser_clear": _in_project("slot", 1, 9),
    "recogniser_edit": _recognisers,
    "next_sample": _in_project("stage", *Stage, "no-such-stage"),
    "sample": _samples,
    "sample_labels": _samples,
    "sample_move": _verbs,
    "flag_close": _flags,
    **dict.fromkeys(
        [
            "work",
            "work_submit",
            "work_skip",
            "work_flag",
            "work_put_back",
            "work_return",
            "work_autosave",
            "work_heartbeat",
            "work_taken",
            "work_reached_end",
            "work_notes",
            "work_evidence",
            "consensus",
            "consensus_show",
            "consensus_escalate",
            "consensus_decide",
        ],
        _seats,
    ),
    "work_questions": _seats,
    "work_evidence_entry": _entries,
    **dict.fromkeys(["question", "question_answer", "question_give_back"], _questions),
    **dict.fromkeys(["sample_unredacted", "sample_screen_again"], _samples),
    **dict.fromkeys(["screening", "screening_finish", "screening_save", "screening_put_back"], _screenings),
    **dict.fromkeys(["rating", "rating_submit", "rating_save", "rating_skip"], _ratings),
    "consensus_sign": _positions,
    "consensus_say": _positions,
    **dict.fromkeys(("import_run", "import_cancel", "import_again"), _pks(ImportRun)),
    **dict.fromkeys(("duplicate_pair", "duplicate_undo"), _pks(DuplicatePair)),
    **dict.fromkeys(
        [
            "release",
            "release_check",
            "release_changes",
            "model_run_new",
            "leaderboard",
            "export_new",
            "predictions_upload",
        ],
        _pks(Release),
    ),
    "leaderboard_file": lambda world: [
        {"pk": world.release.pk, "kind": kind} for kind in ("csv", "json", "x")
    ],
    **dict.fromkeys(("prediction_set", "prediction_set_score"), _pks(PredictionSet)),
    "prediction_set_action": _actions(PredictionSet),
    **dict.fromkeys(("export", "export_download"), _pks(ExportRun)),
    "export_action": _actions(ExportRun),
    "score_run": _pks(ScoreRun),
    "item_score": _scores,
    **dict.fromkeys(("baselines", "baseline_new"), _pks(Release)),
    **dict.fromkeys(("baseline", "baseline_edit", "baseline_people", "baseline_results"), _pks(Baseline)),
    "baseline_conduct": lambda world: [
        {"pk": world.baseline.pk, "kind": kind} for kind in ("csv", "json", "x")
    ],
    "baseline_action": _baseline_actions,
    "baseline_person": _baseline_people,
    "baseline_join": lambda world: [{"code": world.baseline.code}, {"code": "no-such-code"}],
    **dict.fromkeys(("baseline_room", "baseline_picture"), _rooms),
    **dict.fromkeys(("baseline_save", "baseline_signs"), _rooms_with_seat),
    "baseline_act": _room_verbs,
    **dict.fromkeys(("studies", "study_new"), _pks(Release)),
    **dict.fromkeys(("study", "study_setup", "study_record", "study_sampling"), _pks(Study)),
    "study_figure": _study_files("svg", "shares"),
    "study_table": _study_files("csv", "trials", "no-such-table"),
    "study_action": lambda world: [
        {"pk": study.pk, "action": action}
        for study in Study.objects.all()
        for action in ("draw", "open", "close", "remove", "no-such-action")
    ],
    **dict.fromkeys(
        ("study_seat", "study_seat_grade", "study_seat_vote", "study_seat_pause", "study_seat_event"),
        _enrolments,
    ),
    "api_token_revoke": _pks(ApiToken),
    "admin:app_list": lambda world: [{"app_label": app} for app in ("auth", "accounts", "annotation")],
    "admin:auth_user_password_change": lambda world: [{"id": user.pk} for user in world.people.values()],
    "admin:view_on_site": lambda world: [{"content_type_id": 1, "object_id": 1}],
}
_API: dict[str, Arguments] = {
    **dict.fromkeys(["project", "guideline", "samples", "imports", "releases"], _slugs),
    "next": _in_project("stage", *Stage, "no-such-stage"),
    **dict.fromkeys(["sample", "sample_move", "sample_labels"], _samples),
    **dict.fromkeys(["sample_unredacted", "sample_screen_again"], _samples),
    **dict.fromkeys(["rating_next", "screening_next", "question_next"], _slugs),
    **dict.fromkeys(["rating", "rating_put_back"], _ratings),
    **dict.fromkeys(["screening", "screening_put_back"], _screenings),
    **dict.fromkeys(["question", "question_give_back"], _questions),
    "work_questions": _seats,
    "work_evidence_entry": _entries,
    "work_question": _own_questions,
    "sample_flag": _flags,
    **dict.fromkeys(["import", "import_files", "import_start", "import_cancel"], _pks(ImportRun)),
    **dict.fromkeys(
        [
            "work",
            "work_draft",
            "work_heartbeat",
            "work_submit",
            "work_reached_end",
            "work_put_back",
            "work_skip",
            "work_flag",
            "work_return",
            "work_notes",
            "work_evidence",
            "work_taken",
            "consensus",
            "consensus_show",
            "consensus_escalate",
            "consensus_decide",
        ],
        _seats,
    ),
    **dict.fromkeys(["consensus_sign", "consensus_say"], _positions),
    **dict.fromkeys(["release", "leaderboard", "exports", "prediction_sets"], _pks(Release)),
    **dict.fromkeys(["export", "export_download"], _pks(ExportRun)),
    **dict.fromkeys(["prediction_set", "scores"], _pks(PredictionSet)),
    **dict.fromkeys(["score_run", "score_items"], _pks(ScoreRun)),
    "score_item": _scores,
    "picture": _pictures,
}
PROVIDERS |= {f"api:{name}": provider for name, provider in _API.items()}
# What follows `?` where it changes what is read.
QUERIES: dict[str, tuple[str, ...]] = {
    "guideline_version": ("against=1",),
    "project_samples": ("state=labelling", "page=2"),
    "project_duplicates": ("settled=1",),
    "study_seat": ("begin=1",),
    "admin:autocomplete": ("app_label=annotation&model_name=label&field_name=sample&term=z",),
}


def addresses(world: World) -> Iterator[Address]:
    """All of them. Raises Uncovered, naming every pattern that has no provider."""
    uncovered: list[str] = []
    names = {user: name for name, user in world.people.items()}
    sitters = {seat.uuid: names[seat.person] for seat in world.seats.values()}
    sitters |= {row.uuid: names[row.expert] for row in Question.objects.exclude(expert=None)}
    sitters |= {row.uuid: names[row.person] for row in Screening.objects.exclude(person=None)}
    sitters |= {row.uuid: names[row.person] for row in world.passes.values()}
    sitters |= {row.uuid: names[row.person] for row in Rating.objects.select_related("person")}
    sitters |= {row.uuid: names[row.user] for row in Enrolment.objects.select_related("user")}
    for name, route, parameters in patterns():
        provider = PROVIDERS.get(name) or _admin_rows(name, route)
        if parameters and provider is None:
            uncovered.append(f"{name} {route}")
            continue
        for at, arguments in enumerate(provider(world) if parameters and provider else [{}]):
            path = _path(name, route, arguments)
            opens_labels = name.removeprefix("api:") == "sample_labels"
            row = next(
                (
                    arguments[name]
                    for name in ("room", "seat", "rating", "screening", "question")
                    if name in arguments
                ),
                None,
            )
            person = "manager" if opens_labels else sitters.get(row, "")
            is_action = name.removeprefix("api:") in _ACTIONS
            yield Address(name or route, path, person, is_action=is_action, is_first=at == 0)
            yield from (Address(name, f"{path}?{query}") for query in QUERIES.get(name, ()))
    if uncovered:
        raise Uncovered(f"say in PROVIDERS what the arguments of these are: {uncovered}")


def patterns() -> Iterator[tuple[str, str, list[str]]]:
    """(name with namespace or "", route, names of its parameters) of every pattern."""
    yield from _walk(get_resolver(), "", "")


def _walk(resolver: URLResolver, route: str, space: str) -> Iterator[tuple[str, str, list[str]]]:
    for entry in resolver.url_patterns:
        here = route + str(entry.pattern)
        if isinstance(entry, URLPattern):
            name = f"{space}{entry.name}" if entry.name else ""
            yield name, here, [*entry.pattern.regex.groupindex] or [*entry.pattern.converters]
        else:
            yield from _walk(entry, here, f"{space}{entry.namespace}:" if entry.namespace else space)


def _admin_rows(name: str, route: str) -> Arguments | None:
    """Rows of the model that an admin page changes; for the admin's unnamed patterns their route says all."""
    if not route.startswith("admin/"):
        return None
    if not name:
        return lambda world: [{"object_id": 1, "url": "no-such-page"}]
    kind = name.removeprefix("admin:").rsplit("_", 1)[0]
    model = next((m for m in apps.get_models() if f"{m._meta.app_label}_{m._meta.model_name}" == kind), None)
    if model is None:
        return None
    return lambda world: [
        {"object_id": pk} for pk in [*model._default_manager.values_list("pk", flat=True)[:1], 0]
    ]


def _path(name: str, route: str, arguments: dict[str, Any]) -> str:
    if name:
        return reverse(name, kwargs=arguments)
    filled = route.replace("<path:object_id>", str(arguments.get("object_id")))
    return "/" + filled.replace("(?P<url>.*)$", str(arguments.get("url")))
