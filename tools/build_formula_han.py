"""Write the boxes of the Chinese glyphs the reference's page has, from Debian's AR PL KaitiM GB.

Development only: `apt-get install latex-cjk-chinese-arphic-gkai00mp`, then `python -m tools.build_formula_han`.
The result holds numbers alone: for every character its height and depth (from the .tfm files) and its outline box
(from the .afm files), in thousandths of the size; every character is one size wide.
"""

from __future__ import annotations

import gzip
import json
from pathlib import Path

from tools.build_formula_fonts import find, read_boxes, read_tfm

OUT = Path(__file__).parents[1] / "evaluation/metrics/cdm/data/han.json.gz"
FOLDER = Path("/usr/share/texmf/fonts/afm/arphic/gkaiu")
FULL_WIDTH = 1_000_000


def main() -> None:
    """Write the table, byte-identical on every run."""
    chars: list[str] = []
    rows: list[list[int]] = []
    for path in sorted(FOLDER.glob("gkaiu[0-9a-f][0-9a-f].afm")):
        page = int(path.stem[-2:], 16) << 8
        metrics = read_tfm(find(f"{path.stem}.tfm").read_bytes())["chars"]
        for code, box in sorted(read_boxes(path.read_text("latin-1"), last=255).items()):
            width, height, depth, _ = metrics.get(code, (0, 0, 0, 0))
            if width == FULL_WIDTH:
                chars.append(chr(page + code))
                rows.append([round(height / 1000), round(depth / 1000), *box])
    flat = [number for row in rows for number in row]
    text = json.dumps({"chars": "".join(chars), "rows": flat}, separators=(",", ":"))
    OUT.write_bytes(gzip.compress(text.encode(), 9, mtime=0))
    print(f"{len(chars)} characters, {OUT.stat().st_size} bytes -> {OUT}")


if __name__ == "__main__":
    main()
