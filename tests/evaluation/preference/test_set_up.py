"""Setting a study up through the services: drawing, score sources, plans that cannot be, scores from files."""

from __future__ import annotations

from collections import Counter

import pytest

from config.jobs.services import run_waiting
from evaluation.preference.score_files import BadScores, Scores, read_scores
from evaluation.preference.score_mapping import BadMapping, MappingKind, ScoreMapping
from evaluation.preference.services.configure_study import (  # fmt: skip
    CannotRate,
    ComparedScore,
    ScoresAreEqual,
    SourceChoice,
    configure,
    draw_again,
    mapping_for,
)
from evaluation.preference.services.open_study import StudyNotReady, open_study
from evaluation.preference.visibility import as_markdown
from tests.evaluation.preference.world import (
    EDIT,
    PINK,
    answer_all,
    make_maths_release,
    make_open_study,
    make_raters,
    make_study,
)  # fmt: skip

pytestmark = [pytest.mark.django_db, pytest.mark.database]


def test_prepare_when_scored_then_the_sample_is_drawn_and_what_is_left_out_is_counted():
    release = make_maths_release(14)
    answer_all(release)
    study = make_study(release, make_raters(release), n_items=8)
    assert study.preparation.state == "done", study.preparation.error
    kinds = Counter(study.items.values_list("kind", flat=True))
    assert kinds == {"main": 8, "practice": 1, "attention": 2}
    assert study.draw["n_units"] == 14 and set(study.draw["left_out"]) == {
        "no_problem", "no_answer", "no_score", "equal_scores",
    }  # fmt: skip
    assert {*study.draw["mirror"]} == {"first", "second"}
    main = study.items.filter(kind="main")
    assert all(item.shown_first != item.shown_second for item in main)
    assert all("." in shown for item in study.items.all() for shown in (item.shown_first, item.shown_second))
    assert len({item.gold_id for item in main}) == 8
    assert all(
        source.signature.endswith(f"data:{release.checksum[:12]}") for source in study.score_sources.all()
    )


def test_prepare_when_answers_or_facts_are_missing_then_they_are_counted_and_left_out():
    release = make_maths_release(6)
    answer_all(release)
    prediction = release.prediction_sets.get().predictions.first()
    type(prediction).objects.filter(pk=prediction.pk).update(text="", failure="timeout")
    study = make_study(release, make_raters(release), n_items=3)
    assert study.draw["left_out"]["no_answer"] == 1 and study.draw["n_units"] == 5


def test_prepare_when_two_systems_answer_then_each_sample_comes_once():
    release = make_maths_release(10)
    answer_all(release, "reader")
    answer_all(release, "other", wrong_by=3)
    study = make_study(release, make_raters(release), n_items=8)
    assert study.units.count() == 20 and study.draw["available"] <= 10
    assert len(set(study.items.filter(kind="main").values_list("gold", flat=True))) == 8
    assert {*study.items.filter(kind="main").values_list("system", flat=True)} <= {"reader", "other"}


def test_prepare_when_more_is_asked_for_than_there_is_then_the_draft_says_so_and_cannot_open():
    release = make_maths_release(5)
    answer_all(release)
    study = make_study(release, make_raters(release), n_items=50)
    assert study.draw["is_short"] and study.draw["available"] <= 5 and not study.items.exists()
    with pytest.raises(StudyNotReady):
        open_study(study)


def test_attention_items_when_made_then_the_right_score_is_apart_at_a_glance():
    study, _assignments = make_open_study(n_attention=6)
    texts = {item.gold_id: item.gold.record["text"] for item in study.items.filter(kind="attention")}
    for item in study.items.filter(kind="attention"):
        scores = {"first": float(item.shown_first), "second": float(item.shown_second)}
        assert abs(scores["first"] - scores["second"]) > 7
        is_faithful = item.output == texts[item.gold_id]
        best = max(scores, key=lambda key: scores[key])
        assert (item.expected == best) is is_faithful


def test_draw_again_when_asked_for_then_another_seed_and_sample():
    release = make_maths_release(30)
    answer_all(release)
    study = make_study(release, make_raters(release), n_items=10)
    before = (study.seed, set(study.items.values_list("gold", flat=True)))
    draw_again(study)
    run_waiting()
    study.refresh_from_db()
    assert study.seed != before[0] and set(study.items.values_list("gold", flat=True)) != before[1]


def test_configure_when_the_plan_cannot_be_then_it_is_refused_and_nothing_changes():
    release = make_maths_release(4)
    answer_all(release)
    study = make_study(release, make_raters(release), n_items=2)
    items = study.items.count()
    plan = {"first": PINK, "second": EDIT, "raters": ()}
    from evaluation.preference.services.configure_study import StudyPlan  # noqa: PLC0415

    with pytest.raises(ScoresAreEqual):
        configure(study=study, plan=StudyPlan(**plan | {"second": PINK}))
    upside_down = ComparedScore("Edit", EDIT.source, ScoreMapping(MappingKind.LINEAR))
    with pytest.raises(BadMapping):
        configure(study=study, plan=StudyPlan(**plan | {"second": upside_down}))
    with pytest.raises(CannotRate):
        configure(study=study, plan=StudyPlan(**plan | {"raters": (release.created_by,)}))
    assert study.items.count() == items


def test_mapping_for_when_left_open_then_it_follows_the_metric_and_the_upload():
    scores = Scores(("pink",), {("a", ""): {"pink": 62.0}})
    assert mapping_for(SourceChoice("edit", "inkbench-1"), scores=scores).kind is MappingKind.INVERTED
    assert mapping_for(SourceChoice(column="pink"), scores=scores) == ScoreMapping(MappingKind.LINEAR, 0, 100)
    assert mapping_for(SourceChoice(column="pink"), scores=scores, kind="rescaled", low=0.8786).low == 0.8786


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "no score"),
        (b"id,pink\na,x\n", "line 2: 'pink' is 'x'"),
        (b"id,pink\na,nan\n", "not a finite number"),
        (b"id,pink\na,1\na,2\n", "line 3: sample a of this system appears twice in the file"),
        (b"id,pink\na,1,2\n", "as many fields"),
        (b"pink\n1\n", "field 'id'"),
        (b"\xff\xfe", "UTF-8"),
        (b'{"id": "a", "pink": true}', "not a finite number"),
        (b'{"id": "a", "pink": 1}\n{oops', "line 2: not a JSON object"),
    ],
)
def test_read_scores_when_a_file_is_wrong_then_it_says_where(data: bytes, why: str):
    with pytest.raises(BadScores, match=why):
        read_scores(data)


def test_read_scores_when_a_cell_is_empty_then_the_score_is_missing_and_not_zero():
    scores = read_scores(b"id,system,pink\r\na,x,\r\nb,x,0\r\n")
    assert scores.of("a", "x", "pink") is None and scores.of("b", "x", "pink") == 0.0


@pytest.mark.parametrize(
    ("text", "rendered"),
    [
        ("a\n$x$", "a\n$x$"),
        (r"\frac{1}{2}" + "\nso", "$$\n\\frac{1}{2}\n$$\n\nso"),
        (r"\begin{aligned}x&=1\end{aligned}", "$$\n\\begin{aligned}x&=1\\end{aligned}\n$$"),
    ],
)
def test_as_markdown_when_latex_has_no_delimiters_then_it_gets_them(text: str, rendered: str):
    assert as_markdown(text) == rendered
