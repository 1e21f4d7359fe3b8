"""Markdown that people wrote, as HTML that is safe to show.

Markdown is rendered without raw HTML, and what comes out passes an allow-list once more: a fault in one of the two
libraries is then not enough for a script, a style or a foreign image to reach a reader. Mathematics (`$..$`)
stays as written, in an element of class `math` with its dollars, for KaTeX to draw in the browser.
"""

from __future__ import annotations

from functools import cache
from html import escape

import nh3
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from mdit_py_plugins.dollarmath import dollarmath_plugin

TAGS = frozenset(
    {"p", "br", "hr", "h1", "h2", "h3", "h4", "h5", "h6", "strong", "em", "s", "code", "pre", "blockquote"}
    | {"ul", "ol", "li", "table", "thead", "tbody", "tr", "th", "td", "a", "span", "div"}
)
ATTRIBUTES = {"a": {"href", "title"}, "ol": {"start"}}
CLASSES = {"th": {"align-center", "align-right"}, "td": {"align-center", "align-right"}, "span": {"math"}}
CLASSES["div"] = CLASSES["span"]
SCHEMES = {"http", "https", "mailto"}


def _keep_math(content: str, options: dict[str, bool]) -> str:
    mark = "$$" if options["display_mode"] else "$"
    return f"{mark}{escape(content)}{mark}"


@cache
def _parser() -> MarkdownIt:
    """CommonMark with tables and strike-through; images stay text, since no foreign address may be loaded."""
    parser = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"]).disable("image")
    return parser.use(
        dollarmath_plugin, renderer=_keep_math, allow_labels=False, allow_space=False, allow_digits=False
    )


def render_markdown(text: str) -> SafeString:
    """HTML for `text`: the tags of TAGS only, links to http, https and mail only, no images, no styles.

    Column alignment arrives as a class, because the site's policy blocks inline styles.
    """
    html = _parser().render(text)
    for side in ("center", "right"):
        html = html.replace(f' style="text-align:{side}"', f' class="align-{side}"')
    return mark_safe(
        nh3.clean(
            html,
            tags=set(TAGS),
            attributes=ATTRIBUTES,
            allowed_classes=CLASSES,
            url_schemes=SCHEMES,
            link_rel="noopener noreferrer nofollow",
        )
    )
