"""A person's tokens, the API's description, images for programs, and the answer where nothing is."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import FileResponse, Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView
from rest_framework.request import Request
from rest_framework.views import APIView

from config.accounts.requests import PersonRequest
from config.api.forms import TokenForm
from config.api.models import ApiToken
from config.api.requests import person_of
from config.api.schema import BINARY, described
from config.api.services import MAX_TOKENS, TooManyTokens, make_token, revoke_token
from config.signed_images import send_image


@login_required
def tokens(request: PersonRequest) -> HttpResponse:
    """The tokens in force, and a new one: it is shown in the answer to the form and never again."""
    form = TokenForm(request.POST if request.method == "POST" else None)
    secret = ""
    if request.method == "POST" and form.is_valid():
        try:
            secret = make_token(user=request.user, name=form.cleaned_data["name"])
            form = TokenForm()
        except TooManyTokens:
            form.add_error(
                None,
                _("You have reached the limit of %(count)d tokens. Revoke one first.")
                % {"count": MAX_TOKENS},
            )
    rows = ApiToken.objects.filter(user=request.user, revoked_at=None).order_by("-pk")
    context = {"form": form, "secret": secret, "tokens": rows}
    return render(request, "accounts/tokens.html", context, status=422 if form.errors else 200)


@login_required
@require_POST
def token_revoke(request: PersonRequest, pk: int) -> HttpResponse:
    """Close a token; programs that use it are signed out at once."""
    revoke_token(user=request.user, pk=pk)
    messages.success(request, _("The token was revoked. Programs that used it no longer have access."))
    return redirect("api_tokens")


class Schema(SpectacularAPIView):
    """OpenAPI, as YAML or with `?format=json` as JSON; public, for it says nothing of anybody's data."""

    authentication_classes: list[type] = []
    permission_classes: list[type] = []


class Docs(SpectacularSwaggerSplitView):
    """The same for people. Its script is a file of its own, so the site's content policy holds here too."""

    authentication_classes: list[type] = []
    permission_classes: list[type] = []
    url_name = "api_schema"
    template_name = "api/docs.html"


class ImageView(APIView):
    @described("images_read", gives=BINARY, media="image/png")
    def get(self, request: Request, token: str) -> FileResponse:
        """The PNG behind a worksheet's `image`; a token shows it for a day, to the person who got it."""
        return send_image(person_of(request), token)


@extend_schema(exclude=True)
class Nothing(APIView):
    """Every other address, in the API's own words."""

    def get(self, request: Request) -> HttpResponse:
        raise Http404

    post = put = patch = delete = get
