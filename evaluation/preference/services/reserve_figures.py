"""Keep the figures of what a study shows from its raters until it closes: one score can tell which metric is which."""

from __future__ import annotations

from collections.abc import Iterable

from config.accounts.models import User
from config.exposure.models import ReservedContent
from config.exposure.reservations import release_all_reservations, reserve
from evaluation.permissions import reservation_key
from evaluation.preference.models import Item, Study


def reserve_figures(study: Study, raters: Iterable[User]) -> None:
    """Close to the raters, and to nobody else any more, the figures of the study's release and of every other release
    with one of its items."""
    release_figures(study)
    images = Item.objects.filter(study=study).values_list("gold__pixel_hash", flat=True)
    reserved = {reservation_key(study.release), *images}
    for rater in raters:
        reserve(user=rater, image_hashes=reserved, holder=_holder(study), content=ReservedContent.FIGURES)


def release_figures(study: Study) -> None:
    """The raters may see figures again."""
    release_all_reservations(_holder(study))


def _holder(study: Study) -> str:
    return f"study {study.pk}"
