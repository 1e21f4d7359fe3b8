"""Parts of a file: what a header may ask for, and what it may not do."""

from __future__ import annotations

import io

import pytest
from django.test import RequestFactory

from config.downloads import send_file


@pytest.mark.parametrize(
    ("asked", "status"),
    [
        ("bytes=0-3", 206),
        ("bytes=-2", 206),
        ("bytes=0-999999999999999999", 206),
        ("bytes=999999999999999999-", 416),
        ("bytes=-0", 416),
        ("bytes=" + "9" * 5000 + "-", 200),
        ("bytes=0-" + "9" * 5000, 200),
        ("bytes=0-1,3-4", 200),
        ("pages=1-2", 200),
    ],
)
def test_send_file_when_a_part_is_asked_for_then_it_or_the_whole_or_416(asked: str, status: int) -> None:
    request = RequestFactory().get("/", headers={"Range": asked})
    response = send_file(
        request, io.BytesIO(b"0123456789"), name="a", size=10, etag="e", content_type="text/plain"
    )
    assert response.status_code == status


@pytest.mark.parametrize(
    ("asked", "part"), [("bytes=2-5", b"2345"), ("bytes=-3", b"789"), ("bytes=9-", b"9")]
)
def test_send_file_when_a_part_is_asked_for_then_its_bytes_are_sent_and_the_file_is_closed(
    asked: str, part: bytes
) -> None:
    request = RequestFactory().get("/", headers={"Range": asked})
    file = io.BytesIO(b"0123456789")
    response = send_file(request, file, name="a", size=10, etag="e", content_type="text/plain")
    assert b"".join(response) == part  # type: ignore[arg-type]
    assert response["Content-Length"] == str(len(part))
    response.close()
    assert file.closed
