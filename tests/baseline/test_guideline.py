"""The guideline that a page shows is the one frozen with the release, whatever becomes of the project's own."""

from __future__ import annotations

import pytest

from annotation.models import Guideline
from evaluation.selectors.release_integrity import checksum_of
from evaluation.services.freeze_release import import_release
from tests.baseline.made import make_baseline, release_of, the_taker
from tests.factories import make_gold, make_project

pytestmark = pytest.mark.django_db


def test_page_when_the_projects_guideline_is_changed_then_it_shows_the_text_of_the_release() -> None:
    project = make_project()
    release = release_of([make_gold("ink")], team=project.team, guideline_text="Write the ink as frozen.")
    Guideline.objects.filter(project=project, number=1).update(text="Rewritten afterwards.")
    taker = the_taker(make_baseline(release))
    taker.start()
    taker.do("show")
    page = taker.look().text
    assert "Write the ink as frozen." in page and "Rewritten afterwards." not in page


def test_page_when_the_release_has_no_guideline_text_then_none_is_taken_from_the_project() -> None:
    project = make_project()
    Guideline.objects.update_or_create(
        project=project, number=1, defaults={"text": "Of the project alone.", "author": project.created_by}
    )
    taker = the_taker(make_baseline(release_of([make_gold("ink")], team=project.team)))
    taker.start()
    taker.do("show")
    assert "Of the project alone." not in taker.look().text


def test_checksum_when_the_guideline_differs_then_it_is_that_of_the_records_alone() -> None:
    project = make_project()
    records = [make_gold("ink")]
    plain, guided = (
        import_release(
            team=project.team, by=project.created_by, records=records, pixel_hashes={}, guideline_text=text
        )
        for text in ("", "Write the ink.")
    )
    assert plain.checksum == guided.checksum == checksum_of(records)
    assert guided.manifest["guideline_text"] == "Write the ink."
