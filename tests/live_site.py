"""The whole site as `manage.py serve` runs it: own data folder, SQLite, web server, worker, embedded broker."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.sites.serving import Serving
from tests.sites.site import Site, make_bare_site


@dataclass(frozen=True, slots=True)
class LiveSite:
    """A running site; `url` is its root without a slash."""

    site: Site
    url: str

    def manage(self, *arguments: str) -> str:
        """Standard output of a management command that must succeed."""
        return self.site.run(*arguments)

    def add_people(self, *names: str, password: str) -> None:
        """Accounts without any role, as sign-up would make them."""
        self.site.script(
            "from config.accounts.models import User\n"
            f"for name in {names!r}: User.objects.create_user(username=name, password={password!r})",
        )


@contextlib.contextmanager
def live_site(folder: Path) -> Iterator[LiveSite]:
    """Served from a new folder in `folder` until the block ends; the log is serve.log in it."""
    with Serving(make_bare_site(folder / "site")) as serving:
        yield LiveSite(serving.site, serving.url)
