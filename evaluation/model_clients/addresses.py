"""Which network addresses a model endpoint may have: public ones, and those that an operator allows.

A name is resolved here and the connection goes to the address that was checked, so a name cannot point elsewhere
between the check and the connection.
"""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Callable
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from evaluation.errors import LocalizedError
from evaluation.errors import gettext_noop as _

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Resolver = Callable[[str, int], tuple[str, ...]]

# Services that give out a machine's own credentials; no allow-list opens them.
METADATA_SERVICES = frozenset(
    ipaddress.ip_address(text)
    for text in ("169.254.169.254", "fd00:ec2::254", "100.100.100.200", "168.63.129.16")
)
NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
DEFAULT_PORTS = {"http": 80, "https": 443}


class AddressRefused(LocalizedError):
    """The endpoint's address is not allowed; the message says why and who can change that."""


class UnknownHost(LocalizedError):
    """The endpoint's name has no address."""


def resolve_with_system(host: str, port: int) -> tuple[str, ...]:
    """All addresses of a name, in the order of the operating system, without duplicates. Raises UnknownHost."""
    try:
        entries = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise UnknownHost(_("the name %(host)s has no address"), host=host) from error
    return tuple(dict.fromkeys(str(entry[4][0]) for entry in entries))


@dataclass(frozen=True, slots=True)
class AddressPolicy:
    """The rule for endpoint addresses.

    `allowed` lists private and loopback addresses that may be used: a host name or an address, either with `:port`, or
    a network such as `10.1.0.0/16`. Link-local, metadata, multicast and unspecified addresses are never allowed.
    """

    allowed: tuple[str, ...] = ()
    resolve: Resolver = field(default=resolve_with_system)

    def __post_init__(self) -> None:
        for entry in self.allowed:
            if "/" in entry:
                ipaddress.ip_network(entry)  # a ValueError here names the entry

    def check_url(self, url: str) -> tuple[str, ...]:
        """The addresses at which a base URL may be reached. Raises AddressRefused or UnknownHost."""
        parts = urlsplit(url)
        if parts.scheme not in DEFAULT_PORTS:
            raise AddressRefused(
                _("the address must start with http:// or https://, not %(start)s"),
                start=parts.scheme or repr(url),
            )
        if parts.username or parts.password:
            raise AddressRefused(
                _("the address must not contain a user name or password; keys come from the environment")
            )
        try:
            port = parts.port or DEFAULT_PORTS[parts.scheme]
        except ValueError as error:
            raise AddressRefused(
                _("the port in %(url)s is not a number from 0 to 65535"), url=repr(url)
            ) from error
        if not parts.hostname:
            raise AddressRefused(_("the address %(url)s has no host name"), url=repr(url))
        return self.addresses_of(parts.hostname, port)

    def addresses_of(self, host: str, port: int) -> tuple[str, ...]:
        """The addresses of a host, all checked: a single forbidden one rules out the host."""
        addresses = self.resolve(host, port)
        if not addresses:
            raise UnknownHost(_("the name %(host)s has no address"), host=host)
        for text in addresses:
            self._check(host, port, text)
        return addresses

    def _check(self, host: str, port: int, text: str) -> None:
        address = ipaddress.ip_address(text.partition("%")[0])
        display_name = host if host == text else f"{host} ({text})"
        effective = _effective_addresses(address)
        if any(_is_never_allowed(candidate) for candidate in effective):
            raise AddressRefused(
                _("%(address)s is a link-local or metadata address; model endpoints are never allowed there"),
                address=display_name,
            )
        if all(candidate.is_global for candidate in effective) or self._is_listed(host, port, effective):
            return
        raise AddressRefused(
            _(
                "%(address)s is a private or loopback address; the operator can add it to "
                "the list of allowed endpoint addresses"
            ),
            address=display_name,
        )

    def _is_listed(self, host: str, port: int, effective: tuple[Address, ...]) -> bool:
        names = {host.lower().rstrip("."), *(str(address) for address in effective)}
        for entry in self.allowed:
            if "/" in entry:
                network = ipaddress.ip_network(entry)
                if any(address.version == network.version and address in network for address in effective):
                    return True
            else:
                name, wanted = split_port(entry.lower())
                if name in names and wanted in (None, port):
                    return True
        return False


def split_port(entry: str) -> tuple[str, int | None]:
    """Name and port of `host:8000`, `[::1]:8000`, `::1` or `host`."""
    if entry.startswith("["):
        name, _, rest = entry[1:].partition("]")
        return name, int(rest[1:]) if rest.startswith(":") else None
    if entry.count(":") == 1:
        name, _, port = entry.partition(":")
        return name, int(port)
    return entry, None


def _effective_addresses(address: Address) -> tuple[Address, ...]:
    """The address and the IPv4 address that it wraps, if any (mapped, 6to4, Teredo, NAT64)."""
    if isinstance(address, ipaddress.IPv4Address):
        return (address,)
    if address.ipv4_mapped is not None:
        return (address.ipv4_mapped,)
    if address.sixtofour is not None:
        return address, address.sixtofour
    if address.teredo is not None:
        return address, address.teredo[1]
    if address in NAT64:
        return address, ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    return (address,)


def _is_never_allowed(address: Address) -> bool:
    # The registry counts ::1 as reserved, but it is plain loopback, which an operator may allow.
    is_reserved = address.is_reserved and not address.is_loopback and address not in NAT64
    return (
        address in METADATA_SERVICES
        or address.is_link_local
        or address.is_multicast
        or address.is_unspecified
        or is_reserved
    )
