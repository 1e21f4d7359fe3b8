"""Projects, samples and their work in the admin site. Labels, drafts, notes and discussions have no page here."""

from __future__ import annotations

from django.contrib import admin

from annotation.models import (
    Assignment,
    DuplicatePair,
    Event,
    ImportRun,
    Project,
    RecogniserSetting,
    Sample,
    SuggestionRequest,
    Work,
)
from config.readonly_admin import ReadOnlyAdmin

_JOB = ["state", "progress_done", "progress_total", "attempts", "queued_at", "finished_at"]


@admin.register(Project)
class ProjectAdmin(ReadOnlyAdmin):
    list_display = ["name", "slug", "verification_mode", "created_at", "archived_at"]
    search_fields = ["name", "slug"]


@admin.register(RecogniserSetting)
class RecogniserSettingAdmin(ReadOnlyAdmin):
    list_display = ["project", "slot", "kind", "label", "prompt_version", "created_at", "retired_at"]
    list_select_related = ["project"]


@admin.register(Sample)
class SampleAdmin(ReadOnlyAdmin):
    """Facts about the image. Evidence is shown on the sample's own page only."""

    list_display = ["project", "number", "intake", "structure", "language", "original_name", "created_at"]
    list_filter = ["intake", "structure"]
    list_select_related = ["project"]
    search_fields = ["=uuid", "original_name", "released_name"]
    exclude = ["transcript", "problem", "reference_answer", "perturbation", "discussion_links"]


@admin.register(Work)
class WorkAdmin(ReadOnlyAdmin):
    list_display = ["sample_id", "stage", "status", "round", "version", "holder", "lease_until", "changed_at"]
    list_filter = ["stage", "status"]
    list_select_related = ["holder"]
    raw_id_fields = ["sample"]


@admin.register(Assignment)
class AssignmentAdmin(ReadOnlyAdmin):
    list_display = ["sample_id", "person", "stage", "round", "mode", "opened_at", "submitted_at"]
    list_filter = ["stage"]
    list_select_related = ["person"]
    raw_id_fields = ["sample"]


@admin.register(Event)
class EventAdmin(ReadOnlyAdmin):
    """Who moved what when. Reasons may quote a text, so they are shown on the sample's page only."""

    list_display = ["at", "sample_id", "verb", "actor", "from_stage", "to_stage", "version"]
    list_filter = ["verb"]
    list_select_related = ["actor"]
    exclude = ["reason", "data"]
    raw_id_fields = ["sample"]


@admin.register(DuplicatePair)
class DuplicatePairAdmin(ReadOnlyAdmin):
    list_display = ["project", "first_id", "second_id", "kind", "distance", "decision", "decided_by"]
    list_filter = ["kind", "decision"]
    list_select_related = ["project", "decided_by"]


@admin.register(ImportRun)
class ImportRunAdmin(ReadOnlyAdmin):
    list_display = ["project", "origin", "created_by", *_JOB]
    list_filter = ["state"]
    list_select_related = ["project", "created_by"]
    exclude = ["manifest", "defaults"]


@admin.register(SuggestionRequest)
class SuggestionRequestAdmin(ReadOnlyAdmin):
    list_display = ["sample_id", "recogniser", *_JOB]
    list_filter = ["state"]
    list_select_related = ["recogniser"]
