"""The stage machine: positions of a sample's work, and the table of moves between them.

Plain data. `services/move_work.py` is the only writer of stage and status, and it asks `find_move`. Source:
WildHandBench, annotation pipeline (pre-annotation, primary annotation, independent verification, discussion until
consensus).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from config.errors import ApplicationError
from evaluation.errors import gettext_noop


class Stage(StrEnum):
    """The kind of work that a sample needs next."""

    PREANNOTATE = "preannotate"
    LABEL = "label"
    VERIFY = "verify"
    ADJUDICATE = "adjudicate"
    DONE = "done"


class Status(StrEnum):
    """Whether somebody holds that work."""

    OPEN = "open"
    HELD = "held"
    SUBMITTED = "submitted"
    WITHDRAWN = "withdrawn"


class Intake(StrEnum):
    """What an imported sample waits for before it enters the queues."""

    IMPORTED = "imported"
    SCREENING = "screening"
    DUPLICATE = "duplicate"
    READY = "ready"
    EXCLUDED = "excluded"


class SampleState(StrEnum):
    """The state of a sample as people read it; derived, never stored (see `sample_state`)."""

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
    """Who makes a move. SYSTEM is a job, never a request."""

    SYSTEM = "system"
    ANNOTATOR = "annotator"
    REVIEWER = "reviewer"
    BOTH = "both"  # the last signature of the two
    ADJUDICATOR = "adjudicator"
    MANAGER = "manager"


class Verb(StrEnum):
    SUGGESTED = "suggested"  # pre-annotation has ended, with suggestions or failures
    BROUGHT = "brought"  # imported ground truth became the first version
    CLAIM = "claim"
    RELEASE = "release"  # unfinished; also when a lease has expired
    SUBMIT = "submit"
    AGREE = "agree"  # second review submitted, all fields equal
    DISPUTE = "dispute"  # second review submitted, some fields differ
    SIGN = "sign"  # both have settled the last disputed field
    ESCALATE = "escalate"  # to the adjudicators, with a reason
    DECIDE = "decide"  # the adjudicator has settled the rest
    RETURN = "return"  # back to the primary annotator, with a reason
    REOPEN = "reopen"  # to correct it after verification or release
    WITHDRAW = "withdraw"
    RESTORE = "restore"


class Need(StrEnum):
    """What a move requires besides stage, status and role; checked in the same transaction."""

    ELIGIBLE = "eligible"  # may claim the work: no conflicting stage, no exposure
    HOLDER = "holder"  # the person who holds it
    REASON = "reason"
    LABEL = "label"  # a label row is written with the move
    ALL_SETTLED = "all_settled"  # every disputed field is settled


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

# ADJUDICATE/OPEN is the discussion between the two people; ADJUDICATE/SUBMITTED waits for an adjudicator;
# ADJUDICATE/HELD is held by an adjudicator.
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
    """The state of a sample. A reopened sample has the state of its work, whatever release holds its old text."""
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
