"""Detection of near duplicates: recall on changed copies, precision on different pages.

`python -m benchmarks.duplicates FOLDER...` (by default ../shared/samples/real and drawn). Every image of the
folders is one page of a project; each of its changed copies is looked up as an import would (shared index words
first, then geometry). A page found for another page's copy is a false positive; pairs of unchanged pages that are
alike are listed for a person to judge.
"""

from __future__ import annotations

import argparse
import io
import os
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from itertools import combinations
from pathlib import Path

from PIL import Image

from annotation.images.fingerprint import (
    COMMON_WORD,
    MIN_SHARED,
    MOST_COMPARED,
    Fingerprint,
    similarity,
    take_fingerprint,
)
from annotation.images.upright import make_upright

SHARED = Path(os.environ.get("INKBENCH_SHARED", Path(__file__).resolve().parents[2] / "shared"))


def saved_again(page: Image.Image, quality: int) -> Image.Image:
    out = io.BytesIO()
    page.save(out, "JPEG", quality=quality)
    return Image.open(out).convert("RGB")


def cropped(page: Image.Image, share: float) -> Image.Image:
    dx, dy = int(page.width * share), int(page.height * share)
    return page.crop((dx, dy, page.width - dx, page.height - dy))


def turned(page: Image.Image, degrees: float) -> Image.Image:
    return page.rotate(degrees, Image.Resampling.BICUBIC, fillcolor="white")


CHANGES: dict[str, Callable[[Image.Image], Image.Image]] = {
    "saved again, quality 40": lambda page: saved_again(page, 40),
    "half the size": lambda page: page.resize((page.width // 2, page.height // 2)),
    "cropped by 5 % a side": lambda page: cropped(page, 0.05),
    "turned by 2 degrees": lambda page: turned(page, 2),
    "turned by -3 degrees": lambda page: turned(page, -3),
    "turned by 2, cropped by 4 %, quality 75": lambda page: saved_again(cropped(turned(page, 2), 0.04), 75),
    "brighter and flatter": lambda page: page.point([int(v * 0.8 + 20) for v in range(256)] * 3),
}


def read_pages(folders: list[Path]) -> dict[str, Image.Image]:
    paths = [p for folder in folders for p in sorted(folder.iterdir()) if p.suffix in (".jpg", ".png")]
    return {path.name: make_upright(Image.open(path))[0].convert("RGB") for path in paths}


class Index:
    """The site's index, in memory."""

    def __init__(self, prints: dict[str, Fingerprint]) -> None:
        self.prints = prints
        self.pages: dict[int, set[str]] = defaultdict(set)
        for name, taken in prints.items():
            for word in set(taken.words.tolist()):
                self.pages[word].add(name)

    def look_up(self, taken: Fingerprint) -> Iterator[str]:
        """Names of the pages that match a fingerprint."""
        shared: Counter[str] = Counter()
        for probes in taken.probes.tolist():
            matches: set[str] = set()
            for word in set(probes):
                if len(self.pages.get(word, ())) <= COMMON_WORD:
                    matches |= self.pages.get(word, set())
            shared.update(matches)
        for name, count in shared.most_common(MOST_COMPARED):
            if count >= MIN_SHARED and similarity(taken.to_bytes(), self.prints[name].to_bytes()):
                yield name


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="*", type=Path)
    folders = parser.parse_args(arguments).folders
    pages = read_pages(folders or [SHARED / "samples" / "real", SHARED / "samples" / "drawn"])
    start = time.process_time()
    index = Index({name: take_fingerprint(page) for name, page in pages.items()})
    seconds_per_page = (time.process_time() - start) / len(pages)
    alike = {
        frozenset(pair)
        for pair in combinations(pages, 2)
        if similarity(index.prints[pair[0]].to_bytes(), index.prints[pair[1]].to_bytes())
    }
    print(
        f"{len(pages)} pages, {1000 * seconds_per_page:.0f} ms CPU a print; {len(pages) * (len(pages) - 1) // 2} pairs"
    )
    for pair in sorted(map(sorted, alike)):
        print(f"unchanged pages that are alike: {' and '.join(pair)}")
    alarms = 0
    for words, change in CHANGES.items():
        hits = 0
        for name, page in pages.items():
            candidates = list(index.look_up(take_fingerprint(change(page))))
            hits += name in candidates
            alarms += sum(other != name and frozenset((name, other)) not in alike for other in candidates)
        print(f"{words}: {hits} of {len(pages)} found")
    print(f"false alarms: {alarms} in {len(CHANGES) * len(pages)} questions")


if __name__ == "__main__":
    main()
