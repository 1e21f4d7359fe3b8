"""Fields that are equal in both versions are unchanged in the settled label, whatever is chosen for the others.

For every structure and for masks; field cases 29 and 33.
"""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation.payloads.fields import AgreementThresholds, FieldKind, FieldPair, SettledField
from evaluation.payloads.masks import assemble_masks, masks_as_json, pair_masks
from evaluation.payloads.registry import payload_for
from evaluation.payloads.table import write_table
from tests.evaluation.payloads.strategies import rewritten, tables

words = st.text(alphabet="abc中$ ", max_size=6).map(str.strip)
lines = st.lists(words, min_size=1, max_size=8)
NEW = {FieldKind.LINE: "written anew", FieldKind.CELL: "written anew", FieldKind.LATEX: "n"}


@st.composite
def changed(draw: st.DrawFn, lines: list[str]) -> list[str]:
    """What a second person makes of the lines: some changed, left out or put in."""
    made = []
    for line in lines:
        what = draw(st.sampled_from(["same", "same", "same", "other", "gone", "new"]))
        made += {"same": [line], "other": [draw(words)], "gone": [], "new": [line, draw(words)]}[what]
    return made


@st.composite
def texts(draw: st.DrawFn) -> tuple[str, str]:
    first = draw(lines)
    return "\n".join(first), "\n".join(draw(changed(first)))


@st.composite
def two_tables(draw: st.DrawFn) -> tuple[str, str]:
    """A second table that is another, or the first one with some of its cells written otherwise."""
    first = draw(tables())
    second = draw(st.one_of(tables(), rewritten(first)))
    canonical = payload_for("table").canonical
    return canonical(write_table(first)), canonical(write_table(second))


def box(place: int, shift: int) -> list[list[int]]:
    """The outline of the place `at`; two of one place are one region, and agree unless shifted by much."""
    x, y = 10 + 150 * place + shift, 10
    return [[x, y], [x + 100, y], [x + 100, y + 80], [x, y + 80]]


@st.composite
def pages(draw: st.DrawFn) -> tuple[str, str]:
    """Formulas at some of six places, in some order; those of the second person a little or much aside."""
    versions = []
    for name in "pq":
        places = draw(st.lists(st.integers(0, 5), unique=True, max_size=5))
        regions = [
            {
                "id": f"{name}{place}",
                "polygon": box(place, 0 if name == "p" else draw(st.sampled_from([0, 0, 2, 20]))),
                "latex": draw(st.sampled_from([f"x_{{{place}}}", f"x_{{{place}}}", "y"])),
            }
            for place in places
        ]
        versions.append(payload_for("formula").canonical(json.dumps({"regions": regions})))
    return versions[0], versions[1]


VERSIONS = {"text": texts(), "table": two_tables(), "formula": pages()}


def settle(data: st.DataObject, pairs: list[FieldPair]) -> list[SettledField]:
    """Whatever two people can agree on for what differs; the rest as it is."""
    settled = []
    for pair in pairs:
        choices = [pair.first, pair.second, *([NEW[pair.kind]] if pair.kind in NEW else [])]
        settled.append(
            SettledField(pair, pair.first if pair.is_equal else data.draw(st.sampled_from(choices)))
        )
    return settled


@pytest.mark.parametrize("structure", VERSIONS)
@settings(max_examples=200, deadline=None)
@given(st.data())
def test_agreed_label_when_settled_anyhow_then_what_was_alike_is_in_it_to_the_letter(structure, data):
    payload = payload_for(structure)
    first, second = data.draw(VERSIONS[structure])
    settled = settle(data, payload.pair(first, second))
    made = payload.assemble(settled)
    fields = payload.pair(made.text, made.text) if made.sources else []
    assert len(fields) == len(made.sources)
    for field, source in zip(fields, made.sources, strict=True):
        if settled[source].pair.is_equal and settled[source].pair.kind is field.kind:
            assert field.first == _left_of(settled[source].pair, settled)
        elif settled[source].pair.kind is field.kind and field.kind in NEW:
            assert field.first == (settled[source].value or "")  # and what was settled is what was agreed on
    alike = {index for index, settled_field in enumerate(settled) if settled_field.pair.is_equal}
    if structure != "table":  # cells stand where the settled structure has them
        assert alike <= {*made.sources} | _nowhere(settled)
    elif settled[0].pair.is_equal:
        assert alike <= {*made.sources}


def _left_of(pair: FieldPair, settled: list[SettledField]) -> str | None:
    """What was alike; of an order, what is left of it after some regions were left out."""
    if pair.kind is not FieldKind.ORDER:
        return pair.first
    gone = _nowhere(settled)
    keys = {
        field.pair.key
        for index, field in enumerate(settled)
        if field.pair.kind is FieldKind.REGION and index not in gone
    }
    return json.dumps([key for key in json.loads(pair.first or "") if key in keys])


def _nowhere(settled: list[SettledField]) -> set[int]:
    """Fields without a place: a region that was left out and its LaTeX, an order of fewer than two regions."""
    gone = {
        field.pair.key for field in settled if field.pair.kind is FieldKind.REGION and field.value is None
    }
    left = sum(field.pair.kind is FieldKind.REGION and field.value is not None for field in settled)
    return {
        index
        for index, field in enumerate(settled)
        if field.pair.key in gone or (field.pair.kind is FieldKind.ORDER and left < 2)
    }


@st.composite
def mask_lists(draw: st.DrawFn, name: str) -> list[dict[str, Any]]:
    made: list[dict[str, Any]] = []
    for place in draw(st.lists(st.integers(0, 5), unique=True, max_size=5)):
        shift = draw(st.sampled_from([0, 0, 2, 20]))
        shape, points = draw(st.sampled_from(["box", "polygon"])), box(place, shift)
        made.append(
            {
                "id": f"{name}{place}",
                "shape": shape,
                "points": points if shape == "polygon" else [points[0], points[2]],
                "reason": draw(st.sampled_from(["torn", "blot"])),
            }
        )
    return masks_as_json(made)


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_agreed_masks_when_settled_anyhow_then_those_that_were_alike_are_the_first_ones(data):
    first, second = data.draw(mask_lists("p")), data.draw(mask_lists("q"))
    settled = settle(data, pair_masks(first, second, AgreementThresholds()))
    made, sources = assemble_masks(settled)
    assert len(made) == len(sources)
    by_id = {mask["id"]: mask for mask in first}
    alike = {index for index, field in enumerate(settled) if field.pair.is_equal}
    assert alike <= {*sources}
    for mask, source in zip(made, sources, strict=True):
        if source in alike:
            assert mask == by_id[mask["id"]]
