"""Errors that are told to people: in English as they stand, in the reader's language for whoever shows them."""

from __future__ import annotations

import ast
import importlib
import json
import pkgutil
from pathlib import Path

import pytest
from django.utils.translation import gettext, override

import annotation
import baseline
import evaluation
from config.error_messages import render_message
from evaluation.errors import LocalizedError
from evaluation.model_clients.failures import FailureKind, ModelCallFailed
from evaluation.payloads.errors import BadPayload
from evaluation.records import BadRecord, parse_prediction

ROOT = Path(__file__).resolve().parents[2]
SPOKEN = ("views", "forms", "api", "templatetags", "selectors", "visibility.py")  # where errors meet readers


def test_told_when_kept_as_json_then_each_reader_gets_the_same_words_in_their_language():
    with pytest.raises(BadRecord) as caught:
        parse_prediction('{"id": "1", "regions": {"r1": "x"}}', 3)
    kept = json.loads(json.dumps(caught.value.as_json()))
    assert render_message(kept) == str(caught.value) == caught.value.words(gettext)
    with override("zh-hans"):
        assert render_message(kept) == "第 3 行: 字段 'regions'：键 'r1' 必须是区域编号，与轮廓图一致。"
        assert str(caught.value).startswith("line 3: field 'regions'")  # logs and files stay English


def test_told_when_a_fact_holds_a_percent_sign_then_it_is_said_as_it_is():
    told = LocalizedError("field %(place)s", place="100%s").at("50% off")
    assert str(told) == render_message(told.as_json()) == "50% off: field 100%s"


def test_told_when_it_hides_a_secret_then_no_fact_holds_it():
    told = LocalizedError("field %(place)s", place="sk-123 sk-123", count=7).hiding("sk-123", "[key]")
    assert str(told) == "field [key] [key]" and "sk-123" not in json.dumps(told.as_json())


def test_told_when_made_from_another_then_kind_and_words_are_its_own():
    told = BadPayload.of(LocalizedError("field %(place)s", place="a")).at("line %(line)s", line=2)
    assert isinstance(told, BadPayload) and isinstance(told, ValueError)
    assert str(told) == "line 2: field a" and told.args == ("line %(line)s",)


def test_say_when_a_row_has_no_parts_then_what_it_kept_is_said():
    assert render_message([], "as it came") == "as it came"


def test_model_call_when_failed_then_kind_and_words_are_in_its_text():
    assert str(ModelCallFailed(FailureKind.EMPTY, LocalizedError("nothing"))) == "empty: nothing"


def _kinds() -> set[str]:
    """The names of all errors that are told."""
    for package in (evaluation, annotation, baseline):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if ".migrations" not in module.name and ".management" not in module.name:
                importlib.import_module(module.name)
    left, names = [LocalizedError], set()
    while left:
        kind = left.pop()
        names.add(kind.__name__)
        left += kind.__subclasses__()
    return names


def _calls(source: str, names: set[str]):
    if "evaluation.errors import Told" not in source:
        names = names - {"Told"}  # another thing may bear the name
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in names and node.args:
            yield node


def _is_marked(message: ast.expr) -> bool:
    """Words in a marking call, or a name that stands for such words."""
    if isinstance(message, ast.Call):
        return getattr(message.func, "id", "") in ("_", "gettext_noop")
    return isinstance(message, ast.Name)


def _unmarked(source: str, names: set[str]) -> list[int]:
    return [call.lineno for call in _calls(source, names) if not _is_marked(call.args[0])]


def test_told_when_raised_anywhere_then_its_words_are_marked_for_translation():
    names = _kinds() - {"BadScores"}  # of difficulty: takes dimensions, its words are marked inside
    assert {"BadRecord", "BadExport", "BadPayload", "MissingImage", "NoSuggestion", "NoTable"} <= names
    found, count = [], 0
    for package in ("config", "evaluation", "annotation", "baseline"):
        for path in sorted((ROOT / package).rglob("*.py")):
            source = path.read_text()
            count += len(list(_calls(source, names)))
            found += [f"{path.relative_to(ROOT)}:{line}" for line in _unmarked(source, names)]
    assert found == [] and count > 80
    assert _unmarked('raise BadRecord(f"line {n}: no")', {"BadRecord"}) == [1]


def _untranslated(source: str) -> list[int]:
    """Lines where a caught error is made text without a language: str(error), f"{error}" or {"why": error}."""
    found = []
    for handler in ast.walk(ast.parse(source)):
        if not isinstance(handler, ast.ExceptHandler) or handler.name is None:
            continue
        for node in (inner for statement in handler.body for inner in ast.walk(statement)):
            parts: list[ast.expr | None] = []
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("str", "repr"):
                parts = list(node.args)
            elif isinstance(node, ast.FormattedValue):
                parts = [node.value]
            elif isinstance(node, ast.Dict):
                parts = list(node.values)
            found += [node.lineno for part in parts if getattr(part, "id", "") == handler.name]
    return found


def test_pages_when_an_error_is_shown_then_it_is_asked_for_words_never_made_text():
    found = []
    for package in ("config", "evaluation", "annotation", "baseline"):
        for path in sorted((ROOT / package).rglob("*.py")):
            if set(path.relative_to(ROOT).parts) & set(SPOKEN):
                found += [f"{path.relative_to(ROOT)}:{line}" for line in _untranslated(path.read_text())]
    assert found == []
    for line in ("str(e)", 'f"{e}"', '{"why": e}'):
        assert _untranslated(f"try:\n    f()\nexcept E as e:\n    g({line})") == [4]
