"""Every word in both languages: what the sources say, the message file holds, translated and whole."""

from __future__ import annotations

import ast
import re
from html.parser import HTMLParser
from pathlib import Path

import polib
import pytest
from django.conf import settings

from config.translations.catalogue import compile_all, problems_in, update
from config.translations.extraction import NotLiteral, Phrase, phrases_in, source_files

ROOT = Path(settings.BASE_DIR)
PO = ROOT / "locale" / "zh_Hans" / "LC_MESSAGES" / "django.po"


def test_message_file_when_held_against_the_sources_then_every_string_is_translated() -> None:
    problems = problems_in(polib.pofile(str(PO)), phrases_in(ROOT))
    assert not problems, "run manage.py collect_translations, then translate:\n" + "\n".join(problems)


def test_problems_when_a_translation_is_missing_empty_fuzzy_or_loses_a_name_then_each_is_reported() -> None:
    po = polib.POFile()
    po.append(polib.POEntry(msgid="empty", msgstr=""))
    po.append(polib.POEntry(msgid="fuzzy", msgstr="x", flags=["fuzzy"]))
    po.append(polib.POEntry(msgid="Hello %(name)s", msgstr="你好"))
    po.append(polib.POEntry(msgid="{n} of {all}", msgstr="{n} / {all}"))
    po.append(polib.POEntry(msgid="Saved", msgctxt="state", msgstr="已保存"))
    phrases = [Phrase(m) for m in ("gone", "empty", "fuzzy", "Hello %(name)s", "{n} of {all}", "Saved")]
    kinds = [problem.split(":")[0] for problem in problems_in(po, phrases)]
    assert kinds == ["missing", "not translated", "fuzzy", "placeholders differ (%(name)s)", "missing"]


def test_update_when_a_string_comes_and_goes_then_its_translation_is_never_lost() -> None:
    po = polib.POFile()
    update(po, [Phrase("a"), Phrase("b")])
    po.find("a").msgstr = "甲"
    update(po, [Phrase("b")])
    assert [entry.msgid for entry in po.obsolete_entries()] == ["a"]
    update(po, [Phrase("a"), Phrase("c")])
    assert po.find("a").msgstr == "甲" and not po.find("a").obsolete and po.find("b") is None


def test_update_when_another_file_knows_a_translation_then_the_gap_is_filled_and_nothing_overwritten() -> (
    None
):
    po, donor = polib.POFile(), polib.POFile()
    po.append(polib.POEntry(msgid="a", msgstr="ours"))
    donor.append(polib.POEntry(msgid="a", msgstr="theirs"))
    donor.append(polib.POEntry(msgid="one", msgstr="一"))
    update(po, [Phrase("a"), Phrase("one", plural="many")], donors=[donor])
    assert po.find("a").msgstr == "ours" and po.find("one").msgstr_plural == {0: "一"}


def test_phrases_when_python_and_templates_say_them_in_every_way_then_all_are_found(tmp_path: Path) -> None:
    (tmp_path / "annotation").mkdir()
    (tmp_path / "templates").mkdir()
    (tmp_path / "annotation" / "a.py").write_text(
        '_("one" " joined")\nngettext("%(n)s dot", "%(n)s dots", 2)\npgettext_lazy("state", "Open")\nnot_ours("x")\n'
    )
    (tmp_path / "templates" / "a.html").write_text(
        '{% load i18n %}{% translate "It\'s" %} {{ _("inline") }} {% translate "Open" context "verb" %}'
        "{% blocktranslate with a=b %}{{ a }} “ok”{% endblocktranslate %}"
        "{% blocktranslate count n=c %}one {{ n }}{% plural %}many {{ n }}{% endblocktranslate %}"
    )
    assert {(p.context, p.msgid, p.plural) for p in phrases_in(tmp_path)} == {
        ("", "one joined", ""),
        ("", "%(n)s dot", "%(n)s dots"),
        ("state", "Open", ""),
        ("", "It's", ""),
        ("", "inline", ""),
        ("verb", "Open", ""),
        ("", "%(a)s “ok”", ""),
        ("", "one %(n)s", "many %(n)s"),
    }


def test_phrases_when_a_call_is_computed_then_file_and_line_are_named(tmp_path: Path) -> None:
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "a.py").write_text('\n_(f"hello {name}")\n')
    with pytest.raises(NotLiteral, match=r"config/a.py:2"):
        phrases_in(tmp_path)


def test_compile_when_nothing_changed_then_nothing_is_written(tmp_path: Path) -> None:
    folder = tmp_path / "zh_Hans" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    (folder / "django.po").write_text(
        'msgid ""\nmsgstr "Content-Type: text/plain; charset=utf-8\\n"\n\nmsgid "a"\nmsgstr "甲"\n'
    )
    assert [path.name for path in compile_all(tmp_path)] == ["django.mo"]
    assert compile_all(tmp_path) == []
    assert [path.name for path in folder.iterdir() if path.suffix not in {".po", ".mo"}] == []
    assert polib.mofile(str(folder / "django.mo")).find("a").msgstr == "甲"


# Words that are the same in every language.
_SAME_EVERYWHERE = {
    "SHA",
    "InkBench",
    "English",
    "中文",
    "Ctrl",
    "Enter",
    "Esc",
    "Tab",
    "Alt",
    "Shift",
    "LaTeX",
    "Markdown",
    "CSV",
    "PDF",
    "SVG",
    "JSON",
    "JSONL",
    "PNG",
}
_SPOKEN_ATTRIBUTES = {"title", "alt", "aria-label", "placeholder", "data-confirm", "data-confirm-button"}
_CLASS_NAMES = re.compile(r"\{% block \w+_class %\}.*?\{% endblock %\}", re.DOTALL)
_BLOCK = re.compile(
    r"\{%\s*(?:blocktranslate|blocktrans)\b.*?\{%\s*end(?:blocktranslate|blocktrans)\s*%\}|"
    r"\{%\s*comment\b.*?\{%\s*endcomment\s*%\}|\{#.*?#\}|\{\{.*?\}\}|\{%.*?%\}",
    re.DOTALL,
)


class _Speech(HTMLParser):
    """Collects what a reader would see or hear that no template tag made."""

    def __init__(self) -> None:
        super().__init__()
        self.silent = 0
        self.bare: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.silent += tag in {"script", "style", "code"}
        for name, value in attrs:
            if name in _SPOKEN_ATTRIBUTES:
                self._hear(value or "")

    def handle_endtag(self, tag: str) -> None:
        self.silent -= tag in {"script", "style", "code"}

    def handle_data(self, data: str) -> None:
        if not self.silent:
            self._hear(data)

    def _hear(self, text: str) -> None:
        words = set(re.findall(r"[^\W\d_]{2,}", text)) - _SAME_EVERYWHERE
        if words:
            self.bare.append(" ".join(text.split()))


def _bare_text(template: str) -> list[str]:
    speech = _Speech()
    plain = _CLASS_NAMES.sub("", template).replace("{% else %}", " ")
    speech.feed(_BLOCK.sub("", plain))
    return speech.bare


_TEMPLATES = [path for path in source_files(ROOT) if path.suffix == ".html"]


@pytest.mark.parametrize("path", _TEMPLATES, ids=lambda path: path.relative_to(ROOT / "templates").as_posix())
def test_template_when_read_then_every_word_goes_through_translate(path: Path) -> None:
    assert _bare_text(path.read_text(encoding="utf-8")) == []


def test_bare_text_when_a_template_speaks_plainly_then_it_is_found() -> None:
    assert _bare_text('<p>{{ n }} samples</p><a title="Continue">{% translate "x" %}</a>') == [
        "samples",
        "Continue",
    ]


# Keyword arguments and calls whose string a person reads.
_SPOKEN_KEYWORDS = {"label", "help_text", "verbose_name", "verbose_name_plural", "empty_label"}
_SPOKEN_CALLS = {"ValidationError", "success", "error", "warning", "info"}


def _unwrapped(source: str) -> list[str]:
    unwrapped = []
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call):
            continue
        name = getattr(node.func, "attr", getattr(node.func, "id", ""))
        owner = getattr(getattr(node.func, "value", None), "id", "")
        spoken = [k.value for k in node.keywords if k.arg in _SPOKEN_KEYWORDS]
        if name == "ValidationError" or (owner == "messages" and name in _SPOKEN_CALLS):
            spoken += node.args
        for value in spoken:
            literal = value.value if isinstance(value, ast.Constant) else None
            if (isinstance(literal, str) and re.search(r"[^\W\d_]{2,}", literal)) or isinstance(
                value, ast.JoinedStr
            ):
                unwrapped.append(ast.unparse(node)[:120])
    return unwrapped


_SPEAKING = [
    path
    for path in source_files(ROOT)
    if path.suffix == ".py" and {"forms", "views", "models", "admin"} & {*path.parts, path.stem}
]


@pytest.mark.parametrize("path", _SPEAKING, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_python_when_it_speaks_to_people_then_the_words_go_through_gettext(path: Path) -> None:
    assert _unwrapped(path.read_text(encoding="utf-8")) == []


def test_unwrapped_when_a_form_speaks_plainly_then_it_is_found() -> None:
    assert (
        len(
            _unwrapped(
                'f(label="Name")\nmessages.error(r, f"no {x}")\nValidationError("bad")\nf(label=_("x"))'
            )
        )
        == 3
    )
