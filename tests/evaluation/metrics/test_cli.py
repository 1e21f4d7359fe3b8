"""The command line as a person runs it: files in, table, JSON and exit code out."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from evaluation.metrics.cli import main

ROOT = Path(__file__).parents[3]


def write_lines(path: Path, records: list[Any]) -> Path:
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    gold = [
        {"id": "a", "structure": "text", "language": "en", "text": "the cat sat on the mat"},
        {"id": "b", "structure": "text", "language": "zh_hans", "text": "写字 ⟦masked⟧ 很好"},
        {"id": "c", "structure": "table", "text": "<table><tr><td>1</td></tr></table>"},
        {"id": "d", "structure": "formula", "text": "x^2"},
        {"id": "e", "structure": "text", "language": "en", "text": "failed here"},
    ]
    answers = [
        {"id": "a", "text": "```markdown\nthe cat sat on the mat\n```"},
        {"id": "b", "text": "写子  很好"},
        {"id": "c", "text": "<table><tr><td>2</td></tr></table>"},
        {"id": "e", "text": None, "failure": "timeout"},
        {"id": "z", "text": "for nobody"},
    ]
    return write_lines(tmp_path / "gold.jsonl", gold), write_lines(tmp_path / "pred.jsonl", answers)


def run(*arguments: object, **options: Any) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "evaluation.metrics", *map(str, arguments)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, **options)


def test_command_line_when_run_as_a_module_then_prints_the_table_and_writes_json(
    files: tuple[Path, Path], tmp_path: Path
) -> None:
    out = tmp_path / "out.json"
    process = run(*files, "--json", out, "--data", "release-1")
    assert process.returncode == 0, process.stderr
    assert "5 samples, 1 without a prediction, 1 predictions without a sample" in process.stdout
    content = json.loads(out.read_text("ascii"))
    scores = {(row["metric"], row["group"]): row for row in content["scores"]}
    edit = scores["edit", "all"]
    assert (edit["n"], edit["n_failed"]) == (3, 1)
    assert edit["value"] == pytest.approx((0 + 1 / 6 + 1) / 3)
    assert edit["signature"].startswith("edit|preset:inkbench-1|rev:1|rapidfuzz:")
    assert edit["signature"].endswith("data:release-1")
    assert scores["teds", "all"]["n"] == 1
    assert content["unmatched_predictions"] == ["z"]
    samples = {row["id"]: row["scores"] for row in content["samples"]}
    assert samples["e"][0] == {"metric": "edit", "value": 1.0, "status": "failed"}


@pytest.mark.parametrize("preset", ["inkbench-1", "omnihandwritingocr"])
def test_command_line_when_workers_differ_then_json_is_the_same(tmp_path: Path, preset: str) -> None:
    draw = random.Random(3)
    letters = "abc de\n写字$\\^{}"
    gold = [
        {"id": str(i), "structure": "text", "language": ["en", "zh_hans"][i % 2], "text": text}
        for i in range(150)
        if (text := "".join(draw.choices(letters, k=draw.randrange(40)))) is not None
    ]
    answers = [
        {"id": row["id"], "text": row["text"][draw.randrange(5) :]} for row in gold if draw.random() > 0.1
    ]
    number, other = write_lines(tmp_path / "g.jsonl", gold), write_lines(tmp_path / "p.jsonl", answers)
    outs = []
    for workers in (1, 3):
        out = tmp_path / f"{workers}.json"
        assert run(number, other, "--preset", preset, "--workers", workers, "--json", out).returncode == 0
        outs.append(out.read_text())
    assert outs[0] == outs[1]
    shuffled = gold[:]
    draw.shuffle(shuffled)
    out = tmp_path / "shuffled.json"
    assert (
        main(
            [
                str(write_lines(tmp_path / "s.jsonl", shuffled)),
                str(other),
                "--preset",
                preset,
                "--json",
                str(out),
            ]
        )
        == 0
    )
    by_key = [
        {(row["metric"], row["group"]): row for row in json.loads(text)["scores"]}
        for text in (outs[0], out.read_text())
    ]
    assert by_key[0] == by_key[1]


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("{not json", "line 2: not valid JSON"),
        ("[1]", "line 2: expected a JSON object"),
        ('{"structure":"text","text":"x"}', "line 2: field 'id' is missing"),
        ('{"id":7,"structure":"text","text":"x"}', "line 2: field 'id' must be a non-empty string"),
        ('{"id":"q","text":"x"}', "line 2: field 'structure' is missing"),
        ('{"id":"q","structure":"poem","text":"x"}', "line 2: field 'structure' is 'poem'"),
        ('{"id":"q","structure":"text","text":5}', "line 2: field 'text' must be a string; got int"),
        ('{"id":"q","structure":"text","text":"x","language":1}', "line 2: field 'language' must be a str"),
        ('{"id":"a","structure":"text","text":"x"}', "line 2: field 'id': 'a' was already on line 1"),
        ("[" * 100_000, "line 2: not a record (values are nested too deeply)"),
    ],
)
def test_command_line_when_gold_has_a_fault_then_names_file_line_and_field(
    files: tuple[Path, Path], capsys: pytest.CaptureFixture[str], line: str, fault: str
) -> None:
    gold, answers = files
    gold.write_text('{"id":"a","structure":"text","text":"x"}\n' + line + "\n", encoding="utf-8")
    assert main([str(gold), str(answers)]) == 1
    errors = capsys.readouterr().err
    assert "gold.jsonl" in errors
    assert fault in errors


def test_command_line_when_predictions_have_a_fault_then_names_it(
    files: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    gold, answers = files
    for content, fault in (
        (b'{"id":"a","text":"x"}\n{"id":"a","text":"y"}\n', "line 2: field 'id': 'a' was already on line 1"),
        (b'{"id":"a"}\n', "line 1: field 'text' is missing"),
        (b'{"id":"a","text":"\xff"}\n', "line 1: not UTF-8"),
    ):
        answers.write_bytes(content)
        assert main([str(gold), str(answers)]) == 1
        assert fault in capsys.readouterr().err
    assert main([str(gold), str(answers.parent / "nowhere.jsonl")]) == 1
    assert "nowhere.jsonl: No such file" in capsys.readouterr().err


def test_command_line_when_a_subtask_is_unknown_then_only_the_suite_minds(
    files: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    gold, answers = files
    write_lines(gold, [{"id": "a", "structure": "text", "text": "x", "subtask": "ml-huge"}])
    assert main([str(gold), str(answers), "--preset", "omnihandwritingocr"]) == 1
    assert "line 1: field 'subtask' is 'ml-huge'" in capsys.readouterr().err
    assert main([str(gold), str(answers)]) == 0


def test_command_line_when_json_cannot_be_written_then_says_so(
    files: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*map(str, files), "--json", str(files[0].parent / "no" / "folder.json")]) == 1
    assert "give a place that can be written" in capsys.readouterr().err


def test_command_line_when_preset_is_unknown_then_lists_what_there_is(
    files: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*map(str, files), "--preset", "nonsense"]) == 2
    errors = capsys.readouterr().err
    assert "wildhandbench" in errors
    assert "omnidocbench-1.5" in errors


def test_explain_when_a_sample_is_named_then_shows_steps_alignment_and_costs(
    files: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*map(str, files), "--explain", "b"]) == 0
    shown = capsys.readouterr().out
    assert "remove masks: '写字  很好'" in shown
    assert "replace  '字' -> '子'  cost 1" in shown
    assert "edit 0.166667 = 1 / 6" in shown
    assert main([*map(str, files), "--explain", "nobody"]) == 1


@pytest.mark.parametrize("sample_id", ["a", "b", "c", "d", "e"])
@pytest.mark.parametrize("preset", ["inkbench-1", "wildhandbench", "omnihandwritingocr", "sacrebleu-13a"])
def test_explain_when_any_sample_and_preset_then_never_fails(
    files: tuple[Path, Path], capsys: pytest.CaptureFixture[str], sample_id: str, preset: str
) -> None:
    assert main([*map(str, files), "--preset", preset, "--explain", sample_id]) == 0
    assert f"Sample {sample_id}" in capsys.readouterr().out


def test_command_line_when_text_is_hostile_then_scores_and_prints_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    nasty = "\ud800 \x00 \u202egnp \x1b[31m red"
    gold = write_lines(tmp_path / "g.jsonl", [{"id": "\ud800x", "structure": "text", "text": nasty}])
    answers = write_lines(tmp_path / "p.jsonl", [{"id": "\ud800x", "text": nasty}])
    out = tmp_path / "o.json"
    assert main([str(gold), str(answers), "--json", str(out)]) == 0
    assert json.loads(out.read_text())["samples"][0]["scores"][0]["value"] == 0
    capsys.readouterr()
    assert main([str(gold), str(answers), "--explain", "\ud800x"]) == 0
    assert "\x1b" not in capsys.readouterr().out


def test_importing_the_package_when_nothing_is_used_then_loads_nothing_heavy() -> None:
    program = (
        "import sys, evaluation.metrics, evaluation.metrics.cli;"
        "heavy = {'numpy', 'scipy', 'lxml', 'pylatexenc', 'jieba', 'sacrebleu', 'django'} & set(sys.modules);"
        "print(sorted(heavy))"
    )
    process = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert process.stdout.strip() == "[]"
