"""The worked examples of docs/api.md, run as they stand against a live server."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from pytest_django.live_server_helper import LiveServer

from annotation.models import Label
from annotation.stages import Stage
from config.accounts.models import Role
from config.api.services import make_token
from evaluation.models import ItemScore
from tests.factories import make_member, make_project, make_user, page_png

DOCS = Path(__file__).resolve().parents[2] / "docs" / "api.md"


@pytest.mark.django_db(transaction=True)
def test_examples_of_the_guide_when_run_in_order_then_an_image_becomes_a_score(
    live_server: LiveServer, tmp_path: Path
) -> None:
    if not shutil.which("curl"):
        pytest.skip("needs curl")
    manager = make_user()
    project = make_project(manager=manager, slug="letters")
    people = {
        "MANAGER": manager,
        "ANNOTATOR": make_member(project, Role.ANNOTATOR),
        "REVIEWER": make_member(project, Role.REVIEWER),
    }
    (tmp_path / "page.png").write_bytes(page_png("Dear Anna", size=(900, 600)))
    script = "set -euo pipefail\n" + "\n".join(re.findall(r"```sh\n(.*?)```", DOCS.read_text(), re.S))
    tokens = {name: make_token(user=user, name="guide") for name, user in people.items()}
    done = subprocess.run(
        ["bash", "-c", script],
        cwd=tmp_path,
        env={"PATH": os.environ["PATH"], "SITE": live_server.url, **tokens},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    body = done.stdout.splitlines()
    assert body[:4] == ["letters", "1", "Dear Anna", "Dear Anna"] and body[-1] == "reader"
    assert Label.objects.get(stage=Stage.DONE).text == "Dear Anna"
    assert (tmp_path / "image.png").read_bytes()[:4] == b"\x89PNG"
    # "Anna" to "Hanna" is one letter changed and one added, of ten.
    assert ItemScore.objects.get(metric="edit").value == pytest.approx(0.2)
