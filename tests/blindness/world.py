"""A project with samples in every stage, made by the people in it through the services, full of canaries."""

from __future__ import annotations

import io
import itertools
import json
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from django.core.files.base import ContentFile
from django.test import override_settings
from PIL import Image

from annotation.difficulty import Dimension
from annotation.models import Assignment, Draft, ImportRun, Project, Sample, Suggestion
from annotation.models.project import RecogniserKind, VerificationMode
from annotation.services.adjudicate import (
    decide,
    disclose,
    escalate_from_seat,
    post_message,
    sign,
)
from annotation.services.ask_expert import answer_question, ask_expert, claim_question
from annotation.services.autosave import save_draft
from annotation.services.claim import claim_next
from annotation.services.evidence import record_evidence, record_note, record_use
from annotation.services.importing import open_import, receive_file, start_import
from annotation.services.rate_difficulty import claim_rating, save_rating, submit_rating
from annotation.services.release import make_release
from annotation.services.review import flag, move_as_manager, put_back, return_to_annotator, skip
from annotation.services.screen import claim_screening
from annotation.services.screen_again import screen_again
from annotation.services.set_up import create_project, publish_guideline, set_recogniser
from annotation.services.submit import mark_end_reached, submit
from annotation.stages import Stage, Verb
from baseline.models import Baseline, Participation
from baseline.services import clock, handing_in, preparing, standing
from baseline.services.plan import open_baseline
from baseline.services.publish import publish
from baseline.services.seat import take_seat
from baseline.services.set_up import create_baseline, enrol, set_link
from config.accounts.models import Invitation, Role, User
from config.accounts.services import give_roles, invite
from config.api.services import make_token
from config.jobs.services import claim_job, run_claimed, run_waiting
from evaluation.models import ExportFormat, PredictionSet, Release
from evaluation.records import PredictionRecord
from evaluation.services.exporting import request_export
from evaluation.services.predictions import record_predictions
from evaluation.services.scoring import request_score
from tests.blindness.canaries import Canaries
from tests.factories import PASSWORD
from tests.openai_server import OpenAIServer, Request, Step, answer, error

# Short names of the people, and their roles in the project.
PEOPLE: dict[str, tuple[Role, ...]] = {
    "manager": (Role.MANAGER,),
    "ann": (Role.ANNOTATOR,),
    "bob": (Role.ANNOTATOR,),
    "cyd": (Role.ANNOTATOR,),
    "rev": (Role.REVIEWER,),
    "rex": (Role.REVIEWER,),  # may enter the admin site, without any permission there
    "ada": (Role.ADJUDICATOR,),
    "adi": (Role.ADJUDICATOR,),
    "duo": (Role.MANAGER, Role.REVIEWER),  # holds a blind seat
    "ivy": (Role.ANNOTATOR, Role.REVIEWER),  # primary of one sample, may review the others
    "screener": (Role.SCREENER,),
    "rater": (Role.DIFFICULTY_RATER,),
    "rater two": (Role.DIFFICULTY_RATER,),
    "expert": (Role.DOMAIN_EXPERT,),
    "participant": (Role.PARTICIPANT,),
    "study": (Role.STUDY_EXPERT,),
    "stranger": (),  # manages another project
    "newcomer": (),  # has signed up and nothing else
    "root": (),  # the administrator of the site
    "reader done": (),  # take part in a baseline of the release, each somewhere else in it
    "reader reading": (),
    "reader practising": (),
    "reader waiting": (),
}
PAGES = 18


@dataclass(slots=True)
class World:
    """What was made. `samples` and `seats` go by a name for the state: "disputed", "disputed/second", ..."""

    mode: VerificationMode
    canaries: Canaries = field(default_factory=Canaries)
    people: dict[str, User] = field(default_factory=dict)
    tokens: dict[str, str] = field(default_factory=dict)
    samples: dict[str, Sample] = field(default_factory=dict)
    seats: dict[str, Assignment] = field(default_factory=dict)
    project: Project = field(init=False)
    elsewhere: Project = field(init=False)
    invitation: Invitation = field(init=False)
    release: Release = field(init=False)
    predictions: PredictionSet = field(init=False)
    baseline: Baseline = field(init=False)
    passes: dict[str, Participation] = field(default_factory=dict)  # by the person's short name
    _keys: itertools.count[int] = field(default_factory=itertools.count)

    def plant(self, kind: str, owner: str = "") -> str:
        return self.canaries.plant(kind, owner)

    def seat(self, state: str, who: str) -> Assignment | None:
        return self.seats.get(f"{state}/{who}")

    def person_at(self, state: str, who: str) -> str:
        """The short name of who sits at a seat, "" for nobody."""
        seat = self.seat(state, who)
        return "" if seat is None else next(n for n, user in self.people.items() if user == seat.person)

    def take(self, person: str, stage: Stage, state: str) -> Assignment:
        """Claim the next sample as a person; it is the one called `state` from then on."""
        seat = claim_next(person=self.people[person], project=self.project, stage=stage)
        assert seat is not None, f"nothing waits for {person} at {stage}"
        assert self.samples.setdefault(state, seat.sample) == seat.sample, (
            f"{person} got another than {state}"
        )
        who = {Stage.LABEL: "primary", Stage.VERIFY: "second", Stage.ADJUDICATE: "adjudicator"}[stage]
        self.seats[f"{state}/{who}"] = seat
        return seat

    def think(self, seat: Assignment, state: str, who: str) -> None:
        """Leave notes, evidence and taken suggestions at a seat."""
        record_note(seat=seat, text=self.plant(f"note {who}", state))
        record_evidence(
            seat=seat,
            kind="expert",
            link=f"https://example.org/{self.plant(f'evidence {who}', state)}",
            note=self.plant(f"evidence {who}", state),
        )
        suggestion = Suggestion.objects.filter(request__sample=seat.sample, failure="").first()
        if seat.stage == Stage.LABEL and suggestion is not None:
            use = self.plant("suggestion use", state)
            record_use(seat=seat, suggestion_id=suggestion.pk, how="line", line=0, text=use)

    def type(self, seat: Assignment, text: str) -> None:
        draft = Draft.objects.get(assignment=seat)
        save_draft(seat=seat, text=text, base_version=draft.version, image_hash=seat.sample.pixel_hash)

    def hand_in(self, seat: Assignment, text: str) -> None:
        if seat.stage == Stage.VERIFY:
            mark_end_reached(seat=seat)
        submit(
            seat=seat,
            text=text,
            base_version=Draft.objects.get(assignment=seat).version,
            image_hash=seat.sample.pixel_hash,
            idempotency_key=self.plant("idempotency key"),
        )

    def transcribe(self, person: str, state: str) -> str:
        """Primary annotation from claim to submit; returns the text."""
        seat = self.take(person, Stage.LABEL, state)
        self.think(seat, state, "primary")
        if state in ("reviewed", "to review"):
            self.consult(state)
        self.type(seat, self.plant("overwritten draft", state))
        text = f"Dear {self.plant('primary text', state)},\nyours {self.plant('shared line', state)}"
        self.hand_in(seat, text)
        return text

    def consult(self, state: str) -> None:
        """The annotator asks a domain expert, who answers."""
        ask_expert(seat=self.seats[f"{state}/primary"], text=self.plant("expert question", state))
        question = claim_question(person=self.people["expert"], project=self.project)
        assert question is not None
        answer_question(question=question, text=self.plant("expert answer", state))


def build_world(mode: VerificationMode) -> World:
    """Everything, in an order in which each person is given exactly the sample that is wanted."""
    world = World(mode)
    _people(world)
    _project(world)
    _pages(world)
    _finished(world)
    _disputed(world)
    _sent_back(world)
    _in_hand(world)
    _waiting(world)
    _rated(world)
    _screened(world)
    _baseline(world)
    _name_the_rest(world)
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


def _pages(world: World) -> None:
    """Import the pages, let two recognisers read them, one of them in vain, and keep one page unread."""

    def read(request: Request) -> Step:
        text = f"{world.plant('suggestion')}\nfaint"
        return answer(text, model=world.plant("suggestion provenance"))

    def fail(request: Request) -> Step:
        return error(400, world.plant("failure message"))

    with OpenAIServer(read) as good, OpenAIServer(fail) as bad:
        _recognisers(world, good.base_url, bad.base_url)
        allowed = [f"127.0.0.1:{server.port}" for server in (good, bad)]
        with override_settings(MODEL_ENDPOINT_ALLOWLIST=allowed, IMPORT_PROCESSES=1):
            _import(world, count=PAGES, first=0)
            run_waiting()
            claim = claim_job(ImportRun, _import(world, count=1, first=PAGES).pk)
            assert claim is not None
            run_claimed(claim)
    for answered in Suggestion.objects.select_related("request__sample"):
        told = f"{answered.text} {answered.message} {json.dumps(answered.provenance)}"
        for token in world.canaries.find(told):
            if world.canaries.planted[token].kind != "recogniser":
                world.canaries.move(token, _file_of(answered.request.sample))


def _recognisers(world: World, good: str, bad: str) -> None:
    for slot, address in ((1, good), (2, bad)):
        set_recogniser(
            project=world.project,
            slot=slot,
            kind=RecogniserKind.ENDPOINT,
            label=f"Reader {slot}",
            base_url=address,
            model=world.plant("recogniser"),
            prompt=world.plant("recogniser"),
            prompt_version="1",
            parameters={"user": world.plant("recogniser")},
            timeout_seconds=5,
        )


def _file_of(sample: Sample) -> str:
    """A sample's owner name while nobody knows which state it will be in."""
    return f"file {sample.original_name}"


def _import(world: World, *, count: int, first: int) -> ImportRun:
    """Start an import of `count` pages, one of them twice, and one broken file."""
    run = open_import(project=world.project, by=world.people["manager"], origin="browser")
    lines = []
    for index in range(first, first + count):
        name = f"{world.plant('file name')}.jpg"
        world.canaries.move(name.removesuffix(".jpg"), f"file {name}")
        lines.append(json.dumps({"file": name, **_facts(world, f"file {name}")}))
        receive_file(run, name=name, file=ContentFile(_scan(index, world.plant("metadata", f"file {name}"))))
    twin = f"{world.plant('file name', 'twin')}.jpg"
    lines.append(json.dumps({"file": twin, "language": "en"}))
    receive_file(run, name=twin, file=ContentFile(_scan(first, world.plant("metadata", "twin"))))
    broken = f"{world.plant('file name', 'broken')}.png"
    receive_file(run, name=broken, file=ContentFile(b"not a picture"))
    receive_file(run, name="manifest.jsonl", file=ContentFile("\n".join(lines).encode()))
    start_import(run)
    return run


def _facts(world: World, owner: str) -> dict[str, object]:
    texts = (
        "problem",
        "reference_answer",
        "perturbation",
        "writer_id",
        "split",
        "group",
        "consent",
        "subtask",
    )
    return {
        "language": "en",
        "scenario": "letters_notes",
        "transcript": world.plant("transcript", owner),
        "source_url": f"https://example.org/{world.plant('source', owner)}",
        "discussion_links": [f"https://example.org/{world.plant('source', owner)}"],
        **{name: world.plant(f"sample {name}", owner) for name in texts},
    }


def _scan(seed: int, secret: str) -> bytes:
    """A picture unlike all others, with a secret in its metadata."""
    dots = random.Random(seed)
    small = Image.new("L", (24, 18))
    small.putdata([dots.choice((0, 255)) for _ in range(24 * 18)])
    exif = Image.Exif()
    exif[0x010E] = exif[0x013B] = secret  # ImageDescription, Artist
    out = io.BytesIO()
    small.resize((240, 180), Image.Resampling.NEAREST).save(out, "JPEG", exif=exif, comment=secret.encode())
    return out.getvalue()


def _finished(world: World) -> None:
    """Agreed; settled by an adjudicator and released with predictions; reopened after release; withdrawn."""
    text = world.transcribe("ann", "agreed")
    world.hand_in(world.take("rev", Stage.VERIFY, "agreed"), text)
    for state in ("decided", "reopened"):
        _dispute(world, "ann", "rev", state)
        escalate_from_seat(
            assignment=world.seats[f"{state}/primary"], reason=world.plant("escalation reason", state)
        )
        judge = world.take("ada", Stage.ADJUDICATE, state)
        record_note(seat=judge, text=world.plant("note adjudicator", state))
        post_message(assignment=judge, position=0, text=world.plant("message", state))
        decide(assignment=judge, texts={0: world.plant("decided text", state)})
    world.release = make_release(
        project=world.project,
        by=world.people["manager"],
        title="First pages",
        notes=world.plant("release notes"),
    )
    world.predictions = record_predictions(
        release=world.release,
        system_name="Reader",
        by=world.people["manager"],
        records=[
            PredictionRecord(
                id=world.samples["decided"].uuid.hex,
                text=world.plant("prediction", "decided"),
                raw=world.plant("prediction raw", "decided"),
                provenance={"model": world.plant("prediction raw", "decided")},
            ),
            PredictionRecord(
                id=world.samples["agreed"].uuid.hex, text=None, failure=world.plant("prediction", "agreed")
            ),
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
    """Two versions that differ in the first line; what each then says of it."""
    text = world.transcribe(primary, state)
    seat = world.take(second, Stage.VERIFY, state)
    world.think(seat, state, "second")
    mine = world.plant("second text", state)
    world.hand_in(seat, "\n".join([f"Dear {mine},", *text.split("\n")[1:]]))
    for who in ("primary", "second"):
        speaker = world.seats[f"{state}/{who}"]
        post_message(assignment=speaker, position=0, text=world.plant("message", state))
        disclose(assignment=speaker, text=world.plant("disclosure", state))
    sign(assignment=seat, position=0, text=world.plant("signature", state))


def _as_manager(world: World, state: str, verb: Verb) -> None:
    move_as_manager(
        sample=world.samples[state],
        verb=verb,
        manager=world.people["manager"],
        reason=world.plant("return reason" if verb is Verb.REOPEN else "manager's reason", state),
    )


def _disputed(world: World) -> None:
    """In an adjudicator's hands; waiting for one; under discussion."""
    _dispute(world, "ann", "rev", "judged")
    reason = world.plant("escalation reason", "judged")
    escalate_from_seat(assignment=world.seats["judged/second"], reason=reason)
    record_note(
        seat=world.take("ada", Stage.ADJUDICATE, "judged"), text=world.plant("note adjudicator", "judged")
    )
    _dispute(world, "ann", "rev", "escalated")
    reason = world.plant("escalation reason", "escalated")
    escalate_from_seat(assignment=world.seats["escalated/primary"], reason=reason)
    _dispute(world, "ann", "rev", "discussed")


def _sent_back(world: World) -> None:
    """Returned by a second reviewer; reopened by a manager: both wait for their annotator."""
    world.transcribe("bob", "returned")
    seat = world.take("rex", Stage.VERIFY, "returned")
    world.type(seat, world.plant("draft second", "returned"))
    return_to_annotator(seat=seat, reason=world.plant("return reason", "returned"))


def _in_hand(world: World) -> None:
    """Held by second reviewers, by a manager who reviews, by annotators."""
    for primary, second, state in (("ann", "rev", "reviewed"), ("ann", "duo", "reviewed by a manager")):
        world.transcribe(primary, state)
        flag(seat=world.seats[f"{state}/primary"], message=world.plant("flag", state))
        seat = world.take(second, Stage.VERIFY, state)
        world.think(seat, state, "second")
        world.type(seat, world.plant("draft second", state))
    again = world.take("bob", Stage.LABEL, "returned")
    world.type(
        again, f"{Draft.objects.get(assignment=again).text}\n{world.plant('draft primary', 'returned')}"
    )
    flag(seat=again, message=world.plant("flag", "returned"))


def _waiting(world: World) -> None:
    """For a second review; for an annotator; and one that was begun, one put back, one passed by."""
    world.transcribe("ivy", "own to review")
    world.transcribe("ann", "to review")
    begun = world.take("ann", Stage.LABEL, "begun")
    world.think(begun, "begun", "primary")
    world.consult("begun")
    world.type(begun, world.plant("draft primary", "begun"))
    dropped = world.take("cyd", Stage.LABEL, "put back")
    world.type(dropped, world.plant("draft primary", "put back"))
    put_back(seat=dropped)
    passed = world.take("ivy", Stage.LABEL, "passed by")
    skip(seat=passed, reason=world.plant("skip reason", "passed by"))
    _as_manager(world, "reopened", Verb.REOPEN)
    make_release(project=world.project, by=world.people["manager"], title="Without the reopened one")


def _screened(world: World) -> None:
    """A page that nobody has in hand is sent to screening again, and a screener holds it."""
    fresh = Sample.objects.filter(
        project=world.project, intake="ready", work__stage=Stage.LABEL, work__status="open", assignments=None
    ).exclude(pk__in=[sample.pk for sample in world.samples.values()])
    sample = fresh.order_by("-number")[0]
    world.samples["screened again"] = sample
    reason = world.plant("screening reason", "screened again")
    screen_again(sample=sample, manager=world.people["manager"], reason=reason)
    held = claim_screening(person=world.people["screener"], project=world.project)
    assert held is not None and held.sample == sample


def _rated(world: World) -> None:
    """Two raters hand in a page each, and hold another with choices and a note."""
    for name in ("rater", "rater two"):
        for kind in ("rating note", "rating begun"):
            rating = claim_rating(person=world.people[name], project=world.project)
            assert rating is not None
            note = world.plant(kind, f"{name} of {rating.sample.number}")
            levels = dict.fromkeys(map(str, Dimension), 4)
            if kind == "rating note":
                image = rating.sample.pixel_hash
                submit_rating(rating=rating, scores=levels, note=note, image_hash=image)
            else:
                save_rating(rating=rating, scores=levels, note=note)


def _baseline(world: World) -> None:
    """One person who has handed all in, one in the middle of a page, one who practises, one who has not begun."""
    boss = world.people["manager"]
    practice = world.release.items.get(sample_id=world.samples["decided"].uuid.hex)
    world.baseline = create_baseline(
        release=world.release,
        by=boss,
        name="Reading by hand",
        consent="You may stop.",
        brief="Read.",
        questions=[{"label": "Who?", "choices": [], "is_optional": True}],
        practice=[practice.number],
        break_every=1,
        time_limit_seconds=3600,
        gap_minutes=0,
    )
    for name in ("done", "reading", "practising", "waiting"):
        world.passes[name] = enrol(baseline=world.baseline, person=world.people[f"reader {name}"])
    set_link(baseline=world.baseline, is_open=True)
    Baseline.objects.filter(pk=world.baseline.pk).update(code=world.plant("baseline code"))
    world.baseline.refresh_from_db()
    open_baseline(baseline=world.baseline)
    for name in ("practising", "reading", "done"):
        _take_part(world, name)
    publish(baseline=world.baseline, by=boss)
    run_waiting()


def _take_part(world: World, name: str) -> None:
    row = world.passes[name]

    def step(verb: Callable[..., None], **more: Any) -> None:
        row.refresh_from_db()
        verb(participation=row, version=row.version, **more)

    step(preparing.agree, consent=1)
    step(preparing.answer_questions, given={"q0": world.plant("baseline about", name)})
    step(preparing.finish_brief)
    if name == "practising":
        return
    step(preparing.hand_in_practice, text=world.plant("baseline practice", name))
    step(preparing.finish_feedback)
    while True:
        row.refresh_from_db()
        if standing.current_page(row) == "break":
            step(clock.end_break)
            row.refresh_from_db()
        if standing.current_page(row) != "ready":
            break
        step(clock.show)
        row.refresh_from_db()
        key = handing_in.key_of(row.tasks.get(position=row.position))
        take_seat(participation=row, device="", seat="tab")
        if name == "reading":
            text = world.plant("baseline draft", name)
            handing_in.save_text(participation=row, seat="tab", key=key, text=text, base_version=0)
            return
        handing_in.hand_in(
            participation=row,
            seat="tab",
            key=key,
            text=world.plant("baseline answer", name),
            cannot_read=False,
            idempotency_key=world.plant("idempotency key"),
        )
    step(handing_in.finish, words=world.plant("baseline about", name))


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
            if canary.owner == _file_of(sample):
                canary.owner = state
