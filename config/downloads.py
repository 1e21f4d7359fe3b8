"""Send a large file so that a broken download can go on where it stopped (RFC 9110, section 14)."""

from __future__ import annotations

import io
import re
from typing import Any, BinaryIO

from django.http import FileResponse, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase

_RANGE = re.compile(r"\Abytes=(?P<first>[0-9]{0,18})-(?P<last>[0-9]{0,18})\Z")


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
        response = FileResponse(_Part(file, first, last), status=206, content_type=content_type)
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


class _Part(io.RawIOBase):
    """Bytes `first` to `last` of a file as a file: the web server sends it without holding a thread."""

    def __init__(self, file: BinaryIO, first: int, last: int) -> None:
        self._file, self._first, self._size = file, first, last - first + 1
        self.seek(0)

    def seekable(self) -> bool:
        return True

    def readable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._file.tell() - self._first

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        start = {io.SEEK_SET: 0, io.SEEK_CUR: self.tell(), io.SEEK_END: self._size}[whence]
        self._file.seek(self._first + start + offset)
        return self.tell()

    def readinto(self, buffer: Any) -> int:
        data = self._file.read(max(min(len(buffer), self._size - self.tell()), 0))
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        self._file.close()
        super().close()
