"""Do every waiting job in this process, then stop."""

from typing import Any

from django.core.management.base import BaseCommand

from config.jobs.services import run_waiting


class Command(BaseCommand):
    help = "Do every waiting job in this process, then stop."

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(f"{run_waiting()} jobs done")
