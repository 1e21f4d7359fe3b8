"""Projects of a person, their guideline, their samples."""

from __future__ import annotations

import uuid

from django.http import Http404
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.api.responses.projects import (
    GuidelineResponse,
    ProjectDetailResponse,
    ProjectResponse,
    project_response,
    queue_response,
    state_response,
)
from annotation.api.responses.samples import (
    LabelResponse,
    LabelsResponse,
    SampleDetailResponse,
    SampleResponse,
    sample_detail_response,
    sample_response,
)
from annotation.forms.samples import SampleFilterForm
from annotation.models.sample import Sample
from annotation.permissions import project_for, sample_for
from annotation.selectors.overview import columns_of
from annotation.selectors.project_tasks import projects_of, tasks_in
from annotation.selectors.sample import MANAGER_VERBS
from annotation.selectors.samples import samples_of
from annotation.services.flag_sample import close_flag
from annotation.services.open_sample import open_labels
from annotation.services.return_work import move_work_as_manager
from annotation.stages import SampleState, Verb
from config.accounts.models import Role
from config.api.errors import invalid_form
from config.api.requests import person_of, read_body, read_query
from config.api.responses import PageQuery, respond, respond_page
from config.api.schema import described
from config.api.serializers import BaseSerializer
from config.exposure.models import SeenContent
from config.exposure.services import record_exposure


class ProjectsQuery(PageQuery):
    archived = serializers.BooleanField(
        default=False, help_text="List archived projects instead of active ones."
    )


class SamplesQuery(BaseSerializer):
    """Filters for a list of samples; unknown values are refused."""

    number = serializers.IntegerField(required=False, min_value=1, max_value=2**31 - 1)
    state = serializers.ChoiceField(required=False, choices=[state.value for state in SampleState])
    structure = serializers.CharField(required=False)
    language = serializers.CharField(required=False)
    scenario = serializers.CharField(required=False)
    flag = serializers.ChoiceField(required=False, choices=["open"])


class MoveBody(BaseSerializer):
    """A manager's action on a sample and its reason, which is kept in the sample's history."""

    verb = serializers.ChoiceField(choices=[verb.value for verb in MANAGER_VERBS])
    reason = serializers.CharField(max_length=2000, allow_blank=True, default="")


class ProjectListView(APIView):
    @described("projects_list", gives=ProjectResponse, is_list=True, also=[ProjectsQuery])
    def get(self, request: Request) -> Response:
        """Your projects, ordered by name."""
        query = read_query(request, ProjectsQuery)
        rows = projects_of(person_of(request), archived=query.pop("archived"))
        return respond_page(request, rows, len(rows), lambda row: project_response(*row), **query)


class ProjectDetailView(APIView):
    @described("projects_read", gives=ProjectDetailResponse)
    def get(self, request: Request, slug: str) -> Response:
        """One project with your queues and discussions; for managers also the states of its samples."""
        person = person_of(request)
        tasks = tasks_in(person, project_for(person, slug))
        columns = columns_of(tasks.project).values() if tasks.is_manager else None
        return respond(
            ProjectDetailResponse(
                project=project_response(tasks.project, tasks.roles),
                queues=tuple(queue_response(queue) for queue in tasks.queues),
                discussions=tuple(assignment.uuid for assignment in tasks.disputes),
                states=None if columns is None else tuple(state_response(column) for column in columns),
            )
        )


class GuidelineView(APIView):
    @described("projects_guideline", gives=GuidelineResponse)
    def get(self, request: Request, slug: str) -> Response:
        """The current version of the guideline."""
        newest = project_for(person_of(request), slug).guidelines.first()
        if newest is None:
            raise Http404
        return respond(GuidelineResponse(newest.number, newest.text, newest.created_at))


class SampleListView(APIView):
    @described("samples_list", gives=SampleResponse, is_list=True, also=[SamplesQuery])
    def get(self, request: Request, slug: str) -> Response:
        """The samples of a project you manage, ordered by number."""
        project = project_for(person_of(request), slug, Role.MANAGER)
        page = read_query(request, PageQuery)
        form = SampleFilterForm(read_query(request, SamplesQuery), project=project)
        if not form.is_valid():
            raise invalid_form(form)
        rows = samples_of(project, form.chosen(), person_of(request))
        return respond_page(request, rows, rows.count(), sample_response, **page)


class SampleDetailView(APIView):
    @described("samples_read", gives=SampleDetailResponse)
    def get(self, request: Request, sample: uuid.UUID) -> Response:
        """One sample of a project you manage. Access to its image is recorded in the exposure log."""
        return _detail(request, sample_for(person_of(request), sample, Role.MANAGER))


def _detail(request: Request, sample: Sample) -> Response:
    person = person_of(request)
    record_exposure(
        user=person, image_hash=sample.pixel_hash, role=Role.MANAGER, saw=SeenContent.IMAGE, place="sample"
    )
    return respond(sample_detail_response(sample, person))


class SampleMoveView(APIView):
    @described("samples_move", gives=SampleDetailResponse, takes=MoveBody, refuses=[409])
    def post(self, request: Request, sample: uuid.UUID) -> Response:
        """Return, reopen, release, pass to the adjudicator, withdraw or restore."""
        person = person_of(request)
        row = sample_for(person, sample, Role.MANAGER)
        body = read_body(request, MoveBody)
        move_work_as_manager(sample=row, verb=Verb(body["verb"]), manager=person, reason=body["reason"])
        return _detail(request, sample_for(person, sample, Role.MANAGER))


class SampleLabelsView(APIView):
    @described("samples_open_labels", gives=LabelsResponse, refuses=[409])
    def post(self, request: Request, sample: uuid.UUID) -> Response:
        """Open the transcriptions. The access is logged and excludes you from blind work on this image."""
        person = person_of(request)
        rows = open_labels(sample=sample_for(person, sample, Role.MANAGER), manager=person)
        return respond(LabelsResponse(tuple(LabelResponse(**row) for row in rows)))  # type: ignore[arg-type]


class SampleFlagView(APIView):
    @described("samples_close_flag", gives=SampleDetailResponse)
    def delete(self, request: Request, sample: uuid.UUID, pk: int) -> Response:
        """Close a flag that was dealt with. It stays in the history."""
        person = person_of(request)
        row = sample_for(person, sample, Role.MANAGER)
        flag = row.flags.filter(pk=pk).first()
        if flag is None:
            raise Http404
        close_flag(flag=flag, manager=person)
        return _detail(request, row)
