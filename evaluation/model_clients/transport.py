"""The HTTP transport to model endpoints: checked addresses, one deadline per request, a limit on what is unpacked."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import httpcore2
import httpx2

from evaluation.model_clients.addresses import DEFAULT_PORTS, AddressPolicy, AddressRefused, UnknownHost
from evaluation.model_clients.deadline_network import Deadline, DeadlineBackend

# The only headers that are sent. The client library adds others from the environment (accounts with one vendor, custom
# headers) and about this machine, which concern nobody else.
SENT_HEADERS = frozenset(
    {"host", "accept", "accept-encoding", "connection", "user-agent", "content-type", "content-length"}
)
# The only headers of a reply that are looked at. A Content-Type could name a codec that unpacks the body once more
# when it is read as text ("zlib_codec"), and JSON is UTF-8 whatever it says.
_READ_HEADERS = frozenset({"content-encoding", "retry-after"})
_COMPRESSIONS = frozenset({"gzip", "deflate", "identity"})


class ReplyTooLong(httpx2.TransportError):
    """The endpoint sent more than `reply_bytes`, counted after decompression; the rest was not read."""


class CheckedTransport(httpx2.BaseTransport):
    """Connects to the address that the policy checked, while TLS and the Host header use the name.

    The key goes out only where `may_send_key(scheme, host, port)`, asked of the address as this library reads it.
    `timeout_s` limits the time from the lookup of the name to the last byte read. Only the lookup itself, which the
    system limits, can last longer. A reply may have `reply_bytes`, unpacked.
    """

    def __init__(
        self,
        policy: AddressPolicy,
        *,
        timeout_s: float,
        reply_bytes: int,
        may_send_key: Callable[[str, str, int], bool],
    ) -> None:
        self._policy = policy
        self._timeout_s = timeout_s
        self._reply_bytes = reply_bytes
        self._may_send_key = may_send_key
        self._deadline = Deadline()
        self._inner = _DeadlineTransport(self._deadline)

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        self._deadline.set(self._timeout_s)
        reply = self._send(request)
        headers = [(name, value) for name, value in reply.headers.items() if name in _READ_HEADERS]
        if reply.headers.get("content-encoding", "identity").strip().lower() not in _COMPRESSIONS:
            reply.close()
            raise httpx2.DecodingError("compressed in a way that was not asked for", request=request)
        return _BoundedResponse(
            reply.status_code,
            headers=headers,
            stream=reply.stream,
            extensions=reply.extensions,
            most_bytes=self._reply_bytes,
        )

    def close(self) -> None:
        self._inner.close()

    def _send(self, request: httpx2.Request) -> httpx2.Response:
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
                # Past the deadline every further attempt fails at once.
                if position == len(addresses) - 1:
                    raise
        raise AssertionError("addresses_of gives at least one address")

    def _request_to_address(self, request: httpx2.Request, address: str) -> httpx2.Request:
        """A copy of the request to this address with the allowed headers; the library still needs its own request."""
        url = request.url
        may_send_key = self._may_send_key(url.scheme, url.host, url.port or DEFAULT_PORTS[url.scheme])
        allowed = SENT_HEADERS | {"authorization"} if may_send_key else SENT_HEADERS
        headers = {name: value for name, value in request.headers.items() if name in allowed}
        return httpx2.Request(
            request.method,
            request.url.copy_with(host=address),
            headers=headers | {"accept-encoding": "gzip, deflate"},
            stream=request.stream,
            extensions={**request.extensions, "sni_hostname": request.url.host},
        )


class _DeadlineTransport(httpx2.HTTPTransport):
    """The library's transport over our connections, for which it has no parameter.

    Only the certificates come from the environment.
    """

    def __init__(self, deadline: Deadline) -> None:
        self._pool = httpcore2.ConnectionPool(
            ssl_context=httpx2.create_ssl_context(), network_backend=DeadlineBackend(deadline)
        )


class _BoundedResponse(httpx2.Response):
    """A response that is unpacked up to `most_bytes`. The library unpacks at most 1 MiB at a time."""

    def __init__(
        self,
        status_code: int,
        *,
        headers: list[tuple[str, str]],
        stream: httpx2.SyncByteStream | httpx2.AsyncByteStream,
        extensions: dict[str, object],
        most_bytes: int,
    ) -> None:
        super().__init__(status_code, headers=headers, stream=stream, extensions=extensions)
        self._most_bytes = most_bytes

    def iter_bytes(self, chunk_size: int | None = None) -> Iterator[bytes]:
        size = 0
        for chunk in super().iter_bytes(chunk_size):
            size += len(chunk)
            if size > self._most_bytes:
                raise ReplyTooLong(f"the reply is longer than {self._most_bytes} bytes")
            yield chunk
