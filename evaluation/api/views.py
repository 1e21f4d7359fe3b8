"""Releases, exports, predictions and scores, for the people of a team."""

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
from config.api.errors import ApiError, invalid, invalid_form
from config.api.requests import make_once, person_of, read_body, read_files, read_query
from config.api.responses import PageQuery, respond, respond_page
from config.api.schema import BINARY, described, key_parameter
from config.api.serializers import BaseSerializer
from evaluation.api.responses.leaderboard import LeaderboardAnswer, leaderboard_answer
from evaluation.api.responses.releases import ExportAnswer, ReleaseDetail, export_answer, release_detail
from evaluation.api.responses.scores import (
    ItemAnswer,
    PredictionSetAnswer,
    ResultAnswer,
    ScoreRunAnswer,
    ScoreRunDetail,
    item_answer,
    prediction_set_answer,
    result_answer,
    score_run_answer,
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
from evaluation.services.record_predictions import NothingTaken, upload_predictions
from evaluation.services.score_predictions import request_score
from evaluation.upload_messages import line_for
from evaluation.visibility import open_result

_SHOWN = 20  # faults of a refused upload


class ExportBody(BaseSerializer):
    format = serializers.ChoiceField(choices=ExportFormat.values)


class PredictionsBody(BaseSerializer):
    """One system's answers: JSONL (`{"id": sample, "text": answer}` a line), `.md` files named like the samples, or
    a zip of these. `paths` carries the folders of the files, one a file, where that matters."""

    system = serializers.CharField(max_length=120)
    kind = serializers.ChoiceField(choices=SystemKind.values, default=SystemKind.MODEL.value)
    files = serializers.ListField(child=serializers.FileField(allow_empty_file=True), allow_empty=False)


class ScoreBody(BaseSerializer):
    bundle = serializers.ChoiceField(choices=sorted(bundle_names()), default=DEFAULT)


class LeaderboardQuery(ScoreBody):
    """`view`: all metrics, or one `metric` by structure, language, scenario or difficulty. `within`: all metrics of the
    samples of one group, as `language:en` or `difficulty:3`. `sort` names a column; a minus turns it round."""

    view = serializers.ChoiceField(choices=[name for name, _label in VIEWS], default="metrics")
    metric = serializers.CharField(default="", allow_blank=True)
    within = serializers.CharField(default="", allow_blank=True)
    sort = serializers.CharField(default="", allow_blank=True)


class ItemsQuery(BaseSerializer):
    """The order of a scoring's samples by one metric, and filters."""

    metric = serializers.CharField(default="", allow_blank=True)
    by = serializers.ChoiceField(choices=ORDERS, default="worst")
    status = serializers.CharField(default="", allow_blank=True)
    language = serializers.CharField(default="", allow_blank=True)


class ReleaseItem(APIView):
    @described("releases_read", gives=ReleaseDetail)
    def get(self, request: Request, pk: int) -> Response:
        """A release you manage: its manifest, and what changed since the one before."""
        return respond(release_detail(release_for(person_of(request), pk, Role.MANAGER)))


class Leaderboard(APIView):
    @described("leaderboard_read", gives=LeaderboardAnswer, also=[LeaderboardQuery])
    def get(self, request: Request, pk: int) -> Response:
        """The leaderboard, for everybody in the project: figures only, no text of anybody."""
        release = release_for(person_of(request), pk)
        return respond(
            leaderboard_answer(release, leaderboard(release, **read_query(request, LeaderboardQuery)))
        )


class ExportList(APIView):
    @described("exports_list", gives=ExportAnswer, is_list=True)
    def get(self, request: Request, pk: int) -> Response:
        """The exports of a release, newest first."""
        rows = release_for(person_of(request), pk, Role.MANAGER).exports.order_by("-queued_at", "-pk")
        return respond_page(request, rows, rows.count(), export_answer, **read_query(request, PageQuery))

    @described(
        "exports_create",
        gives=ExportAnswer,
        takes=ExportBody,
        also=[key_parameter()],
        status=201,
        refuses=[409],
    )
    def post(self, request: Request, pk: int) -> Response:
        """Write an archive in the background; ask again until it is done, then download it."""
        person = person_of(request)
        release = release_for(person, pk, Role.MANAGER)
        body = read_body(request, ExportBody)

        def make() -> str:
            return str(request_export(release=release, format=ExportFormat(body["format"]), by=person).pk)

        made, _is_new = make_once(request, body, make)
        return respond(export_answer(export_for(person, int(made), Role.MANAGER)), status=201)


class ExportItem(APIView):
    @described("exports_read", gives=ExportAnswer)
    def get(self, request: Request, pk: int) -> Response:
        """How far an export is."""
        return respond(export_answer(export_for(person_of(request), pk, Role.MANAGER)))


class ExportDownload(APIView):
    @described("exports_download", gives=BINARY, media="application/zip")
    def get(self, request: Request, pk: int) -> HttpResponseBase:
        """The archive; `Range` goes on with a broken download. That you have its ground truth is written down."""
        person = person_of(request)
        return send_export(request._request, user=person, run=export_for(person, pk, Role.MANAGER))


class PredictionSetList(APIView):
    parser_classes = [MultiPartParser]

    @described("prediction_sets_list", gives=PredictionSetAnswer, is_list=True)
    def get(self, request: Request, pk: int) -> Response:
        """What systems answered to a release, newest first."""
        rows = prediction_sets_of(release_for(person_of(request), pk, Role.MANAGER))
        return respond_page(
            request, rows, rows.count(), prediction_set_answer, **read_query(request, PageQuery)
        )

    @described(
        "prediction_sets_create",
        gives=PredictionSetAnswer,
        takes=PredictionsBody,
        is_upload=True,
        also=[key_parameter()],
        status=201,
        refuses=[409],
    )
    def post(self, request: Request, pk: int) -> Response:
        """Hand in a system's predictions; they are scored in the background. A sample left out counts as missing."""
        person = person_of(request)
        release = release_for(person, pk, Role.MANAGER)
        files = read_files(request)
        body = read_body(request, PredictionsBody)
        system, kind = _system(release, body)

        def make() -> str:
            answers = upload_predictions(
                release=release,
                system_name=system,
                by=person,
                files=[(file.name or "", file.file) for file in files if file.file is not None],
                kind=kind,
            )
            request_score(prediction_set=answers)
            return str(answers.pk)

        try:
            made, _is_new = make_once(request, {"system": system, "kind": kind}, make)
        except NothingTaken as refusal:
            raise _nothing_taken(refusal) from None
        found = prediction_set_for(person, int(made), Role.MANAGER)
        return respond(prediction_set_answer(found), status=201)


def _system(release: Release, body: dict[str, str]) -> tuple[str, SystemKind]:
    form = PredictionsForm(body, systems=list(System.objects.filter(team=release.team)))
    if not form.is_valid():
        raise invalid_form(form)
    return form.cleaned_data["system"], SystemKind(form.cleaned_data["kind"])


def _nothing_taken(refusal: NothingTaken) -> ApiError:
    faults = [line_for(entry) for entry in refusal.report[:_SHOWN]]
    message = _("Nothing was imported: no file contains a prediction for this release.")
    return ApiError(422, "invalid", message, fields={"files": faults or [message]})


class PredictionSetItem(APIView):
    @described("prediction_sets_read", gives=PredictionSetAnswer)
    def get(self, request: Request, pk: int) -> Response:
        """What was taken, what was not and why, and the scorings."""
        return respond(prediction_set_answer(prediction_set_for(person_of(request), pk, Role.MANAGER)))

    @described("prediction_sets_remove")
    def delete(self, request: Request, pk: int) -> Response:
        """Remove the predictions and their scores; the system stays, with its others."""
        prediction_set_for(person_of(request), pk, Role.MANAGER).delete()
        return Response(status=204)


class ScoreRunList(APIView):
    @described("score_runs_create", gives=ScoreRunAnswer, takes=ScoreBody, status=201)
    def post(self, request: Request, pk: int) -> Response:
        """Score a prediction set with a bundle of metrics, again or for the first time."""
        answers = prediction_set_for(person_of(request), pk, Role.MANAGER)
        run = request_score(prediction_set=answers, bundle=read_body(request, ScoreBody)["bundle"])
        return respond(score_run_answer(run), status=201)


class ScoreRunItem(APIView):
    @described("score_runs_read", gives=ScoreRunDetail)
    def get(self, request: Request, pk: int) -> Response:
        """A scoring with its whole report."""
        run = score_run_for(person_of(request), pk, Role.MANAGER)
        return respond(ScoreRunDetail(score_run_answer(run), run.results))


class ScoreItems(APIView):
    @described("score_items_list", gives=ItemAnswer, is_list=True, also=[ItemsQuery])
    def get(self, request: Request, pk: int) -> Response:
        """The samples of a scoring, the worst first: figures only."""
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
        return respond_page(request, items, items.count(), lambda item: item_answer(rows[item.pk]), **page)


class ScoreItem(APIView):
    @described("score_items_read", gives=ResultAnswer)
    def get(self, request: Request, pk: int, sample_id: str) -> Response:
        """One scored sample with its texts. It shows ground truth, and that you saw it is written down."""
        person = person_of(request)
        run = score_run_for(person, pk, Role.MANAGER)
        item = GoldItem.objects.filter(release=run.prediction_set.release_id, sample_id=sample_id).first()
        if item is None:
            raise Http404
        return respond(result_answer(open_result(user=person, run=run, item=item)))
