"""Create the sample of one processed page, in one transaction."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.db.models import F

from annotation.images.page import PageForms
from annotation.models import Event, ImportFile, Project, Sample, Work
from annotation.selectors.imports import is_page_imported, was_page_imported_before
from annotation.services.import_gold import record_gold, split_gold
from annotation.services.request_screening import open_screening
from annotation.services.resolve_duplicates import index_page, record_duplicates
from annotation.stages import Intake, Stage, Status
from config.accounts.models import Role
from config.blobs import put_blob
from config.exposure.models import SeenContent
from config.exposure.services import record_exposure
from config.jobs.services import Claim
from config.transactions import locked


def create_sample(
    *,
    file: ImportFile,
    page_number: int,
    forms: PageForms,
    fields: Mapping[str, Any],
    claim: Claim,
) -> Sample | None:
    """Create a sample, or return None when the page is in the project already.

    The project's row stays locked, so numbers have no gaps, two imports of one page create one sample, and no duplicate
    between two imports is missed. Ground truth among `fields` becomes the first version, and the sample goes to second
    review. Raises BadFile for invalid ground truth, LeaseLost and Cancelled; nothing is written then.
    """
    fields, gold = split_gold(fields, width=forms.full_width, height=forms.full_height)
    full, released = put_blob(forms.full), put_blob(forms.released)
    with transaction.atomic():
        project = locked(Project.objects.filter(pk=file.run.project_id)).get()
        claim.heartbeat()
        if is_page_imported(file, page_number) or was_page_imported_before(file, page_number):
            return None
        Project.objects.filter(pk=project.pk).update(next_number=F("next_number") + 1)
        sample = Sample.objects.create(
            project=project,
            number=project.next_number,
            intake=Intake.SCREENING if project.requires_screening else Intake.READY,
            original_name=file.name,
            page_number=page_number,
            original_blob=file.blob,
            full_blob=full,
            full_width=forms.full_width,
            full_height=forms.full_height,
            released_blob=released,
            released_name=f"{project.file_prefix}_{uuid.uuid4().hex}.png",
            released_width=forms.released_width,
            released_height=forms.released_height,
            released_bytes=len(forms.released),
            image_steps=list(forms.steps),
            pixel_hash=forms.pixel_hash,
            import_file=file,
            **fields,
        )
        Work.objects.create(sample=sample, stage=Stage.PREANNOTATE, status=Status.OPEN)
        Event.objects.create(
            sample=sample,
            verb="imported",
            actor_id=file.run.created_by_id,
            to_stage=Stage.PREANNOTATE,
            to_status=Status.OPEN,
            data={"run": file.run_id, "file": file.name, "page": page_number},
        )
        if gold is not None:
            record_gold(sample=sample, gold=gold)
            record_exposure(
                user=file.run.created_by,
                image_hash=forms.pixel_hash,
                role=Role.MANAGER,
                saw=SeenContent.GOLD,
                place="import",
            )
        if project.requires_screening:
            open_screening(sample=sample)
        record_duplicates(sample=sample, print_=forms.fingerprint)
        index_page(sample=sample, print_=forms.fingerprint)
    return sample
