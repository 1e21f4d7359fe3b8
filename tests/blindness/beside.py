"""What goes on beside the transcription: screening for names, rating how hard a page is."""

from __future__ import annotations

from annotation.difficulty import Dimension
from annotation.models import Sample
from annotation.services.rate_difficulty import claim_rating, save_rating, submit_rating
from annotation.services.request_screening import rescreen_sample
from annotation.services.screen_page import claim_screening
from annotation.stages import Stage
from tests.blindness.world import World


def add_screening(world: World) -> None:
    """A page that nobody has in hand is sent to screening again, and a screener holds it."""
    fresh = Sample.objects.filter(
        project=world.project, intake="ready", work__stage=Stage.LABEL, work__status="open", assignments=None
    ).exclude(pk__in=[sample.pk for sample in world.samples.values()])
    sample = fresh.order_by("-number")[0]
    world.samples["screened again"] = sample
    reason = world.plant("screening reason", "screened again")
    rescreen_sample(sample=sample, manager=world.people["manager"], reason=reason)
    held = claim_screening(person=world.people["screener"], project=world.project)
    assert held is not None and held.sample == sample


def add_ratings(world: World) -> None:
    """Two raters submit a page each, and hold another with choices and a note."""
    for name in ("rater", "rater two"):
        for kind in ("rating note", "rating begun"):
            rating = claim_rating(person=world.people[name], project=world.project)
            assert rating is not None
            note = world.plant(kind, f"{name} of {rating.sample.number}")
            levels = dict.fromkeys(map(str, Dimension), 4)
            if kind == "rating note":
                image = rating.sample.pixel_hash
                submit_rating(rating=rating, scores=levels, note=note, image_hash=image)
            else:
                save_rating(rating=rating, scores=levels, note=note)
