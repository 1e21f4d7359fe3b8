"""The HTTP transport to model endpoints: checked addresses, one deadline for the answer, a size limit."""

from __future__ import annotations

import time
from collections.abc import Iterator

import httpx2

from evaluation.model_clients.addresses import DEFAULT_PORTS, AddressPolicy, AddressRefused, UnknownHost

MAX_ANSWER_BYTES = 16 * 1024 * 1024

# The client library fills these from the environment; they name an account with one vendor only.
UNASKED_HEADERS = ("openai-organization", "openai-project")


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
        # Without the environment's proxies: a proxy would make the connection, past the check.
        self._inner = httpx2.HTTPTransport(trust_env=False)

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        deadline = time.monotonic() + self._timeout_s
        for name in UNASKED_HEADERS if self._has_key else (*UNASKED_HEADERS, "authorization"):
            request.headers.pop(name, None)
        host, url = request.url.host, request.url
        try:
            addresses = self._policy.addresses_of(host, url.port or DEFAULT_PORTS[url.scheme])
        except (AddressRefused, UnknownHost) as error:
            raise httpx2.ConnectError(str(error), request=request) from error
        request.extensions = {**request.extensions, "sni_hostname": host}
        for position, address in enumerate(addresses):
            request.url = url.copy_with(host=address)
            try:
                response = self._inner.handle_request(request)
                break
            except (httpx2.ConnectError, httpx2.ConnectTimeout):
                if position == len(addresses) - 1 or time.monotonic() > deadline:
                    raise
        assert isinstance(response.stream, httpx2.SyncByteStream)
        response.stream = _BoundedStream(response.stream, deadline)
        return response

    def close(self) -> None:
        self._inner.close()


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
