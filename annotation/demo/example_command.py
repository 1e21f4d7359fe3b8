"""What commands that make an example project for people of the site have in common."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Sequence
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation.models import Project
from config.accounts.models import User


class ExampleCommand(BaseCommand):
    """A command gives these, and `make`."""

    slug: str  # of the project
    others: str  # the option that names who takes part
    others_help: str
    manager_among_others: str  # why a manager cannot take part
    made: str  # what to do with it, with {name} of the project

    def make(self, *, by: User, others: Sequence[User]) -> Project:
        raise NotImplementedError

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--manager", required=True, help="user name of who manages it")
        parser.add_argument(f"--{self.others}", required=True, nargs="+", help=self.others_help)

    def handle(self, *args: Any, **options: Any) -> None:
        manager, others = options["manager"], options[self.others]
        if there := Project.objects.filter(slug=self.slug).first():
            raise CommandError(f"The example is there already: project “{there.name}”.")
        found = User.objects.in_bulk([manager, *others], field_name="username")
        if missing := [name for name in (manager, *others) if name not in found]:
            raise CommandError(f"Nobody is called {', '.join(missing)}. Give user names of accounts.")
        if manager in others:
            raise CommandError(self.manager_among_others)
        project = self.make(by=found[manager], others=[found[name] for name in others])
        self.stdout.write(self.made.format(name=project.name))
