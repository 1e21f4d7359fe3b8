"""Send a large file so that a broken download can go on where it stopped (RFC 9110, section 14)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import BinaryIO

from django.http import FileResponse, HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase

_RANGE = re.compile(r"\Abytes=(?P<first>[0-9]{0,18})-(?P<last>[0-9]{0,18})\Z")
_CHUNK = 1 << 16


def send_file(
    request: HttpRequest, file: BinaryIO, *, name: str, size: int, etag: str, content_type: str
) -> HttpResponseBase:
    """The file, or the one range of it that is asked for; 416 for a range outside it.

    `etag` names the content: a download that goes on (`If-Range`) gets the whole file when it has changed. Several
    ranges at once are answered with the whole file, as the standard allows.
    """
    tag = f'"{etag}"'
    asked = request.headers.get("Range", "")
    fresh = request.headers.get("If-Range", tag) == tag
    match = _RANGE.match(asked) if fresh else None
    if match is None or not (match["first"] or match["last"]):
        response: HttpResponseBase = FileResponse(
            file, as_attachment=True, filename=name, content_type=content_type
        )
        response["Content-Length"] = str(size)
    else:
        first, last = _bounds(match["first"], match["last"], size)
        if first > last:
            file.close()
            response = HttpResponse(status=416)
            response["Content-Range"] = f"bytes */{size}"
            return response
        response = StreamingHttpResponse(_part(file, first, last), status=206, content_type=content_type)
        response["Content-Range"] = f"bytes {first}-{last}/{size}"
        response["Content-Length"] = str(last - first + 1)
    response["Accept-Ranges"] = "bytes"
    response["ETag"] = tag
    return response


def _bounds(first: str, last: str, size: int) -> tuple[int, int]:
    """First and last byte, both counted from 0 and included; first > last where nothing of it exists."""
    if not first:  # the last n bytes
        return (max(size - int(last), 0), size - 1) if int(last) else (1, 0)
    return int(first), min(int(last) if last else size - 1, size - 1)


def _part(file: BinaryIO, first: int, last: int) -> Iterator[bytes]:
    with file:
        file.seek(first)
        left = last - first + 1
        while left and (chunk := file.read(min(_CHUNK, left))):
            left -= len(chunk)
            yield chunk
