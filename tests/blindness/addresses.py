"""Every address of the site, with every id of a world in it. A pattern without a provider here is an error."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.apps import apps
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from annotation.models import Question, Rating, Screening
from evaluation.preference.models import Enrolment
from tests.blindness.arguments import Arguments
from tests.blindness.providers import ACTIONS, PROVIDERS, QUERIES
from tests.blindness.world import World

_OF_WORK = (
    "home",
    "project",
    "sample",
    "next",
    "flag",
    "work",
    "consensus",
    "image",
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
    person: str = ""  # the short name of who sits at the assignment it names, or opens the labels
    is_action: bool = False  # at an assignment or on a sample: there are as many as ids times verbs
    is_first: bool = False  # of its pattern

    @property
    def is_of_work(self) -> bool:
        """Where the mode of verification can change the answer."""
        return self.pattern.removeprefix("api:").startswith(_OF_WORK)

    @property
    def is_library(self) -> bool:
        """A page of the admin site or of the sign-in pages: one gate, many pages."""
        return self.path.startswith(("/admin/", "/accounts/"))


def addresses(world: World) -> Iterator[Address]:
    """All of them. Raises Uncovered, naming every pattern that has no provider."""
    uncovered: list[str] = []
    names = {user: name for name, user in world.people.items()}
    sitters: dict[Any, str] = {
        assignment.uuid: names[assignment.person] for assignment in world.assignments.values()
    }
    sitters |= {row.uuid: names[row.expert] for row in Question.objects.exclude(expert=None)}
    sitters |= {row.uuid: names[row.person] for row in Screening.objects.exclude(person=None)}
    sitters |= {row.uuid: names[row.person] for row in world.passes.values()}
    sitters |= {row.uuid: names[row.person] for row in Rating.objects.select_related("person")}
    sitters |= world.image_tokens
    sitters |= {row.uuid: names[row.user] for row in Enrolment.objects.select_related("user")}
    for name, route, parameters in patterns():
        provider = PROVIDERS.get(name) or _admin_rows(name, route)
        if parameters and provider is None:
            uncovered.append(f"{name} {route}")
            continue
        for index, arguments in enumerate(provider(world) if parameters and provider else [{}]):
            path = _path(name, route, arguments)
            opens_labels = name.removeprefix("api:") == "sample_labels"
            row = next(
                (
                    arguments[name]
                    for name in (
                        "session",
                        "assignment_uuid",
                        "enrolment_uuid",
                        "rating",
                        "screening",
                        "question",
                        "token",
                    )
                    if name in arguments
                ),
                None,
            )
            person = "manager" if opens_labels else sitters.get(row, "")
            is_action = name.removeprefix("api:") in ACTIONS
            yield Address(name or route, path, person, is_action=is_action, is_first=index == 0)
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
