"""Limits for incoming files."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FileLimits:
    """Upper limits, each checked from headers before the work that it limits.

    `pixels` is width x height of one page, `ratio` the unpacked bytes per packed byte of an archive member.
    """

    members: int = 20_000
    unpacked_bytes: int = 20 * 2**30
    file_bytes: int = 500 * 2**20
    pixels: int = 200_000_000
    pages: int = 2_000
    ratio: int = 200
