"""Pages of an account: preferences, and accepting an invitation."""

from __future__ import annotations

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import override

from config.accounts.forms import PreferencesForm
from config.accounts.models import Invitation, Role
from config.accounts.requests import PersonRequest
from config.accounts.sign_up import allow_sign_up
from config.accounts.services import InvitationClosed, accept_invitation, save_preferences
from config.error_responses import renders_errors
from config.errors import RequestError


@login_required
def preferences(request: PersonRequest) -> HttpResponse:
    form = PreferencesForm(request.POST if request.method == "POST" else None, instance=request.user)
    if request.method == "POST" and form.is_valid():
        save_preferences(user=request.user, **form.cleaned_data)
        with override(form.cleaned_data["language"] or None):
            messages.success(request, _("Preferences saved."))
        return redirect("preferences")
    return render(request, "accounts/preferences.html", {"form": form})


def _render_closed(request: HttpRequest, error: RequestError, token: str) -> HttpResponse:
    return render(request, "accounts/invitation.html", {"is_open": False})


@renders_errors(_render_closed)
def invitation(request: HttpRequest, token: str) -> HttpResponse:
    """The roles that a link offers to anyone who has it; a POST by a signed-in person accepts them."""
    is_queryable = "\0" not in token  # PostgreSQL refuses NUL in a query
    row = Invitation.objects.select_related("team").filter(token=token).first() if is_queryable else None
    if row is None:
        return render(request, "accounts/invitation.html", {"is_open": False}, status=404)
    if request.method == "POST" and request.user.is_authenticated:
        team = accept_invitation(invitation=row, user=request.user)
        messages.success(request, _("Welcome to %(team)s.") % {"team": team.name})
        return redirect("home")
    if not row.is_open():
        raise InvitationClosed
    allow_sign_up(request)
    context = {"is_open": True, "token": token, "team": row.team}
    context["roles"] = [Role(role).label for role in row.roles]
    return render(request, "accounts/invitation.html", context)


def name_at_sign_in(request: HttpRequest, credentials: dict[str, str] | None) -> str:
    """The name typed at sign-in, on the site's form or the admin's, for django-axes."""
    values = credentials or {}
    typed = values.get("username") or values.get("email")
    return (typed or request.POST.get("login") or request.POST.get("username") or "").lower()


def locked_out(
    request: HttpRequest, original: HttpResponse, credentials: dict[str, str] | None
) -> HttpResponse:
    """The response of django-axes to a sign-in after too many wrong passwords, right or wrong."""
    minutes = round(settings.AXES_COOLOFF_TIME * 60)
    return render(request, "account/locked_out.html", {"minutes": minutes}, status=429)
