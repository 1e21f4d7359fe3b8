"""The values of SIGN_UP and PROJECT_CREATION, and which addresses only this machine reaches."""

from __future__ import annotations

import ipaddress

SIGN_UP_MODES = ("open", "invitation", "closed")
PROJECT_CREATION_MODES = ("everyone", "permitted")


def is_loopback(host: str) -> bool:
    """True for localhost, its subdomains, and loopback addresses, in brackets or not.

    >>> [is_loopback(host) for host in ("localhost", "[::1]", "127.0.0.2", "0.0.0.0", ".example.org", "*")]
    [True, True, True, False, False, False]
    """
    name = host.strip("[]").rstrip(".").lower()
    if name == "localhost" or name.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False
