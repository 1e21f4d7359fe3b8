"""Printing of parsed formulas in canonical form, token by token (the reference's normalised LaTeX)."""

from __future__ import annotations

from collections.abc import Callable

from .grammar import FormulaSyntaxError, Node


def print_nodes(nodes: list[Node]) -> str:
    """The canonical source. Raises FormulaSyntaxError for an incomplete tree (a script without base, ...)."""
    out: list[str] = []
    _print_all(nodes, out, roman=False)
    return " ".join(out)


def _print_all(nodes: list[Node], out: list[str], *, roman: bool) -> None:
    for node in nodes:
        _print(node, out, roman)


def _print(node: Node | None, out: list[str], roman: bool) -> None:
    if node is None:
        raise FormulaSyntaxError("something is missing", 0)
    _PRINTERS[node[0]](node, out, roman)


def _letter(node: Node, out: list[str], roman: bool) -> None:
    if roman:
        out.extend(node[1])
    else:
        out.append(node[1])


def _plain(node: Node, out: list[str], roman: bool) -> None:
    out.append(node[1])


def _space(node: Node, out: list[str], roman: bool) -> None:
    out.append("~" if node[1] == " " else node[1])


def _group(node: Node, out: list[str], roman: bool) -> None:
    out.append("{")
    _print_all(node[1], out, roman=roman)
    out.append("}")


def _braced(node: Node | None, out: list[str], roman: bool) -> None:
    """A group as it is, anything else in braces."""
    if node is not None and node[0] == "group":
        _group(node, out, roman)
        return
    out.append("{")
    _print(node, out, roman)
    out.append("}")


def _text(node: Node, out: list[str], roman: bool) -> None:
    out += (r"\mathrm", "{")
    _print_all(node[1], out, roman=roman)
    out.append("}")


def _scripts(node: Node, out: list[str], roman: bool) -> None:
    _, base, sub, sup = node
    _print(base, out, roman)
    if sub is not None:
        out.append("_")
        _braced(sub, out, roman)
    if sup is not None:
        out.append("^")
        _braced(sup, out, roman)


def _fraction(node: Node, out: list[str], roman: bool) -> None:
    out.append("\\" + node[0])
    _print(node[1], out, roman)
    _print(node[2], out, roman)


def _array(node: Node, out: list[str], roman: bool) -> None:
    _, columns, rows = node
    out += (r"\begin{array}", "{")
    out.extend(columns if columns is not None else ["l"] * len(rows[0]))
    out.append("}")
    for row in rows:
        if not any(row):
            continue
        stub = ""
        for index, cell in enumerate(row):
            if index:
                out.append(stub + "&")
            _group(("group", cell), out, roman)
            stub = _without_empty_group(out)
        out.append(stub + r"\\")
    out.append(r"\end{array}")


def _without_empty_group(out: list[str]) -> str:
    r"""Remove a closing `{ }`; the reference looks at characters, so a final `\{` loses its brace too.

    The rest of such a token is returned: it sticks to the separator that follows.
    """
    if len(out) < 2 or out[-1] != "}" or not out[-2].endswith("{"):
        return ""
    out.pop()
    return out.pop()[:-1]


def _root(node: Node, out: list[str], roman: bool) -> None:
    out.append(r"\sqrt")
    if node[1] is not None:
        out.append("[")
        _print_all(node[1][1], out, roman=roman)
        out.append("]")
    _print(node[2], out, roman)


def _fenced(node: Node, out: list[str], roman: bool) -> None:
    out.append(r"\left" + node[1])
    _print_all(node[2], out, roman=roman)
    out.append(r"\right" + node[3])


def _accent(node: Node, out: list[str], roman: bool) -> None:
    out.append(node[1])
    _braced(node[2], out, roman)


def _operator(node: Node, out: list[str], roman: bool) -> None:
    name, flags = node[1], node[2]
    if flags["symbol"]:
        out.append(name)
        return
    out += (r"\operatorname*" if flags["limits"] else r"\operatorname", "{")
    out.extend(name[1:])
    out.append("}")


def _switch(node: Node, out: list[str], roman: bool) -> None:
    if node[1] == r"\rm":
        out += (r"\mathrm", "{")
        _print_all(node[2], out, roman=True)
        out.append("}")
        return
    out.append(node[1])
    _print_all(node[2], out, roman=roman)


def _font(node: Node, out: list[str], roman: bool) -> None:
    out.append(node[1])
    _print(node[2], out, node[1] == r"\mathrm")


def _line(node: Node, out: list[str], roman: bool) -> None:
    out += (node[1], "{")
    _print(node[2], out, roman)
    out.append("}")


def _rule(node: Node, out: list[str], roman: bool) -> None:
    out += (r"\rule", "{", *node[1], "}", "{", *node[2], "}")


def _lap(node: Node, out: list[str], roman: bool) -> None:
    out.append(node[1])
    _print(node[2], out, roman)


def _phantom(node: Node, out: list[str], roman: bool) -> None:
    out += (r"\phantom", "{")
    _print_all(node[1], out, roman=roman)
    out.append("}")


def _delimiter(node: Node, out: list[str], roman: bool) -> None:
    out += (node[2], node[1])


def _unprintable(node: Node, out: list[str], roman: bool) -> None:
    raise FormulaSyntaxError(f"{node[0]} cannot be printed back", 0)


_PRINTERS: dict[str, Callable[[Node, list[str], bool], None]] = {
    "letter": _letter,
    "plain": _plain,
    "space": _space,
    "group": _group,
    "text": _text,
    "scripts": _scripts,
    "frac": _fraction,
    "binom": _fraction,
    "array": _array,
    "sqrt": _root,
    "fenced": _fenced,
    "accent": _accent,
    "op": _operator,
    "switch": _switch,
    "font": _font,
    "overline": _line,
    "underline": _line,
    "rule": _rule,
    "lap": _lap,
    "phantom": _phantom,
    "delimiter_size": _delimiter,
    "infix": _unprintable,
    "row_end": _unprintable,
    "environment": _unprintable,
    "fence": _unprintable,
}
