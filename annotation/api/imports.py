"""Importing pages, and the outcome of each file."""

from __future__ import annotations

from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.api.responses.imports import ImportResponse, import_response
from annotation.models import ImportRun
from annotation.models.sample import Source, Structure
from annotation.permissions import import_for, project_for
from annotation.services.create_import import open_import, receive_file, start_import
from config.accounts.models import Role
from config.api.errors import invalid
from config.api.requests import make_once, person_of, read_body, read_files, read_query
from config.api.responses import PageQuery, respond, respond_page
from config.api.schema import described, key_parameter
from config.api.serializers import BaseSerializer
from config.jobs.queue import requeue
from config.jobs.services import request_cancel
from config.uploads import accepts_files


class FilesBody(BaseSerializer):
    """`paths` gives each file's path within its folder, in the order of `files`; a manifest refers to it."""

    files = serializers.ListField(child=serializers.FileField(allow_empty_file=True), allow_empty=False)
    paths = serializers.ListField(
        child=serializers.CharField(max_length=2000, trim_whitespace=False), required=False
    )
    start = serializers.BooleanField(
        default=True, help_text="false: more files follow, and the import is started separately."
    )


class ImportBody(FilesBody):
    """Files, and defaults for pages not listed in a manifest (`manifest.jsonl` among the files)."""

    language = serializers.CharField(required=False, max_length=35)
    scenario = serializers.CharField(required=False, max_length=60)
    structure = serializers.ChoiceField(required=False, choices=Structure.values)
    source = serializers.ChoiceField(required=False, choices=Source.values)  # type: ignore[assignment]


@accepts_files
class ImportListView(APIView):
    parser_classes = [MultiPartParser]

    @described("imports_list", gives=ImportResponse, is_list=True)
    def get(self, request: Request, slug: str) -> Response:
        """The imports of a project you manage, newest first, without their files."""
        project = project_for(person_of(request), slug, Role.MANAGER)
        rows = project.imports.select_related("project").order_by("-pk")
        page = read_query(request, PageQuery)
        return respond_page(
            request, rows, rows.count(), lambda run: import_response(run, with_files=False), **page
        )

    @described(
        "imports_create",
        gives=ImportResponse,
        takes=ImportBody,
        is_upload=True,
        also=[key_parameter()],
        status=201,
        refuses=[409],
    )
    def post(self, request: Request, slug: str) -> Response:
        """Import images, PDFs and zips in the background; poll until `state` is done, failed or cancelled."""
        person = person_of(request)
        project = project_for(person, slug, Role.MANAGER)
        body, files = _read(request, ImportBody)
        starts = body.pop("start")
        defaults = {name: value for name, value in body.items() if value}

        def make() -> str:
            return str(open_import(project=project, by=person, origin="api", defaults=defaults).pk)

        pk, _is_new = make_once(request, body, make)
        run = import_for(person, int(pk))
        if run.is_receiving:
            _receive(run, files, starts=starts)
        return respond(import_response(import_for(person, run.pk)), status=201)


class ImportDetailView(APIView):
    @described("imports_read", gives=ImportResponse)
    def get(self, request: Request, pk: int) -> Response:
        """Progress of an import, and the outcome of each file."""
        return respond(import_response(import_for(person_of(request), pk)))


@accepts_files
class ImportFilesView(APIView):
    parser_classes = [MultiPartParser]

    @described("imports_add_files", gives=ImportResponse, takes=FilesBody, is_upload=True, refuses=[409])
    def post(self, request: Request, pk: int) -> Response:
        """Add files to an import opened with `start=false`."""
        run = import_for(person_of(request), pk)
        body, files = _read(request, FilesBody)
        _receive(run, files, starts=body["start"])
        return respond(import_response(import_for(person_of(request), pk)))


class ImportStartView(APIView):
    @described("imports_start", gives=ImportResponse)
    def post(self, request: Request, pk: int) -> Response:
        """Start an import whose files are complete, or resume one that stopped."""
        run = import_for(person_of(request), pk)
        start_import(run=run)
        requeue(run)
        return respond(import_response(import_for(person_of(request), pk)))


class ImportCancelView(APIView):
    @described("imports_cancel", gives=ImportResponse)
    def post(self, request: Request, pk: int) -> Response:
        """Cancel. Pages already imported are kept."""
        request_cancel(import_for(person_of(request), pk))
        return respond(import_response(import_for(person_of(request), pk)))


def _read(
    request: Request, shape: type[BaseSerializer]
) -> tuple[dict[str, object], list[tuple[str, UploadedFile[bytes]]]]:
    """(fields, [(path, file) of each upload]). Raises ValidationError."""
    files = read_files(request)
    body = read_body(request, shape)
    body.pop("files")
    paths = body.pop("paths", None) or [file.name or "" for file in files]
    if len(paths) != len(files):
        raise invalid(paths=_("Give one path per file, in the order of the files, or no paths at all."))
    return body, list(zip(paths, files, strict=True))


def _receive(run: ImportRun, files: list[tuple[str, UploadedFile[bytes]]], *, starts: object) -> None:
    for name, file in files:
        receive_file(run=run, name=name, file=file)
    if starts:
        start_import(run=run)
