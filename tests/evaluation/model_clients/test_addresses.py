from __future__ import annotations

import pytest

from evaluation.model_clients.addresses import AddressPolicy, AddressRefused, UnknownHost


def policy(*found: str, allowed: tuple[str, ...] = ()) -> AddressPolicy:
    """A policy whose names all resolve to the given addresses."""
    return AddressPolicy(allowed=allowed, resolve=lambda host, port: found)


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1:8000/v1",
        "http://127.1/v1",
        "http://2130706433/v1",
        "http://0x7f000001/v1",
        "http://localhost/v1",
        "http://[::1]:8000/v1",
        "http://[::ffff:127.0.0.1]/v1",
        "http://10.0.0.8/v1",
        "http://192.168.1.4/v1",
        "http://172.16.3.1/v1",
        "http://100.64.0.1/v1",
        "http://[fd12::1]/v1",
        "http://169.254.169.254/latest/meta-data",
        "http://[fe80::1]/v1",
        "http://0.0.0.0/v1",
        "http://224.0.0.1/v1",
    ],
)
def test_address_when_private_and_nothing_allowed_then_refused(url: str) -> None:
    with pytest.raises(AddressRefused):
        AddressPolicy().check_url(url)


@pytest.mark.parametrize(
    "resolved",
    [
        "127.0.0.1",
        "10.1.2.3",
        "169.254.169.254",
        "::1",
        "::ffff:10.0.0.1",
        "64:ff9b::7f00:1",
        "2002:7f00:1::1",
        "fe80::1%eth0",
    ],
)
def test_address_when_public_name_resolves_to_private_then_refused(resolved: str) -> None:
    with pytest.raises(AddressRefused, match=r"api\.example\.com"):
        policy(resolved).check_url("https://api.example.com/v1")


def test_address_when_one_of_several_is_private_then_refused() -> None:
    with pytest.raises(AddressRefused, match=r"10\.0\.0\.1"):
        policy("93.184.215.14", "10.0.0.1").check_url("https://api.example.com/v1")


def test_address_when_public_then_given_back() -> None:
    resolved = ("93.184.215.14", "2606:2800:21f:cb07:6820:80da:af6b:8b2c")
    assert policy(*resolved).check_url("https://api.example.com/v1") == resolved


@pytest.mark.parametrize(
    "entry", ["localhost", "localhost:8000", "127.0.0.1", "127.0.0.1:8000", "127.0.0.0/8"]
)
def test_address_when_operator_allows_it_then_given_back(entry: str) -> None:
    assert policy("127.0.0.1", allowed=(entry,)).check_url("http://localhost:8000/v1") == ("127.0.0.1",)


@pytest.mark.parametrize("entry", ["::1", "[::1]:8000"])
def test_address_when_operator_allows_ipv6_loopback_then_given_back(entry: str) -> None:
    assert policy("::1", allowed=(entry,)).check_url("http://[::1]:8000/v1") == ("::1",)


@pytest.mark.parametrize("entry", ["localhost:8001", "127.0.0.1:80", "10.0.0.0/8", "otherhost"])
def test_address_when_another_is_allowed_then_refused(entry: str) -> None:
    with pytest.raises(AddressRefused, match="allowed endpoint addresses"):
        policy("127.0.0.1", allowed=(entry,)).check_url("http://localhost:8000/v1")


@pytest.mark.parametrize(
    "resolved", ["169.254.169.254", "fd00:ec2::254", "100.100.100.200", "fe80::1", "0.0.0.0"]
)
def test_metadata_address_when_operator_allows_it_then_still_refused(resolved: str) -> None:
    everything = ("0.0.0.0/0", "::/0", "inner", resolved)
    with pytest.raises(AddressRefused, match="never allowed"):
        policy(resolved, allowed=everything).check_url("http://inner/v1")


@pytest.mark.parametrize(
    ("url", "word"),
    [
        ("file:///etc/passwd", "http"),
        ("ftp://example.com", "http"),
        ("example.com/v1", "http"),
        ("https://", "host"),
        ("https://me:secret@example.com/v1", "password"),
        ("https://example.com:99999/v1", "port"),
    ],
)
def test_url_when_malformed_then_refused_with_its_fault(url: str, word: str) -> None:
    with pytest.raises(AddressRefused, match=word):
        policy("93.184.215.14").check_url(url)


def test_name_when_it_has_no_address_then_unknown_host() -> None:
    with pytest.raises(UnknownHost, match="nowhere"):
        AddressPolicy().check_url("https://nowhere.invalid/v1")


@pytest.mark.parametrize("entry", ["10.0.0.0/99", "ten/8"])
def test_allow_list_when_a_network_is_malformed_then_refused_at_once(entry: str) -> None:
    with pytest.raises(ValueError, match=entry.partition("/")[0]):
        AddressPolicy(allowed=(entry,))
