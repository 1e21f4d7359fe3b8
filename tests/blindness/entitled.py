"""Who may see which canary, and who must find it: the whole of "who may see what", as the matrix holds it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from annotation.models.project import VerificationMode
from tests.blindness.canaries import Canary
from tests.blindness.labels import PIECES
from tests.blindness.world import PEOPLE, World

Names = frozenset[str]
NOBODY: Names = frozenset()
MANAGERS: Names = frozenset({"manager", "duo"})
ROOT: Names = frozenset({"root"})  # in the admin site: facts of rows, never what people wrote of a page
RATERS: Names = frozenset({"study"})  # of the expert studies
READERS: Names = frozenset(name for name in PEOPLE if name.startswith("reader "))  # of the baseline
MEMBERS: Names = frozenset(name for name, roles in PEOPLE.items() if roles)
DISPUTES = ("decided", "reopened", "judged", "escalated", "discussed")
BLIND_MANAGER = "reviewed by a manager"  # duo manages, and is blind here: the stricter role wins


@dataclass(frozen=True, slots=True)
class Rule:
    """`may`: who is allowed to find it anywhere. `must`: who has to find it somewhere."""

    may: Callable[[World, str], Names]
    must: Callable[[World, str], Names] = lambda world, state: NOBODY


def _at(*assignments: str) -> Callable[[World, str], Names]:
    def sit(world: World, state: str) -> Names:
        return frozenset(filter(None, (world.person_at(state, assignment) for assignment in assignments)))

    return sit


def _only(*states: str, then: Callable[[World, str], Names]) -> Callable[[World, str], Names]:
    return lambda world, state: then(world, state) if state in states else NOBODY


def _managers(world: World, state: str) -> Names:
    return MANAGERS - {"duo"} if state == BLIND_MANAGER else MANAGERS


def _manager(world: World, state: str) -> Names:
    return frozenset({"manager"})


def _both(*rules: Callable[[World, str], Names]) -> Callable[[World, str], Names]:
    return lambda world, state: frozenset().union(*(rule(world, state) for rule in rules))


def _owner(world: World, owner: str) -> Names:
    return frozenset({owner})


def _owner_named(world: World, owner: str) -> Names:
    """The owner is "person of state"."""
    return frozenset({owner.partition(" of ")[0]})


def _reader(world: World, name: str) -> Names:
    return frozenset({f"reader {name}"})


def _all(names: Names) -> Callable[[World, str], Names]:
    return lambda world, state: names


def _sees_primary(world: World, state: str) -> Names:
    """The annotator, both sides of a discussion, and in mode `verify` the second reviewer, who opens it on record."""
    names = _both(_at("primary"), _managers)(world, state)
    if state in DISPUTES:
        names |= _at("second", "adjudicator")(world, state)
    if world.mode is VerificationMode.VERIFY or state in ("agreed", "outlined"):  # they wrote the same
        names |= _at("second")(world, state)
    return names


def _must_see_primary(world: World, state: str) -> Names:
    names = _manager(world, state)
    if state in DISPUTES:
        names |= _at("primary", "second", "adjudicator")(world, state)
    if world.mode is VerificationMode.VERIFY and state in ("reviewed", BLIND_MANAGER):
        names |= _at("second")(world, state)
    return names


_THREE = _at("primary", "second", "adjudicator")
_SCREENED = "screened again"  # the screener who holds it is shown what came with the page
_SCREENER = _only(_SCREENED, then=_all(frozenset({"screener"})))
_IMPORT_EVIDENCE = Rule(
    _both(_THREE, _SCREENER, _all(MANAGERS)), _only("begun", "reviewed", "judged", then=_THREE)
)
_FACT = Rule(
    _all(MANAGERS | ROOT), lambda world, state: NOBODY if state.startswith("twin") else _manager(world, state)
)
_ANSWER = Rule(_all(MANAGERS))
_TALK = Rule(_THREE, _only("discussed", "judged", then=_THREE))
_EXPERT = _all(frozenset({"expert"}))
_OWN = {
    "primary": ("begun", "returned"),
    "second": ("reviewed", BLIND_MANAGER, "discussed"),
    "adjudicator": ("judged",),
}


_PIECES = (*PIECES.values(), "mask")
_PRIMARY = Rule(_sees_primary, _must_see_primary)
_SECOND = Rule(_both(_THREE, _managers), _only(*DISPUTES, then=_both(_THREE, _manager)))


def _reviews_brought(world: World, state: str) -> Names:
    """As the primary's: in mode verify the second reviewer has it on the worksheet."""
    return _at("second")(world, state) if world.mode is VerificationMode.VERIFY else NOBODY


def _own(assignment: str) -> Rule:
    return Rule(_at(assignment), _only(*_OWN[assignment], then=_at(assignment)))


_BROUGHT = Rule(_both(_reviews_brought, _all(MANAGERS)), _both(_reviews_brought, _manager))
RULES: dict[str, Rule] = {
    # People. Names of members are for managers; an author of a guideline stands beside it.
    "user name": Rule(
        lambda world, owner: MANAGERS | {owner, "root"}, lambda world, owner: frozenset({"root"})
    ),
    "full name": Rule(
        lambda world, owner: MEMBERS | {"root"} if owner == "manager" else MANAGERS | {owner, "root"},
        lambda world, owner: frozenset({"manager"}) if PEOPLE.get(owner) else frozenset({owner}),
    ),
    "e-mail": Rule(lambda world, owner: frozenset({owner, "root"}), _owner),
    "API token": Rule(lambda world, owner: frozenset({owner, "root"})),
    "invitation": Rule(_all(MANAGERS), _manager),
    # The project and its samples.
    "description": Rule(_all(MEMBERS | ROOT), _manager),
    "recogniser": Rule(_all(MANAGERS | ROOT), _manager),
    "file name": Rule(_all(MANAGERS | ROOT), _manager),
    "metadata": Rule(_all(NOBODY)),
    "transcript": _IMPORT_EVIDENCE,
    "source": Rule(_both(_THREE, _SCREENER, _all(MANAGERS | ROOT)), _IMPORT_EVIDENCE.must),
    **{f"sample {name}": _FACT for name in ("writer_id", "split", "group", "consent")},
    "sample subtask": Rule(_all(MANAGERS | ROOT)),
    **{f"sample {name}": _ANSWER for name in ("problem", "reference_answer", "perturbation")},
    # What was written.
    **{f"{who} {piece}": _PRIMARY for who in ("primary", "shared") for piece in _PIECES},
    **{f"second {piece}": _SECOND for piece in _PIECES},
    **{f"decided {piece}": Rule(_both(_THREE, _managers), _both(_THREE, _manager)) for piece in _PIECES},
    # What came with the import is a first version that nobody here wrote.
    **{f"brought {piece}": _BROUGHT for piece in ("LaTeX", "mask")},
    "draft primary": _own("primary"),
    "draft second": Rule(_at("second"), _only("reviewed", BLIND_MANAGER, then=_at("second"))),
    "overwritten draft": Rule(_all(NOBODY)),
    "idempotency key": Rule(_all(NOBODY)),
    # Why it was written so.
    "note primary": Rule(_at("primary"), _only("begun", "discussed", then=_at("primary"))),
    "note second": _own("second"),
    "note adjudicator": Rule(_at("adjudicator"), _only("judged", then=_at("adjudicator"))),
    "evidence primary": Rule(_at("primary"), _only("begun", "discussed", then=_at("primary"))),
    "evidence second": _own("second"),
    "suggestion": Rule(_both(_at("primary"), _managers), _only("begun", then=_at("primary"))),
    "failure message": Rule(_both(_at("primary"), _managers), _only("begun", then=_at("primary"))),
    "suggestion provenance": Rule(_managers),
    "suggestion use": Rule(_all(NOBODY)),
    # What was said.
    "message": _TALK,
    "disclosure": _TALK,
    "signature": Rule(_THREE, _only("discussed", then=_THREE)),
    "escalation reason": Rule(
        _both(_THREE, _managers), _only("judged", "escalated", then=_both(_THREE, _manager))
    ),
    "return reason": Rule(
        _both(_at("primary"), _managers), _both(_only("returned", then=_at("primary")), _manager)
    ),
    "manager's reason": Rule(_managers, _manager),
    "flag": Rule(_managers, _manager),
    "mask reason": Rule(_managers, _manager),
    "skip reason": Rule(_managers),
    # Screening: why a manager asks for another look is for the screener who takes it.
    "screening reason": Rule(_all(MANAGERS | {"screener"}), _all(frozenset({"manager", "screener"}))),
    # Where a name stands, and the page that still shows it: by private token, which managers and screeners may use.
    "redaction": Rule(_all(MANAGERS | {"screener"})),
    "unredacted image": Rule(_all(MANAGERS | {"screener"}), _all(frozenset({"manager"}))),
    # Asked of a domain expert: for the annotator who asked and the expert who answers.
    "expert question": Rule(
        _both(_at("primary"), _EXPERT), _both(_only("begun", then=_at("primary")), _EXPERT)
    ),
    "expert answer": Rule(
        _both(_at("primary"), _EXPERT), _both(_only("begun", then=_at("primary")), _EXPERT)
    ),
    # How hard raters find a page: their own choices, and figures for managers who will not rate it themselves.
    "rating note": Rule(_both(_owner_named, _all(MANAGERS)), _manager),
    "rating begun": Rule(_owner_named, _owner_named),
    # What was released.
    "release notes": Rule(_all(MANAGERS), _manager),
    "prediction": Rule(_all(MANAGERS), _manager),
    # It stands beside its scores, which are closed to the raters of an open study of the release.
    "system": Rule(_all((MEMBERS - RATERS) | ROOT), _all(frozenset({"manager", "ann"}))),
    "outlines": Rule(_all(MANAGERS | READERS), _manager),
    # Whoever transcribes sees what is masked, in order to judge it; those who answer a release do not.
    "image without its masks": Rule(_both(_THREE, _all(MANAGERS))),
    # A baseline: participants see their own current page; managers see what was submitted and what participants say of
    # themselves. No participant sees ground truth, except that of submitted practice.
    "baseline draft": Rule(_reader, _reader),
    "baseline practice": Rule(_all(NOBODY)),
    # It stands on results that are not the first of their pattern, which the short walk opens in one mode only.
    "baseline answer": Rule(
        _all(MANAGERS),
        lambda world, state: _manager(world, state) if world.mode == VerificationMode.VERIFY else NOBODY,
    ),
    "baseline about": Rule(
        _all(MANAGERS), lambda world, name: frozenset({"manager"}) if name == "done" else NOBODY
    ),
    "baseline code": Rule(_all(MANAGERS), _manager),
    "prediction raw": Rule(_all(MANAGERS)),
    "prediction provenance": Rule(_all(MANAGERS | ROOT)),
    # Expert studies: managers know what is compared, raters never; what raters answered is shown once it is closed.
    "study title": Rule(_all(MANAGERS), _manager),
    "study metric": Rule(_all(MANAGERS), _manager),
    "study instructions": Rule(_all(MANAGERS | RATERS), _only("draft", "closed", then=_manager)),
    "study comment": Rule(_only("closed", then=_all(MANAGERS)), _only("closed", then=_manager)),
}


# What is hidden from a manager who is blind in another role, of samples under way, unless they open it on record.
_LABELS = {f"{who} {piece}" for who in ("primary", "shared", "second", "decided") for piece in _PIECES}
_HIDDEN = _LABELS | {"escalation reason", "return reason"}
_HIDDEN |= {"manager's reason", "flag", "mask reason", "skip reason"}
_OVER = (
    "agreed",
    "outlined",
    "decided",
    "withdrawn",
    BLIND_MANAGER,
)  # the own assignment's worksheet has rules of its own
# What a rater's own assignment shows of released samples: the task, and an output or, for attention, a true text.
_RATED = {"sample problem", "sample reference_answer", "prediction"}
_RATED |= {label for label in _LABELS if not label.endswith("mask")}
_RELEASED = ("agreed", "outlined", "decided", "reopened")
_TOLD = ("home", "project", "sample", "flag", "next")


def may_see(world: World, canary: Canary, pattern: str) -> Names:
    """Who may find it at this pattern of addresses."""
    names = RULES[canary.kind].may(world, canary.owner)
    place = pattern.removeprefix("api:")
    if place.startswith("study_enrolment") and canary.kind in _RATED and canary.owner in _RELEASED:
        names |= RATERS
    if canary.kind in _HIDDEN and canary.owner not in _OVER and place != "sample_labels":
        return names - {"duo"} if place.startswith(_TOLD) else names
    return names


def must_see(world: World, canary: Canary) -> Names:
    """Who has to find it somewhere."""
    return RULES[canary.kind].must(world, canary.owner)
