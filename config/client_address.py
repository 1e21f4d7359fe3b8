"""The address a request came from: the only place that reads `X-Forwarded-For`."""

from __future__ import annotations

from ipaddress import IPv6Address, IPv6Network, ip_address

from django.conf import settings
from django.http import HttpRequest

_IPV6_PREFIX = 64  # what one household or office gets, so one client has all addresses in it


def client_address(request: HttpRequest) -> str:
    """The client's IP address behind `TRUSTED_PROXIES` proxies; "" where there is none, as behind a Unix socket."""
    meta = request.META
    return address_behind_proxies(meta.get("REMOTE_ADDR", ""), meta.get("HTTP_X_FORWARDED_FOR", ""))


def address_block(request: HttpRequest) -> str:
    """What counts as one client: an IPv4 address, or the first 64 bits of an IPv6 address."""
    return block_of(client_address(request))


def address_behind_proxies(connection: str, forwarded: str) -> str:
    """The client's address, from that of the connection and the header `X-Forwarded-For`.

    Each proxy appends the address it was called from, so the n-th entry from the right was written by the outermost of
    our n proxies, and everything to its left by whoever called. Where that entry is missing or no address, the request
    did not come through the proxies: the address of the connection counts.
    """
    count = settings.TRUSTED_PROXIES
    if count > 0:
        entries = forwarded.split(",")
        if len(entries) >= count and (address := _parsed(entries[-count])):
            return address
    return _parsed(connection)


def block_of(address: str) -> str:
    """An IPv4 address as it is, the first 64 bits of an IPv6 address."""
    if ":" not in address:
        return address
    return str(IPv6Network((address.partition("%")[0], _IPV6_PREFIX), strict=False))


def _parsed(entry: str) -> str:
    """An address in its shortest form, without port, IPv4 not dressed as IPv6; "" for anything else."""
    text = entry.strip()
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        address = ip_address(text)
    except ValueError:
        return ""
    if isinstance(address, IPv6Address) and address.ipv4_mapped:
        return str(address.ipv4_mapped)
    return str(address)
