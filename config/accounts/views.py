"""Pages of an account: preferences, and accepting an invitation."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import override

from config.accounts.credential_limits import LockedOut, count_failed_token
from config.accounts.forms import PreferencesForm
from config.accounts.models import Invitation, Role
from config.accounts.requests import PersonRequest
from config.accounts.services import InvitationClosed, accept_invitation, save_preferences
from config.accounts.sign_up import allow_sign_up
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
    if not isinstance(error, InvitationClosed):
        raise error
    return render(request, "accounts/invitation.html", {"is_open": False})


@renders_errors(_render_closed)
def invitation(request: HttpRequest, token: str) -> HttpResponse:
    """The roles that a link offers to anyone who has it; a POST by a signed-in person accepts them.

    Raises LockedOut after too many unknown links.
    """
    is_queryable = "\0" not in token  # PostgreSQL refuses NUL in a query
    row = Invitation.objects.select_related("team").filter(token=token).first() if is_queryable else None
    if row is None:
        count_failed_token(request)
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


def too_many_requests(request: HttpRequest) -> HttpResponse:
    """For limits that the sign-in library counts itself (mails, sign-ups), which are of requests in a minute."""
    raise LockedOut(60)
