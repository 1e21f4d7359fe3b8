"""What came out: people beside models, how sure that is, how long it took."""

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
def results(request: PersonRequest, pk: int) -> HttpResponse:
    made = baseline_for(request.user, pk)
    result = result_of(made, metric=request.GET.get("metric", ""), by=request.GET.get("by", ""))
    context = {
        "baseline": made,
        "release": made.release,
        "result": result,
        "kinds": [(kind, KIND_NAMES.get(kind, kind)) for kind in result.kinds] if result else [],
        "paces": pace_of(conduct_of(made)),
    }
    return render(request, "baseline/results.html", context)


@login_required
def conduct_file(request: PersonRequest, pk: int, kind: str) -> HttpResponse:
    """Every sample shown to every person: state, times raw and clamped, conduct; as JSON with the
    protocol and what people say of themselves. No transcription of anybody."""
    made = baseline_for(request.user, pk)
    rows = [asdict(row) for row in conduct_of(made)]
    if kind == "csv":
        out = io.StringIO()
        writer = csv.DictWriter(out, [f.name for f in fields(Conduct)], lineterminator="\r\n")
        writer.writeheader()
        writer.writerows(rows)
        response = HttpResponse(out.getvalue(), content_type="text/csv; charset=utf-8")
    elif kind == "json":
        told = {"protocol": protocol_record(made), "people": people_of(made), "rows": rows}
        response = JsonResponse(told, json_dumps_params={"indent": 1})
    else:
        raise Http404
    response["Content-Disposition"] = f'attachment; filename="baseline-{made.pk}-conduct.{kind}"'
    return response


def protocol_record(made: Baseline) -> dict[str, object]:
    """The settings under which the answers came about; with the seed the draw can be repeated."""
    names = (
        "name system_name method n strata balance seed people_per_sample samples_per_person time_limit_seconds"
        " gap_minutes clamp_minutes break_every practice questions brief"
    )
    newest = made.consents.first()
    return {name: getattr(made, name) for name in names.split()} | {
        "release": made.release.number,
        "release_checksum": made.release.checksum,
        "samples": made.sample_ids,
        "opened_at": made.opened_at.isoformat() if made.opened_at else None,
        "closed_at": made.closed_at.isoformat() if made.closed_at else None,
        "consent_versions": newest.number if newest else 0,
    }
