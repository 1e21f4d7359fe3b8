"""Exports: the same bytes each time, ours read back byte for byte, theirs as their evaluator reads it."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile

import pytest
from django.core.management import CommandError, call_command

from config.blobs import drop_blob, has_blob, open_blob, read_blob
from config.jobs.models import JobState
from config.jobs.services import JobLeaseLost, claim_job, run_waiting
from evaluation.exports.omnidocbench import page_of
from evaluation.imports.release import BadExport
from evaluation.metrics import edit
from evaluation.metrics.matching import BlockKind, match_page
from evaluation.metrics.matching.blocks import GoldBlock
from evaluation.models import ExportFormat, ExportRun, Release
from evaluation.records import to_line
from evaluation.selectors.release_integrity import check_release
from evaluation.services import export_release
from evaluation.services.export_release import delete_export, request_export, run_export
from evaluation.services.reimport_release import AlreadyHere, reimport_release
from tests.factories import make_gold, make_gold_release, make_project

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.database]

TRICKY = [
    "cafe\u0301 café ſ ů uͤ １２３ ①",
    "你好，世界\n\n「引號」\u3000全形\n繁體與简体",
    "\u202eright to left\u202c שלום مرحبا",
    "emoji 👩‍👩‍👧‍👦 𠮷 \u2028line\u2029paragraph\u0085next",
    'quotes " \\ / \\u0041 <b>&amp;</b> \t tab',
    "a\r\nb\rc\n\n\n  trailing  \n",
    "| a | b |\n|---|---|\n| 1 | $x^2$ |",
    "\ufeffbom \u00a0nbsp \u200bzero\u00adsoft",
    "",
]


@pytest.fixture
def release():
    records = [
        make_gold(text, extra={"writer_id": "w1", "note": {"deep": ["ſ", 1, None]}}) for text in TRICKY
    ]
    return make_gold_release(make_project().team, records, title="Briefe ſ", notes="Erste\nAusgabe")


def export(release, format=ExportFormat.INKBENCH):
    run = request_export(release=release, format=format, by=release.created_by)
    run_waiting()
    run.refresh_from_db()
    assert run.state == JobState.DONE, run.error
    return run


def changed(data, name, change):
    """The archive with one member changed."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w") as new:
        for info in old.infolist():
            content = old.read(info)
            new.writestr(info, change(content) if info.filename == name else content)
    return io.BytesIO(out.getvalue())


def test_export_then_reimport_gives_every_record_and_image_byte_for_byte(release):
    run = export(release)
    for item in release.items.all():
        drop_blob(item.image_blob)
    other = make_project().team
    again = reimport_release(team=other, by=other.memberships.get().user, file=open_blob(run.checksum))
    assert again.checksum == release.checksum
    before, after = (
        [to_line(item.gold).encode() for item in version.items.order_by("position")]
        for version in (release, again)
    )
    assert before == after
    assert [item.record["text"] for item in again.items.all()] == TRICKY
    assert check_release(again).is_whole
    assert (again.title, again.notes) == ("Briefe ſ", "Erste\nAusgabe")
    assert list(again.items.values_list("pixel_hash")) == list(release.items.values_list("pixel_hash"))


def test_export_when_done_twice_then_the_bytes_are_equal(release):
    for format in ExportFormat:
        first, second = export(release, format), export(release, format)
        assert first.checksum == second.checksum and first.size == second.size
        assert hashlib.sha256(read_blob(first.checksum)).hexdigest() == first.checksum
        with zipfile.ZipFile(open_blob(first.checksum)) as archive:
            assert archive.testzip() is None
            assert sum(name.startswith("images/") for name in archive.namelist()) == len(TRICKY)


def test_export_when_the_worker_died_then_the_next_one_makes_the_same(release):
    whole = export(release)
    run = ExportRun.objects.create(release=release, format="inkbench", created_by=release.created_by)
    claim_job(ExportRun, run.pk)  # takes it and dies
    ExportRun.objects.filter(pk=run.pk).update(lease_until="2020-01-01T00:00Z")
    run_waiting()
    run.refresh_from_db()
    assert (run.state, run.checksum, run.attempts) == (JobState.DONE, whole.checksum, 2)


def test_export_when_a_worker_lost_its_lease_then_it_writes_nothing(release):
    run = ExportRun.objects.create(release=release, format="inkbench", created_by=release.created_by)
    claim = claim_job(ExportRun, run.pk)
    ExportRun.objects.filter(pk=run.pk).update(worker="another")
    with pytest.raises(JobLeaseLost):
        run_export(run, claim=claim)
    run.refresh_from_db()
    assert run.checksum == ""


def test_export_when_a_image_is_lost_then_it_fails_naming_it(release):
    item = release.items.first()
    drop_blob(item.image_blob)
    run = request_export(release=release, format=ExportFormat.INKBENCH, by=release.created_by)
    run_waiting()
    run.refresh_from_db()
    assert run.state == JobState.FAILED and item.file_name in run.error


def test_delete_export_when_another_has_the_same_bytes_then_they_stay(release):
    first, second = export(release), export(release)
    delete_export(first)
    assert has_blob(second.checksum)
    delete_export(second)
    assert not has_blob(second.checksum)


def test_delete_export_when_an_equal_one_is_just_ending_then_its_bytes_are_there(release, monkeypatch):
    first = export(release)
    stored = export_release.put_file

    def remove_the_first_meanwhile(file):
        checksum = stored(file)
        if ExportRun.objects.filter(pk=first.pk).exists():
            delete_export(ExportRun.objects.get(pk=first.pk))
        return checksum

    monkeypatch.setattr(export_release, "put_file", remove_the_first_meanwhile)
    second = export(release)
    assert second.checksum and has_blob(second.checksum)


def test_export_then_no_name_of_a_person_is_in_it(release):
    run = export(release)
    assert release.created_by.username.encode() not in read_blob(run.checksum)


@pytest.mark.parametrize(
    ("member", "change", "message"),
    [
        (
            "gold.jsonl",
            lambda data: data.replace("你好".encode(), "你们".encode()),
            "gold.jsonl, line 2: record",
        ),
        ("gold.jsonl", lambda data: data[:-5], "cut off"),
        ("gold.jsonl", lambda data: data.split(b"\n", 1)[1], "gold.jsonl, line 1: record"),
        ("manifest.json", lambda data: data.replace(b'"count": 9', b'"count": 8'), "the manifest states 8"),
        ("manifest.json", lambda data: b"[]", "not an InkBench manifest"),
        ("manifest.json", lambda data: data.replace(b'"checksum": "', b'"checksum": "0'), "checksum"),
    ],
)
def test_reimport_when_something_was_changed_then_refused_and_nothing_is_kept(
    release, member, change, message
):
    data = read_blob(export(release).checksum)
    team = make_project().team
    with pytest.raises(BadExport, match=message):
        reimport_release(team=team, by=team.memberships.get().user, file=changed(data, member, change))
    assert not Release.objects.filter(team=team).exists()


def test_reimport_when_a_image_was_changed_then_its_record_is_named(release):
    item = release.items.all()[3]
    data = read_blob(export(release).checksum)
    team = make_project().team
    file = changed(data, f"images/{item.file_name}", lambda png: png[:-1] + b"x")
    with pytest.raises(BadExport, match=item.sample_id):
        reimport_release(team=team, by=team.memberships.get().user, file=file)


def forged(data, fields):
    """An archive whose first record has these fields (given as JSON), with checksums that agree."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    first, *others = members["gold.jsonl"].removesuffix(b"\n").split(b"\n")
    record = json.loads(first) | json.loads(fields)
    text = json.dumps(record, ensure_ascii="ud800" in fields, sort_keys=True, separators=(",", ":"))
    lines = [text.encode() + b"\n", *(line + b"\n" for line in others)]
    gold = b"".join(lines)
    sums = "".join(f"{hashlib.sha256(line).hexdigest()}  {json.loads(line)['id']}\n" for line in lines)
    manifest = json.loads(members["manifest.json"]) | {"checksum": hashlib.sha256(gold).hexdigest()}
    members |= {
        "gold.jsonl": gold,
        "gold.sha256": sums.encode(),
        "manifest.json": json.dumps(manifest).encode(),
    }
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as new:
        for name, content in members.items():
            new.writestr(name, content)
    return io.BytesIO(out.getvalue())


@pytest.mark.parametrize(
    "fields",
    [
        '{"number": "seven"}',
        '{"number": true}',
        '{"width": 1099511627776}',
        '{"guideline": null}',
        '{"image_hash": 5}',
        '{"origins": [1]}',
        '{"text": "nul \\u0000"}',
        '{"text": "half a pair \\ud800"}',
        '{"extra": {"score": NaN}}',
        '{"id": "123456789012345678901234567890123"}',
        '{"language": "a tag that nobody could ever have written"}',
    ],
)
def test_reimport_when_a_field_cannot_be_kept_then_refused_naming_the_line(release, fields):
    data = read_blob(export(release).checksum)
    team = make_project().team
    with pytest.raises(BadExport, match="line 1"):
        reimport_release(team=team, by=team.memberships.get().user, file=forged(data, fields))
    assert not Release.objects.filter(team=team).exists()


@pytest.mark.parametrize("fields", [{"title": "x" * 201}, {"title": 7}, {"notes": "\0"}, {"settings": [1]}])
def test_reimport_when_the_manifest_says_what_cannot_be_kept_then_refused(release, fields):
    data = read_blob(export(release).checksum)
    team = make_project().team
    file = changed(data, "manifest.json", lambda old: json.dumps(json.loads(old) | fields).encode())
    with pytest.raises(BadExport, match=r"manifest.json: title, notes or settings"):
        reimport_release(team=team, by=team.memberships.get().user, file=file)


def test_reimport_when_it_is_no_zip_then_refused(release):
    with pytest.raises(BadExport, match="cannot be read"):
        reimport_release(team=release.team, by=release.created_by, file=io.BytesIO(b"no zip"))


def test_reimport_when_the_team_has_these_records_then_reported_which_release(release):
    run = export(release)
    with pytest.raises(AlreadyHere) as message:
        reimport_release(team=release.team, by=release.created_by, file=open_blob(run.checksum))
    assert message.value.release == release


def test_import_release_command_then_the_checksum_is_printed_and_faults_are_named(release, tmp_path, capsys):
    path = tmp_path / "release.zip"
    path.write_bytes(read_blob(export(release).checksum))
    team = make_project().team
    call_command("import_release", team.slug, str(path))
    assert release.checksum in capsys.readouterr().out
    with pytest.raises(CommandError, match="already"):
        call_command("import_release", team.slug, str(path))
    with pytest.raises(CommandError, match="no team"):
        call_command("import_release", "nowhere", str(path))


def test_omnidocbench_then_pages_have_the_fields_their_evaluator_reads(release):
    with zipfile.ZipFile(open_blob(export(release, ExportFormat.OMNIDOCBENCH).checksum)) as archive:
        pages = json.loads(archive.read("OmniDocBench.json"))
        names = set(archive.namelist())
    assert len(pages) == len(TRICKY)
    for page in pages:
        info = page["page_info"]
        assert f"images/{info['image_path']}" in names
        assert (info["page_no"], info["width"], info["height"]) == (0, 240, 160)
        assert page["extra"] == {"relation": []}
        for order, element in enumerate(page["layout_dets"]):
            assert element["order"] == element["anno_id"] == order and element["ignore"] is False
            assert element["poly"] == [0, 0, 240, 0, 240, 160, 0, 160]
            assert ("text" in element) == (element["category_type"] in ("text_block", "title"))


def test_omnidocbench_page_when_text_has_parts_then_one_element_each(db):
    text = "# Title\n\nfirst line\nsecond line\n\n\n$$\nx^2\n$$\n\n<table><tr><td>1</td></tr></table>\n\nend"
    kinds = [
        (element["category_type"], element.get("text") or element.get("latex") or element.get("html"))
        for element in page_of(make_gold(text))["layout_dets"]
    ]
    assert kinds == [
        ("title", "Title"),
        ("text_block", "first line\nsecond line"),
        ("equation_isolated", "$$\nx^2\n$$"),
        ("table", "<table><tr><td>1</td></tr></table>"),
        ("text_block", "end"),
    ]


def test_omnidocbench_page_when_the_sample_is_a_formula_or_a_table_then_delimiters_and_html(db):
    formula = page_of(make_gold("x^2", structure="formula"))["layout_dets"][0]
    assert (formula["category_type"], formula["latex"]) == ("equation_isolated", "$$x^2$$")
    table = page_of(make_gold("<table></table>", structure="table"))["layout_dets"][0]
    assert (table["category_type"], table["html"]) == ("table", "<table></table>")


def test_omnidocbench_page_when_read_by_the_rules_of_its_evaluator_then_the_gold_scores_without_an_error(db):
    text = "Dear Jane,\nthank you\n\nYours,\nTom\n\n$$\nx^2\n$$\n\n你好，\n世界"
    elements = page_of(make_gold(text))["layout_dets"]
    kinds = {"text_block": BlockKind.TEXT, "equation_isolated": BlockKind.FORMULA}
    gold = [
        GoldBlock(
            str(element["anno_id"]), kinds[element["category_type"]], element.get("text") or element["latex"]
        )
        for element in elements
    ]
    pairs = match_page(text, gold).pairs(BlockKind.TEXT)
    assert len(pairs) == 3
    assert [edit(*pair, preset="omnidocbench-1.6").value for pair in pairs] == [0, 0, 0]
    spoilt = match_page(text.replace("Tom", "Tim"), gold).pairs(BlockKind.TEXT)
    assert sum(edit(*pair, preset="omnidocbench-1.6").value for pair in spoilt) > 0
