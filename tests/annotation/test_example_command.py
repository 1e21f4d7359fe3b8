"""The command that makes an example study refuses what could not be one, before it makes anything."""

from __future__ import annotations

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Project
from tests.factories import make_project, make_user


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("raters", "why"), [(["nobody", "ben"], "No account is called nobody"), (["mei", "ben"], "cannot rate")]
)
def test_example_study_when_its_people_cannot_be_then_refused_and_nothing_is_made(raters, why):
    make_user("mei"), make_user("ben")
    with pytest.raises(CommandError, match=why):
        call_command("example_study", "--manager", "mei", "--raters", *raters)
    assert not Project.objects.exists()


@pytest.mark.django_db
def test_example_study_when_it_is_there_then_refused_by_its_name():
    make_project(slug="halves")
    with pytest.raises(CommandError, match="already: project “Halves”"):
        call_command("example_study", "--manager", "mei", "--raters", "ben")
