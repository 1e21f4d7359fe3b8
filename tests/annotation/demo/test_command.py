"""`manage.py demo` beside the making of the project itself, which takes minutes."""

from __future__ import annotations

import fcntl
from contextlib import nullcontext
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.utils import timezone
from PIL import Image

from annotation.demo.seeding import project as seeding
from annotation.demo.seeding.people import make_people
from annotation.management.commands.demo import Command
from annotation.models import Project, Sample
from config.accounts.models import User
from tests.factories import make_project

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def scans(tmp_path: Path) -> Path:
    Image.effect_noise((300, 400), 40).save(tmp_path / "letter.png")
    (tmp_path / "letter.txt").write_text("not an image")
    return tmp_path


def test_add_when_one_file_is_no_image_then_the_others_come_in_and_it_is_named_in_words(
    scans: Path,
) -> None:
    project = make_project(slug="demo")
    said = StringIO()
    call_command("demo", "--add", str(scans), stdout=said)
    assert Sample.objects.filter(project=project).count() == 1
    assert "letter.txt" in said.getvalue()
    assert "not_an_image" not in said.getvalue()


def test_add_when_the_language_is_none_of_the_project_then_says_which_may_be(scans: Path) -> None:
    make_project(slug="demo")
    with pytest.raises(CommandError, match=r"--language: .*zh-Hans"):
        call_command("demo", "--add", str(scans), "--language", "fr")


@pytest.mark.parametrize("is_used", [False, True])
def test_demo_when_its_making_was_broken_off_then_it_is_made_anew_unless_somebody_has_been_in(
    monkeypatch: pytest.MonkeyPatch, is_used: bool
) -> None:
    people = make_people()
    half = make_project(slug="demo")
    if is_used:
        User.objects.filter(pk=people["mei"].pk).update(last_login=timezone.now())
    # The recognisers take minutes, so this seeding is interrupted before them too.
    monkeypatch.setattr(seeding, "_read_structures", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
    monkeypatch.setattr(seeding, "draw_pages", lambda folder: iter(()))
    with nullcontext() if is_used else pytest.raises(KeyboardInterrupt):
        call_command("demo", "--if-empty")
    half.refresh_from_db()
    assert (half.slug == "demo") is is_used
    assert (half.archived_at is None) is is_used
    assert Project.objects.get(slug="demo").team.slug == ("demo" if not is_used else half.team.slug)


def test_demo_when_another_is_making_it_then_waits_for_that_one(
    monkeypatch: pytest.MonkeyPatch, settings: Any, tmp_path: Path
) -> None:
    settings.DATA_DIR = tmp_path
    refused = []

    def make(self: Command, options: dict[str, object]) -> None:
        with (tmp_path / "demo.lock").open("w") as second, pytest.raises(BlockingIOError):
            fcntl.flock(second, fcntl.LOCK_EX | fcntl.LOCK_NB)
        refused.append(True)

    monkeypatch.setattr(Command, "_handle", make)
    call_command("demo", "--if-empty")
    assert refused
