"""The base of commands that make an example project with accounts of this site."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Sequence
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation.models import Project
from config.accounts.models import User


class ExampleCommand(BaseCommand):
    """Subclasses set these attributes and implement `make`."""

    slug: str  # of the project
    others: str  # the option that names the people who take part
    others_help: str
    manager_among_others: str  # why a manager cannot take part
    made: str  # the message at the end; {name} is the project's

    def make(self, *, by: User, others: Sequence[User]) -> Project:
        raise NotImplementedError

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--manager", required=True, help="user name of the manager")
        parser.add_argument(f"--{self.others}", required=True, nargs="+", help=self.others_help)

    def handle(self, *args: Any, **options: Any) -> None:
        manager, others = options["manager"], options[self.others]
        if project := Project.objects.filter(slug=self.slug).first():
            raise CommandError(f"The example exists already: project “{project.name}”.")
        users = User.objects.in_bulk([manager, *others], field_name="username")
        if missing := [name for name in (manager, *others) if name not in users]:
            raise CommandError(f"No account is called {', '.join(missing)}. Give user names of accounts.")
        if manager in others:
            raise CommandError(self.manager_among_others)
        project = self.make(by=users[manager], others=[users[name] for name in others])
        self.stdout.write(self.made.format(name=project.name))
