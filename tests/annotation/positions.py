"""Every place the stage machine can be in."""

from __future__ import annotations

from annotation.stages import MOVES

POSITIONS = frozenset(position for move in MOVES for position in (move.start, move.end))
