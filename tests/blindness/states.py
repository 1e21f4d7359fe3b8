"""Samples in every stage, brought there by people in an order that gives each person the sample that is wanted."""

from __future__ import annotations

from annotation.models import Draft, Field
from annotation.services.flag_sample import flag_sample
from annotation.services.record_evidence import record_note
from annotation.services.release_samples import create_release
from annotation.services.resolve_dispute import (
    decide_dispute,
    disclose_reasoning,
    escalate_discussion,
    post_message,
    sign_field,
)
from annotation.services.return_work import (
    move_work_as_manager,
    release_assignment,
    return_to_annotator,
    skip_sample,
)
from annotation.stages import Stage, Verb
from config.jobs.services import run_waiting
from evaluation.models import ExportFormat
from evaluation.prediction_formats import REGIONS
from evaluation.predictions import Failed, Text
from evaluation.records import PredictionRecord
from evaluation.services.export_release import request_export
from evaluation.services.record_predictions import record_predictions
from evaluation.services.score_predictions import request_score
from tests.blindness.labels import mask, piece_of
from tests.blindness.pages import BROUGHT
from tests.blindness.world import World


def add_brought(world: World) -> None:
    """The page that came with its ground truth is under second review."""
    world.take("ivy", Stage.VERIFY, BROUGHT)


def add_finished(world: World) -> None:
    """Agreed; settled by an adjudicator and released with predictions; reopened after release; withdrawn."""
    for state in ("agreed", "outlined"):
        text, covered = world.transcribe("ann", state)
        world.submit(world.take("rev", Stage.VERIFY, state), state, text, covered)
    for state in ("decided", "reopened"):
        _dispute(world, "ann", "rev", state)
        escalate_discussion(
            assignment=world.assignments[f"{state}/primary"], reason=world.plant("escalation reason", state)
        )
        judge = world.take("ada", Stage.ADJUDICATE, state)
        record_note(assignment=judge, text=world.plant("note adjudicator", state))
        first, *others = open_fields(world, state)
        post_message(assignment=judge, position=first.position, text=world.plant("message", state))
        chosen = {first.position: world.plant(f"decided {piece_of(state)}", state)}
        decide_dispute(
            assignment=judge, texts=chosen | {field.position: field.second_text for field in others}
        )
    world.release = create_release(
        project=world.project,
        by=world.people["manager"],
        title="First pages",
        notes=world.plant("release notes"),
        formula_answers=REGIONS,
    )
    outlined = world.release.items.get(sample_id=world.samples["outlined"].uuid.hex)
    world.canaries.watch(outlined.outlines_blob, "outlines", "outlined")
    for blob in {world.samples["decided"].full_blob, world.samples["decided"].released_blob}:
        world.canaries.watch(blob, "image without its masks", "decided")
    world.predictions = record_predictions(
        release=world.release,
        system_name=world.plant("system"),
        by=world.people["manager"],
        records=[
            PredictionRecord(
                world.samples["decided"].uuid.hex,
                Text(world.plant("prediction", "decided")),
                raw=world.plant("prediction raw", "decided"),
                provenance={"model": world.plant("prediction raw", "decided")},
            ),
            PredictionRecord(world.samples["agreed"].uuid.hex, Failed(world.plant("prediction", "agreed"))),
        ],
        origin="upload",
        provenance={"file": world.plant("prediction provenance")},
    )
    request_score(prediction_set=world.predictions)
    for kind in ExportFormat:
        request_export(release=world.release, format=kind, by=world.people["manager"])
    run_waiting()
    world.transcribe("cyd", "withdrawn")
    _as_manager(world, "withdrawn", Verb.WITHDRAW)


def _dispute(world: World, primary: str, second: str, state: str) -> None:
    """Two versions that differ in their first piece and their mask; what each then says of it."""
    text, _ = world.transcribe(primary, state)
    assignment = world.take(second, Stage.VERIFY, state)
    world.think(assignment, state, "second")
    mine = world.plant(f"second {piece_of(state)}", state)
    theirs = min(world.canaries.find(text))
    wider = mask(world.plant("second mask", state), width=80)
    world.submit(assignment, state, text.replace(theirs, mine), wider)
    first, *_ = open_fields(world, state)
    for who in ("primary", "second"):
        speaker = world.assignments[f"{state}/{who}"]
        post_message(assignment=speaker, position=first.position, text=world.plant("message", state))
        disclose_reasoning(assignment=speaker, text=world.plant("disclosure", state))
    sign_field(assignment=assignment, position=first.position, text=world.plant("signature", state))


def open_fields(world: World, state: str) -> list[Field]:
    """What is not settled: the first piece, then the mask."""
    rows = Field.objects.filter(dispute__sample=world.samples[state], settled_at=None)
    fields = list(rows.order_by("position"))
    assert [field.kind == "mask" for field in fields] == [False, True]
    return fields


def _as_manager(world: World, state: str, verb: Verb) -> None:
    move_work_as_manager(
        sample=world.samples[state],
        verb=verb,
        manager=world.people["manager"],
        reason=world.plant("return reason" if verb is Verb.REOPEN else "manager's reason", state),
    )


def add_disputed(world: World) -> None:
    """In an adjudicator's hands; waiting for one; under discussion."""
    _dispute(world, "ann", "rev", "judged")
    reason = world.plant("escalation reason", "judged")
    escalate_discussion(assignment=world.assignments["judged/second"], reason=reason)
    record_note(
        assignment=world.take("ada", Stage.ADJUDICATE, "judged"),
        text=world.plant("note adjudicator", "judged"),
    )
    _dispute(world, "ann", "rev", "escalated")
    reason = world.plant("escalation reason", "escalated")
    escalate_discussion(assignment=world.assignments["escalated/primary"], reason=reason)
    _dispute(world, "ann", "rev", "discussed")


def add_sent_back(world: World) -> None:
    """Returned by a second reviewer; reopened by a manager: both wait for their annotator."""
    world.transcribe("bob", "returned")
    assignment = world.take("rex", Stage.VERIFY, "returned")
    world.type(assignment, *world.draft("second", "returned"))
    return_to_annotator(assignment=assignment, reason=world.plant("return reason", "returned"))


def add_in_hand(world: World) -> None:
    """Held by second reviewers, by a manager who reviews, by annotators."""
    for primary, second, state in (("ann", "rev", "reviewed"), ("ann", "duo", "reviewed by a manager")):
        world.transcribe(primary, state)
        flag_sample(assignment=world.assignments[f"{state}/primary"], message=world.plant("flag", state))
        assignment = world.take(second, Stage.VERIFY, state)
        world.think(assignment, state, "second")
        world.type(assignment, *world.draft("second", state))
    again = world.take("bob", Stage.LABEL, "returned")
    typed, covered = world.draft("primary", "returned")
    world.type(again, f"{Draft.objects.get(assignment=again).text}\n{typed}", covered)
    flag_sample(assignment=again, message=world.plant("flag", "returned"))


def add_waiting(world: World) -> None:
    """For a second review; for an annotator; and one that was begun, one put back, one passed by."""
    world.transcribe("ivy", "own to review")
    world.transcribe("ann", "to review")
    begun = world.take("ann", Stage.LABEL, "begun")
    world.think(begun, "begun", "primary")
    world.consult("begun")
    world.type(begun, *world.draft("primary", "begun"))
    dropped = world.take("cyd", Stage.LABEL, "put back")
    world.type(dropped, *world.draft("primary", "put back"))
    release_assignment(assignment=dropped)
    passed = world.take("ivy", Stage.LABEL, "passed by")
    skip_sample(assignment=passed, reason=world.plant("skip reason", "passed by"))
    _as_manager(world, "reopened", Verb.REOPEN)
    create_release(project=world.project, by=world.people["manager"], title="Without the reopened one")
