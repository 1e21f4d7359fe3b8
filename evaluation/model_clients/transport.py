"""The HTTP transport to model endpoints: checked addresses, one deadline per response, a size limit."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import httpx2

from evaluation.model_clients.addresses import DEFAULT_PORTS, AddressPolicy, AddressRefused, UnknownHost

MAX_RESPONSE_BYTES = 16 * 1024 * 1024

# The only headers that are sent. The client library adds others from the environment (accounts with one vendor, custom
# headers) and about this machine, which concern nobody else.
SENT_HEADERS = frozenset(
    {"host", "accept", "accept-encoding", "connection", "user-agent", "content-type", "content-length"}
)


class ResponseTooLong(httpx2.TransportError):
    """The endpoint sent more than MAX_RESPONSE_BYTES."""


class CheckedTransport(httpx2.BaseTransport):
    """Connects to the address that the policy checked, while TLS and the Host header use the name.

    The key goes out only where `may_send_key(scheme, host, port)`, asked of the address as this library reads it.
    `timeout_s` limits the time from the first byte sent to the last one read. The client's own timeouts limit single
    reads only, so an endpoint that sends one byte at a time could keep a connection for ever.
    """

    def __init__(
        self, policy: AddressPolicy, *, timeout_s: float, may_send_key: Callable[[str, str, int], bool]
    ) -> None:
        self._policy = policy
        self._timeout_s = timeout_s
        self._may_send_key = may_send_key
        self._inner = httpx2.HTTPTransport()  # takes only the certificates from the environment

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        deadline = time.monotonic() + self._timeout_s
        response = self._send(request, deadline)
        assert isinstance(response.stream, httpx2.SyncByteStream)
        response.stream = _BoundedStream(response.stream, deadline)
        return response

    def close(self) -> None:
        self._inner.close()

    def _send(self, request: httpx2.Request, deadline: float) -> httpx2.Response:
        """The response of the first checked address that accepts the connection."""
        url = request.url
        try:
            addresses = self._policy.addresses_of(url.host, url.port or DEFAULT_PORTS[url.scheme])
        except (AddressRefused, UnknownHost) as error:
            raise httpx2.ConnectError(str(error), request=request) from error
        for position, address in enumerate(addresses):
            try:
                return self._inner.handle_request(self._request_to_address(request, address))
            except (httpx2.ConnectError, httpx2.ConnectTimeout):
                if position == len(addresses) - 1 or time.monotonic() > deadline:
                    raise
        raise AssertionError("addresses_of gives at least one address")

    def _request_to_address(self, request: httpx2.Request, address: str) -> httpx2.Request:
        """A copy of the request to this address with the allowed headers; the library still needs its own request."""
        url = request.url
        may_send_key = self._may_send_key(url.scheme, url.host, url.port or DEFAULT_PORTS[url.scheme])
        allowed = SENT_HEADERS | {"authorization"} if may_send_key else SENT_HEADERS
        return httpx2.Request(
            request.method,
            request.url.copy_with(host=address),
            headers={name: value for name, value in request.headers.items() if name in allowed},
            stream=request.stream,
            extensions={**request.extensions, "sni_hostname": request.url.host},
        )


class _BoundedStream(httpx2.SyncByteStream):
    def __init__(self, inner: httpx2.SyncByteStream, deadline: float) -> None:
        self._inner = inner
        self._deadline = deadline

    def __iter__(self) -> Iterator[bytes]:
        size = 0
        for chunk in self._inner:
            size += len(chunk)
            if size > MAX_RESPONSE_BYTES:
                raise ResponseTooLong(f"the response is longer than {MAX_RESPONSE_BYTES} bytes")
            if time.monotonic() > self._deadline:
                raise httpx2.ReadTimeout("the response was not complete in time")
            yield chunk

    def close(self) -> None:
        self._inner.close()
