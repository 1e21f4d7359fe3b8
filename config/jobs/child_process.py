"""Run a Python module as its own program that ends when whoever started it does, even by kill -9.

    python -m config.jobs.child_process MODULE [arguments]

Standard input is a pipe that the starter holds open and never writes to; the system closes it with the starter's
last breath, on every platform. The module is then asked to end, and after the grace made to.
"""

from __future__ import annotations

import os
import runpy
import signal
import sys
import threading
import time

GRACE_SECONDS = 10


def _end_with_starter() -> None:
    while os.read(0, 1):
        pass
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(GRACE_SECONDS)
    os.kill(os.getpid(), signal.SIGKILL)


if __name__ == "__main__":
    threading.Thread(target=_end_with_starter, daemon=True).start()
    del sys.argv[0]
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
