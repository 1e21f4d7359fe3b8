"""TODO"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping
from typing import Any

import pytest
from django.core.files.base import ContentFile
from PIL import Image

from annotation.models import DuplicatePair, Event, ImportFile, ImportRun, Sample, Work
from annotation.models.sample import ImportOutcome
from annotation.services.create_import import BadDefaults, RunStarted, open_import, receive_file, start_import
from annotation.stages import Intake, Stage, Status
from config.blobs import drop_blob, read_blob
from config.jobs.models import JobState
from config.jobs.services import claim_job, request_cancel, run_claimed, run_waiting
from evaluation.import_messages import explain
from tests.annotation.images.images import draw_page, encode
from tests.annotation.imports import do_import, fill, page
from tests.factories import make_project

pytestmark = [pytest.mark.django_db, pytest.mark.database]


def make_zip(files: Mapping[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return out.getvalue()


def outcomes(run: ImportRun) -> dict[str, tuple[str, str]]:
    return {f.name: (f.outcome, f.problem) for f in run.files.all()}


def lines(*entries: dict[str, Any]) -> str:
    return "\n".join(json.dumps(entry, ensure_ascii=False) for entry in entries)


def test_import_when_page_comes_in_then_sample_has_three_forms_and_waits_for_suggestions() -> None:
    project = make_project(file_prefix="hardhand")
    project.recognisers.create(slot=1, kind="embedded", label="One", engine="none-such")
    exif = Image.Exif()
    exif[0x010F] = "SecretCam"
    data = page(1, "JPEG", exif=exif)
    run = do_import(project, {"letters/scan 1.jpg": data})
    sample = Sample.objects.get(project=project)
    assert run.state == JobState.DONE
    assert read_blob(sample.original_blob) == data
    full, released = read_blob(sample.full_blob), read_blob(sample.released_blob)
    assert b"SecretCam" not in full + released
    assert Image.open(io.BytesIO(full)).size == (sample.full_width, sample.full_height) == (300, 240)
    assert len(released) == sample.released_bytes <= 1_000_000
    assert (
        sample.released_name.startswith("hardhand_")
        and len(sample.released_name) == len("hardhand_.png") + 32
    )
    assert sample.image_steps[-1]["step"] == "png"
    assert (sample.number, sample.intake, sample.original_name) == (1, Intake.READY, "letters/scan 1.jpg")
    work = Work.objects.get(sample=sample)
    assert (work.stage, work.status) == (Stage.PREANNOTATE, Status.OPEN)
    assert sample.suggestion_requests.count() == 1
    assert Event.objects.get(sample=sample).verb == "imported"


def test_import_when_some_files_are_bad_then_the_rest_comes_in_and_each_says_why() -> None:
    project = make_project()
    run = do_import(
        project,
        {
            "good.png": page(1),
            "empty.png": b"",
            "drawing.png": b"<svg xmlns='http://www.w3.org/2000/svg'/>",
            "cut.jpg": page(2, "JPEG")[:2000],
            "really-a-jpeg.png": page(3, "JPEG"),
            ".DS_Store": b"junk",
            "last.webp": page(4, "WEBP"),
        },
    )
    assert outcomes(run) == {
        "good.png": ("imported", ""),
        "empty.png": ("failed", "empty"),
        "drawing.png": ("failed", "svg"),
        "cut.jpg": ("failed", "damaged"),
        "really-a-jpeg.png": ("imported", "wrong_extension"),
        "last.webp": ("imported", ""),
    }
    assert Sample.objects.filter(project=project).count() == 3
    for file in run.files.exclude(problem=""):
        words = explain(file.problem, file.facts)
        assert words.title and words.message and words.mend and "?" not in words.message


def test_import_when_file_has_pages_then_each_is_a_sample_in_order() -> None:
    project = make_project()
    pages = [draw_page(seed, size=(300, 240)) for seed in range(3)]
    tiff = encode(pages[0], "TIFF", save_all=True, append_images=pages[1:])
    pdf = encode(pages[0], "PDF", save_all=True, append_images=pages[1:])
    do_import(project, {"a.tif": tiff, "b.pdf": pdf})
    rows = Sample.objects.filter(project=project).values_list("number", "original_name", "page_number")
    assert list(rows) == [
        (1, "a.tif", 1),
        (2, "a.tif", 2),
        (3, "a.tif", 3),
        (4, "b.pdf", 1),
        (5, "b.pdf", 2),
        (6, "b.pdf", 3),
    ]


def test_import_when_zip_then_members_are_files_of_their_own() -> None:
    project = make_project()
    archive = make_zip(
        {
            "b/1.png": page(1),
            "../evil.png": page(2),
            "notes.txt": b"hello",
            "b/2.png": page(3),
            "inner.zip": make_zip({"x.png": page(4)}),
        }
    )
    run = do_import(project, {"box.zip": archive})
    assert outcomes(run) == {
        "box.zip": ("read", ""),
        "box.zip/b/1.png": ("imported", ""),
        "box.zip/../evil.png": ("failed", "unsafe_name"),
        "box.zip/notes.txt": ("failed", "not_an_image"),
        "box.zip/b/2.png": ("imported", ""),
        "box.zip/inner.zip": ("failed", "nested_archive"),
    }
    assert [read_blob(s.original_blob) for s in Sample.objects.filter(project=project)] == [page(1), page(3)]
    assert (run.progress_done, run.progress_total) == (5, 5)


def test_import_when_a_name_comes_twice_then_neither_is_lost() -> None:
    project = make_project()
    run = do_import(project, {"scan.png": page(1), "/scan.png": page(2), "\\scan.png": page(3)})
    assert sorted(outcomes(run)) == ["scan (2).png", "scan (3).png", "scan.png"]
    assert Sample.objects.filter(project=project).count() == 3


def test_import_when_name_is_hostile_then_it_is_kept_in_a_form_that_can_be_shown() -> None:
    project = make_project()
    run = do_import(project, {"a\0b\n\x1b[31m" + "x" * 600 + ".png": page(1)})
    (file,) = run.files.all()
    assert file.outcome == ImportOutcome.IMPORTED
    assert len(file.name) == 500 and file.name.isprintable() and file.name.endswith(".png")


def test_import_when_manifest_names_fields_then_sample_has_them() -> None:
    project = make_project()
    fields = {
        "language": "zh_hans",
        "scenario": "letters_notes",
        "structure": "formula",
        "source": "internet",
        "source_url": "https://example.org/scan",
        "discussion_links": ["https://example.org/talk"],
        "licence": "CC BY 4.0",
        "consent": "by letter, 2024",
        "transcript": "如是\u2028我聞",
        "problem": "x + 1 = 2",
        "reference_answer": "x = 1",
        "subtask": "ml-easy",
        "writer_id": "w-7",
        "split": "test",
        "group": "box 3",
        "perturbation": "sign flipped",
    }
    manifest = json.dumps({"file": "a.png", **fields}, ensure_ascii=False)
    do_import(project, {"a.png": page(1)}, manifest=manifest, defaults={})
    sample = Sample.objects.get(project=project)
    assert {name: getattr(sample, name) for name in fields} == fields | {"language": "zh-Hans"}


def test_import_when_manifest_names_a_page_then_it_wins_over_the_file() -> None:
    project = make_project()
    image = draw_page(1, size=(300, 240))
    tiff = encode(image, "TIFF", save_all=True, append_images=[draw_page(2, size=(300, 240))])
    manifest = lines({"file": "a.tif", "writer_id": "w1"}, {"file": "a.tif", "page": 2, "writer_id": "w2"})
    do_import(project, {"a.tif": tiff}, manifest=manifest)
    assert list(Sample.objects.filter(project=project).values_list("writer_id", flat=True)) == ["w1", "w2"]


def test_import_when_manifest_comes_inside_a_zip_or_folder_then_it_names_files_beside_it() -> None:
    project = make_project()
    manifest = lines({"file": "1.png", "writer_id": "w1"}).encode()
    archive = make_zip({"in/1.png": page(1), "in/manifest.jsonl": manifest})
    run = do_import(project, {"box.zip": archive, "out/1.png": page(2), "out/manifest.jsonl": manifest})
    assert list(Sample.objects.filter(project=project).values_list("writer_id", flat=True)) == ["w1", "w1"]
    assert outcomes(run)["out/manifest.jsonl"] == outcomes(run)["box.zip/in/manifest.jsonl"] == ("read", "")


def test_import_when_manifest_lines_are_bad_then_only_their_files_stay_out() -> None:
    project = make_project()
    manifest = lines(
        {"file": "a.png", "language": "tlh"},
        {"file": "b.png", "writer": "w1"},
        {"file": "c.png", "discussion_links": ["javascript:alert(1)"]},
        {"file": "d.png", "writer_id": "w1"},
        {"file": "e.png", "writer_id": "w1"},
    )
    run = do_import(project, {f"{n}.png": page(i) for i, n in enumerate("abcd")}, manifest=manifest)
    shown = {f.name: explain(f.problem, f.facts).message for f in run.files.exclude(problem="")}
    assert shown == {
        "a.png": "Manifest line 1, field 'language': must be one of zh-Hans, en, zh-Hant, zh-en-mix",
        "b.png": shown["b.png"],
        "c.png": "Manifest line 3, field 'discussion_links': must be a list of links "
        "starting with http:// or https://",
        "e.png": "Manifest line 5 lists this file, but no such file was imported.",
    }
    assert shown["b.png"].startswith(
        "Manifest line 2, field 'writer': unknown field; the fields are file, page"
    )
    assert Sample.objects.get(project=project).original_name == "d.png"


def test_import_when_a_page_is_named_on_two_lines_then_it_stays_out_and_both_are_reported() -> None:
    project = make_project()
    manifest = lines(
        {"file": "a.png", "writer_id": "w1"},
        {"file": "b.png", "writer_id": "w1"},
        {"file": "./a.png", "writer_id": "w2"},
        {"file": "b.png", "page": 1, "writer_id": "w2"},
    )
    run = do_import(project, {"a.png": page(1), "b.png": page(2)}, manifest=manifest)
    shown = run.files.get(name="a.png")
    assert shown.outcome == "failed"
    assert explain(shown.problem, shown.facts).message == (
        "Manifest line 1, field 'file': the same page is listed on lines 1, 3; keep one of them"
    )
    sample = Sample.objects.get(project=project)
    assert (sample.original_name, sample.writer_id) == ("b.png", "w2")


def test_import_when_two_manifests_name_one_page_then_it_stays_out_and_both_are_reported() -> None:
    project = make_project()
    run = do_import(
        project,
        {
            "manifest.jsonl": lines({"file": "box/a.png", "writer_id": "w1"}).encode(),
            "box/manifest.jsonl": lines({"file": "b.png"}, {"file": "a.png", "writer_id": "w2"}).encode(),
            "box/a.png": page(1),
            "box/b.png": page(2),
        },
    )
    shown = run.files.get(name="box/a.png")
    message = explain(shown.problem, shown.facts).message
    assert "1 (manifest.jsonl), 2 (box/manifest.jsonl)" in message
    assert Sample.objects.get(project=project).original_name == "box/b.png"


def test_import_when_a_manifest_in_the_archive_and_one_beside_it_name_one_page_then_both_are_reported() -> (
    None
):
    project = make_project()
    inside = lines({"file": "1.png", "writer_id": "w1"}).encode()
    archive = make_zip({"in/1.png": page(1), "in/manifest.jsonl": inside})
    run = do_import(project, {"box.zip": archive}, manifest=lines({"file": "in/1.png", "writer_id": "w2"}))
    shown = run.files.get(name="box.zip/in/1.png")
    assert "1 (box.zip/in/manifest.jsonl), 1;" in explain(shown.problem, shown.facts).message
    assert not Sample.objects.filter(project=project).exists()


@pytest.mark.parametrize(
    ("line", "field"),
    [
        ('{"file": "a.png", "writer_id": "w1", "writer_id": "w2"}', "writer_id"),
        ('{"file": "a.png", "license": "CC0", "licence": "CC BY"}', "license"),
        ('{"file": "a.png", "file_name": "b.png"}', "file_name"),
        (
            '{"file": "a.png", "structure": "formula", "verification": "unverified", "regions":'
            ' [{"polygon": [[1, 1], [9, 1], [5, 9]], "latex": "x", "latex": "y"}]}',
            "latex",
        ),
    ],
)
def test_import_when_a_line_gives_a_field_twice_then_the_page_stays_out_and_the_field_is_reported(
    line: str, field: str
) -> None:
    run = do_import(make_project(), {"a.png": page(1)}, manifest=line)
    shown = run.files.get(name="a.png")
    assert shown.outcome == "failed"
    assert explain(shown.problem, shown.facts).message == (
        f"Manifest line 1, field '{field}': the field is given twice, perhaps under another name; keep one"
    )


def test_import_when_a_line_gives_a_field_by_both_names_alike_then_nothing_is_lost_and_the_page_comes_in() -> (
    None
):
    project = make_project()
    do_import(project, {"a.png": page(1)}, manifest='{"file": "a.png", "license": "CC0", "licence": "CC0"}')
    assert Sample.objects.get(project=project).licence == "CC0"


def test_import_when_lines_name_no_file_then_the_manifests_own_row_tells_every_line() -> None:
    odd = b'not json\n{"file": "a.png"}\n{"writer_id": "w1"}\n'
    run = do_import(make_project(), {"manifest.jsonl": odd, "a.png": page(1)})
    shown = run.files.get(name="manifest.jsonl")
    assert shown.outcome == "partly"
    assert explain(shown.problem, shown.facts).message.startswith(
        "Manifest line 1, 3, field 'file': no file is given"
    )


def test_import_when_nothing_says_the_language_then_file_waits_for_it() -> None:
    run = do_import(make_project(), {"a.png": page(1)}, defaults={})
    assert outcomes(run) == {"a.png": ("failed", "no_language")}


def test_open_import_when_default_is_not_the_projects_then_refused() -> None:
    project = make_project()
    with pytest.raises(BadDefaults) as caught:
        open_import(project=project, by=project.created_by, origin="browser", defaults={"scenario": "moon"})
    assert caught.value.faults[0]["field"] == "scenario"
    assert not ImportRun.objects.exists()


def test_receive_file_when_run_has_started_then_refused() -> None:
    run = do_import(make_project(), {"a.png": page(1)})
    with pytest.raises(RunStarted):
        receive_file(run=run, name="b.png", file=ContentFile(page(2)))


def test_run_waiting_when_files_are_still_coming_then_the_run_is_not_started() -> None:
    run = fill(make_project(), {"a.png": page(1)})
    assert run_waiting() == 0
    start_import(run=run)
    assert run_waiting() == 1
    run.refresh_from_db()
    assert run.state == JobState.DONE


def test_import_when_the_same_folder_comes_again_then_it_is_already_here() -> None:
    project = make_project()
    do_import(project, {"a.png": page(1), "b.png": page(2)})
    again = do_import(project, {"a.png": page(1), "b.png": page(2), "c.png": page(3)})
    assert outcomes(again) == {"a.png": ("already", ""), "b.png": ("already", ""), "c.png": ("imported", "")}
    assert Sample.objects.filter(project=project).count() == 3
    assert not DuplicatePair.objects.exists()


def test_import_when_cancelled_then_what_came_in_stays_and_goes_on() -> None:
    project = make_project()
    run = fill(project, {f"{n}.png": page(n) for n in range(4)})
    ImportRun.objects.filter(pk=run.pk).update(is_receiving=False)
    claim = claim_job(ImportRun, run.pk)
    assert claim is not None

    def cancel_at_two(done: int | None, total: int | None) -> None:
        if done == 2:
            request_cancel(run)

    object.__setattr__(claim, "on_progress", cancel_at_two)
    run_claimed(claim)
    run.refresh_from_db()
    assert run.state == JobState.CANCELLED
    samples = Sample.objects.filter(project=project)
    assert samples.count() == 2
    assert set(Work.objects.filter(sample__in=samples).values_list("stage", flat=True)) == {Stage.LABEL}


def test_import_when_bytes_are_gone_then_the_file_says_so() -> None:
    project = make_project()
    run = fill(project, {"a.png": page(1), "b.png": page(2)})
    drop_blob(ImportFile.objects.get(run=run, name="a.png").blob)
    start_import(run=run)
    run_waiting()
    assert outcomes(run) == {"a.png": ("failed", "missing_bytes"), "b.png": ("imported", "")}


def test_import_when_a_manifest_says_what_no_database_keeps_then_only_that_file_stays_out() -> None:
    project = make_project()
    odd = [
        r'{"file": "a.png", "transcript": "half a pair \ud800"}',
        r'{"file": "b.png", "discussion_links": ["https://example.org/\udfff"]}',
        r'{"file": "c.png", "\ud800": "x"}',
        r'{"file": "half \ud800.png"}',
        '{"file": "e.png", "page": ' + "9" * 5000 + "}",
    ]
    run = do_import(project, {f"{n}.png": page(i) for i, n in enumerate("abcd")}, manifest="\n".join(odd))
    assert run.state == "done", run.error
    shown = {name.split("/")[-1]: outcome for name, (outcome, _problem) in outcomes(run).items()}
    assert (shown["a.png"], shown["b.png"], shown["c.png"], shown["d.png"]) == (
        "failed",
        "failed",
        "failed",
        "imported",
    )
