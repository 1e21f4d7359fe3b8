"""Releases, exports, predictions and scores of a project."""

from __future__ import annotations

from django.http import Http404
from django.http.response import HttpResponseBase
from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from config.accounts.models import Role
from config.api.errors import invalid, invalid_form
from config.api.requests import make_once, person_of, read_body, read_files, read_query
from config.api.responses import PageQuery, respond, respond_page
from config.api.schema import BINARY, described, key_parameter
from config.api.serializers import BaseSerializer
from config.uploads import accepts_files
from evaluation.api.responses.leaderboard import LeaderboardResponse, leaderboard_response
from evaluation.api.responses.releases import (
    ExportResponse,
    ReleaseDetailResponse,
    export_response,
    release_detail_response,
)
from evaluation.api.responses.scores import (
    ItemResponse,
    PredictionSetResponse,
    ResultResponse,
    ScoreRunDetailResponse,
    ScoreRunResponse,
    item_response,
    prediction_set_response,
    result_response,
    score_run_response,
)
from evaluation.downloads import send_export
from evaluation.forms.leaderboard import VIEWS
from evaluation.forms.predictions import PredictionsForm
from evaluation.metrics.bundles import DEFAULT, bundle_names
from evaluation.models import ExportFormat, GoldItem, Release, System, SystemKind
from evaluation.permissions import export_for, prediction_set_for, release_for, score_run_for
from evaluation.selectors.items import ORDERS, items_of, read_order, rows_of
from evaluation.selectors.leaderboard import leaderboard
from evaluation.selectors.releases import prediction_sets_of
from evaluation.services.export_release import request_export
from evaluation.services.record_predictions import upload_predictions
from evaluation.services.score_predictions import request_score
from evaluation.visibility import open_result


class ExportBody(BaseSerializer):
    format = serializers.ChoiceField(choices=ExportFormat.values)


class PredictionsBody(BaseSerializer):
    """One system's predictions: JSONL (one `{"id": sample, "text": prediction}` per line), `.md` files named after the
    samples, or a zip of these."""

    system = serializers.CharField(max_length=120)
    kind = serializers.ChoiceField(choices=SystemKind.values, default=SystemKind.MODEL.value)
    files = serializers.ListField(child=serializers.FileField(allow_empty_file=True), allow_empty=False)


class ScoreBody(BaseSerializer):
    bundle = serializers.ChoiceField(choices=sorted(bundle_names()), default=DEFAULT)


class LeaderboardQuery(ScoreBody):
    """`view`: all metrics, or one `metric` by structure, language, scenario or difficulty. `within`: all metrics on one
    group of samples, such as `language:en` or `difficulty:3`. `sort` names a column; a leading minus reverses it."""

    view = serializers.ChoiceField(choices=[name for name, _label in VIEWS], default="metrics")
    metric = serializers.CharField(default="", allow_blank=True)
    within = serializers.CharField(default="", allow_blank=True)
    sort = serializers.CharField(default="", allow_blank=True)


class ItemsQuery(BaseSerializer):
    """Order of a scoring's samples by one metric, and filters."""

    metric = serializers.CharField(default="", allow_blank=True)
    by = serializers.ChoiceField(choices=ORDERS, default="worst")
    status = serializers.CharField(default="", allow_blank=True)
    language = serializers.CharField(default="", allow_blank=True)


class ReleaseDetailView(APIView):
    @described("releases_read", gives=ReleaseDetailResponse)
    def get(self, request: Request, pk: int) -> Response:
        """A release you manage: its manifest, and the changes since the previous release."""
        return respond(release_detail_response(release_for(person_of(request), pk, Role.MANAGER)))


class LeaderboardView(APIView):
    @described("leaderboard_read", gives=LeaderboardResponse, also=[LeaderboardQuery])
    def get(self, request: Request, pk: int) -> Response:
        """The leaderboard, for all members of the project: scores only, no texts."""
        release = release_for(person_of(request), pk)
        return respond(
            leaderboard_response(release, leaderboard(release, **read_query(request, LeaderboardQuery)))
        )


class ExportListView(APIView):
    @described("exports_list", gives=ExportResponse, is_list=True)
    def get(self, request: Request, pk: int) -> Response:
        """The exports of a release, newest first."""
        rows = release_for(person_of(request), pk, Role.MANAGER).exports.order_by("-queued_at", "-pk")
        return respond_page(request, rows, rows.count(), export_response, **read_query(request, PageQuery))

    @described(
        "exports_create",
        gives=ExportResponse,
        takes=ExportBody,
        also=[key_parameter()],
        status=201,
        refuses=[409],
    )
    def post(self, request: Request, pk: int) -> Response:
        """Write an archive in the background; poll until it is done, then download it."""
        person = person_of(request)
        release = release_for(person, pk, Role.MANAGER)
        body = read_body(request, ExportBody)

        def make() -> str:
            return str(request_export(release=release, format=ExportFormat(body["format"]), by=person).pk)

        run_pk, _is_new = make_once(request, body, make)
        return respond(export_response(export_for(person, int(run_pk), Role.MANAGER)), status=201)


class ExportDetailView(APIView):
    @described("exports_read", gives=ExportResponse)
    def get(self, request: Request, pk: int) -> Response:
        """Progress of an export."""
        return respond(export_response(export_for(person_of(request), pk, Role.MANAGER)))


class ExportDownloadView(APIView):
    @described("exports_download", gives=BINARY, media="application/zip")
    def get(self, request: Request, pk: int) -> HttpResponseBase:
        """The archive; `Range` resumes an interrupted download. Access to its ground truth is recorded."""
        person = person_of(request)
        return send_export(request._request, user=person, run=export_for(person, pk, Role.MANAGER))


@accepts_files
class PredictionSetListView(APIView):
    parser_classes = [MultiPartParser]

    @described("prediction_sets_list", gives=PredictionSetResponse, is_list=True)
    def get(self, request: Request, pk: int) -> Response:
        """The prediction sets of a release, newest first."""
        rows = prediction_sets_of(release_for(person_of(request), pk, Role.MANAGER))
        return respond_page(
            request, rows, rows.count(), prediction_set_response, **read_query(request, PageQuery)
        )

    @described(
        "prediction_sets_create",
        gives=PredictionSetResponse,
        takes=PredictionsBody,
        is_upload=True,
        also=[key_parameter()],
        status=201,
        refuses=[409],
    )
    def post(self, request: Request, pk: int) -> Response:
        """Submit a system's predictions; they are scored in the background. Samples without one count as missing."""
        person = person_of(request)
        release = release_for(person, pk, Role.MANAGER)
        files = read_files(request)
        body = read_body(request, PredictionsBody)
        system, kind = _system(release, body)

        def make() -> str:
            prediction_set = upload_predictions(
                release=release,
                system_name=system,
                by=person,
                files=[(file.name or "", file.file) for file in files if file.file is not None],
                kind=kind,
            )
            request_score(prediction_set=prediction_set)
            return str(prediction_set.pk)

        set_pk, _is_new = make_once(request, {"system": system, "kind": kind}, make)
        prediction_set = prediction_set_for(person, int(set_pk), Role.MANAGER)
        return respond(prediction_set_response(prediction_set), status=201)


def _system(release: Release, body: dict[str, str]) -> tuple[str, SystemKind]:
    form = PredictionsForm(body, systems=list(System.objects.filter(team=release.team)))
    if not form.is_valid():
        raise invalid_form(form)
    return form.cleaned_data["system"], SystemKind(form.cleaned_data["kind"])


class PredictionSetDetailView(APIView):
    @described("prediction_sets_read", gives=PredictionSetResponse)
    def get(self, request: Request, pk: int) -> Response:
        """What was accepted, what was refused and why, and the score runs."""
        return respond(prediction_set_response(prediction_set_for(person_of(request), pk, Role.MANAGER)))

    @described("prediction_sets_remove")
    def delete(self, request: Request, pk: int) -> Response:
        """Remove the predictions and their scores; the system and its other predictions are kept."""
        prediction_set_for(person_of(request), pk, Role.MANAGER).delete()
        return Response(status=204)


class ScoreRunListView(APIView):
    @described("score_runs_create", gives=ScoreRunResponse, takes=ScoreBody, status=201)
    def post(self, request: Request, pk: int) -> Response:
        """Score a prediction set with a metric bundle, for the first time or again."""
        prediction_set = prediction_set_for(person_of(request), pk, Role.MANAGER)
        run = request_score(prediction_set=prediction_set, bundle=read_body(request, ScoreBody)["bundle"])
        return respond(score_run_response(run), status=201)


class ScoreRunDetailView(APIView):
    @described("score_runs_read", gives=ScoreRunDetailResponse)
    def get(self, request: Request, pk: int) -> Response:
        """A scoring with its full report."""
        run = score_run_for(person_of(request), pk, Role.MANAGER)
        return respond(ScoreRunDetailResponse(score_run_response(run), run.results))


class ScoreItemListView(APIView):
    @described("score_items_list", gives=ItemResponse, is_list=True, also=[ItemsQuery])
    def get(self, request: Request, pk: int) -> Response:
        """The samples of a scoring, worst first: scores only."""
        run = score_run_for(person_of(request), pk, Role.MANAGER)
        page = read_query(request, PageQuery)
        query = read_query(request, ItemsQuery)
        order = read_order(run, query)
        for name in ("metric", "status", "language"):
            if query[name] and query[name] != getattr(order, name):
                raise invalid(**{name: _("This score run has no such entry.")})
        items = items_of(run, order)
        shown = list(items[page["offset"] : page["offset"] + page["limit"]])
        rows = dict(zip((item.pk for item in shown), rows_of(run, shown), strict=True))
        return respond_page(request, items, items.count(), lambda item: item_response(rows[item.pk]), **page)


class ScoreItemDetailView(APIView):
    @described("score_items_read", gives=ResultResponse)
    def get(self, request: Request, pk: int, sample_id: str) -> Response:
        """One scored sample with its ground truth and prediction. The access is recorded."""
        person = person_of(request)
        run = score_run_for(person, pk, Role.MANAGER)
        item = GoldItem.objects.filter(release=run.prediction_set.release_id, sample_id=sample_id).first()
        if item is None:
            raise Http404
        return respond(result_response(open_result(user=person, run=run, item=item)))
