"""Expert studies to try: one that waits for its raters, one that is closed, one that is being set up."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation.models import Project
from annotation.services.example_study import make_example
from config.accounts.models import User


class Command(BaseCommand):
    help = "Make a project with small expert studies: one open, one closed with simulated answers, one being set up."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--manager", required=True, help="user name of who manages it")
        parser.add_argument("--raters", required=True, nargs="+", help="user names of who rates")

    def handle(self, *args: Any, **options: Any) -> None:
        if Project.objects.filter(slug="halves").exists():
            raise CommandError("The example is there already: project “halves”.")
        names = [options["manager"], *options["raters"]]
        found = {user.username: user for user in User.objects.filter(username__in=names)}
        missing = [name for name in names if name not in found]
        if missing:
            raise CommandError(f"Nobody is called {', '.join(missing)}. Give user names of accounts.")
        if options["manager"] in options["raters"]:
            raise CommandError("A manager knows what is compared and cannot rate. Name other raters.")
        project = make_example(
            by=found[options["manager"]], raters=[found[name] for name in options["raters"]]
        )
        self.stdout.write(
            f"Made the project “{project.name}”. Raters find the open study on their home page."
        )
