"""Releases, systems and jobs in the admin site. Gold and predictions have no page here."""

from __future__ import annotations

from django.contrib import admin

from config.readonly_admin import ReadOnlyAdmin
from evaluation.models import ExportRun, ModelRun, PredictionSet, Release, ScoreRun, System

_JOB = ["state", "progress_done", "progress_total", "attempts", "queued_at", "finished_at"]


@admin.register(Release)
class ReleaseAdmin(ReadOnlyAdmin):
    list_display = ["team", "number", "title", "count", "created_by", "created_at"]
    list_select_related = ["team", "created_by"]
    exclude = ["manifest"]


@admin.register(System)
class SystemAdmin(ReadOnlyAdmin):
    list_display = ["name", "kind", "team"]
    list_select_related = ["team"]


@admin.register(PredictionSet)
class PredictionSetAdmin(ReadOnlyAdmin):
    list_display = ["system", "release", "origin", "created_by", "created_at"]
    list_select_related = ["system", "release__team", "created_by"]
    exclude = ["report"]


@admin.register(ExportRun)
class ExportRunAdmin(ReadOnlyAdmin):
    list_display = ["release", "format", *_JOB]
    list_select_related = ["release__team"]


@admin.register(ModelRun)
class ModelRunAdmin(ReadOnlyAdmin):
    list_display = ["prediction_set_id", *_JOB]


@admin.register(ScoreRun)
class ScoreRunAdmin(ReadOnlyAdmin):
    list_display = ["prediction_set_id", "bundle", "coverage", *_JOB]
