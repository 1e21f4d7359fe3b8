"""The embedded broker: kombu's folder of files, except that a broken file does not end the worker that meets it.

Rows are the truth (config.jobs), so a message may be thrown away.
"""

from __future__ import annotations

import contextlib
import logging
import os
import time
import uuid
from pathlib import Path
from queue import Empty
from typing import Any

from kombu.exceptions import ChannelError
from kombu.transport import filesystem, virtual
from kombu.utils.json import dumps, loads

log = logging.getLogger(__name__)


class Channel(filesystem.Channel):
    """A message is a file, written whole or not at all.

    Bindings stay in memory: each process declares its own, and kombu's file of them breaks when it is half written.
    """

    supports_fanout = False
    get_table = virtual.Channel.get_table
    _delete = virtual.Channel._delete

    def _put(self, queue: str, payload: Any, **kwargs: Any) -> None:  # type: ignore[override]
        """Raises ChannelError, and leaves nothing behind, where it cannot be written."""
        target = Path(self.data_folder_out) / f"{time.monotonic_ns() // 10**6}_{uuid.uuid4()}.{queue}.msg"
        part = target.with_suffix(".part")
        try:
            part.write_bytes(dumps(payload).encode())  # type: ignore[no-untyped-call]
            part.rename(target)
        except OSError as error:
            with contextlib.suppress(OSError):
                part.unlink()
            raise ChannelError(f"Cannot write a message: {error}") from error

    def _get(self, queue: str, timeout: float | None = None) -> Any:
        """The next message that can be read; others are removed. Raises Empty."""
        for name in sorted(os.listdir(self.data_folder_in)):
            if name.partition(".")[2] != f"{queue}.msg":
                continue
            file = Path(self.data_folder_in) / name
            try:
                content = file.read_bytes()
                file.unlink()  # whoever removes it has it
            except FileNotFoundError:
                continue
            except OSError as error:
                log.warning("A message cannot be taken: %s.", error)
                continue
            try:
                payload = loads(content.decode())  # type: ignore[no-untyped-call]
                # Raises what a worker would die of.
                hash(self.Message(payload, channel=self).delivery_tag)  # type: ignore[no-untyped-call]
            except Exception as error:
                log.warning("A broken message was removed (%s: %s).", type(error).__name__, error)
                continue
            return payload
        raise Empty


class Transport(filesystem.Transport):
    Channel = Channel
    global_state = virtual.BrokerState()  # type: ignore[no-untyped-call]
    implements = virtual.Transport.implements.extend(exchange_type=frozenset(["direct", "topic"]))
