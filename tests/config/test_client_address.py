"""Where a request comes from, behind no, one and two proxies."""

from __future__ import annotations

import pytest
from django.test import RequestFactory, override_settings

from config.client_address import address_block, client_address


def _address(forwarded: str | None, proxies: int, remote: str = "10.0.0.9") -> str:
    extra = {} if forwarded is None else {"HTTP_X_FORWARDED_FOR": forwarded}
    with override_settings(TRUSTED_PROXIES=proxies):
        return client_address(RequestFactory().get("/", REMOTE_ADDR=remote, **extra))


@pytest.mark.parametrize(
    ("forwarded", "proxies", "address"),
    [
        (None, 0, "10.0.0.9"),
        ("1.1.1.1", 0, "10.0.0.9"),
        ("6.6.6.6, 1.1.1.1", 1, "1.1.1.1"),
        ("6.6.6.6, 1.1.1.1, 2.2.2.2", 2, "1.1.1.1"),
        ("1.1.1.1", 2, "10.0.0.9"),
        (None, 1, "10.0.0.9"),
        ("", 1, "10.0.0.9"),
        ("6.6.6.6, nonsense", 1, "10.0.0.9"),
        ("1.1.1.1:4711", 1, "1.1.1.1"),
        ("[2001:db8::1]:4711", 1, "2001:db8::1"),
        ("2001:0db8:0::0001", 1, "2001:db8::1"),
        ("::ffff:1.1.1.1", 1, "1.1.1.1"),
    ],
)
def test_client_address_when_proxies_are_trusted_then_their_entry_counts_and_no_other(
    forwarded: str | None, proxies: int, address: str
) -> None:
    assert _address(forwarded, proxies) == address


def test_client_address_when_the_connection_has_none_then_it_is_empty() -> None:
    assert _address(None, 0, remote="") == ""


@pytest.mark.parametrize(
    ("remote", "block"),
    [("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"), ("fe80::1%eth0", "fe80::/64"), ("1.1.1.1", "1.1.1.1")],
)
def test_address_block_when_the_address_is_ipv6_then_its_first_half(remote: str, block: str) -> None:
    assert address_block(RequestFactory().get("/", REMOTE_ADDR=remote)) == block
