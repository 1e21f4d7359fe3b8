"""The discussion page shows a field of every kind as what it is, to both annotators and to the adjudicator."""

from __future__ import annotations

import html
import json
import re

import pytest

from annotation.models import Field, Label
from annotation.services.claim_work import claim_work
from annotation.services.resolve_dispute import escalate_discussion
from annotation.stages import Stage
from config.accounts.models import Role
from tests.annotation.assignments import assignment_for, submit_work
from tests.annotation.versions import MASK, VERSIONS, WIDE, box, dispute, start
from tests.factories import make_member

pytestmark = pytest.mark.django_db
NAMES = {
    "a cell": ["Cell in row 2, column 2"],
    "a row": ["Rows, spans and header cells", "Cell in row 2, column 1"],
    "LaTeX": ["LaTeX of formula 2"],
    "a polygon": ["Outline of formula 2", "IoU 0.67"],
    "order": ["Reading order"],
    "a region": ["Outline of formula 2"],
    "a line": ["Line 2"],
}


@pytest.mark.parametrize("what", VERSIONS)
def test_field_when_disputed_then_both_see_it_by_its_name_with_three_choices(client, what):
    _, primary, reviewer = dispute(what)
    for assignment in (primary, reviewer):
        client.force_login(assignment.person)
        page = client.get(f"/consensus/{assignment.uuid}/").content.decode()
        for name in NAMES[what]:
            assert name in page
        for value in ("primary", "second", "new") if what != "a region" else ("drop", "second", "new"):
            assert f'value="{value}"' in page
        assert ("Remove this formula" in page) == (what == "a polygon")


@pytest.mark.parametrize("what", VERSIONS)
def test_field_when_escalated_then_the_adjudicator_decides_on_the_same_page(client, what):
    project, primary, _ = dispute(what)
    escalate_discussion(assignment=primary, reason="We do not agree.")
    judge = claim_work(person=make_member(project, Role.ADJUDICATOR), project=project, stage=Stage.ADJUDICATE)
    client.force_login(judge.person)
    assert NAMES[what][0] in client.get(f"/consensus/{judge.uuid}/").content.decode()
    choices = {f"choice-{field.position}": "second" for field in Field.objects.filter(settled_at=None)}
    assert client.post(f"/consensus/{judge.uuid}/decide/", choices).status_code == 302
    assert not Field.objects.filter(settled_at=None).exists()


def test_outline_when_a_new_one_crosses_itself_then_it_is_refused_in_words_and_kept_open(client):
    _, primary, _ = dispute("a polygon")
    field = Field.objects.get(settled_at=None)
    client.force_login(primary.person)
    address = f"/consensus/{primary.uuid}/{field.position}/sign/"
    bow_tie = json.dumps([[0, 0], [50, 50], [50, 0], [0, 50]])
    answer = client.post(address, {"choice": "new", "text": bow_tie}, headers={"HX-Request": "true"})
    assert answer.status_code == 422
    assert "crosses itself" in answer.content.decode()
    drawn = json.dumps(box(8, 50))
    assert client.post(address, {"choice": "new", "text": drawn}).status_code == 302
    page = client.get(f"/consensus/{primary.uuid}/").content.decode()
    assert "waiting for the other person" in page
    assert drawn.replace(" ", "") in page


def test_mask_when_disputed_then_it_is_shown_with_its_area_and_reason(client):
    _, primary, _ = dispute("a line", masks=((MASK,), (WIDE,)))
    client.force_login(primary.person)
    page = client.get(f"/consensus/{primary.uuid}/").content.decode()
    assert "Mask 1" in page
    assert "torn" in page and "a hole" in page
    assert "IoU 0.63" in page


def test_order_when_disputed_then_each_formula_is_drawn_with_its_number(client):
    _, primary, _ = dispute("order")
    client.force_login(primary.person)
    page = html.unescape(client.get(f"/consensus/{primary.uuid}/").content.decode())
    case = re.search(r'<ink-disputed-field\s[^>]*kind="order".*?>', page, re.DOTALL)
    assert case and re.findall(r'"(\d+|first|second)":\{"points":\[\[', case[0]) == ["1", "2"]


def test_cell_when_disputed_then_the_rows_around_it_are_shown(client):
    _, primary, _ = dispute("a cell")
    client.force_login(primary.person)
    page = client.get(f"/consensus/{primary.uuid}/").content.decode()
    assert page.count('class="is-here"') == 2


@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_structure_when_disputed_then_both_tables_mark_and_say_where_they_differ(client, language):
    _, primary, _ = dispute("a row")
    primary.person.language = language
    primary.person.save()
    client.force_login(primary.person)
    page = client.get(f"/consensus/{primary.uuid}/").content.decode()
    tables = re.findall(r'<div class="marked-table">.*?</table>', page, re.DOTALL)
    assert [table.count('class="is-other"') for table in tables] == [0, 2]
    assert "three" in tables[1] and "three" not in tables[0]
    here, there = {
        "en": ("Row 2: only in this version.", "Missing here: row 2 of the other version."),
        "zh-hans": ("第 2 行：仅此版本有。", "此处缺少：另一版本的第 2 行。"),
    }[language]
    assert page.index(there) < page.index(here)


def test_cell_when_it_breaks_its_line_then_another_text_keeps_the_break_and_its_neighbours_their_columns(
    client,
):
    project, primary = start("table")
    first = '<table><tr><td>a</td><td>b</td><td>c</td></tr><tr><td>d</td><td colspan="2">one<br>two</td></tr></table>'
    submit_work(primary, first)
    reviewer = assignment_for(project, Stage.VERIFY)
    submit_work(reviewer, first.replace("two", "tvo"))
    client.force_login(primary.person)
    page = client.get(f"/consensus/{primary.uuid}/").content.decode()
    assert re.search(r"<textarea\s[^>]*name=\"text\"[^>]*>\s*one\ntwo</textarea>", page)
    assert re.search(r'<td\s+colspan="2"\s+class="is-here"', page)
    position = Field.objects.get(settled_at=None).position
    chosen = {"choice": "new", "text": "one\r\ntwo!"}  # as browsers send a line end
    assert client.post(f"/consensus/{primary.uuid}/{position}/sign/", chosen).status_code == 302
    assert Field.objects.get(settled_at=None).signatures.get().text == "one\ntwo!"


def test_outline_when_both_have_one_and_leave_it_out_then_the_formula_is_gone_and_its_latex_needs_no_word(
    client,
):
    _, primary, reviewer = dispute("a polygon")
    field = Field.objects.get(settled_at=None)
    for assignment in (primary, reviewer):
        client.force_login(assignment.person)
        address = f"/consensus/{assignment.uuid}/{field.position}/sign/"
        assert client.post(address, {"choice": "drop"}).status_code == 302
    field.refresh_from_db()
    assert field.settled_at is not None and field.text is None
    agreed = Label.objects.get(sample=primary.sample, stage=Stage.DONE)
    submitted = Label.objects.get(assignment=primary)
    left = [region["id"] for region in json.loads(agreed.text)["regions"]]
    before = [region["id"] for region in json.loads(submitted.text)["regions"]]
    assert len(left) == len(before) - 1 and field.key not in left
