"""What a manager who also annotates, reviews or adjudicates may not see yet: the stricter role wins."""

from __future__ import annotations

from django.db.models import Exists, OuterRef, Q

from annotation.models.project import Project
from annotation.models.sample import Sample
from config.accounts.models import Role, User
from config.accounts.selectors import has_role
from config.exposure.models import SeenContent
from config.exposure.selectors import exposures_of

BLIND_ROLES = (Role.ANNOTATOR, Role.REVIEWER, Role.ADJUDICATOR)


def hidden_samples(person: User, project: Project) -> Q:
    """The project's samples whose people, history and flags are hidden from the person.

    These are all samples whose labels they have not opened: even a finished or withdrawn sample may return to a queue
    and then be given to them as blind work. Opening the labels bars blind work on the image and reveals the rest.
    """
    if not has_role(person, project.team, *BLIND_ROLES):
        return Q(pk__in=[])
    opened = exposures_of(person, SeenContent.LABEL, SeenContent.GOLD).filter(
        image_hash=OuterRef("pixel_hash")
    )
    return ~Q(Exists(opened))


def is_hidden(person: User, sample: Sample) -> bool:
    return Sample.objects.filter(hidden_samples(person, sample.project), pk=sample.pk).exists()
