"""Write the font measures the formula engine lays out with, from the TeX fonts of a Debian system.

Development only: `apt-get install texlive-base texlive-latex-base texlive-fonts-recommended`, then
`python -m tools.build_formula_fonts`. The result holds numbers alone: advance widths, heights, depths, italic
corrections, kerns and recipes of large delimiters (from the .tfm files), and the outline boxes of the glyphs
(from the .afm files). Sources and licences are named in NOTICE.
"""

from __future__ import annotations

import gzip
import json
import struct
import subprocess
from pathlib import Path
from typing import Any

from evaluation.metrics.cdm.name_lists import split_names

OUT = Path(__file__).parents[1] / "evaluation/metrics/cdm/data/fonts.json.gz"
FONTS = split_names(
    """cmr6 cmr8 cmr10 cmr12 cmmi6 cmmi8 cmmi12 cmsy6 cmsy8 cmsy10 cmex7 cmex8 cmex10 cmbx6 cmbx8 cmbx12
cmmib6 cmmib8 cmmib10 cmbsy6 cmbsy8 cmbsy10 cmss8 cmss12 cmtt8 cmtt12 cmti7 cmti8 cmti12 cmsl8 cmsl12 cmcsc10
msam7 msam10 msbm7 msbm10 eufm7 eufm10 eurm7 eurm10"""
)
SKEW = {
    "cmmi": 127,
    "cmmib": 127,
    "cmsy": 48,
    "cmbsy": 48,
    "eurm": 127,
}  # the kern with this char is the skew
UNIT = 1_000_000  # TFM figures are stored as integers, millionths of the design size


def find(name: str) -> Path:
    """Where TeX's own path search finds a file."""
    located = subprocess.run(["kpsewhich", name], capture_output=True, text=True, check=True)
    return Path(located.stdout.strip())


def read_tfm(data: bytes) -> dict[str, Any]:
    """A TeX font metric file, as the format is described in "TeX: The Program", part 30."""
    lf, lh, bc, ec, nw, nh, nd, ni, nl, nk, ne, np = struct.unpack(">12H", data[:24])
    offset = 24

    def split_names(count: int) -> list[bytes]:
        nonlocal offset
        chunk = [data[offset + 4 * i : offset + 4 * i + 4] for i in range(count)]
        offset += 4 * count
        return chunk

    def fixes(count: int) -> list[int]:
        return [round(struct.unpack(">i", word)[0] * UNIT / 2**20) for word in split_names(count)]

    header = split_names(lh)
    infos = split_names(ec - bc + 1)
    widths, heights, depths, italics = fixes(nw), fixes(nh), fixes(nd), fixes(ni)
    lig_kern, kerns, recipes, params = split_names(nl), fixes(nk), split_names(ne), fixes(np)
    if lf * 4 != len(data):
        raise ValueError("not a font metric file: its length differs from its first word")
    chars: dict[int, list[int]] = {}
    chain: dict[int, int] = {}
    parts: dict[int, list[int]] = {}
    kern_of: dict[int, dict[int, int]] = {}
    for code, info in enumerate(infos, bc):
        if info[0] == 0:
            continue
        tag = info[2] & 3
        chars[code] = [widths[info[0]], heights[info[1] >> 4], depths[info[1] & 15], italics[info[2] >> 2]]
        if tag == 1:
            kern_of[code] = read_kerns(lig_kern, kerns, info[3])
        elif tag == 2:
            chain[code] = info[3]
        elif tag == 3:
            parts[code] = list(recipes[info[3]])
    size = struct.unpack(">i", header[1])[0] / 2**20
    return {"size": size, "params": params, "chars": chars, "next": chain, "parts": parts, "kerns": kern_of}


def read_kerns(steps: list[bytes], kerns: list[int], start: int) -> dict[int, int]:
    """The kern programme that starts at one character; ligatures are not needed, tokens never join."""
    if steps[start][0] > 128:
        start = 256 * steps[start][2] + steps[start][3]
    pairs: dict[int, int] = {}
    for step in steps[start:]:
        if step[2] >= 128:
            pairs.setdefault(step[1], kerns[256 * (step[2] - 128) + step[3]])
        if step[0] >= 128:
            break
    return pairs


def read_boxes(text: str, *, last: int = 159) -> dict[int, list[int]]:
    """Outline boxes (thousandths of the size) by character code up to `last`, from an Adobe font metric file."""
    boxes: dict[int, list[int]] = {}
    for line in text.splitlines():
        if not line.startswith("C "):
            continue
        fields = {part.split()[0]: part.split()[1:] for part in line.split(";") if part.strip()}
        code = int(fields["C"][0])
        if 0 <= code <= last:
            boxes.setdefault(code, [round(float(edge)) for edge in fields["B"]])
    return boxes


def build(name: str) -> dict[str, Any]:
    """One font: rows are [width, height, depth, italic, x0, y0, x1, y1]; kerns without the skew character's."""
    font = read_tfm(find(f"{name}.tfm").read_bytes())
    boxes = read_boxes(find(f"{name}.afm").read_text(encoding="latin-1"))
    skew_char = SKEW.get(name.rstrip("0123456789"), -1)
    skews = {code: kerns.pop(skew_char) for code, kerns in font["kerns"].items() if skew_char in kerns}
    font["chars"] = {code: row + boxes.get(code, [0, 0, 0, 0]) for code, row in font["chars"].items()}
    font["kerns"] = {code: kerns for code, kerns in font["kerns"].items() if kerns}
    return {**font, "skews": skews}


def main() -> None:
    """Write the table, byte-identical on every run."""
    table = {name: build(name) for name in FONTS}
    text = json.dumps(table, separators=(",", ":"), sort_keys=True)
    OUT.write_bytes(gzip.compress(text.encode(), 9, mtime=0))
    glyphs = sum(len(font["chars"]) for font in table.values())
    print(f"{len(table)} fonts, {glyphs} glyphs, {OUT.stat().st_size} bytes -> {OUT}")


if __name__ == "__main__":
    main()
