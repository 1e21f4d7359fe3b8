"""Which network addresses a model endpoint may have: public ones, and those an operator has listed.

A name is resolved here and the connection goes to the very address that was checked, so a name cannot point
elsewhere between the check and the connection.
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

# Services that hand out a machine's own credentials; no allow-list opens these.
METADATA_SERVICES = frozenset(
    ipaddress.ip_address(text)
    for text in ("169.254.169.254", "fd00:ec2::254", "100.100.100.200", "168.63.129.16")
)
NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
DEFAULT_PORTS = {"http": 80, "https": 443}


class AddressRefused(LocalizedError):
    """The endpoint's address is one we do not talk to; the message says why and who can change that."""


class UnknownHost(LocalizedError):
    """The endpoint's name has no address."""


def resolve_with_system(host: str, port: int) -> tuple[str, ...]:
    """All addresses of a name as the operating system gives them, in its order, each once."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise UnknownHost(_("the name %(host)s has no address"), host=host) from error
    return tuple(dict.fromkeys(str(entry[4][0]) for entry in found))


@dataclass(frozen=True, slots=True)
class AddressPolicy:
    """The rule for endpoint addresses.

    `allowed` opens private and loopback addresses: a host name, an address, either with `:port`, or a
    network such as `10.1.0.0/16`. Link-local, metadata, multicast and unspecified addresses stay shut
    whatever it says.
    """

    allowed: tuple[str, ...] = ()
    resolve: Resolver = field(default=resolve_with_system)

    def __post_init__(self) -> None:
        for entry in self.allowed:
            if "/" in entry:
                ipaddress.ip_network(entry)  # a ValueError here names the entry

    def check_url(self, url: str) -> tuple[str, ...]:
        """The addresses a base URL may be reached at; raises AddressRefused or UnknownHost."""
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
        """The checked addresses of a host; a single forbidden one among them shuts the host."""
        found = self.resolve(host, port)
        if not found:
            raise UnknownHost(_("the name %(host)s has no address"), host=host)
        for text in found:
            self._check(host, port, text)
        return found

    def _check(self, host: str, port: int, text: str) -> None:
        address = ipaddress.ip_address(text.partition("%")[0])
        shown = host if host == text else f"{host} ({text})"
        faces = _faces(address)
        if any(_is_never_allowed(face) for face in faces):
            raise AddressRefused(
                _("%(address)s is a link-local or metadata address; model endpoints are never allowed there"),
                address=shown,
            )
        if all(face.is_global for face in faces) or self._is_listed(host, port, faces):
            return
        raise AddressRefused(
            _(
                "%(address)s is a private or loopback address; the operator can add it to "
                "the list of allowed endpoint addresses"
            ),
            address=shown,
        )

    def _is_listed(self, host: str, port: int, faces: tuple[Address, ...]) -> bool:
        names = {host.lower().rstrip("."), *(str(face) for face in faces)}
        for entry in self.allowed:
            if "/" in entry:
                network = ipaddress.ip_network(entry)
                if any(face.version == network.version and face in network for face in faces):
                    return True
            else:
                name, wanted = _split_port(entry.lower())
                if name in names and wanted in (None, port):
                    return True
        return False


def _split_port(entry: str) -> tuple[str, int | None]:
    """`host:8000`, `[::1]:8000`, `::1` or `host` as name and port."""
    if entry.startswith("["):
        name, _, rest = entry[1:].partition("]")
        return name, int(rest[1:]) if rest.startswith(":") else None
    if entry.count(":") == 1:
        name, _, port = entry.partition(":")
        return name, int(port)
    return entry, None


def _faces(address: Address) -> tuple[Address, ...]:
    """The address and any IPv4 address that it only wraps (mapped, 6to4, Teredo, NAT64)."""
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
    # ::1 counts as reserved in the registry's terms, yet is plain loopback, which an operator may allow.
    is_reserved = address.is_reserved and not address.is_loopback and address not in NAT64
    return (
        address in METADATA_SERVICES
        or address.is_link_local
        or address.is_multicast
        or address.is_unspecified
        or is_reserved
    )
