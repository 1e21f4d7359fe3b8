"""Sitting down at a sample and handing it in, as the services let people do it."""

from __future__ import annotations

from annotation.models import Draft
from annotation.services.claim_work import claim_work
from annotation.services.submit_label import mark_end_reached, submit_label
from annotation.stages import Stage
from config.accounts.models import Role
from tests.factories import make_member


def assignment_for(project, stage=Stage.LABEL, person=None):
    role = Role.ANNOTATOR if stage is Stage.LABEL else Role.REVIEWER
    return claim_work(person=person or make_member(project, role), project=project, stage=stage)


def submit_work(assignment, text="a line", key="key-00000001", **changes):
    if assignment.stage == Stage.VERIFY:
        mark_end_reached(assignment=assignment)
    values = {
        "text": text,
        "base_version": Draft.objects.get(assignment=assignment).version,
        "image_hash": assignment.sample.pixel_hash,
        "idempotency_key": key,
        "mask_reason": "a stain, or masked before",
    }
    return submit_label(assignment=assignment, **(values | changes))
