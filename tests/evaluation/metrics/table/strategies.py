"""Tables as HTML: of given rows, and of any."""

from __future__ import annotations

from hypothesis import strategies as st


def table(*rows: tuple[str, ...], cell: str = "td") -> str:
    body = "".join("<tr>" + "".join(f"<{cell}>{text}</{cell}>" for text in row) + "</tr>" for row in rows)
    return f"<table>{body}</table>"


TEXTS = st.text(alphabet="ab1.-é中 ", max_size=5)
ROWS = st.lists(st.lists(TEXTS, max_size=4).map(tuple), max_size=5)
TABLES = ROWS.map(lambda rows: table(*rows))
