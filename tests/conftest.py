"""What every test can use."""

from __future__ import annotations
