"""Django's admin site without a sign-in of its own: its form would take a password and skip the second step."""

from __future__ import annotations

from collections.abc import Callable
from functools import update_wrapper
from typing import Any

from allauth.account.views import logout
from django.contrib.admin import AdminSite
from django.contrib.auth import REDIRECT_FIELD_NAME
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme

View = Callable[..., HttpResponseBase]


class SignedInAdminSite(AdminSite):
    """Visitors are sent to the site's sign-in and back; for people who are not staff there is nothing: 404."""

    def admin_view(self, view: View, cacheable: bool = False) -> Any:
        shown = super().admin_view(view, cacheable)

        def gate(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            if not self.has_permission(request):
                return _turn_away(request, request.get_full_path())
            return shown(request, *args, **kwargs)

        return update_wrapper(gate, shown)

    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        target = request.GET.get(REDIRECT_FIELD_NAME, "")
        if not url_has_allowed_host_and_scheme(
            target, allowed_hosts={request.get_host()}, require_https=request.is_secure()
        ):
            target = reverse("admin:index")
        return redirect(target) if self.has_permission(request) else _turn_away(request, target)

    def logout(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> Any:
        return logout(request)

    def password_change(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> Any:
        return redirect("account_change_password")

    def password_change_done(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> Any:
        return redirect("account_change_password")


def _turn_away(request: HttpRequest, target: str) -> HttpResponse:
    """Raises Http404 for somebody who is signed in."""
    if request.user.is_authenticated:
        raise Http404
    return redirect_to_login(target, reverse("account_login"))
