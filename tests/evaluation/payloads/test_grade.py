from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation.payloads import grade
from evaluation.payloads.grade import Grade, GradedError, InvalidGrade
from evaluation.payloads.taxonomy import DIAGRAM_TAXONOMY, Taxonomy, label_id, label_key

NAMES = {domain: [kind.name for kind in DIAGRAM_TAXONOMY.types(domain)] for domain in DIAGRAM_TAXONOMY}


def test_taxonomy_when_shipped_then_has_the_23_types_each_with_its_own_definition() -> None:
    counts = {domain: len(names) for domain, names in NAMES.items()}
    assert counts == {"geometry": 5, "physics": 7, "chart": 5, "flowchart": 6}
    definitions = [kind.definition for domain in DIAGRAM_TAXONOMY for kind in DIAGRAM_TAXONOMY.types(domain)]
    assert len(set(definitions)) == 23
    assert all(len(definition) > 30 for definition in definitions)


def test_label_id_when_two_domains_share_a_name_then_the_ids_differ() -> None:
    assert label_id("Physics", "Connection Error") == "physics::connection error"
    assert label_id("Flowchart", "Connection Error") == "flowchart::connection error"


@pytest.mark.parametrize(
    "spelt", ["concept/target error", "Concept-Target_Error", "[Concept] (Target): Error"]
)
def test_label_key_when_punctuated_then_punctuation_is_a_space(spelt: str) -> None:
    assert label_key(spelt) == "concept target error"


def test_taxonomy_when_a_name_comes_twice_then_the_domain_is_named() -> None:
    with pytest.raises(ValueError, match="domain 'chart': 'omission error' is there twice"):
        Taxonomy.from_mapping({"chart": ["Omission Error", {"label": "omission_error"}]})


def test_taxonomy_when_a_type_has_no_name_then_the_mend_is_named() -> None:
    with pytest.raises(ValueError, match="give it one in 'label'"):
        Taxonomy.from_mapping({"chart": [{"description": "nameless"}]})


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("{", "not JSON"),
        ("[1]", "JSON object"),
        ('{"is_correct": true}', "domain"),
        ('{"domain": "chart", "is_correct": 1}', "is_correct"),
        ('{"domain": "chart", "is_correct": "true"}', "is_correct"),
        ('{"domain": "chart", "is_correct": false, "error_list": "x"}', "error_list"),
        ('{"domain": "chart", "is_correct": false, "error_list": [{}]}', r"error_list\[0\].error_type"),
        ('{"domain": "chart", "is_correct": false, "error_list": [3]}', r"error_list\[0\]"),
        ("[" * 100_000, "not JSON"),
    ],
)
def test_parse_when_a_field_is_wrong_then_it_is_named(text: str, field: str) -> None:
    with pytest.raises(InvalidGrade, match=field):
        grade.parse(text)


def test_parse_when_errors_are_plain_names_then_they_are_read() -> None:
    read = grade.parse('{"category": "Chart", "is_correct": false, "error_types": ["Omission Error"]}')
    assert read == Grade("chart", False, (GradedError("Omission Error"),))


def test_validate_when_correct_with_errors_then_both_mends_are_offered() -> None:
    problems = grade.validate(Grade("chart", True, (GradedError("Omission Error"),)))
    assert [problem.code for problem in problems] == ["errors_on_correct"]


def test_validate_when_domain_is_unknown_then_the_known_ones_are_listed() -> None:
    (problem,) = grade.validate(Grade("biology", True))
    assert problem.code == "domain_unknown"
    assert "geometry, physics, chart, flowchart" in problem.message


def test_validate_when_type_is_of_another_domain_then_it_is_refused() -> None:
    (problem,) = grade.validate(Grade("chart", False, (GradedError("Missing Step"),)))
    assert (problem.field, problem.code) == ("error_list[0].error_type", "type_unknown")


grades = st.sampled_from(sorted(NAMES)).flatmap(
    lambda domain: st.builds(
        Grade,
        st.just(domain),
        st.booleans(),
        st.lists(
            st.builds(GradedError, st.sampled_from(NAMES[domain]), st.text(max_size=8).map(str.strip)),
            max_size=4,
        ).map(tuple),
    )
)


@settings(deadline=None)
@given(grades)
def test_write_when_read_back_then_nothing_is_lost(written: Grade) -> None:
    assert grade.parse(grade.write(written)) == written


@settings(deadline=None)
@given(grades, st.randoms(use_true_random=False))
def test_canonical_when_errors_are_shuffled_and_respelt_then_the_text_is_the_same(
    written: Grade, chance
) -> None:
    errors = [GradedError(e.error_type.upper().replace(" ", "_"), e.description) for e in written.errors]
    chance.shuffle(errors)
    other = Grade(written.domain.title(), written.is_correct, tuple(errors))
    assert grade.write(grade.canonical(other)) == grade.write(grade.canonical(written))
    assert grade.canonical(grade.canonical(written)) == grade.canonical(written)
