"""The image of a compared pair: well-formed, one box per token, every status shown."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

from evaluation.metrics.cdm import compare, find_preset
from evaluation.metrics.cdm.overlay import TokenStatus, overlay_svg, token_statuses
from evaluation.metrics.cli import main

SVG = "{http://www.w3.org/2000/svg}"


def image(prediction: str, reference: str) -> ElementTree.Element:
    return ElementTree.fromstring(overlay_svg(compare(prediction, reference, find_preset("inkbench-1"))))


def test_overlay_when_drawn_then_one_box_per_token_with_its_fate() -> None:
    root = image("a+c", "a+b+d")
    states = {
        group.get("data-side"): [box.get("data-fate") for box in group.findall(f"{SVG}g")]
        for group in root.findall(f"{SVG}g")
    }
    assert states["reference"].count("missed") == 2
    assert states["prediction"] == ["matched", "matched", "wrong"]


def test_overlay_when_a_side_cannot_be_drawn_then_says_why() -> None:
    root = image(r"\frac{a", "a<b")
    assert "an argument never ends" in "".join(root.itertext())


def test_overlay_when_labels_are_given_then_uses_them() -> None:
    comparison = compare("x", "x", find_preset("inkbench-1"))
    assert "参考" in overlay_svg(comparison, labels={"reference": "参考"})


def test_overlay_when_input_is_hostile_then_stays_well_formed() -> None:
    for latex in ("a<b>\"&'", "\x00\x01\ud800", "</svg><script>alert(1)</script>", "x\ufffe\u202ey"):
        root = image(latex, latex + "z")
        assert all(
            element.tag.split("}")[1] in {"svg", "g", "rect", "text", "title"} for element in root.iter()
        )


def test_fates_when_moved_then_out_of_position() -> None:
    comparison = compare(r"\begin{array}{l}a\\b\\c\\d\\e\\x\end{array}", r"abcdex", find_preset("inkbench-1"))
    left, right = token_statuses(comparison)
    assert TokenStatus.MOVED in left
    assert len(right) == 6


def test_command_line_when_explained_with_an_overlay_then_draws_the_pair(tmp_path: Path, capsys) -> None:  # type: ignore[no-untyped-def]
    gold, answers, image_file = tmp_path / "gold.jsonl", tmp_path / "pred.jsonl", tmp_path / "pair.svg"
    gold.write_text(json.dumps({"id": "1", "structure": "formula", "text": "x^2+1"}) + "\n", "utf-8")
    answers.write_text(json.dumps({"id": "1", "text": "x^2+y"}) + "\n", "utf-8")
    assert main([str(gold), str(answers), "--explain", "1", "--overlay", str(image_file)]) == 0
    assert "1 -> y  different mark" in capsys.readouterr().out
    assert ElementTree.parse(image_file).getroot().tag == f"{SVG}svg"
