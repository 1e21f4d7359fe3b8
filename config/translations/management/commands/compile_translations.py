"""Compile the message files, so that the site speaks Chinese. Part of the install."""

from __future__ import annotations

from pathlib import Path

from django.conf import settings
from django.core.management.base import BaseCommand

from config.translations.catalogue import compile_all


class Command(BaseCommand):
    help = "Compile the message files that have changed."
    requires_system_checks: list[str] = []

    def handle(self, *args: object, **options: object) -> None:
        for folder in settings.LOCALE_PATHS:
            for path in compile_all(Path(folder)):
                self.stdout.write(f"compiled {path}")
