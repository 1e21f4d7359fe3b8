"""Results: people compared with models, the uncertainty, and the time taken."""

from __future__ import annotations

import csv
import io
from dataclasses import asdict, fields

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy

from baseline.models import Baseline
from baseline.permissions import baseline_for
from baseline.selectors.conduct import Conduct, conduct_of, pace_of, people_of
from baseline.selectors.results import result_of
from config.accounts.requests import PersonRequest

KIND_NAMES = {
    "structure": gettext_lazy("Structure"),
    "language": gettext_lazy("Language"),
    "scenario": gettext_lazy("Scenario"),
    "difficulty": gettext_lazy("Difficulty"),
}


@login_required
def baseline_results(request: PersonRequest, pk: int) -> HttpResponse:
    baseline = baseline_for(request.user, pk)
    result = result_of(baseline, metric=request.GET.get("metric", ""), by=request.GET.get("by", ""))
    context = {
        "baseline": baseline,
        "release": baseline.release,
        "result": result,
        "kinds": [(kind, KIND_NAMES.get(kind, kind)) for kind in result.kinds] if result else [],
        "paces": pace_of(conduct_of(baseline)),
    }
    return render(request, "baseline/results.html", context)


@login_required
def baseline_conduct(request: PersonRequest, pk: int, kind: str) -> HttpResponse:
    """One row per participant and sample: state, raw and clamped times, conduct. JSON adds the protocol and the
    participants' answers about themselves. No transcriptions."""
    baseline = baseline_for(request.user, pk)
    rows = [asdict(row) for row in conduct_of(baseline)]
    if kind == "csv":
        out = io.StringIO()
        writer = csv.DictWriter(out, [f.name for f in fields(Conduct)], lineterminator="\r\n")
        writer.writeheader()
        writer.writerows(rows)
        response = HttpResponse(out.getvalue(), content_type="text/csv; charset=utf-8")
    elif kind == "json":
        content = {"protocol": protocol_record(baseline), "people": people_of(baseline), "rows": rows}
        response = JsonResponse(content, json_dumps_params={"indent": 1})
    else:
        raise Http404
    response["Content-Disposition"] = f'attachment; filename="baseline-{baseline.pk}-conduct.{kind}"'
    return response


def protocol_record(baseline: Baseline) -> dict[str, object]:
    """The settings of the baseline; with the seed the draw can be repeated."""
    names = (
        "name system_name method n strata balance seed people_per_sample samples_per_person time_limit_seconds"
        " gap_minutes clamp_minutes break_every practice questions brief"
    )
    newest = baseline.consents.first()
    return {name: getattr(baseline, name) for name in names.split()} | {
        "release": baseline.release.number,
        "release_checksum": baseline.release.checksum,
        "samples": baseline.sample_ids,
        "opened_at": baseline.opened_at.isoformat() if baseline.opened_at else None,
        "closed_at": baseline.closed_at.isoformat() if baseline.closed_at else None,
        "consent_versions": newest.number if newest else 0,
    }
