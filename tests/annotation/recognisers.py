"""A project's recognisers."""

from __future__ import annotations

from annotation.models import RecogniserSetting
from annotation.models.project import RecogniserKind


def endpoint(project, slot, url, **fields):
    values = {
        "kind": RecogniserKind.ENDPOINT,
        "label": f"model {slot}",
        "base_url": url,
        "model": f"m{slot}",
        "prompt": "Transcribe.",
        "prompt_version": "test-1",
        "timeout_seconds": 5,
    }
    return RecogniserSetting.objects.create(project=project, slot=slot, **(values | fields))
