"""Downloads of a closed study: figures, tables, and the record from which everything can be computed again."""

from __future__ import annotations

import json
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.views.decorators.http import require_safe

from config.accounts.requests import PersonRequest
from evaluation.preference import figures, tables
from evaluation.preference.models import Study, StudyState
from evaluation.preference.permissions import study_for
from evaluation.preference.selectors import StudyStillOpen, build_record, distributions_of
from evaluation.preference.services.analyse_study import results_of
from evaluation.preference.study_record import StudyRecord


@login_required
@require_safe
def study_figure(request: PersonRequest, pk: int, name: str, kind: str) -> HttpResponse:
    study = study_for(request.user, pk)
    record, results = _closed(study)
    try:
        image = figures.draw_figure(name, kind, record, results)
    except KeyError:
        raise Http404 from None
    return _file(study, image, f"{name}.{kind}", figures.KINDS[kind], is_inline=kind == "svg")


@login_required
@require_safe
def study_sampling(request: PersonRequest, pk: int) -> HttpResponse:
    """The figure of a draft: score distributions of its sample and of all predictions."""
    study = study_for(request.user, pk)
    rows = distributions_of(study)
    if study.state != StudyState.DRAFT or not rows:
        raise Http404
    return _file(
        study, figures.draw_distributions(rows), "sampling.svg", figures.KINDS["svg"], is_inline=True
    )


@login_required
@require_safe
def study_table(request: PersonRequest, pk: int, name: str, kind: str) -> HttpResponse:
    study = study_for(request.user, pk)
    record, results = _closed(study)
    try:
        text = tables.write_table(kind, tables.table_of(name, record, results))
    except KeyError:
        raise Http404 from None
    return _file(study, text.encode(), f"{name}.{kind}", tables.KINDS[kind])


@login_required
@require_safe
def study_record(request: PersonRequest, pk: int) -> HttpResponse:
    """The study record with the results as JSON."""
    study = study_for(request.user, pk)
    record, results = _closed(study)
    data = json.dumps(record.as_json() | {"results": results}, ensure_ascii=False, indent=1)
    return _file(study, data.encode(), "record.json", "application/json")


def _closed(study: Study) -> tuple[StudyRecord, dict[str, Any]]:
    """The record and the results. Raises Http404 before they are computed."""
    try:
        results = results_of(study)
        record = build_record(study)
    except StudyStillOpen:
        raise Http404 from None
    if results is None:
        raise Http404
    return record, results


def _file(study: Study, data: bytes, name: str, kind: str, *, is_inline: bool = False) -> HttpResponse:
    response = HttpResponse(data, content_type=kind)
    file_name = f"study-{study.release.team.slug}-{study.release.number}-{study.number}-{name}"
    response["Content-Disposition"] = f'{"inline" if is_inline else "attachment"}; filename="{file_name}"'
    return response
