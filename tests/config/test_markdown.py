"""Markdown of strangers on our pages."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import html

from config.markdown import TAGS, render_markdown

ATTACKS = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "[x](javascript:alert(1))",
    "[x](JaVaScRiPt:alert(1))",
    "[x](data:text/html;base64,PHNjcmlwdD4=)",
    "[x](vbscript:msgbox)",
    "![x](http://evil.example/a.png)",
    "<svg onload=alert(1)>",
    "<iframe src=//evil.example></iframe>",
    "<style>*{display:none}</style>",
    "$<img src=a onerror=alert(1)>$",
    "$$\n</div><script>alert(1)</script>\n$$",
    "<math><mtext><style><img src onerror=alert(1)>",
    "`<script>`",
    "[x]: javascript:alert(1)\n\n[x]",
    "<javascript:alert(1)>",
    '[x](http://a.b "t\\" onmouseover=alert(1)")',
]


def _check_is_harmless(rendered: str) -> None:
    tree = html.fragment_fromstring(rendered, create_parent="main")
    for node in tree.iter():
        if node is tree:
            continue
        assert node.tag in TAGS
        for name, value in node.attrib.items():
            assert name in {"href", "title", "rel", "class", "start"}
            if name == "href":
                assert value.split(":")[0] in {"http", "https", "mailto"} or ":" not in value
            if name == "class":
                assert value in {"align-center", "align-right", "math"}


@pytest.mark.parametrize("attack", ATTACKS)
def test_render_markdown_when_given_an_attack_then_only_allowed_tags_come_out(attack: str) -> None:
    _check_is_harmless(render_markdown(attack))


@given(st.text(alphabet=st.sampled_from("<>&\"'`$*_[]()!\\/=:;# \n|-~aimgscrptjv1"), max_size=120))
def test_render_markdown_when_given_anything_then_only_allowed_tags_come_out(text: str) -> None:
    _check_is_harmless(render_markdown(text))


def test_render_markdown_when_columns_are_aligned_then_classes_say_so_and_no_style() -> None:
    out = render_markdown("|a|b|\n|:-:|--:|\n|1|2|\n")
    assert '<td class="align-center">1</td>' in out and '<td class="align-right">2</td>' in out
    assert "style" not in out


def test_render_markdown_when_it_holds_math_then_the_source_survives() -> None:
    out = render_markdown(r"so $\frac{a_1}{b_1} \{x\}$ is")
    assert r'<span class="math">$\frac{a_1}{b_1} \{x\}$</span>' in out


def test_render_markdown_when_prices_are_named_then_no_math_is_seen() -> None:
    assert "math" not in render_markdown("costs 5$ or 6$")
