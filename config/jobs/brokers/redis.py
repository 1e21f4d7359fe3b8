"""Redis as broker, except that an entry that is no message does not end the worker that meets it."""

from __future__ import annotations

import logging
from typing import Any

from kombu.transport import redis

log = logging.getLogger(__name__)


class Channel(redis.Channel):
    def _brpop_read(self, **options: Any) -> Any:
        try:
            return super()._brpop_read(**options)  # type: ignore[no-untyped-call]
        except (ValueError, TypeError, KeyError, AttributeError, IndexError) as error:
            log.warning("A broken message was removed (%s: %s).", type(error).__name__, error)
            return True


class Transport(redis.Transport):
    Channel = Channel
