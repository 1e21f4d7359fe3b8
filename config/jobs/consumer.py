"""The worker's consumer of messages, except that a message that is no task does not end the worker."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

from celery.worker import consumer

log = logging.getLogger(__name__)


class Consumer(consumer.Consumer):  # type: ignore[misc]
    """A message that can be read and is no task is dropped, whatever is wrong with it."""

    def create_task_handler(self, *args: Any, **options: Any) -> Callable[[Any], None]:
        handle = super().create_task_handler(*args, **options)

        def handle_or_drop(message: Any) -> None:
            try:
                handle(message)
            except (*self.connection_errors, *self.channel_errors):
                raise
            except Exception as error:
                log.warning("A message that is no task was dropped (%s: %s).", type(error).__name__, error)
                if not message.acknowledged:
                    message.reject_log_error(log, self.connection_errors)

        return handle_or_drop
