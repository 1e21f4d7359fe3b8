"""The people of the world, its samples and assignments by name, and what people do at an assignment."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from typing import Any

from annotation.models import Assignment, Draft, Project, Sample, Suggestion
from annotation.models.project import VerificationMode
from annotation.services.ask_question import answer_question, ask_question, claim_question
from annotation.services.claim_work import claim_work
from annotation.services.record_evidence import record_evidence, record_note, record_suggestion_use
from annotation.services.save_draft import save_draft
from annotation.services.submit_label import mark_end_reached, submit_label
from annotation.stages import Stage
from baseline.models import Baseline, Participation
from config.accounts.models import Invitation, Role, User
from evaluation.models import PredictionSet, Release
from tests.blindness.canaries import Canaries
from tests.blindness.labels import mask, piece_of, structure_of, write_label

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
    "duo": (Role.MANAGER, Role.REVIEWER),  # holds a blind assignment
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


@dataclass(slots=True)
class World:
    """What was made. `samples` and `assignments` go by a name for the state: "disputed", "disputed/second", ..."""

    mode: VerificationMode
    canaries: Canaries = field(default_factory=Canaries)
    people: dict[str, User] = field(default_factory=dict)
    tokens: dict[str, str] = field(default_factory=dict)
    samples: dict[str, Sample] = field(default_factory=dict)
    assignments: dict[str, Assignment] = field(default_factory=dict)
    project: Project = field(init=False)
    elsewhere: Project = field(init=False)
    invitation: Invitation = field(init=False)
    release: Release = field(init=False)
    predictions: PredictionSet = field(init=False)
    baseline: Baseline = field(init=False)
    redacted: Sample = field(init=False)
    image_tokens: dict[str, str] = field(default_factory=dict)  # -> the short name of whose it is
    passes: dict[str, Participation] = field(default_factory=dict)  # by the person's short name
    _keys: itertools.count[int] = field(default_factory=itertools.count)

    def plant(self, kind: str, owner: str = "") -> str:
        return self.canaries.plant(kind, owner)

    def assignment(self, state: str, who: str) -> Assignment | None:
        return self.assignments.get(f"{state}/{who}")

    def person_at(self, state: str, who: str) -> str:
        """The short name of who sits at an assignment, "" for nobody."""
        assignment = self.assignment(state, who)
        return (
            ""
            if assignment is None
            else next(n for n, user in self.people.items() if user == assignment.person)
        )

    def take(self, person: str, stage: Stage, state: str) -> Assignment:
        """Claim the next sample as a person; it is the one called `state` from then on."""
        assignment = claim_work(person=self.people[person], project=self.project, stage=stage)
        assert assignment is not None, f"nothing waits for {person} at {stage}"
        assert self.samples.setdefault(state, assignment.sample) == assignment.sample, (
            f"{person} got another than {state}"
        )
        who = {Stage.LABEL: "primary", Stage.VERIFY: "second", Stage.ADJUDICATE: "adjudicator"}[stage]
        self.assignments[f"{state}/{who}"] = assignment
        if stage == Stage.LABEL and assignment.sample.structure != structure_of(state):
            # Which page a person is given is chance; what stands on it is said once it has a name.
            assignment.sample.structure = structure_of(state)
            assignment.sample.save(update_fields=["structure"])
        return assignment

    def think(self, assignment: Assignment, state: str, who: str) -> None:
        """Leave notes, evidence and taken suggestions at an assignment."""
        record_note(assignment=assignment, text=self.plant(f"note {who}", state))
        record_evidence(
            assignment=assignment,
            kind="expert",
            link=f"https://example.org/{self.plant(f'evidence {who}', state)}",
            note=self.plant(f"evidence {who}", state),
        )
        suggestion = Suggestion.objects.filter(request__sample=assignment.sample, failure="").first()
        if assignment.stage == Stage.LABEL and suggestion is not None:
            use = self.plant("suggestion use", state)
            record_suggestion_use(
                assignment=assignment, suggestion_id=suggestion.pk, how="line", line=0, text=use
            )

    def type(self, assignment: Assignment, text: str, *masks: dict[str, Any]) -> None:
        save_draft(
            assignment=assignment,
            text=text,
            masks=list(masks),
            base_version=Draft.objects.get(assignment=assignment).version,
            image_hash=assignment.sample.pixel_hash,
        )

    def submit(self, assignment: Assignment, state: str, text: str, *masks: dict[str, Any]) -> None:
        """Masks here have no mark in the text, so a reason is given."""
        if assignment.stage == Stage.VERIFY:
            mark_end_reached(assignment=assignment)
        submit_label(
            assignment=assignment,
            text=text,
            masks=list(masks),
            base_version=Draft.objects.get(assignment=assignment).version,
            image_hash=assignment.sample.pixel_hash,
            idempotency_key=self.plant("idempotency key"),
            mask_reason=self.plant("mask reason", state),
        )

    def label(self, who: str, state: str) -> tuple[str, dict[str, Any]]:
        """A person's label of a page of this state: what they write, and one mask."""
        piece = piece_of(state)
        first, second = self.plant(f"{who} {piece}", state), self.plant(f"shared {piece}", state)
        return write_label(state, first, second), mask(self.plant(f"{who} mask", state))

    def draft(self, who: str, state: str) -> tuple[str, dict[str, Any]]:
        """What a person has typed and not submitted."""
        first, second = (self.plant(f"draft {who}", state) for _ in range(2))
        return write_label(state, first, second), mask(self.plant(f"draft {who}", state), width=90)

    def transcribe(self, person: str, state: str) -> tuple[str, dict[str, Any]]:
        """Primary annotation from claim to submit; returns the text and its mask."""
        assignment = self.take(person, Stage.LABEL, state)
        self.think(assignment, state, "primary")
        if state in ("reviewed", "to review"):
            self.consult(state)
        first, second = (self.plant("overwritten draft", state) for _ in range(2))
        self.type(assignment, write_label(state, first, second))
        text, covered = self.label("primary", state)
        self.submit(assignment, state, text, covered)
        return text, covered

    def consult(self, state: str) -> None:
        """The annotator asks a domain expert, who answers."""
        ask_question(
            assignment=self.assignments[f"{state}/primary"], text=self.plant("expert question", state)
        )
        question = claim_question(person=self.people["expert"], project=self.project)
        assert question is not None
        answer_question(question=question, text=self.plant("expert answer", state))
