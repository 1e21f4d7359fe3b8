"""What a manager who also annotates, reviews or adjudicates may not know yet: the stricter role wins."""

from __future__ import annotations

from django.db.models import Exists, OuterRef, Q

from annotation.models.project import Project
from annotation.models.sample import Sample
from annotation.models.work import Work
from annotation.stages import Stage, Status
from config.accounts.models import Role, User
from config.accounts.selectors import has_role
from config.exposure.services import Saw, sights_of

BLIND_ROLES = (Role.ANNOTATOR, Role.REVIEWER, Role.ADJUDICATOR)


def veiled_from(person: User, project: Project) -> Q:
    """The project's samples whose people, history and flags are hidden from the person.

    Those that the person may still be given as blind work: in the flow, and not opened on the record. Opening them
    (which bars blind work on the picture) lifts the veil.
    """
    if not has_role(person, project.team, *BLIND_ROLES):
        return Q(pk__in=[])
    ahead = (
        Work.objects.filter(sample=OuterRef("pk")).exclude(stage=Stage.DONE).exclude(status=Status.WITHDRAWN)
    )
    opened = sights_of(person, Saw.LABEL, Saw.GOLD).filter(image_hash=OuterRef("pixel_hash"))
    return Q(Exists(ahead)) & ~Q(Exists(opened))


def is_veiled(person: User, sample: Sample) -> bool:
    return Sample.objects.filter(veiled_from(person, sample.project), pk=sample.pk).exists()
