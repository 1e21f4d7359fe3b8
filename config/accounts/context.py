"""What every template knows about the reader's preferences."""

from __future__ import annotations

from django.http import HttpRequest

from config.accounts.models import Theme


def preferences(request: HttpRequest) -> dict[str, str]:
    """`theme`: the account's, or the visitor's cookie, or the system's."""
    user = getattr(request, "user", None)
    if user is not None and user.is_authenticated:
        return {"theme": user.theme}
    cookie = request.COOKIES.get("theme", "")
    return {"theme": cookie if cookie in Theme.values else Theme.AUTO}
