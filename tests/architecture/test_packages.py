"""What is pinned must install on the oldest Python that the README promises."""

from __future__ import annotations

import re
from importlib.metadata import PackageNotFoundError, version
from importlib.metadata import metadata as metadata_of
from pathlib import Path

from packaging.specifiers import SpecifierSet

ROOT = Path(__file__).resolve().parents[2]
OLDEST = "3.11.0"
PIN = re.compile(r"^(?P<name>[A-Za-z0-9._-]+)(?:\[[a-z,]+\])?==(?P<version>[^\s#;]+)", re.MULTILINE)


def _pins() -> list[tuple[str, str]]:
    files = ("requirements.txt", "requirements-nodeps.txt", "requirements-dev.txt", "constraints.txt")
    pins = [pin.groups() for name in files for pin in PIN.finditer((ROOT / name).read_text())]
    return [(str(name), str(pinned)) for name, pinned in pins]


def test_pinned_packages_when_python_is_the_oldest_promised_then_each_takes_it() -> None:
    refusing, seen = [], 0
    for name, _ in _pins():
        try:
            wanted = metadata_of(name)["Requires-Python"]
        except PackageNotFoundError:  # for another system
            continue
        seen += 1
        if wanted and not SpecifierSet(wanted).contains(OLDEST):
            refusing.append(f"{name} {version(name)} wants Python {wanted}")
    assert seen > 50
    assert not refusing


def test_pinned_packages_when_installed_then_in_the_pinned_version() -> None:
    off = []
    for name, pinned in _pins():
        try:
            installed = version(name)
        except PackageNotFoundError:
            continue
        if installed != pinned:
            off.append(f"{name}: pinned {pinned}, installed {installed}")
    assert not off
