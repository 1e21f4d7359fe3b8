"""The HTTP transport to model endpoints: checked addresses, one deadline for the answer, a size limit."""

from __future__ import annotations

import time
from collections.abc import Iterator

import httpx2

from evaluation.model_clients.addresses import DEFAULT_PORTS, AddressPolicy, AddressRefused, UnknownHost

MAX_ANSWER_BYTES = 16 * 1024 * 1024

# All that an endpoint is told. The client library adds more from the environment (accounts with one vendor, custom
# headers) and about this machine; none of that is anyone else's business.
SENT_HEADERS = frozenset(
    {"host", "accept", "accept-encoding", "connection", "user-agent", "content-type", "content-length"}
)


class AnswerTooLong(httpx2.TransportError):
    """The endpoint sent more than any answer can be."""


class CheckedTransport(httpx2.BaseTransport):
    """Connects to the address that the policy checked, while TLS and the Host header keep the name.

    `timeout_s` bounds the answer from the first byte sent to the last one read; the client's own timeouts
    bound single reads only, and an endpoint that drips one byte at a time would pass them for ever.
    """

    def __init__(self, policy: AddressPolicy, *, timeout_s: float, has_key: bool) -> None:
        self._policy = policy
        self._timeout_s = timeout_s
        self._has_key = has_key
        self._inner = httpx2.HTTPTransport()  # of the environment it takes the certificates alone

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        deadline = time.monotonic() + self._timeout_s
        response = self._send(request, deadline)
        assert isinstance(response.stream, httpx2.SyncByteStream)
        response.stream = _BoundedStream(response.stream, deadline)
        return response

    def close(self) -> None:
        self._inner.close()

    def _send(self, request: httpx2.Request, deadline: float) -> httpx2.Response:
        """The answer of the first checked address that takes the connection."""
        url = request.url
        try:
            addresses = self._policy.addresses_of(url.host, url.port or DEFAULT_PORTS[url.scheme])
        except (AddressRefused, UnknownHost) as error:
            raise httpx2.ConnectError(str(error), request=request) from error
        for position, address in enumerate(addresses):
            try:
                return self._inner.handle_request(self._on_the_wire(request, address))
            except (httpx2.ConnectError, httpx2.ConnectTimeout):
                if position == len(addresses) - 1 or time.monotonic() > deadline:
                    raise
        raise AssertionError("addresses_of gives at least one address")

    def _on_the_wire(self, request: httpx2.Request, address: str) -> httpx2.Request:
        """The request as it is sent: to an address, with few headers. The library reads its own one again."""
        sent = SENT_HEADERS | {"authorization"} if self._has_key else SENT_HEADERS
        return httpx2.Request(
            request.method,
            request.url.copy_with(host=address),
            headers={name: value for name, value in request.headers.items() if name in sent},
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
            if size > MAX_ANSWER_BYTES:
                raise AnswerTooLong(f"the answer is longer than {MAX_ANSWER_BYTES} bytes")
            if time.monotonic() > self._deadline:
                raise httpx2.ReadTimeout("the answer was not complete in time")
            yield chunk

    def close(self) -> None:
        self._inner.close()
