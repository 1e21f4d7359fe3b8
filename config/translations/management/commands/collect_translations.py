"""Bring the message file up to date with what the sources say."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polib
from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser

from config.translations.catalogue import problems_in, update
from config.translations.extraction import phrases_in


class Command(BaseCommand):
    help = "Collect all strings into locale/zh_Hans and say what is not translated yet."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--take", nargs="*", default=[], metavar="FILE.po", help="fill gaps from these message files"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        path = Path(settings.LOCALE_PATHS[0]) / "zh_Hans" / "LC_MESSAGES" / "django.po"
        path.parent.mkdir(parents=True, exist_ok=True)
        po = polib.pofile(str(path), wrapwidth=110) if path.exists() else polib.POFile(wrapwidth=110)
        phrases = phrases_in(settings.BASE_DIR)
        update(po, phrases, donors=[polib.pofile(name) for name in options["take"]])
        po.save(str(path))
        problems = problems_in(po, phrases)
        for problem in problems:
            self.stdout.write(problem)
        self.stdout.write(f"{len(phrases)} strings, {len(problems)} to mend")
