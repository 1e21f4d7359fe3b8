"""From a math list to boxes: the rules of The TeXbook, appendix G, and "TeX: The Program", §§ 699-767."""

from __future__ import annotations

from .atom_spacing import OTHER, Staged, extent, join, joins
from .boxes import character, lowered, overbar, pack, rule
from .delimiters import sized_delimiter
from .fonts import family
from .nodes import (
    ACCENT,
    BIN,
    CLOSE,
    FRACTION,
    LEFT,
    OP,
    OPEN,
    ORD,
    OVER,
    PUNCT,
    RADICAL,
    REL,
    RIGHT,
    SCRIPT_STYLE,
    TEXT_STYLE,
    UNDER,
    VCENTER,
    Atom,
    Box,
    Delimiter,
    Field,
    FractionSpec,
    HorizontalItem,
    Item,
    MathList,
    Style,
    Symbol,
)
from .styles import CRAMPED, DENOMINATOR, NUMERATOR, SIZE_OF, SUBSCRIPT, SUPERSCRIPT

SCRIPT_SPACE = 0.5
_NO_BIN_AFTER = (BIN, OP, REL, OPEN, PUNCT, LEFT)
_NO_BIN_BEFORE = (REL, CLOSE, PUNCT, RIGHT)


def set_list(items: MathList, style: int, *, outer: bool = False) -> list[HorizontalItem]:
    """Typeset a math list in a style (§ 726). `outer` keeps shrinkable spaces for the display's line."""
    staged, fenced = _first_pass(items, style)
    largest = extent(staged) if fenced else (0.0, 0.0)
    return join(staged, style, largest, outer)


def _first_pass(items: MathList, style: int) -> tuple[list[Staged], bool]:
    """Determine the classes and typeset every atom (§§ 727-759)."""
    staged: list[Staged] = []
    fenced = False
    before = OP  # the predecessor of a Bin at the start of the list
    last_atom = -1
    for index, item in enumerate(items):
        if not isinstance(item, Atom):
            if isinstance(item, Style):
                style = item.style
            staged.append((OTHER, item))
            continue
        kind = item.kind
        if kind == BIN and before in _NO_BIN_AFTER:
            kind = ORD
        elif kind in _NO_BIN_BEFORE and before == BIN and last_atom >= 0:
            staged[last_atom] = (ORD, staged[last_atom][1])
        last_atom = len(staged)
        before = kind
        if kind >= LEFT:
            fenced = True
            staged.append((kind, item))
        else:
            following = items[index + 1] if kind == ORD and index + 1 < len(items) else None
            staged.append((kind, _set_atom(item, kind, style, following)))
    if before == BIN:
        staged[last_atom] = (ORD, staged[last_atom][1])
    return staged, fenced


def set_field(field: Field, style: int) -> Box:
    """A field as one box (§ 720)."""
    if isinstance(field, Symbol):
        return character(field, SIZE_OF[style], with_italic=True)
    if isinstance(field, Box):
        return field
    if field is None:
        return Box(0.0, 0.0, 0.0)
    return pack(set_list(field, style))


def _set_atom(atom: Atom, kind: int, style: int, following: Item | None) -> list[HorizontalItem]:
    """One atom with its scripts."""
    if kind == FRACTION:
        return [set_fraction(atom, style)]
    nucleus = atom.nucleus
    if kind == OP:
        return _set_operator(atom, style)
    if kind >= RADICAL:
        accented = kind == ACCENT and (atom.sub is not None or atom.sup is not None)
        if accented and isinstance(nucleus, Symbol):
            return [_set_accent(atom, style, scripts_inside=True)]
        box = _DECORATE[kind](atom, style)
        return _with_scripts([box], atom, style, 0.0, is_character=False)
    if isinstance(nucleus, Symbol):
        return _set_character(atom, nucleus, style, following)
    return _with_scripts([set_field(nucleus, style)], atom, style, 0.0, is_character=False)


def _set_character(atom: Atom, symbol: Symbol, style: int, following: Item | None) -> list[HorizontalItem]:
    """A single character: italic correction goes before a superscript but not a subscript (§§ 752-755)."""
    size = SIZE_OF[style]
    font = family(symbol.family, size)
    glyph = font.glyph(symbol.code)
    if glyph is None:
        return _with_scripts([], atom, style, 0.0, is_character=False)
    italic = glyph.italic
    kern = 0.0
    if following is not None and atom.sub is None and atom.sup is None:
        neighbour = joins(symbol, following)
        if neighbour is not None:
            kern = font.kern(symbol.code, neighbour)
            if font.has_spaces:
                italic = 0.0
    if symbol.is_text and font.has_spaces:
        italic = 0.0
    result: list[HorizontalItem] = [
        Box(glyph.width, glyph.height, glyph.depth, None, glyph.ink, symbol.color)
    ]
    if italic and atom.sub is None:
        result.append(italic)
        italic = 0.0
    if kern:
        result.append(kern)
    if atom.sub is None and atom.sup is None:
        return result
    return _with_scripts(result, atom, style, italic, is_character=True)


def _set_operator(atom: Atom, style: int) -> list[HorizontalItem]:
    """Large operators: bigger in displays, centred on the axis, limits above and below (§§ 749-751)."""
    limits = atom.limits == 1 or (atom.limits == 0 and style < TEXT_STYLE)
    nucleus = atom.nucleus
    italic = 0.0
    if isinstance(nucleus, Symbol):
        size = SIZE_OF[style]
        font = family(nucleus.family, size)
        glyph = font.glyph(nucleus.code)
        if glyph is not None and style < TEXT_STYLE and glyph.larger >= 0:
            nucleus = nucleus._replace(code=glyph.larger)
            glyph = font.glyph(glyph.larger)
        box = character(nucleus, size, with_italic=True)
        if glyph is not None:
            italic = glyph.italic
            if atom.sub is not None and not limits:
                box = Box(box.width - italic, box.height, box.depth, [(0.0, 0.0, box)])
        axis = family(2, size).params[21]
        box = lowered(box, (box.height - box.depth) / 2 - axis)
    else:
        box = set_field(nucleus, style)
    if limits and (atom.sub is not None or atom.sup is not None):
        return [_set_limits(box, atom, style, italic)]
    return _with_scripts([box], atom, style, italic, is_character=False)


def _set_limits(box: Box, atom: Atom, style: int, italic: float) -> Box:
    """Scripts centred above and below an operator (§ 751)."""
    spacing = family(3, SIZE_OF[style]).params[8:13]
    above = set_field(atom.sup, SUPERSCRIPT[style])
    below = set_field(atom.sub, SUBSCRIPT[style])
    width = max(box.width, above.width, below.width)
    kids = [((width - box.width) / 2, 0.0, box)]
    height, depth = box.height, box.depth
    if atom.sup is not None:
        gap = max(spacing[2] - above.depth, spacing[0])
        y = box.height + gap + above.depth
        kids.append(((width - above.width) / 2 + italic / 2, y, above))
        height = y + above.height + spacing[4]
    if atom.sub is not None:
        gap = max(spacing[3] - below.height, spacing[1])
        y = box.depth + gap + below.height
        kids.append(((width - below.width) / 2 - italic / 2, -y, below))
        depth = y + below.depth + spacing[4]
    return Box(width, height, depth, kids)


def _with_scripts(
    base: list[HorizontalItem], atom: Atom, style: int, italic: float, *, is_character: bool
) -> list[HorizontalItem]:
    """Raise and lower the scripts (§§ 756-759, appendix G rule 18)."""
    if atom.sub is None and atom.sup is None:
        return base
    size = SIZE_OF[style]
    sigma = family(2, size).params
    up = down = 0.0
    if not is_character:
        box = pack(base)
        drop = family(2, 1 if style < SCRIPT_STYLE else 2).params
        up, down = box.height - drop[17], box.depth + drop[18]
    x_height = sigma[4]
    if atom.sup is None:
        below = set_field(atom.sub, SUBSCRIPT[style])
        down = max(down, sigma[15], below.height - x_height * 0.8)
        return [*base, lowered(below, down), SCRIPT_SPACE]
    above = set_field(atom.sup, SUPERSCRIPT[style])
    least = sigma[14] if style % 2 else sigma[12] if style < TEXT_STYLE else sigma[13]
    up = max(up, least, above.depth + x_height / 4)
    if atom.sub is None:
        return [*base, lowered(above, -up), SCRIPT_SPACE]
    below = set_field(atom.sub, SUBSCRIPT[style])
    down = max(down, sigma[16])
    gap = 4 * family(3, size).params[7] - ((up - above.depth) - (below.height - down))
    if gap > 0:
        down += gap
        lift = x_height * 0.8 - (up - above.depth)
        if lift > 0:
            up += lift
            down -= lift
    width = max(above.width + italic, below.width) + SCRIPT_SPACE
    kids = [(italic, up, above), (0.0, -down, below)]
    return [*base, Box(width, max(up + above.height, 0.0), down + below.depth, kids)]


def set_fraction(atom: Atom, style: int) -> Box:
    """Fractions and binomials (§§ 743-748). `nucleus` over `extra`; `sup` holds the rule's thickness."""
    size = SIZE_OF[style]
    part = atom.extra2
    assert isinstance(part, FractionSpec) and not isinstance(atom.extra, (float, Delimiter, FractionSpec))
    thickness, left, right, color = part
    sigma, xi = family(2, size).params, family(3, size).params
    if thickness is None:
        thickness = xi[7]
    top = set_field(atom.nucleus, NUMERATOR[style])
    bottom = set_field(atom.extra, DENOMINATOR[style])
    width = max(top.width, bottom.width)
    display = style < TEXT_STYLE
    up = sigma[7] if display else sigma[8] if thickness else sigma[9]
    down = sigma[10] if display else sigma[11]
    axis = sigma[21]
    kids = []
    if thickness:
        clear = 3 * thickness if display else thickness
        half = thickness / 2
        up += max(0.0, clear - ((up - top.depth) - (axis + half)))
        down += max(0.0, clear - ((axis - half) - (bottom.height - down)))
        kids.append((0.0, axis - half, rule(width, thickness, 0.0, color)))
    else:
        clear = (7 if display else 3) * xi[7]
        more = (clear - ((up - top.depth) - (bottom.height - down))) / 2
        if more > 0:
            up += more
            down += more
    kids.append(((width - top.width) / 2, up, top))
    kids.append(((width - bottom.width) / 2, -down, bottom))
    body = Box(width, up + top.height, down + bottom.depth, kids)
    least = sigma[19] if display else sigma[20]
    parts = [sized_delimiter(left, size, least, color), body, sized_delimiter(right, size, least, color)]
    return pack(parts)


def _set_over(atom: Atom, style: int) -> Box:
    """A rule above (§ 734)."""
    box = set_field(atom.nucleus, CRAMPED[style])
    thickness = family(3, SIZE_OF[style]).params[7]
    return overbar(box, 3 * thickness, thickness, _color(atom))


def _set_under(atom: Atom, style: int) -> Box:
    """A rule below (§ 735)."""
    box = set_field(atom.nucleus, style)
    thickness = family(3, SIZE_OF[style]).params[7]
    kids = [
        (0.0, 0.0, box),
        (0.0, -box.depth - 4 * thickness, rule(box.width, thickness, 0.0, _color(atom))),
    ]
    return Box(box.width, box.height, box.depth + 5 * thickness, kids)


def _set_radical(atom: Atom, style: int) -> Box:
    """A root sign around its radicand (§ 737)."""
    size = SIZE_OF[style]
    box = set_field(atom.nucleus, CRAMPED[style])
    thickness = family(3, size).params[7]
    spread = family(2, size).params[4] if style < TEXT_STYLE else thickness
    clear = thickness + spread / 4
    assert isinstance(atom.extra, Delimiter)
    color = _color(atom)
    sign = sized_delimiter(atom.extra, size, box.height + box.depth + clear + thickness, color, centre=False)
    excess = sign.depth - (box.height + box.depth + clear)
    if excess > 0:
        clear += excess / 2
    return pack([lowered(sign, -(box.height + clear)), overbar(box, clear, sign.height, color)])


def _set_vcenter(atom: Atom, style: int) -> Box:
    """A box centred on the axis (§ 736)."""
    box = set_field(atom.nucleus, style)
    half = (box.height + box.depth) / 2
    return lowered(box, box.height - half - family(2, SIZE_OF[style]).params[21])


def _set_accent(atom: Atom, style: int, *, scripts_inside: bool = False) -> Box:
    """An accent over a nucleus, the widest variant that fits, moved by the skew (§§ 738-742)."""
    size = SIZE_OF[style]
    accent = atom.extra
    assert isinstance(accent, Symbol)
    font = family(accent.family, size)
    glyph = font.glyph(accent.code)
    box = set_field(atom.nucleus, CRAMPED[style])
    if glyph is None:
        return box
    skew = 0.0
    if isinstance(atom.nucleus, Symbol):
        skew = family(atom.nucleus.family, size).skews.get(atom.nucleus.code, 0.0)
    width, height = box.width, box.height
    code = accent.code
    while glyph.larger >= 0:
        wider = font.glyph(glyph.larger)
        if wider is None or wider.width > width:
            break
        code, glyph = glyph.larger, wider
    delta = min(height, font.params[4])
    if scripts_inside:
        inner = Atom(ORD, atom.nucleus)
        inner.sub, inner.sup = atom.sub, atom.sup
        box = pack(_set_atom(inner, ORD, style, None))
        delta += box.height - height
        height = box.height
    top = character(accent._replace(code=code), size, with_italic=True)
    x = skew + (width - top.width) / 2
    y = height - delta
    kids = [(x, y + top.depth, top), (0.0, 0.0, box)]
    return Box(box.width, max(height, y + top.height + top.depth), box.depth, kids)


def _color(atom: Atom) -> int:
    return atom.extra2 if isinstance(atom.extra2, int) else 0


_DECORATE = {
    RADICAL: _set_radical,
    UNDER: _set_under,
    OVER: _set_over,
    ACCENT: _set_accent,
    VCENTER: _set_vcenter,
}
