"""Tables, formula pages and masks through every stage in both modes: field cases 29, 31, 33, 44, 53."""

from __future__ import annotations

import pytest

from annotation.models import Dispute, Draft, Field, Label, Suggestion, SuggestionRequest, Work
from annotation.models.label import Origin
from annotation.models.project import RecogniserKind, RecogniserSetting, VerificationMode
from annotation.selectors.agreement import agreement_of
from annotation.services.claim_work import claim_work
from annotation.services.open_sample import open_labels
from annotation.services.resolve_dispute import NotSettled, decide_dispute, escalate_discussion, sign_field
from annotation.services.return_work import move_work_as_manager, return_to_annotator
from annotation.services.save_draft import NewerVersion, save_draft
from annotation.stages import Stage, Verb
from annotation.visibility.labels import consensus_sheet, label_sheet, verify_sheet
from config.accounts.models import Role
from config.jobs.models import JobState
from evaluation.payloads.errors import BadPayload
from evaluation.payloads.registry import payload_for
from tests.annotation.assignments import assignment_for, submit_work
from tests.annotation.versions import (
    B_OTHER_OUTLINE,
    BRUSH,
    MASK,
    VERSIONS,
    WIDE,
    A,
    B,
    box,
    dispute,
    grid,
    page,
    start,
)
from tests.factories import make_member

pytestmark = pytest.mark.database

MODES = list(VerificationMode)


def open_fields() -> list[tuple[str, str]]:
    return [(field.kind, field.key) for field in Field.objects.filter(settled_at=None).order_by("position")]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("what", VERSIONS)
def test_agree_when_both_say_the_same_then_verified_to_the_letter(db, what, mode):
    structure, text, _, _ = VERSIONS[what]
    project, primary = start(structure, mode)
    submit_work(primary, text, masks=[MASK])
    second = assignment_for(project, Stage.VERIFY)
    sheet = verify_sheet(second)
    draft = Draft.objects.get(assignment=second)
    if mode == VerificationMode.VERIFY:
        assert (sheet.primary_text, draft.text, draft.masks) == (text, text, [MASK])
        assert [mask.reason for mask in sheet.primary_masks or ()] == ["torn"]
    else:
        assert (sheet.primary_text, sheet.primary_masks, draft.text, draft.masks) == (None, None, "", [])
    submit_work(second, text, masks=[MASK])
    agreed = Label.objects.get(stage=Stage.DONE)
    assert (agreed.text, agreed.masks) == (text, [MASK])
    assert agreed.origins == ["agreed"] * (len(payload_for(structure).keys(text)) + 1)
    assert agreement_of(project).share == 1


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("what", VERSIONS)
def test_dispute_when_one_thing_differs_then_only_that_is_a_field_and_each_side_can_win(db, what, mode):
    _, first, second, differs = VERSIONS[what]
    _, primary, reviewer = dispute(what, mode)
    assert open_fields() == differs
    for field in Field.objects.filter(settled_at=None).order_by("position"):
        for assignment in (primary, reviewer):
            field.refresh_from_db()
            if field.settled_at is None:
                sign_field(assignment=assignment, position=field.position, text=field.second_text)
    agreed = Label.objects.get(stage=Stage.DONE)
    assert agreed.text == second and first != second
    assert "second" in agreed.origins
    assert len(agreed.origins) == len(payload_for(agreed.sample.structure).keys(agreed.text))


@pytest.mark.parametrize("what", VERSIONS)
def test_decide_when_the_annotators_version_is_taken_then_it_comes_back_to_the_letter(db, what):
    _, first, _, _ = VERSIONS[what]
    project, primary, _ = dispute(what)
    escalate_discussion(assignment=primary, reason="We do not agree.")
    judge = claim_work(person=make_member(project, Role.ADJUDICATOR), project=project, stage=Stage.ADJUDICATE)
    with pytest.raises(NotSettled):
        decide_dispute(assignment=judge, texts={})
    decide_dispute(
        assignment=judge,
        texts={field.position: field.primary_text for field in Field.objects.filter(settled_at=None)},
    )
    assert Label.objects.get(stage=Stage.DONE).text == first


def test_settle_the_structure_without_the_row_then_its_cells_need_no_decision(db):
    _, primary, reviewer = dispute("a row")
    structure = Field.objects.get(kind="structure")
    for assignment in (primary, reviewer):
        sign_field(assignment=assignment, position=structure.position, text=structure.primary_text)
    assert Work.objects.get().stage == Stage.DONE
    assert Label.objects.get(stage=Stage.DONE).text == VERSIONS["a row"][1]
    assert set(Field.objects.filter(is_disputed=True).values_list("origin", flat=True)) == {Origin.PRIMARY}


@pytest.mark.parametrize("mode", MODES)
def test_dispute_on_masks_when_one_is_wider_and_one_new_then_each_is_a_field(db, mode):
    structure, text, _, _ = VERSIONS["a line"]
    project, primary = start(structure, mode)
    submit_work(primary, text, masks=[MASK])
    reviewer = assignment_for(project, Stage.VERIFY)
    submit_work(reviewer, text, masks=[WIDE, BRUSH])
    wide, new = Field.objects.filter(is_disputed=True).order_by("position")
    assert (wide.kind, new.kind, new.primary_text) == ("mask", "mask", None)
    for assignment in (primary, reviewer):
        sign_field(assignment=assignment, position=wide.position, text=wide.second_text)
        sign_field(assignment=assignment, position=new.position, text=None)
    agreed = Label.objects.get(stage=Stage.DONE)
    assert agreed.masks == [WIDE | {"id": "m"}]
    assert agreed.origins == ["agreed", "agreed", "second"]


def test_adjudicate_only_the_text_then_structure_cells_and_masks_are_carried_unchanged(db):
    """Field case 29: what nobody touched never changes."""
    first = '<table><tr><th colspan="2">head</th></tr><tr><td>a $x$</td><td>b<br>c</td></tr></table>'
    second = first.replace("b<br>c", "b<br>e")
    project, primary = start("table")
    submit_work(primary, first, masks=[MASK, BRUSH])
    reviewer = assignment_for(project, Stage.VERIFY)
    shifted = MASK | {"id": "other", "points": [[11, 100], [61, 130]], "reason": "worn"}
    submit_work(reviewer, second, masks=[BRUSH, shifted])
    (cell,) = Field.objects.filter(is_disputed=True)
    for assignment in (primary, reviewer):
        sign_field(assignment=assignment, position=cell.position, text="b\nd")
    agreed = Label.objects.get(stage=Stage.DONE)
    assert agreed.text == payload_for("table").canonical(first.replace("b<br>c", "b<br>d"))
    assert agreed.masks == [MASK, BRUSH]
    assert agreed.origins == ["agreed", "agreed", "agreed", "new", "agreed", "agreed"]


def test_twelve_differing_lines_then_twelve_fields_and_no_line_from_nowhere(db):
    """Field case 33."""
    first = [f"line {index} alpha" for index in range(15)]
    second = [line.replace("alpha", "omega") if index < 12 else line for index, line in enumerate(first)]
    project, primary = start("text")
    submit_work(primary, "\n".join(first))
    reviewer = assignment_for(project, Stage.VERIFY)
    submit_work(reviewer, "\n".join(second))
    fields = list(Field.objects.filter(is_disputed=True).order_by("position"))
    assert len(fields) == 12
    for index, field in enumerate(fields):
        value = (field.primary_text, field.second_text, "written anew")[index % 3]
        for assignment in (primary, reviewer):
            sign_field(assignment=assignment, position=field.position, text=value)
    agreed = Label.objects.get(stage=Stage.DONE)
    for line, origin, primary_line, second_line in zip(
        agreed.text.split("\n"), agreed.origins, first, second, strict=True
    ):
        assert (
            line
            == {
                "primary": primary_line,
                "second": second_line,
                "new": "written anew",
                "agreed": primary_line,
            }[origin]
        )


@pytest.mark.parametrize("what", ["a cell", "LaTeX", "a line"])
def test_agreement_when_the_discussion_is_over_then_what_stood_before_is_unchanged(db, what):
    """Field case 31."""
    project, primary, reviewer = dispute(what, masks=([MASK], [MASK]))
    before = agreement_of(project)
    metric = {"a cell": "teds", "LaTeX": "cdm", "a line": "edit"}[what]
    assert 0 < (getattr(before, metric) or 0) < 1
    field = Field.objects.get(settled_at=None)
    for assignment in (primary, reviewer):
        sign_field(assignment=assignment, position=field.position, text=field.primary_text)
    after = agreement_of(project)
    for name in ("reviews", "fields", "equal", "edit", "teds", "cdm", "kinds"):
        assert getattr(after, name) == getattr(before, name)
    assert (after.open, after.by_discussion) == (0, 1)
    assert {kind.kind: (kind.fields, kind.equal) for kind in after.kinds}["mask"] == (1, 1)
    report = Dispute.objects.get().agreement_after
    assert report[f"{metric}_primary"] == (0 if metric == "edit" else 1)


@pytest.mark.parametrize(
    ("structure", "text", "words"),
    [
        ("formula", '{"regions":[]}', "No formula is outlined"),
        (
            "formula",
            page(("a", [[0, 0], [9, 9], [9, 0], [0, 9]], "x")),
            "crosses itself between points 1 and 3",
        ),
        ("formula", page(("a", box(200, 0), "x")), "outside the image of 240 × 160"),
        ("formula", page(("a", box(0, 0), "")), "Region 1: The LaTeX is missing"),
        ("table", grid("a b", "c"), "Row 2 and row 1 have different numbers of columns"),
        ("table", "<table><tr><td onclick=x><script>1</script></td></tr></table>", "<script> is not allowed"),
        ("table", "", "There is no <table>"),
    ],
)
def test_submit_when_the_label_cannot_stand_then_refused_and_the_draft_kept(db, structure, text, words):
    _, assignment = start(structure)
    save_draft(assignment=assignment, text=text, base_version=0, image_hash=assignment.sample.pixel_hash)
    with pytest.raises(BadPayload, match=words):
        submit_work(assignment, text)
    assert Draft.objects.get(assignment=assignment).text == text
    assert not Label.objects.exists()


def test_submit_when_a_mask_has_no_reason_then_refused(db):
    _, assignment = start("text")
    with pytest.raises(BadPayload, match="Mask 1: The reason is missing"):
        submit_work(assignment, "a", masks=[MASK | {"reason": ""}])


def test_save_draft_when_only_the_masks_change_then_the_version_grows_and_a_conflict_brings_both(db):
    _, assignment = start("text")
    save = {"assignment": assignment, "image_hash": assignment.sample.pixel_hash}
    assert save_draft(**save, text="a", masks=[MASK], base_version=0).version == 1
    assert save_draft(**save, text="a", masks=[MASK], base_version=1).version == 1
    assert save_draft(**save, text="a", base_version=1).version == 1
    assert save_draft(**save, text="a", masks=[], base_version=1).version == 2
    with pytest.raises(NewerVersion) as caught:
        save_draft(**save, text="a", masks=[BRUSH], base_version=1)
    assert (caught.value.text, caught.value.masks) == ("a", [])
    with pytest.raises(BadPayload, match="Mask 1: shape"):
        save_draft(**save, text="a", masks=[MASK | {"shape": "star"}], base_version=2)


@pytest.mark.parametrize("what", ["a cell", "LaTeX"])
def test_return_and_reopen_then_the_label_and_its_masks_are_there_to_change(db, what):
    structure, text, _, _ = VERSIONS[what]
    project, primary = start(structure)
    submit_work(primary, text, masks=[MASK])
    reviewer = assignment_for(project, Stage.VERIFY)
    return_to_annotator(assignment=reviewer, reason="The mask is too large.")
    again = assignment_for(project, person=primary.person)
    draft = Draft.objects.get(assignment=again)
    assert (draft.text, draft.masks) == (text, [MASK])
    submit_work(again, text, key="key-00000002", masks=[])
    submit_work(assignment_for(project, Stage.VERIFY, reviewer.person), text, key="key-00000003", masks=[])
    assert Label.objects.get(stage=Stage.DONE).masks == []
    move_work_as_manager(
        sample=again.sample, verb=Verb.REOPEN, manager=project.created_by, reason="Mask it after all."
    )
    third = assignment_for(project, person=primary.person)
    assert Draft.objects.get(assignment=third).text == text


def test_suggestion_made_before_a_mask_then_marked_as_having_seen_more(db, client):
    said = '<p class="status small" data-tone="todo" data-seen-more >'
    project, assignment = start("text")
    client.force_login(assignment.person)
    setting = RecogniserSetting.objects.create(
        project=project, slot=1, kind=RecogniserKind.EMBEDDED, label="R"
    )
    asked = SuggestionRequest.objects.create(
        sample=assignment.sample, recogniser=setting, state=JobState.DONE
    )
    Suggestion.objects.create(request=asked, text="a", image_hash=assignment.sample.released_blob)
    assert not label_sheet(assignment).suggestions[0].has_seen_more
    save_draft(
        assignment=assignment, text="", masks=[MASK], base_version=0, image_hash=assignment.sample.pixel_hash
    )
    assert label_sheet(assignment).suggestions[0].has_seen_more
    assert said in client.get(f"/work/{assignment.uuid}/").content.decode()
    save_draft(
        assignment=assignment, text="", masks=[], base_version=1, image_hash=assignment.sample.pixel_hash
    )
    assert not label_sheet(assignment).suggestions[0].has_seen_more
    assert said not in client.get(f"/work/{assignment.uuid}/").content.decode()


def test_consensus_sheet_shows_where_each_field_stands(db):
    _, primary, _ = dispute("a polygon", masks=([MASK], [BRUSH]))
    fields = {(field.kind, field.key): field for field in consensus_sheet(primary).fields}
    region, latex = fields["region", "b"], fields["latex", "b"]
    assert region.box == latex.box == (0, 50, 120, 30)
    assert region.primary_area is not None and region.primary_area.points[0] == (0, 50)
    assert latex.second_area == region.second_area
    assert fields["mask", "m"].box == (10, 100, 50, 30)
    assert fields["mask", "n"].second_area is not None and fields["mask", "n"].second_area.width == 10


def test_thresholds_are_the_projects(db):
    project, primary = start("formula")
    type(project).objects.update(region_pair_iou=0.2, region_agree_iou=0.5)
    submit_work(primary, page(A, B))
    submit_work(assignment_for(project, Stage.VERIFY), page(A, B_OTHER_OUTLINE))
    assert Work.objects.get().stage == Stage.DONE
    assert Label.objects.get(stage=Stage.DONE).text == page(A, B)


def test_open_labels_shows_masks(db):
    project, primary = start("formula")
    submit_work(primary, page(A), masks=[MASK])
    (shown,) = open_labels(sample=primary.sample, manager=project.created_by)
    assert [mask.id for mask in shown["masks"]] == ["m"]  # type: ignore[attr-defined]
