"""The walk: every address, as every person, in every way of asking; what was found where."""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from annotation.models.project import VerificationMode
from tests.blindness.addresses import Address
from tests.blindness.entitled import MANAGERS, may_see, must_see
from tests.blindness.visitor import (
    ALL_OF_API,
    ALL_OF_PAGE,
    WAYS,
    WRITING,
    Answer,
    Failures,
    Visitor,
    exceptions_heard,
)
from tests.blindness.world import World

_FEW = 36
_SOME = 12
_ONE_IN_THREE = 3
_IN_ALL_WAYS = (
    "manager",
    "duo",
    "ann",
    "rev",
    "ada",
)  # one of each kind of work; the others ask in one more way
_AT_THE_GATE = (
    "nobody",
    "ann",
    "manager",
)  # for whom every page of the admin site and of signing in is tried
Find = tuple[str, str, str]  # token, person, pattern


@dataclass(slots=True)
class Walk:
    """What a walk met: cells visited, who found which canary at which pattern, and what answered with an error."""

    cells: int = 0
    people: set[str] = field(default_factory=set)
    patterns: set[str] = field(default_factory=set)
    found: dict[Find, str] = field(default_factory=dict)  # -> an example
    errors: list[str] = field(default_factory=list)
    statuses: dict[str, Counter[int]] = field(default_factory=lambda: defaultdict(Counter))
    uncached: list[str] = field(default_factory=list)

    def leaks(self, world: World) -> list[str]:
        """Canaries in the hands of people who may not see them."""
        leaks = []
        for (token, person, pattern), example in self.found.items():
            canary = world.canaries.planted[token]
            if person not in may_see(world, canary, pattern):
                leaks.append(f"{person} found the {canary.kind} of “{canary.owner}” at {pattern}: {example}")
        return sorted(leaks)

    def lost(self, world: World) -> list[str]:
        """Canaries that somebody entitled to them found nowhere."""
        finders: dict[str, set[str]] = defaultdict(set)
        for token, person, _pattern in self.found:
            finders[token].add(person)
        return sorted(
            f"{person} did not find the {canary.kind} of “{canary.owner}”"
            for canary in world.canaries.planted.values()
            for person in (must_see(world, canary) & self.people) - finders[canary.token]
        )


def walk(
    world: World, visitors: Iterable[Visitor], *, only: Iterable[Address], is_full: bool = False
) -> Walk:
    """Visit the cells that can differ from their neighbours; with `is_full`, every cell there is.

    Everybody asks for every pattern (a few people for those behind the gate of the admin site) and for their own
    assignments, and managers for the pages with every id. The first address of a pattern that is open to a person is
    asked for in all ways, the others are only opened; one that is closed is asked for in one more way by one person of
    each kind of work, and by the others in one of three cases. Of the actions at somebody else's assignment one in 36
    is tried, others for each action; of the other ids one in twelve. What the mode of verification cannot change is
    walked in one mode.
    """
    result = Walk()
    places = list(only)
    with exceptions_heard() as heard:
        for visitor in visitors:
            turn = itertools.cycle(WRITING)
            met: Counter[str] = Counter()
            for index, place in enumerate(places):
                if is_full:
                    for way in WAYS:
                        _visit(result, world, visitor, place, way, heard)
                elif _differs(place, visitor, world, index):
                    _visit_first(result, world, visitor, place, next(turn), index, met, heard)
    return result


def _differs(place: Address, visitor: Visitor, world: World, index: int) -> bool:
    """False where the neighbours of an address are refused, or answered, by the same line of code."""
    is_verify = world.mode == VerificationMode.VERIFY
    if place.is_library and not (visitor.user and visitor.user.is_staff):
        return is_verify and place.is_first and (visitor.name in _AT_THE_GATE or index % _FEW == 0)
    if place.is_library:
        return place.is_first and (is_verify or "accounts_user" in place.pattern)
    if place.is_first or place.person == visitor.name:
        return True
    if place.is_action:
        return index % _FEW == 0
    if visitor.name in MANAGERS and not place.pattern.startswith("api:"):
        return is_verify or place.is_of_work or place.pattern.startswith(("study", "baseline"))
    return index % _SOME == 0 and (is_verify or place.is_of_work)


def _visit_first(
    result: Walk,
    world: World,
    visitor: Visitor,
    place: Address,
    other: str,
    index: int,
    met: Counter[str],
    heard: Failures,
) -> None:
    """The first open one of a pattern in all ways, the first closed one in one more, the others as a page."""

    def visit(way: str) -> Answer:
        return _visit(result, world, visitor, place, way, heard)

    is_own = place.person == visitor.name
    if place.is_action:
        is_open = not _is_closed(visit("filled post" if is_own else other)) or is_own
    else:
        answer = visit("page")
        is_open = not _is_closed(answer)
        if answer.status == 405:
            is_open = not _is_closed(visit("filled post")) or is_own
    if place.is_library:
        return
    key = f"{'open' if is_open else 'closed'} {place.pattern}"
    met[key] += 1
    if met[key] > 1:
        return
    if world.mode != VerificationMode.VERIFY and not place.is_of_work:
        return
    if not is_open:
        if visitor.name in _IN_ALL_WAYS or (index + len(visitor.name)) % _ONE_IN_THREE == 0:
            visit(other)
        return
    ways = WRITING if place.is_action else ALL_OF_API if place.pattern.startswith("api:") else ALL_OF_PAGE
    for way in ways if visitor.name in _IN_ALL_WAYS else (other,):
        visit(way)


def _is_closed(answer: Answer) -> bool:
    """True for what tells nobody anything: not there, not that way, sign in first."""
    return answer.status in (401, 404, 405) or (answer.status == 302 and "/login/" in answer.location)


def _visit(result: Walk, world: World, visitor: Visitor, place: Address, way: str, heard: Failures) -> Answer:
    answer = visitor.ask(place.path, WAYS[way])
    result.cells += 1
    result.people.add(visitor.name)
    result.patterns.add(place.pattern)
    result.statuses[visitor.name][answer.status] += 1
    cell = f"{way} {place.path} -> {answer.status}"
    if answer.status >= 500:
        result.errors.append(f"{visitor.name}: {cell}\n{heard.last}")
    if (
        "no-store" not in answer.headers.get("Cache-Control", "")
        and place.pattern.startswith(
            ("work", "consensus", "image", "sample", "rating", "screening", "question", "study")
        )
        and not _is_closed(answer)
    ):
        result.uncached.append(f"{visitor.name}: {cell}")
    for token in world.canaries.find(answer.text) - world.canaries.find(place.path):
        result.found.setdefault((token, visitor.name, place.pattern), cell)
    return answer
