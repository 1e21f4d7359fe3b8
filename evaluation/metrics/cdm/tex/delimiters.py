"""Growing delimiters: the search for a large enough variant, and the assembly of pieces (TeX §§ 706-714)."""

from __future__ import annotations

from .boxes import lowered
from .fonts import Font, family
from .nodes import Box, Delimiter

NULL_SPACE = 1.2  # \nulldelimiterspace
FACTOR, SHORTFALL = 901, 5.0  # \delimiterfactor, \delimitershortfall
NO_DELIMITER = Delimiter(0, 0, 0, 0)


def sized_delimiter(
    delimiter: Delimiter,
    size: int,
    least: float,
    color: int,
    *,
    centre: bool = True,
    null_space: float = NULL_SPACE,
) -> Box:
    """The smallest variant at least `least` points tall, centred on the axis; the largest if none is tall enough."""
    variant = _search(delimiter, size, least)
    if variant is None:
        return Box(null_space, 0.0, 0.0)
    font, code = variant
    glyph = font.glyph(code)
    assert glyph is not None
    if glyph.recipe:
        box = _assemble(font, glyph.recipe, least, color)
    else:
        box = Box(glyph.width + glyph.italic, glyph.height, glyph.depth, None, glyph.ink, color)
    if not centre:
        return box
    return lowered(box, (box.height - box.depth) / 2 - family(2, size).params[21])


def fence(
    delimiter: Delimiter,
    size: int,
    largest: tuple[float, float],
    color: int,
    *,
    null_space: float = NULL_SPACE,
) -> Box:
    r"""A delimiter of \left...\right around contents of the given height and depth (§ 762)."""
    height, depth = largest
    axis = family(2, size).params[21]
    half = max(depth + axis, height - axis)
    least = max(half / 500 * FACTOR, 2 * half - SHORTFALL)
    return sized_delimiter(delimiter, size, least, color, null_space=null_space)


def _search(delimiter: Delimiter, size: int, least: float) -> tuple[Font, int] | None:
    best: tuple[Font, int] | None = None
    tallest = 0.0
    for number, start in (
        (delimiter.small_family, delimiter.small_code),
        (delimiter.large_family, delimiter.large_code),
    ):
        if number == 0 and start == 0:
            continue
        for at_size in range(size, -1, -1):
            font = family(number, at_size)
            code = start
            while code >= 0:
                glyph = font.glyph(code)
                if glyph is None:
                    break
                if glyph.recipe:
                    return font, code
                tall = glyph.height + glyph.depth
                if tall > tallest:
                    best, tallest = (font, code), tall
                    if tall >= least:
                        return best
                code = glyph.larger
    return best


def _assemble(font: Font, recipe: tuple[int, int, int, int], least: float, color: int) -> Box:
    """Top, repeated piece, middle, repeated piece, bottom, until tall enough (§§ 713-714)."""
    top, middle, bottom, repeated = recipe
    piece = font.glyph(repeated)
    assert piece is not None
    step = piece.height + piece.depth
    total = sum(_tall(font, code) for code in (top, middle, bottom) if code)
    count = 0
    while step > 0 and total < least:
        total += step * (2 if middle else 1)
        count += 1
    codes = [top] if top else []
    codes += [repeated] * count
    codes += [middle, *[repeated] * count] if middle else []
    codes += [bottom] if bottom else []
    kids: list[tuple[float, float, Box]] = []
    y = 0.0
    for code in codes:
        glyph = font.glyph(code)
        assert glyph is not None
        if kids:
            y -= glyph.height
        else:
            first = glyph.height
        box = Box(glyph.width + glyph.italic, glyph.height, glyph.depth, None, glyph.ink, color)
        kids.append((0.0, y, box))
        y -= glyph.depth
    height = first if kids else 0.0
    return Box(piece.width + piece.italic, height, total - height, kids)


def _tall(font: Font, code: int) -> float:
    glyph = font.glyph(code)
    return glyph.height + glyph.depth if glyph else 0.0
