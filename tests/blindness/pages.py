"""Pages come in: by import, one with its ground truth, some read by a recogniser, one redacted."""

from __future__ import annotations

import io
import json
import random

from django.core.files.base import ContentFile
from django.test import override_settings
from PIL import Image

from annotation.models import ImportRun, Sample, Suggestion
from annotation.models.project import RecogniserKind
from annotation.services.configure_project import set_recogniser
from annotation.services.create_import import open_import, receive_file, start_import
from annotation.services.request_screening import rescreen_sample
from annotation.services.screen_page import claim_screening, finish_screening
from annotation.stages import Stage
from config.jobs.services import claim_job, run_claimed, run_waiting
from tests.blindness.labels import FIRST, SECOND
from tests.blindness.world import World
from tests.openai_server import OpenAIServer, Request, Step, answer, error

PAGES = 19
BROUGHT = "brought"  # the state of the page that came with its ground truth


def add_pages(world: World) -> None:
    """Import the pages, let two recognisers read them, one of them in vain, and keep one page unread."""

    def read(request: Request) -> Step:
        text = f"{world.plant('suggestion')}\nfaint"
        return answer(text, model=world.plant("suggestion provenance"))

    def fail(request: Request) -> Step:
        return error(400, world.plant("failure message"))

    with OpenAIServer(read) as good, OpenAIServer(fail) as bad:
        _recognisers(world, good.base_url, bad.base_url)
        allowed = [f"127.0.0.1:{server.port}" for server in (good, bad)]
        with override_settings(MODEL_ENDPOINT_ALLOWLIST=allowed, IMPORT_PROCESSES=1):
            _import(world, count=PAGES, first=0, brings_gold=True)
            run_waiting()
            _redact_one(world)
            run_waiting()  # the page that was redacted is read anew
            claim = claim_job(ImportRun, _import(world, count=1, first=PAGES).pk)
            assert claim is not None
            run_claimed(claim)
    for answered in Suggestion.objects.select_related("request__sample"):
        text = f"{answered.text} {answered.message} {json.dumps(answered.provenance)}"
        for token in world.canaries.find(text):
            if world.canaries.planted[token].kind != "recogniser":
                world.canaries.move(token, file_of(answered.request.sample))


def _recognisers(world: World, good: str, bad: str) -> None:
    for slot, address in ((1, good), (2, bad)):
        set_recogniser(
            project=world.project,
            slot=slot,
            kind=RecogniserKind.ENDPOINT,
            label=f"Reader {slot}",
            base_url=address,
            model=world.plant("recogniser"),
            prompt=world.plant("recogniser"),
            prompt_version="1",
            parameters={"user": world.plant("recogniser")},
            timeout_seconds=5,
        )


def file_of(sample: Sample) -> str:
    """A sample's owner name while nobody knows which state it will be in."""
    return f"file {sample.original_name}"


def _import(world: World, *, count: int, first: int, brings_gold: bool = False) -> ImportRun:
    """Start an import of `count` pages, one of them twice, and one broken file; `brings_gold`: a labelled page too."""
    run = open_import(project=world.project, by=world.people["manager"], origin="browser")
    lines = []
    for index in range(first, first + count):
        name = f"{world.plant('file name')}.jpg"
        world.canaries.move(name.removesuffix(".jpg"), f"file {name}")
        lines.append(json.dumps({"file": name, **_facts(world, f"file {name}")}))
        receive_file(
            run=run, name=name, file=ContentFile(_scan(index, world.plant("metadata", f"file {name}")))
        )
    if brings_gold:
        name = f"{world.plant('file name', BROUGHT)}.jpg"
        lines.append(json.dumps({"file": name, **_facts(world, BROUGHT), **_gold(world)}))
        receive_file(run=run, name=name, file=ContentFile(_scan(PAGES + 7, world.plant("metadata", BROUGHT))))
    twin = f"{world.plant('file name', 'twin')}.jpg"
    lines.append(json.dumps({"file": twin, "language": "en"}))
    receive_file(run=run, name=twin, file=ContentFile(_scan(first, world.plant("metadata", "twin"))))
    broken = f"{world.plant('file name', 'broken')}.png"
    receive_file(run=run, name=broken, file=ContentFile(b"not an image"))
    receive_file(run=run, name="manifest.jsonl", file=ContentFile("\n".join(lines).encode()))
    start_import(run=run)
    return run


def _facts(world: World, owner: str) -> dict[str, object]:
    texts = (
        "problem",
        "reference_answer",
        "perturbation",
        "writer_id",
        "split",
        "group",
        "consent",
        "subtask",
    )
    return {
        "language": "en",
        "scenario": "letters_notes",
        "transcript": world.plant("transcript", owner),
        "source_url": f"https://example.org/{world.plant('source', owner)}",
        "discussion_links": [f"https://example.org/{world.plant('source', owner)}"],
        **{name: world.plant(f"sample {name}", owner) for name in texts},
    }


def _scan(seed: int, secret: str) -> bytes:
    """An image unlike all others, with a secret in its metadata."""
    dots = random.Random(seed)
    small = Image.new("L", (24, 18))
    small.putdata([dots.choice((0, 255)) for _ in range(24 * 18)])
    exif = Image.Exif()
    exif[0x010E] = exif[0x013B] = secret  # ImageDescription, Artist
    out = io.BytesIO()
    small.resize((240, 180), Image.Resampling.NEAREST).save(out, "JPEG", exif=exif, comment=secret.encode())
    return out.getvalue()


def _gold(world: World) -> dict[str, object]:
    """The ground truth of a formula page, as a manifest brings it."""
    shape = {"shape": "box", "points": [[10, 100], [60, 140]]}
    return {
        "structure": "formula",
        "verification": "unverified",
        "regions": [
            {"polygon": polygon, "latex": world.plant("brought LaTeX", BROUGHT)}
            for polygon in (FIRST, SECOND)
        ],
        "masks": [shape | {"reason": world.plant("brought mask", BROUGHT)}],
    }


def _redact_one(world: World) -> None:
    """A screener redacts a name on a page that nobody has in hand; which state it will be in is chance."""
    waiting = Sample.objects.filter(project=world.project, intake="ready", work__stage=Stage.LABEL)
    sample = waiting.order_by("-number")[0]  # not the first, which came twice
    rescreen_sample(sample=sample, manager=world.people["manager"], reason="There is a name on it.")
    held = claim_screening(person=world.people["screener"], project=world.project)
    assert held is not None and held.sample == sample
    name = {"id": "n", "shape": "box", "points": [[100, 20], [200, 60]], "reason": world.plant("redaction")}
    finish_screening(screening=held, areas=[name], is_clean=False, image_hash=held.sample.pixel_hash)
    world.redacted = Sample.objects.get(pk=sample.pk)
    world.canaries.watch(world.redacted.unredacted_blob, "unredacted image")
