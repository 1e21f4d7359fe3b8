"""The API keys of model endpoints: which ones the operator offers, and to which hosts each may be sent.

A project's manager names a key and an address. Without this list anybody who manages a project could have any
environment variable of the server sent to an address of their own.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from evaluation.errors import LocalizedError
from evaluation.errors import gettext_noop as _
from evaluation.model_clients.addresses import DEFAULT_PORTS, split_port

_HOST = re.compile(r"(\[[0-9a-fA-F:]+\]|[\w.-]+)(:[0-9]+)?")


class ApiKeyRefused(LocalizedError):
    """The key is not offered, not set, or not for this host."""


@dataclass(frozen=True, slots=True)
class ApiKeys:
    """`hosts` maps the environment variable of each key to the hosts it may be sent to.

    A host is `name`, which means https on port 443, or `name:port` with either scheme. Values come from `environ`.
    """

    hosts: Mapping[str, Sequence[str]] = field(default_factory=dict)
    environ: Mapping[str, str] = field(default_factory=lambda: os.environ, repr=False)

    def __post_init__(self) -> None:
        for name, hosts in self.hosts.items():
            for entry in hosts:
                if not _HOST.fullmatch(entry):
                    raise ValueError(
                        f"MODEL_API_KEYS: {name}={entry} is not a host. Write api.example.com, or "
                        "api.example.com:8443 for another port; several are separated by commas, keys by semicolons."
                    )

    def find(self, variable: str, base_url: str) -> str:
        """The key in `variable` for an endpoint; "" where no variable is named. Raises ApiKeyRefused.

        A variable that the operator does not offer gets the same message whether or not it is set.
        """
        if not variable:
            return ""
        if variable not in self.hosts:
            raise ApiKeyRefused(
                _(
                    "the operator offers no API key %(name)s; the setting MODEL_API_KEYS lists those that exist"
                ),
                name=variable,
            )
        parts = urlsplit(base_url)
        port = parts.port or DEFAULT_PORTS.get(parts.scheme, 0)
        if not self.may_send(variable, parts.scheme, parts.hostname or "", port):
            raise ApiKeyRefused(
                _("the operator allows the API key %(name)s only for %(hosts)s"),
                name=variable,
                hosts=", ".join(self.hosts[variable]),
            )
        if not self.environ.get(variable):
            raise ApiKeyRefused(
                _("the environment variable %(name)s is not set; it must contain the key for this endpoint"),
                name=variable,
            )
        return self.environ[variable]

    def may_send(self, variable: str, scheme: str, host: str, port: int) -> bool:
        """True when the key in `variable` may go to this host."""
        name = host.lower().rstrip(".")
        for entry in self.hosts.get(variable, ()):
            allowed, wanted = split_port(entry.lower())
            if allowed == name and (port == wanted if wanted else (scheme, port) == ("https", 443)):
                return True
        return False
