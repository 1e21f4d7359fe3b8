"""How the site looks to one person: language, light and text size, from the menus in the top bar."""

from __future__ import annotations

from django import forms
from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST

from config.accounts.models import Theme, User

READING_SIZES = [("small", _("Small")), ("medium", _("Medium")), ("large", _("Large"))]
_YEAR = 365 * 24 * 3600


class DisplayForm(forms.Form):
    """Any of the three; what is left out stays as it is."""

    language = forms.ChoiceField(choices=settings.LANGUAGES, required=False)
    theme = forms.ChoiceField(choices=Theme.choices, required=False)
    reading_size = forms.ChoiceField(choices=READING_SIZES, required=False)


@require_POST
def set_display(request: HttpRequest) -> HttpResponse:
    """Keep the choice in the account, or in cookies for a visitor, and go back to `next`; 400 for an unknown value."""
    form = DisplayForm(request.POST)
    if not form.is_valid():
        return HttpResponse(str(form.errors), status=400)
    chosen = {name: value for name, value in form.cleaned_data.items() if value}
    target = request.POST.get("next", "")
    is_own = url_has_allowed_host_and_scheme(
        target, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    response = HttpResponseRedirect(target if is_own else "/")
    if isinstance(request.user, User):
        _keep_in_account(request.user, chosen)
    for name, value in chosen.items():
        cookie = settings.LANGUAGE_COOKIE_NAME if name == "language" else name
        response.set_cookie(
            cookie, value, max_age=_YEAR, samesite="Lax", secure=request.is_secure(), httponly=True
        )
    return response


def _keep_in_account(user: User, chosen: dict[str, str]) -> None:
    user.language = chosen.get("language", user.language)
    user.theme = chosen.get("theme", user.theme)
    if "reading_size" in chosen:
        user.preferences = {**user.preferences, "reading_size": chosen["reading_size"]}
    user.save(update_fields=["language", "theme", "preferences"])
