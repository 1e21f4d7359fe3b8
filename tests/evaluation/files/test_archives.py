from __future__ import annotations

import io
import stat
import zipfile
from dataclasses import replace

import pytest

from evaluation.files.archives import Member, is_junk, open_archive
from evaluation.files.errors import BadFile, FileProblem
from evaluation.files.limits import FileLimits

LIMITS = FileLimits()


def make_zip(*members: tuple[str | zipfile.ZipInfo, bytes], level: int = zipfile.ZIP_DEFLATED) -> io.BytesIO:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", level) as archive:
        for name, data in members:
            archive.writestr(name, data, level)
    return out


def members_of(file: io.BytesIO, limits: FileLimits = LIMITS) -> list[Member]:
    with open_archive(file, limits=limits) as archive:
        return list(archive.members())


def test_members_when_plain_then_in_order_and_readable() -> None:
    file = make_zip(
        ("b/", b""), ("b/2.png", b"two"), ("1.png", b"one"), ("__MACOSX/._1.png", b"x"), (".DS_Store", b"x")
    )
    with open_archive(file, limits=LIMITS) as archive:
        read = [(m.name, m.problem, archive.read(m.position)) for m in archive.members()]
    assert read == [("b/2.png", None, b"two"), ("1.png", None, b"one")]


@pytest.mark.parametrize(
    "name", ["../evil.png", "a/../../evil.png", "/etc/evil.png", "C:evil.png", "a\\b.png"]
)
def test_members_when_name_climbs_out_then_fault_and_never_read(name: str) -> None:
    with open_archive(make_zip((name, b"x")), limits=LIMITS) as archive:
        (member,) = archive.members()
        assert member.problem is not None and member.problem.problem is FileProblem.UNSAFE_NAME
        with pytest.raises(BadFile):
            archive.read(member.position)


def test_members_when_name_holds_nul_then_fault() -> None:
    data = make_zip(("evil.pngXjs", b"x")).getvalue().replace(b"evil.pngXjs", b"evil.png\0js")
    (member,) = members_of(io.BytesIO(data))
    assert member.problem is not None and member.problem.problem is FileProblem.UNSAFE_NAME


@pytest.mark.parametrize("kind", [stat.S_IFLNK, stat.S_IFCHR, stat.S_IFIFO])
def test_members_when_link_or_device_then_fault(kind: int) -> None:
    info = zipfile.ZipInfo("link.png")
    info.external_attr = (kind | 0o777) << 16
    (member,) = members_of(make_zip((info, b"/etc/passwd")))
    assert member.problem is not None and member.problem.problem is FileProblem.SPECIAL_FILE


def test_members_when_packed_like_a_bomb_then_fault() -> None:
    (member,) = members_of(make_zip(("zeros.png", bytes(50 * 2**20))))
    assert member.problem is not None and member.problem.problem is FileProblem.PACKED_TOO_TIGHT


def test_members_when_nested_archive_then_fault() -> None:
    (member,) = members_of(make_zip(("inner.zip", b"PK")))
    assert member.problem is not None and member.problem.problem is FileProblem.NESTED_ARCHIVE


@pytest.mark.parametrize(
    ("limits", "problem"),
    [
        (replace(LIMITS, members=2), FileProblem.TOO_MANY_MEMBERS),
        (replace(LIMITS, unpacked_bytes=250), FileProblem.UNPACKS_TOO_LARGE),
    ],
)
def test_open_archive_when_a_whole_limit_breaks_then_nothing_is_listed(
    limits: FileLimits, problem: FileProblem
) -> None:
    file = make_zip(*((f"{n}.png", bytes(100)) for n in range(3)))
    with pytest.raises(BadFile) as caught:
        members_of(file, limits)
    assert caught.value.problem is problem


def test_open_archive_when_ten_gigabytes_of_zeros_are_promised_then_refused_by_the_directory() -> None:
    data = bytearray(make_zip(("zeros.png", bytes(2**20))).getvalue())
    offset = data.index(b"PK\x01\x02") + 24  # the directory's uncompressed size
    data[offset : offset + 4] = (2**32 - 2).to_bytes(4, "little")
    with pytest.raises(BadFile) as caught:
        members_of(io.BytesIO(bytes(data)), replace(LIMITS, unpacked_bytes=2**31))
    assert caught.value.problem is FileProblem.UNPACKS_TOO_LARGE


def test_read_when_member_unpacks_to_more_than_promised_then_refused() -> None:
    data = bytearray(make_zip(("a.png", bytes(5000)), level=zipfile.ZIP_DEFLATED).getvalue())
    offset = data.index(b"PK\x01\x02") + 24
    data[offset : offset + 4] = (100).to_bytes(4, "little")
    with open_archive(io.BytesIO(bytes(data)), limits=LIMITS) as archive:
        (member,) = archive.members()
        with pytest.raises(BadFile) as caught:
            archive.read(member.position)
    assert caught.value.problem is FileProblem.DAMAGED_ARCHIVE


@pytest.mark.parametrize("cut", [30, 200, 500])
def test_open_archive_when_damaged_then_said_so(cut: int) -> None:
    data = make_zip(*((f"{n}.png", bytes(range(200))) for n in range(3))).getvalue()
    with pytest.raises(BadFile) as caught:
        members_of(io.BytesIO(data[:-cut]))
    assert caught.value.problem is FileProblem.DAMAGED_ARCHIVE


@pytest.mark.parametrize("encoding", ["gb18030", "utf-8"])
def test_members_when_chinese_names_are_not_flagged_then_read_all_the_same(encoding: str) -> None:
    raw = "信.png".encode(encoding)
    placeholder = "n" * len(raw)
    data = make_zip((placeholder, b"x")).getvalue().replace(placeholder.encode(), raw)
    (member,) = members_of(io.BytesIO(data))
    assert member.name == "信.png"


def test_is_junk_when_left_by_file_managers_then_true() -> None:
    assert [is_junk(n) for n in (".DS_Store", "a/Thumbs.db", "__MACOSX/a.png", "a/.hidden/b.png")] == [
        True
    ] * 4
    assert [is_junk(n) for n in ("a.png", "../a.png", "a/b.c/d.png", "/a.png")] == [False] * 4
