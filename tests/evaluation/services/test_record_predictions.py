"""Predictions from files: what is good is taken, what is not is named with its place and mend."""

from __future__ import annotations

import io
import json
import zipfile

import pytest
from django.core.management import CommandError, call_command

from evaluation.models import PredictionSet, SystemKind
from evaluation.services.record_predictions import NothingTaken, upload_predictions
from evaluation.upload_messages import words_for
from tests.factories import make_gold, make_gold_release, make_project

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.database]


@pytest.fixture
def release():
    return make_gold_release(make_project().team, [make_gold("abcd"), make_gold("hello"), make_gold("third")])


def upload(release, *files, system="scribe"):
    given = [(name, io.BytesIO(data if isinstance(data, bytes) else data.encode())) for name, data in files]
    return upload_predictions(
        release=release, system_name=system, by=release.created_by, files=given, kind=SystemKind.MODEL
    )


def ids(release):
    return list(release.items.order_by("position").values_list("sample_id", flat=True))


def jsonl(*records):
    return "\n".join(json.dumps(record) if isinstance(record, dict) else record for record in records)


def zipped(**members):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in members.items():
            archive.writestr(name, text)
    return out.getvalue()


def texts(answers):
    return {p.item.record["text"]: p.text for p in answers.predictions.select_related("item")}


def test_upload_of_jsonl_when_lines_are_bad_then_each_is_named_and_the_rest_is_taken(release):
    first, second, third = ids(release)
    answers = upload(
        release,
        (
            "out.jsonl",
            jsonl(
                {"id": first, "text": "abcd"},
                "{not json",
                {"text": "no id"},
                {"id": second, "text": 7},
                {"id": "nowhere", "text": "x"},
                {"id": first, "text": "again"},
                "",
                {"id": second, "text": None, "failure": "timeout"},
                {"id": third, "text": "a\0b"},
                {"id": third, "text": "x" * 200_001},
                {"id": third, "text": "\ud800"},
            ),
        ),
    )
    assert texts(answers) == {"abcd": "abcd", "hello": ""}
    assert answers.predictions.get(item__sample_id=second).failure == "timeout"
    assert [(entry["line"], entry["problem"]) for entry in answers.report] == [
        (2, "bad_line"),
        (3, "bad_line"),
        (4, "bad_line"),
        (5, "unknown_sample"),
        (6, "answered_twice"),
        (9, "unprintable"),
        (10, "too_long"),
        (11, "unprintable"),
    ]
    assert all(words_for(entry) and "%(" not in words_for(entry) for entry in answers.report)
    assert "'text' must be a string" in words_for(answers.report[2])


def test_upload_when_a_database_could_not_keep_it_then_the_text_is_taken_and_the_rest_is_named(release):
    first, second, third = ids(release)
    lines = [
        f'{{"id": "{first}", "text": "abcd", "provenance": {{"score": NaN}}}}',
        f'{{"id": "{second}", "text": "hello", "provenance": {{"a": {"[" * 400}{"]" * 400}}}}}',
        f'{{"id": "{third}", "text": "third", "provenance": {{"digits": {"9" * 5000}}}}}',
    ]
    answers = upload(release, ("odd\0name.jsonl", "\n".join(lines)))
    assert texts(answers) == {"abcd": "abcd", "hello": "hello"}
    assert answers.predictions.get(item__sample_id=first).provenance == {}
    assert [(e["file"], e["line"], e["problem"]) for e in answers.report] == [
        ("odd?name.jsonl", 3, "bad_line")
    ]
    assert "thousands of digits" in words_for(answers.report[0])


def test_upload_of_markdown_when_named_like_the_images_then_each_finds_its_sample(release):
    stems = [name.removesuffix(".png") for name in release.items.values_list("file_name", flat=True)]
    answers = upload(
        release,
        (f"out/{stems[0]}.md", "abcd\n"),
        (f"out/{stems[1]}.md", b"\xef\xbb\xbfhello"),
        ("out/readme.md", "what is this"),
        ("out/image.png", "x"),
        (f"out/{stems[2]}.md", b"\xff\xfe"),
        ("out/.DS_Store", "x"),
    )
    assert texts(answers) == {"abcd": "abcd\n", "hello": "hello"}
    assert [(entry["file"], entry["problem"]) for entry in answers.report] == [
        ("out/readme.md", "unknown_sample"),
        ("out/image.png", "not_predictions"),
        (f"out/{stems[2]}.md", "not_utf8"),
    ]


def test_upload_of_a_zip_when_a_member_is_unsafe_then_the_others_are_taken(release):
    stem = release.items.first().file_name.removesuffix(".png")
    data = zipped(
        **{
            f"a/{stem}.md": "abcd",
            "../evil.md": "x",
            "more.jsonl": jsonl({"id": ids(release)[1], "text": "h"}),
        }
    )
    answers = upload(release, ("all.zip", data))
    assert texts(answers) == {"abcd": "abcd", "hello": "h"}
    assert [(entry["file"], entry["problem"]) for entry in answers.report] == [
        ("all.zip/../evil.md", "unsafe_name")
    ]
    assert "points outside" in words_for(answers.report[0])


def test_upload_of_a_zip_when_it_unpacks_too_large_then_nothing_is_unpacked(release, settings):
    settings.IMPORT_LIMITS = settings.IMPORT_LIMITS | {"unpacked_bytes": 1000}
    with pytest.raises(NothingTaken) as refusal:
        upload(release, ("bomb.zip", zipped(**{"a.md": "x" * 2000})))
    assert refusal.value.report[0]["problem"] == "unpacks_too_large"
    assert "1000" in words_for(refusal.value.report[0]) or "bytes" in words_for(refusal.value.report[0])


def test_upload_when_nothing_fits_then_no_system_and_no_set_is_made(release):
    with pytest.raises(NothingTaken):
        upload(release, ("a.jsonl", jsonl({"id": "x", "text": "y"})))
    assert not PredictionSet.objects.exists() and not release.team.systems.exists()


def test_score_command_then_the_table_is_printed_and_nothing_is_kept(release, tmp_path, capsys):
    path = tmp_path / "out.jsonl"
    path.write_text(jsonl({"id": ids(release)[0], "text": "abxd"}), encoding="utf-8")
    call_command("score", f"{release.team.slug}/1", str(path))
    out = capsys.readouterr().out
    assert "75.00" in out and "edit" in out  # (0.25 + 1 + 1) / 3
    assert "3 samples: 1 answered, 0 failed, 2 missing" in out
    assert not PredictionSet.objects.exists()


def test_score_command_when_a_folder_is_given_then_its_files_are_read(release, tmp_path, capsys):
    for item in release.items.all():
        (tmp_path / item.file_name).with_suffix(".md").write_text(item.record["text"], encoding="utf-8")
    call_command("score", str(release.pk), str(tmp_path), bundle="omnihandwritingocr")
    assert "3 samples: 3 answered" in capsys.readouterr().out


def test_score_command_when_input_is_bad_then_line_and_field_are_named(release, tmp_path):
    path = tmp_path / "out.jsonl"
    path.write_text(jsonl({"id": ids(release)[0], "text": 3}, {"id": "x", "text": ""}), encoding="utf-8")
    with pytest.raises(CommandError) as message:
        call_command("score", f"{release.team.slug}/1", str(path))
    assert "line 1" in str(message.value) and "'text'" in str(message.value)
    assert "line 2: field 'id'" in str(message.value)
    with pytest.raises(CommandError, match="no release"):
        call_command("score", "letters/9", str(path))
    with pytest.raises(CommandError, match="nothing at"):
        call_command("score", f"{release.team.slug}/1", str(tmp_path / "gone"))
