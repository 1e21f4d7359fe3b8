"""API tokens, the OpenAPI schema, images by token, and the 404 of the API."""

from __future__ import annotations

from functools import lru_cache

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import FileResponse, Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import translation
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.renderers import OpenApiYamlRenderer
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView
from rest_framework.request import Request
from rest_framework.views import APIView

from config.accounts.requests import PersonRequest
from config.api.forms import TokenForm
from config.api.requests import person_of
from config.api.schema import BINARY, described
from config.api.services import active_tokens, make_token, revoke_token
from config.error_responses import FormErrors
from config.signed_images import send_image


@login_required
def api_tokens(request: PersonRequest) -> HttpResponse:
    """The active tokens, and a form for a new one, which is shown only in the response to that form."""
    form = TokenForm(request.POST if request.method == "POST" else None)
    secret = ""
    if request.method == "POST" and form.is_valid():
        with FormErrors(form):
            secret = make_token(user=request.user, name=form.cleaned_data["name"])
            form = TokenForm()
    rows = active_tokens().filter(user=request.user).order_by("-pk")
    context = {"form": form, "secret": secret, "tokens": rows}
    return render(request, "accounts/tokens.html", context, status=422 if form.errors else 200)


@login_required
@require_POST
def api_token_revoke(request: PersonRequest, pk: int) -> HttpResponse:
    """Revoke a token with immediate effect."""
    revoke_token(user=request.user, pk=pk)
    messages.success(request, _("The token was revoked. Programs that used it no longer have access."))
    return redirect("api_tokens")


class SchemaView(SpectacularAPIView):
    """The OpenAPI schema as YAML; public, since it contains no data."""

    authentication_classes: list[type] = []
    permission_classes: list[type] = []

    def _get_schema_response(self, request: Request) -> HttpResponse:
        language = get_language()
        known = language if language in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE
        headers = {"Content-Disposition": 'inline; filename="inkbench-api.yaml"'}
        return HttpResponse(_schema_in(known), content_type=OpenApiYamlRenderer.media_type, headers=headers)


@lru_cache
def _schema_in(language: str) -> bytes:
    """Made once a process and language: anybody may ask for it, and making it takes long."""
    with translation.override(language):
        schema = SchemaGenerator().get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
        return bytes(OpenApiYamlRenderer().render(schema))  # type: ignore[no-untyped-call]


class DocsView(SpectacularSwaggerSplitView):
    """The schema as a web page. Its script is a separate file, as the content security policy requires."""

    authentication_classes: list[type] = []
    permission_classes: list[type] = []
    url_name = "api_schema"
    template_name = "api/docs.html"


class ImageView(APIView):
    @described("images_read", gives=BINARY, media="image/png")
    def get(self, request: Request, token: str) -> FileResponse:
        """The PNG for the `image` token of a worksheet, valid for one day and for its owner only."""
        return send_image(person_of(request), token)


@extend_schema(exclude=True)
class NothingView(APIView):
    """404 as JSON for every other path."""

    def get(self, request: Request) -> HttpResponse:
        raise Http404

    post = put = patch = delete = get
