"""Pages about a person: preferences, and taking an invitation."""

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
from config.accounts.services import InvitationClosed, accept_invitation, save_preferences


@login_required
def preferences(request: PersonRequest) -> HttpResponse:
    form = PreferencesForm(request.POST if request.method == "POST" else None, instance=request.user)
    if request.method == "POST" and form.is_valid():
        save_preferences(user=request.user, **form.cleaned_data)
        with override(form.cleaned_data["language"] or None):
            messages.success(request, _("Preferences saved."))
        return redirect("preferences")
    return render(request, "accounts/preferences.html", {"form": form})


def invitation(request: HttpRequest, token: str) -> HttpResponse:
    """What a link offers, for anybody who holds it; taking it needs an account. A dead link says so in words."""
    is_written = "\0" not in token  # which PostgreSQL cannot be asked for
    found = Invitation.objects.select_related("team").filter(token=token).first() if is_written else None
    if found is None:
        return render(request, "accounts/invitation.html", {"is_open": False}, status=404)
    if request.method == "POST" and request.user.is_authenticated:
        try:
            team = accept_invitation(invitation=found, user=request.user)
        except InvitationClosed:
            return render(request, "accounts/invitation.html", {"is_open": False}, status=410)
        messages.success(request, _("Welcome to %(team)s.") % {"team": team.name})
        return redirect("home")
    is_open = found.is_open()
    context = {"is_open": is_open, "token": token}
    if is_open:
        context |= {"team": found.team, "roles": [Role(role).label for role in found.roles]}
    return render(request, "accounts/invitation.html", context, status=200 if is_open else 410)


def name_at_sign_in(request: HttpRequest, credentials: dict[str, str] | None) -> str:
    """What a person typed as their name, whichever of our forms (sign-in, admin) and backends asks."""
    given = credentials or {}
    typed = given.get("username") or given.get("email")
    return (typed or request.POST.get("login") or request.POST.get("username") or "").lower()


def locked_out(
    request: HttpRequest, original: HttpResponse, credentials: dict[str, str] | None
) -> HttpResponse:
    """The answer to a sign-in after too many wrong passwords, whatever the password was this time."""
    minutes = round(settings.AXES_COOLOFF_TIME * 60)
    return render(request, "account/locked_out.html", {"minutes": minutes}, status=429)
