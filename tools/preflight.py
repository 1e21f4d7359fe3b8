"""Look before the long install: is this Python enough, and did every compiled package find its system libraries?

python tools/preflight.py python      before .venv is made
python tools/preflight.py libraries   after the packages are in
"""

from __future__ import annotations

import importlib
import re
import sys

LEAST = (3, 11)
# Packages with compiled parts, and what a bare machine may lack for them.
COMPILED = (
    "PIL.Image",
    "pi_heif",
    "pypdfium2",
    "lxml.etree",
    "numpy",
    "scipy.optimize",
    "cv2",
    "onnxruntime",
    "psycopg",
)
DEBIAN_PACKAGE = {
    "libGL.so.1": "libgl1",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libgthread-2.0.so.0": "libglib2.0-0",
    "libgomp.so.1": "libgomp1",
    "libstdc++.so.6": "libstdc++6",
}


def check_python() -> list[str]:
    problems = []
    if sys.version_info < LEAST:
        problems.append(
            f"InkBench needs Python {LEAST[0]}.{LEAST[1]} or newer; this is {sys.version.split()[0]}. "
            "Install it, then: make run PYTHON=python3.11"
        )
    for module in ("venv", "ensurepip", "sqlite3", "ssl"):
        try:
            importlib.import_module(module)
        except ImportError:
            problems.append(
                f"Python's own module '{module}' is missing. On Debian or Ubuntu: "
                f"sudo apt-get install python{sys.version_info[0]}.{sys.version_info[1]}-venv"
            )
    return problems


def check_libraries() -> list[str]:
    problems = []
    for module in COMPILED:
        try:
            importlib.import_module(module)
        except ImportError as error:
            match = re.search(r"(lib[\w+.-]+\.so[.\d]*)", str(error))
            library = match.group(1) if match else ""
            package = DEBIAN_PACKAGE.get(library)
            mend = (
                f"On Debian or Ubuntu: sudo apt-get install {package}"
                if package
                else "Install it, then run make again."
            )
            problems.append(f"'{module}' cannot load {library or 'its parts'} ({error}). {mend}")
    return problems


if __name__ == "__main__":
    problems = check_python() if sys.argv[1:] == ["python"] else check_libraries()
    for problem in problems:
        print(f"Missing: {problem}", file=sys.stderr)
    sys.exit(1 if problems else 0)
