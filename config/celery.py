"""The Celery application: it carries nudges, never truth (see config.jobs)."""

from __future__ import annotations

import os

from celery import Celery
from celery.signals import setup_logging
from kombu import entity
from kombu.transport import TRANSPORT_ALIASES

from config.jobs.brokers import TRANSPORTS, Queue

TRANSPORT_ALIASES.update(TRANSPORTS)
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
app = Celery("inkbench")
app.config_from_object("django.conf:settings", namespace="CELERY")
# A worker that is started without -Q serves every queue.
app.conf.task_queues = [
    entity.Queue(name, entity.Exchange(name), routing_key=name)  # type: ignore[no-untyped-call]
    for name in Queue
]
app.conf.task_default_queue = Queue.HERE.value
app.autodiscover_tasks()


@setup_logging.connect  # type: ignore[untyped-decorator]
def _keep_logging(**_: object) -> None:
    """Log as the settings say: a receiver of this signal keeps Celery from logging in its own way."""
