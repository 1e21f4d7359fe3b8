"""The stage machine: where a sample's work stands, and the one table of moves.

Plain data. `services/move.py` is the only writer of stage and status, and it asks `find_move`; the tests walk the
same table. Source: WildHandBench, annotation pipeline (pre-annotation, primary annotation, independent
verification, discussion until consensus).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from config.errors import ApplicationError
from evaluation.errors import gettext_noop


class Stage(StrEnum):
    """What kind of work comes next for a sample."""

    PREANNOTATE = "preannotate"
    LABEL = "label"
    VERIFY = "verify"
    ADJUDICATE = "adjudicate"
    DONE = "done"


class Status(StrEnum):
    """Whether somebody has that work in hand."""

    OPEN = "open"
    HELD = "held"
    SUBMITTED = "submitted"
    WITHDRAWN = "withdrawn"


class Intake(StrEnum):
    """Before any work: what still stands between an imported sample and the queues."""

    IMPORTED = "imported"
    SCREENING = "screening"
    DUPLICATE = "duplicate"
    READY = "ready"
    EXCLUDED = "excluded"


class SampleState(StrEnum):
    """The one word people read for a sample; derived, never stored (see `sample_state`)."""

    IMPORTED = "imported"
    SCREENING = "screening"
    DUPLICATE = "duplicate"
    PREANNOTATING = "preannotating"
    LABELLING = "labelling"
    VERIFYING = "verifying"
    DISPUTED = "disputed"
    VERIFIED = "verified"
    RELEASED = "released"
    EXCLUDED = "excluded"


class Actor(StrEnum):
    """Who makes a move. Roles are checked in `permissions.py`; SYSTEM is a job, never a request."""

    SYSTEM = "system"
    ANNOTATOR = "annotator"
    REVIEWER = "reviewer"
    BOTH = "both"  # the last signature of the two
    ADJUDICATOR = "adjudicator"
    MANAGER = "manager"


class Verb(StrEnum):
    SUGGESTED = "suggested"  # pre-annotation is over, whatever came of it
    BROUGHT = "brought"  # the ground truth came with the import; it stands as the first version
    CLAIM = "claim"
    RELEASE = "release"  # put back unfinished; also what an expired lease does
    SUBMIT = "submit"
    AGREE = "agree"  # second review submitted, every field equal
    DISPUTE = "dispute"  # second review submitted, some field differs
    SIGN = "sign"  # the last disputed field was settled by both
    ESCALATE = "escalate"  # a stalemate goes to the adjudicator, with a reason
    DECIDE = "decide"  # the adjudicator settled what was left
    RETURN = "return"  # back to the primary annotator, with a reason
    REOPEN = "reopen"  # errata after verification or release
    WITHDRAW = "withdraw"
    RESTORE = "restore"


class Need(StrEnum):
    """What must hold for a move besides stage, status and role; each is checked in the same transaction."""

    ELIGIBLE = "eligible"  # may take this work: untouched by the conflicting stage, not exposed
    HOLDER = "holder"  # the person in whose hands it is
    REASON = "reason"
    LABEL = "label"  # an immutable label row is written with the move
    ALL_SETTLED = "all_settled"  # every disputed field has one text


@dataclass(frozen=True, slots=True)
class Position:
    stage: Stage
    status: Status


@dataclass(frozen=True, slots=True)
class Move:
    start: Position
    verb: Verb
    end: Position
    who: frozenset[Actor]
    needs: frozenset[Need] = frozenset()


class IllegalMove(ApplicationError):
    """No such move from here."""

    kind = "moved_on"
    msgid = gettext_noop("The sample has changed in the meantime. Check its current state.")


def _move(
    stage: Stage,
    status: Status,
    verb: Verb,
    to_stage: Stage,
    to_status: Status,
    who: tuple[Actor, ...],
    *needs: Need,
) -> Move:
    return Move(
        Position(stage, status), verb, Position(to_stage, to_status), frozenset(who), frozenset(needs)
    )


_P, _L, _V, _A, _D = Stage.PREANNOTATE, Stage.LABEL, Stage.VERIFY, Stage.ADJUDICATE, Stage.DONE
_OPEN, _HELD, _SUB, _OUT = Status.OPEN, Status.HELD, Status.SUBMITTED, Status.WITHDRAWN
_SYS, _ANN, _REV, _ADJ, _MAN = Actor.SYSTEM, Actor.ANNOTATOR, Actor.REVIEWER, Actor.ADJUDICATOR, Actor.MANAGER

# ADJUDICATE/OPEN is the discussion between the two annotators; ADJUDICATE/SUBMITTED waits for an adjudicator;
# ADJUDICATE/HELD is in an adjudicator's hands.
MOVES: tuple[Move, ...] = (
    _move(_P, _OPEN, Verb.SUGGESTED, _L, _OPEN, (_SYS, _MAN)),
    _move(_P, _OPEN, Verb.BROUGHT, _V, _OPEN, (_SYS,), Need.LABEL),
    _move(_L, _OPEN, Verb.CLAIM, _L, _HELD, (_ANN,), Need.ELIGIBLE),
    _move(_L, _HELD, Verb.RELEASE, _L, _OPEN, (_ANN, _MAN, _SYS)),
    _move(_L, _HELD, Verb.SUBMIT, _V, _OPEN, (_ANN,), Need.HOLDER, Need.LABEL),
    _move(_V, _OPEN, Verb.CLAIM, _V, _HELD, (_REV,), Need.ELIGIBLE),
    _move(_V, _HELD, Verb.RELEASE, _V, _OPEN, (_REV, _MAN, _SYS)),
    _move(_V, _HELD, Verb.AGREE, _D, _SUB, (_REV,), Need.HOLDER, Need.LABEL),
    _move(_V, _HELD, Verb.DISPUTE, _A, _OPEN, (_REV,), Need.HOLDER, Need.LABEL),
    _move(_V, _HELD, Verb.RETURN, _L, _OPEN, (_REV,), Need.HOLDER, Need.REASON),
    _move(_V, _OPEN, Verb.RETURN, _L, _OPEN, (_MAN,), Need.REASON),
    _move(_A, _OPEN, Verb.SIGN, _D, _SUB, (Actor.BOTH,), Need.ALL_SETTLED, Need.LABEL),
    _move(_A, _OPEN, Verb.ESCALATE, _A, _SUB, (_ANN, _REV, _MAN), Need.REASON),
    _move(_A, _OPEN, Verb.RETURN, _L, _OPEN, (_MAN,), Need.REASON),
    _move(_A, _SUB, Verb.CLAIM, _A, _HELD, (_ADJ,), Need.ELIGIBLE),
    _move(_A, _HELD, Verb.RELEASE, _A, _SUB, (_ADJ, _MAN, _SYS)),
    _move(_A, _HELD, Verb.DECIDE, _D, _SUB, (_ADJ,), Need.HOLDER, Need.ALL_SETTLED, Need.LABEL),
    _move(_D, _SUB, Verb.REOPEN, _L, _OPEN, (_MAN,), Need.REASON),
    *(
        _move(stage, status, Verb.WITHDRAW, stage, _OUT, (_MAN,), Need.REASON)
        for stage, status in (
            (_P, _OPEN),
            (_L, _OPEN),
            (_L, _HELD),
            (_V, _OPEN),
            (_V, _HELD),
            (_A, _OPEN),
            (_A, _HELD),
            (_A, _SUB),
            (_D, _SUB),
        )
    ),
    *(_move(stage, _OUT, Verb.RESTORE, _L, _OPEN, (_MAN,), Need.REASON) for stage in (_P, _L, _V, _A, _D)),
)

_BY_KEY = {(move.start, move.verb): move for move in MOVES}


def find_move(stage: Stage, status: Status, verb: Verb) -> Move:
    """The move `verb` makes from (stage, status). Raises IllegalMove."""
    try:
        return _BY_KEY[(Position(stage, status), verb)]
    except KeyError:
        raise IllegalMove(f"{verb} from {stage}/{status}") from None


def sample_state(*, intake: Intake, stage: Stage, status: Status, is_released: bool) -> SampleState:
    """The one word for a sample. A reopened sample shows its work, not the release that still holds its old text."""
    if intake is not Intake.READY:
        return SampleState(intake.value)
    if status is Status.WITHDRAWN:
        return SampleState.EXCLUDED
    if stage is Stage.DONE:
        return SampleState.RELEASED if is_released else SampleState.VERIFIED
    return {
        Stage.PREANNOTATE: SampleState.PREANNOTATING,
        Stage.LABEL: SampleState.LABELLING,
        Stage.VERIFY: SampleState.VERIFYING,
        Stage.ADJUDICATE: SampleState.DISPUTED,
    }[stage]
