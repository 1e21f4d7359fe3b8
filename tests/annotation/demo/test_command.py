"""`manage.py demo` beside the making of the project itself, which takes minutes."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from PIL import Image

from annotation.models import Sample
from tests.factories import make_project

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def scans(tmp_path: Path) -> Path:
    Image.effect_noise((300, 400), 40).save(tmp_path / "letter.png")
    (tmp_path / "letter.txt").write_text("not a picture")
    return tmp_path


def test_add_when_one_file_is_no_picture_then_the_others_come_in_and_it_is_named_in_words(
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
