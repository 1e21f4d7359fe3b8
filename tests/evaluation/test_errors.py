"""LocalizedError: English in logs and files, the reader's language on pages."""

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
from config.errors import ApplicationError
from evaluation.errors import LocalizedError
from evaluation.model_clients.failures import FailureKind, ModelCallFailed
from evaluation.payloads.errors import BadPayload
from evaluation.records import BadRecord, parse_prediction

ROOT = Path(__file__).resolve().parents[2]
SHOWING = ("views", "forms", "api", "templatetags", "selectors", "visibility.py")  # where errors reach people


def test_error_when_kept_as_json_then_each_reader_gets_the_same_message_in_their_language():
    with pytest.raises(BadRecord) as caught:
        parse_prediction('{"id": "1", "regions": {"r1": "x"}}', 3)
    parts = json.loads(json.dumps(caught.value.as_json()))
    assert render_message(parts) == str(caught.value) == caught.value.message(gettext)
    with override("zh-hans"):
        assert render_message(parts) == "第 3 行: 字段 'regions'：键 'r1' 必须是区域编号，与轮廓图一致。"
        assert str(caught.value).startswith("line 3: field 'regions'")  # logs and files stay English


def test_error_when_a_fact_contains_a_percent_sign_then_it_is_shown_unchanged():
    error = LocalizedError("field %(place)s", place="100%s").within("50% off")
    assert str(error) == render_message(error.as_json()) == "50% off: field 100%s"


def test_error_when_a_secret_is_replaced_then_no_fact_contains_it():
    error = LocalizedError("field %(place)s", place="sk-123 sk-123", count=7)
    clean = error.with_secret_replaced("sk-123", "[key]")
    assert str(clean) == "field [key] [key]" and "sk-123" not in json.dumps(clean.as_json())


def test_error_when_made_from_another_then_it_has_its_own_class_and_the_same_message():
    error = BadPayload.from_error(LocalizedError("field %(place)s", place="a")).within(
        "line %(line)s", line=2
    )
    assert isinstance(error, BadPayload) and isinstance(error, ValueError)
    assert str(error) == "line 2: field a" and error.args == ("line %(line)s",)


def test_render_message_when_a_row_has_no_parts_then_the_fallback_is_given():
    assert render_message([], "as it came") == "as it came"


def test_model_call_when_failed_then_kind_and_reason_are_in_its_text():
    assert str(ModelCallFailed(FailureKind.EMPTY, LocalizedError("nothing"))) == "empty: nothing"


def _error_names() -> set[str]:
    """The class names of the localized errors whose message is written where they are raised."""
    for package in (evaluation, annotation, baseline):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if ".migrations" not in module.name and ".management" not in module.name:
                importlib.import_module(module.name)
    classes, names = [LocalizedError], set()
    while classes:
        error_class = classes.pop()
        names.add(error_class.__name__)
        classes += [below for below in error_class.__subclasses__() if below is not ApplicationError]
    return names


def _calls(source: str, names: set[str]):
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in names and node.args:
            yield node


def _is_marked(message: ast.expr) -> bool:
    """A message in a marking call, or a name of such a message."""
    if isinstance(message, ast.Call):
        return getattr(message.func, "id", "") in ("_", "gettext_noop")
    return isinstance(message, ast.Name)


def _unmarked(source: str, names: set[str]) -> list[int]:
    return [call.lineno for call in _calls(source, names) if not _is_marked(call.args[0])]


def test_error_when_raised_anywhere_then_its_message_is_marked_for_translation():
    names = _error_names() - {"BadScores"}  # of difficulty: takes dimensions, its messages are marked inside
    assert {
        "BadRecord",
        "BadExport",
        "BadPayload",
        "MissingImage",
        "UnreadablePrediction",
        "NoTableInReply",
    } <= names
    unmarked, count = [], 0
    for package in ("config", "evaluation", "annotation", "baseline"):
        for path in sorted((ROOT / package).rglob("*.py")):
            source = path.read_text()
            count += len(list(_calls(source, names)))
            unmarked += [f"{path.relative_to(ROOT)}:{line}" for line in _unmarked(source, names)]
    assert unmarked == [] and count > 80
    assert _unmarked('raise BadRecord(f"line {n}: no")', {"BadRecord"}) == [1]


def _untranslated(source: str) -> list[int]:
    """Lines that turn a caught error into text without a language: str(error), f"{error}" or {"why": error}."""
    lines: list[int] = []
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
            lines += [node.lineno for part in parts if getattr(part, "id", "") == handler.name]
    return lines


def test_pages_when_an_error_is_shown_then_its_message_is_translated_never_str():
    untranslated = []
    for package in ("config", "evaluation", "annotation", "baseline"):
        for path in sorted((ROOT / package).rglob("*.py")):
            if set(path.relative_to(ROOT).parts) & set(SHOWING):
                untranslated += [
                    f"{path.relative_to(ROOT)}:{line}" for line in _untranslated(path.read_text())
                ]
    assert untranslated == []
    for line in ("str(e)", 'f"{e}"', '{"why": e}'):
        assert _untranslated(f"try:\n    f()\nexcept E as e:\n    g({line})") == [4]
