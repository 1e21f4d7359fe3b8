"""The workers of both queues, for a machine beside the one that runs `serve`; they stop with Ctrl+C."""

from __future__ import annotations

import time
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from config.jobs.supervisor import Supervisor, note_stop_signals
from config.jobs.workers import add_worker_options, worker_children


class Command(BaseCommand):
    help = "Start the workers without web server and clock. The rows keep what they had in hand."

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_worker_options(parser)

    def handle(self, *args: Any, job_workers: int, endpoint_workers: int, **options: Any) -> None:
        children = worker_children(job_threads=job_workers, endpoint_threads=endpoint_workers)
        supervisor = Supervisor(children, say=self.stderr.write)
        stopping = note_stop_signals()
        while not stopping:
            supervisor.check()
            time.sleep(0.3)
        supervisor.stop()
