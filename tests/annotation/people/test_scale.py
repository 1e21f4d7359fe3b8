"""A project of 100,000 samples: every page of it within the budget that readers feel as at once."""

from __future__ import annotations

import random
import time

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Project, Sample, Work
from annotation.stages import Stage, Status
from tests.factories import make_project, make_sample

pytestmark = [pytest.mark.django_db, pytest.mark.long, pytest.mark.database]

COUNT = 100_000
BUDGET_S = 2.0  # on a shared runner; about half of it on a quiet desktop
PLACES = [
    (Stage.LABEL, Status.OPEN),
    (Stage.VERIFY, Status.OPEN),
    (Stage.ADJUDICATE, Status.OPEN),
    (Stage.DONE, Status.SUBMITTED),
]


def _fill(project: Project) -> None:
    dice = random.Random(7)
    first = make_sample(project)
    fields = {
        f.name: getattr(first, f.name) for f in Sample._meta.concrete_fields if f.name not in ("id", "uuid")
    }
    for start in range(2, COUNT + 1, 5_000):
        samples = Sample.objects.bulk_create(
            Sample(
                **fields
                | {
                    "number": number,
                    "released_name": f"{number}.png",
                    "language": dice.choice(project.languages),
                    "scenario": dice.choice(project.scenarios),
                }
            )
            for number in range(start, min(start + 5_000, COUNT + 1))
        )
        places = ((sample, dice.choice(PLACES)) for sample in samples)
        Work.objects.bulk_create(Work(sample=s, stage=stage, status=status) for s, (stage, status) in places)


def test_manager_pages_when_a_project_is_large_then_each_comes_within_the_budget(client: Client) -> None:
    project = make_project()
    _fill(project)
    client.force_login(project.created_by)
    overview, samples = (reverse(name, args=[project.slug]) for name in ("project", "project_samples"))
    pages = [
        reverse("home"),
        overview,
        samples,
        f"{samples}?page=2000",
        f"{samples}?state=verifying&language=en",
    ]
    for page in pages:
        started = time.perf_counter()
        assert client.get(page).status_code == 200
        seconds = time.perf_counter() - started
        print(f"{seconds:6.3f} s  {page}")
        assert seconds < BUDGET_S, page
