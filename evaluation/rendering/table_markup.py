"""The markup of tables with line breaks where readers want them: a row begins a line, and so does each of its cells."""

from __future__ import annotations

import re

_TAG = re.compile(r"(</?(?:table|thead|tbody|tfoot|tr)\b[^<>]*>|<t[dh]\b[^<>]*>)", re.IGNORECASE)


def by_cells(text: str) -> str:
    r"""The text, tables in it a tag of rows or a cell a line; white space beside these tags means nothing and is left
    out. Text without a table comes back as it is.

    >>> by_cells("<table><tr><td>a</td><td>b</td></tr></table>")
    '<table>\n<tr>\n  <td>a</td>\n  <td>b</td>\n</tr>\n</table>'
    """
    if "<table" not in text.lower():
        return text
    before, *rest = _TAG.split(text)
    lines = [before.rstrip()]
    for tag, inside in zip(rest[::2], rest[1::2], strict=True):
        is_cell = tag[:3].lower() in ("<td", "<th") and tag[:6].lower() != "<thead"
        lines += [f"  {tag}{inside.strip()}"] if is_cell else [tag, inside.strip()]
    return "\n".join(line for line in lines if line)
