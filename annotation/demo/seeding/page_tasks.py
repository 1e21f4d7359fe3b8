"""Work on the demo beside its labels: difficulty ratings, and a page that waits for a screener."""

from __future__ import annotations

import random

from annotation.demo.seeding.steps import People
from annotation.difficulty import HIGHEST, LOWEST, Dimension
from annotation.models import Project, Sample
from annotation.services.rate_difficulty import claim_rating, submit_rating
from annotation.services.request_screening import rescreen_sample
from annotation.stages import Stage, Status

RATERS = {"gita": 24, "hugo": 22, "ivan": 18}  # user name -> number of pages rated
_EASY, _HARD = 1.6, 3.4  # mean levels


def rate_pages(*, project: Project, people: People) -> None:
    """Rate as many pages as RATERS says. Most pages get all three ratings, the rest still wait."""
    for name, pages in RATERS.items():
        for _ in range(pages):
            rating = claim_rating(person=people[name], project=project)
            if rating is None:
                return
            submit_rating(
                rating=rating,
                scores=_choose_levels(rating.sample, name),
                image_hash=rating.sample.pixel_hash,
            )


def _choose_levels(sample: Sample, rater: str) -> dict[str, int]:
    """A rater's level for each dimension: what the kind of page suggests, plus noise of the page and of the rater."""
    expected = dict.fromkeys(Dimension, _EASY)
    expected[Dimension.STRUCTURAL_COMPLEXITY] += 0 if sample.structure == "text" else _HARD - _EASY
    expected[Dimension.DOMAIN_KNOWLEDGE] += (
        1 if sample.scenario in ("medical_health", "historical_archives") else 0
    )
    expected[Dimension.MULTILINGUAL_MIXING] = _HARD if "mix" in sample.language else LOWEST
    levels = {}
    for dimension, mean in expected.items():
        page_noise = random.Random(f"{sample.number} {dimension}").gauss(0, 0.8)
        rater_noise = random.Random(f"{sample.number} {dimension} {rater}").gauss(0, 0.45)
        levels[str(dimension)] = min(HIGHEST, max(LOWEST, round(mean + page_noise + rater_noise)))
    return levels


def send_page_to_screening(*, project: Project, people: People) -> None:
    """Mei sends a letter that nobody has begun back to screening."""
    untouched = Sample.objects.filter(
        project=project,
        structure="text",
        work__stage__in=[Stage.PREANNOTATE, Stage.LABEL],
        work__status=Status.OPEN,
        assignments=None,
    )
    page = untouched.filter(scenario="letters_notes").first() or untouched.order_by("number").first()
    if page is not None:
        rescreen_sample(sample=page, manager=people["mei"], reason="The letter is signed with a name.")
