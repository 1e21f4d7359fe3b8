"""Models that run in this process: loaded on first use, kept for the life of the process, one call at a time."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Generic, TypeVar

from evaluation.errors import LocalizedError
from evaluation.errors import gettext_noop as _
from evaluation.model_clients.failures import FailureKind
from evaluation.model_clients.recognisers.base import RecogniserFailed
from evaluation.model_clients.recognisers.engines import package_version

EngineT = TypeVar("EngineT")

_engines: dict[str, Any] = {}
_orphans: list[dict[str, Any]] = []
_lock = threading.Lock()  # the models keep state between calls: one page at a time per process


def _reset_after_fork() -> None:
    """Reset a forked child: the models' threads exist only in the parent, and the lock may be held by one of them.

    The parent's models are kept but not used, because freeing one would wait for its threads for ever.
    """
    global _engines, _lock
    _orphans.append(_engines)
    _engines = {}
    _lock = threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_reset_after_fork)


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbeddedModel(Generic[EngineT]):
    """A model from a Python package, run offline on the CPU. `install_command` installs the package."""

    key: str
    model: str
    distribution: str
    modules: tuple[str, ...]
    install_command: str
    load: Callable[[], EngineT]

    @property
    def version(self) -> str:
        return f"{self.distribution} {package_version(self.distribution)}"

    def missing(self) -> LocalizedError | None:
        """What is not installed and how to install it; None if the model can run. Loads nothing."""
        missing_modules = [name for name in self.modules if find_spec(name) is None]
        if not missing_modules:
            return None
        return LocalizedError(
            _("%(names)s is not installed; run: %(mend)s"),
            names=", ".join(missing_modules),
            mend=self.install_command,
        )

    @contextmanager
    def engine(self) -> Iterator[EngineT]:
        """The loaded model, for this thread alone.

        Raises RecogniserFailed if it cannot be loaded, and in place of any exception of its own code, so that one page
        fails and not the process.
        """
        with _lock:
            engine = self._loaded()
            try:
                yield engine
            except RecogniserFailed:
                raise
            except Exception as error:
                raise RecogniserFailed(
                    FailureKind.SERVER_ERROR,
                    LocalizedError(
                        _("%(model)s failed on this page: %(why)s"),
                        model=self.model,
                        why=f"{type(error).__name__}: {error}",
                    ),
                    attempts=1,
                    parameters=getattr(engine, "parameters", {}),
                ) from error

    def _loaded(self) -> EngineT:
        engine: EngineT | None = _engines.get(self.key)
        if engine is None:
            if missing := self.missing():
                raise RecogniserFailed(FailureKind.NOT_INSTALLED, missing)
            try:
                engine = _engines[self.key] = self.load()
            except Exception as error:  # a missing system library or model file is noticed only here
                raise RecogniserFailed(
                    FailureKind.NOT_INSTALLED,
                    LocalizedError(
                        _("%(model)s cannot be loaded (%(why)s); run: %(mend)s"),
                        model=self.model,
                        why=f"{type(error).__name__}: {error}",
                        mend=self.install_command,
                    ),
                ) from error
        return engine


def find_package_file(package: str, name: str) -> str:
    """The path of a file of an installed package, without importing the package. Raises FileNotFoundError."""
    spec = find_spec(package)
    for folder in (spec.submodule_search_locations or ()) if spec else ():
        if (path := Path(folder) / name).is_file():
            return str(path)
    raise FileNotFoundError(f"{package} has no file {name}")
