"""A project's releases, and freezing the next one."""

from __future__ import annotations

from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.permissions import project_for
from annotation.services.release_samples import create_release
from config.accounts.models import Role
from config.api.errors import invalid
from config.api.requests import make_once, person_of, read_body, read_query
from config.api.responses import PageQuery, respond, respond_page
from config.api.schema import described, key_parameter
from config.api.serializers import BaseSerializer
from evaluation.api.responses.releases import (
    ReleaseDetailResponse,
    ReleaseResponse,
    release_detail_response,
    release_response,
)
from evaluation.permissions import release_for
from evaluation.prediction_formats import FORMS, PAGE
from evaluation.selectors.releases import releases_of


class ReleaseBody(BaseSerializer):
    """Title and notes of the release. `confirm` must be true: a release can never be changed or removed.

    `formula_answers`: predictions for formula pages are given by `page` or by `regions`. `crossing_reason` is required
    if a writer's samples are in more than one split. `with_imported`: include ground truth that was imported and not
    reviewed here.
    """

    title = serializers.CharField(max_length=200, allow_blank=True, default="")
    notes = serializers.CharField(max_length=20_000, allow_blank=True, default="")
    formula_answers = serializers.ChoiceField(choices=FORMS, default=PAGE)
    with_imported = serializers.BooleanField(default=False)
    crossing_reason = serializers.CharField(max_length=2000, allow_blank=True, default="")
    confirm = serializers.BooleanField()


class ReleaseListView(APIView):
    @described("releases_list", gives=ReleaseResponse, is_list=True)
    def get(self, request: Request, slug: str) -> Response:
        """The releases of one of your projects, newest first."""
        rows = releases_of(project_for(person_of(request), slug).team)
        return respond_page(request, rows, rows.count(), release_response, **read_query(request, PageQuery))

    @described(
        "releases_create",
        gives=ReleaseDetailResponse,
        takes=ReleaseBody,
        also=[key_parameter()],
        status=201,
        refuses=[409],
    )
    def post(self, request: Request, slug: str) -> Response:
        """Freeze every verified sample as the next release."""
        person = person_of(request)
        project = project_for(person, slug, Role.MANAGER)
        body = read_body(request, ReleaseBody)
        if not body.pop("confirm"):
            raise invalid(confirm=_("Send true to continue. A release can never be changed."))
        pk, _is_new = make_once(
            request, body, lambda: str(create_release(project=project, by=person, **body).pk)
        )
        return respond(release_detail_response(release_for(person, int(pk), Role.MANAGER)), status=201)
