"""What happens in the demo beside the labels: ratings of difficulty, and a page that waits for a screener."""

from __future__ import annotations

import random

from annotation.demo.seed_steps import People
from annotation.difficulty import HIGHEST, LOWEST, Dimension
from annotation.models import Project, Sample
from annotation.services.rate_difficulty import claim_rating, submit_rating
from annotation.services.request_screening import rescreen_sample
from annotation.stages import Stage, Status

RATERS = {"gita": 24, "hugo": 22, "ivan": 18}  # user name -> how many pages they have rated
_EASY, _HARD = 1.6, 3.4  # what raters choose on average


def rate_pages(*, project: Project, people: People) -> None:
    """The raters rate as many pages as RATERS says, most of them all three; the rest still waits."""
    for name, pages in RATERS.items():
        for _ in range(pages):
            rating = claim_rating(person=people[name], project=project)
            if rating is None:
                return
            submit_rating(
                rating=rating,
                scores=_judge(rating.sample, name),
                image_hash=rating.sample.pixel_hash,
            )


def _judge(sample: Sample, rater: str) -> dict[str, int]:
    """How hard the page is to this rater: what its kind makes likely, the page itself, and the rater's own eye."""
    expected = dict.fromkeys(Dimension, _EASY)
    expected[Dimension.STRUCTURAL_COMPLEXITY] += 0 if sample.structure == "text" else _HARD - _EASY
    expected[Dimension.DOMAIN_KNOWLEDGE] += (
        1 if sample.scenario in ("medical_health", "historical_archives") else 0
    )
    expected[Dimension.MULTILINGUAL_MIXING] = _HARD if "mix" in sample.language else LOWEST
    chosen = {}
    for dimension, usual in expected.items():
        page = random.Random(f"{sample.number} {dimension}").gauss(0, 0.8)
        eye = random.Random(f"{sample.number} {dimension} {rater}").gauss(0, 0.45)
        chosen[str(dimension)] = min(HIGHEST, max(LOWEST, round(usual + page + eye)))
    return chosen


def ask_for_a_screening(*, project: Project, people: People) -> None:
    """Mei sends a letter nobody has begun to the screeners."""
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
