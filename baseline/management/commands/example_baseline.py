"""A human baseline to try: one that waits for its people, and one that is over."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation.models import Project
from baseline.services.example import SLUG, make_example
from config.accounts.models import User


class Command(BaseCommand):
    help = "Make a project with two small human baselines, one open and one closed with simulated answers."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--manager", required=True, help="user name of who manages it")
        parser.add_argument("--people", required=True, nargs="+", help="user names of who takes part")

    def handle(self, *args: Any, **options: Any) -> None:
        if Project.objects.filter(slug=SLUG).exists():
            raise CommandError("The example is there already: project “Reading room”.")
        names = [options["manager"], *options["people"]]
        found = {user.username: user for user in User.objects.filter(username__in=names)}
        missing = [name for name in names if name not in found]
        if missing:
            raise CommandError(f"Nobody is called {', '.join(missing)}. Give user names of accounts.")
        if options["manager"] in options["people"]:
            raise CommandError("A manager may see the ground truth and cannot take part. Name other people.")
        project = make_example(
            by=found[options["manager"]], people=[found[name] for name in options["people"]]
        )
        self.stdout.write(f"Made the project “{project.name}”. Who takes part finds it on their home page.")
