"""The guideline: versions, preview, what changed, two authors at once."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Guideline, Project
from annotation.selectors.guideline import line_changes
from annotation.services.configure_project import GuidelineMoved, GuidelineUnchanged, publish_guideline

pytestmark = pytest.mark.django_db


def _write(client: Client, project: Project, text: str, based_on: int = 1, **buttons: str):
    data = {"text": text, "based_on": based_on, **buttons}
    return client.post(reverse("guideline_edit", args=[project.slug]), data)


def test_guideline_when_published_then_it_is_in_force_and_the_old_one_stays(
    client: Client, project: Project
) -> None:
    _write(client, project, "# Two\r\n\r\nNew rule")
    page = client.get(reverse("project_guideline", args=[project.slug])).text
    assert "<h1>Two</h1>" in page and "New rule" in page
    old = client.get(reverse("guideline_version", args=[project.slug, 1])).text
    assert "Write what the ink says." in old and "the current version is 2" in old
    assert Guideline.objects.get(number=2).text == "# Two\n\nNew rule"


def test_guideline_when_previewed_then_it_is_drawn_and_nothing_is_published(
    client: Client, project: Project
) -> None:
    response = _write(client, project, "**Loud** <script>x</script>", preview="1")
    assert "<strong>Loud</strong> &lt;script&gt;" in response.text
    assert "**Loud** &lt;script&gt;" in response.text  # the text stays in the form
    assert project.guidelines.count() == 1


def test_guideline_when_two_versions_are_compared_then_old_and_new_lines_are_marked(
    client: Client, project: Project
) -> None:
    _write(client, project, "Write what the ink says.\nNothing else.")
    address = reverse("guideline_version", args=[project.slug, 2])
    page = client.get(address, {"against": "1"}).text
    assert "Nothing else.</ins>" in page and "<del>" not in page
    assert client.get(address, {"against": "77"}).status_code == 200
    assert client.get(address, {"against": "x"}).status_code == 200


def test_guideline_when_somebody_else_was_quicker_then_409_keeps_the_text_and_shows_both(
    client: Client, project: Project
) -> None:
    publish_guideline(project=project, by=project.created_by, text="Theirs", based_on=1)
    response = _write(client, project, "Mine", based_on=1)
    assert response.status_code == 409
    assert ">\nMine</textarea>" in response.text and "Theirs</del>" in response.text
    assert project.guidelines.count() == 2
    assert _write(client, project, "Mine", based_on=2).status_code == 302


def test_publish_guideline_when_nothing_changed_then_it_says_so(project: Project) -> None:
    with pytest.raises(GuidelineUnchanged):
        publish_guideline(project=project, by=project.created_by, text="Write what the ink says.", based_on=1)


def test_publish_guideline_when_based_on_an_old_one_then_it_is_refused(project: Project) -> None:
    with pytest.raises(GuidelineMoved):
        publish_guideline(project=project, by=project.created_by, text="x", based_on=0)


def test_guideline_when_empty_then_the_field_says_so(client: Client, project: Project) -> None:
    assert "The guideline is empty" in _write(client, project, "  \n").text


@pytest.mark.parametrize("number", [0, 2, 99])
def test_guideline_when_the_version_does_not_exist_then_404(
    client: Client, project: Project, number: int
) -> None:
    assert client.get(reverse("guideline_version", args=[project.slug, number])).status_code == 404


def test_line_changes_when_a_line_is_replaced_then_old_comes_before_new() -> None:
    changes = line_changes("a\nb\nc", "a\nB\nc")
    assert [(c.kind, c.text) for c in changes] == [("same", "a"), ("old", "b"), ("new", "B"), ("same", "c")]


def test_line_changes_when_much_is_equal_then_it_is_folded_around_the_change() -> None:
    old = "\n".join(f"line {n}" for n in range(20))
    changes = line_changes(old, old.replace("line 10", "other"))
    assert [(c.kind, c.text or c.count) for c in changes] == [
        ("fold", 8),
        ("same", "line 8"),
        ("same", "line 9"),
        ("old", "line 10"),
        ("new", "other"),
        ("same", "line 11"),
        ("same", "line 12"),
        ("fold", 7),
    ]
