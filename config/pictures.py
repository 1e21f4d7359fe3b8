"""Pictures reach a browser by signed token only: one person, one picture, one day.

The token names blob and person; another account, a changed character or an old one gets 404. No file name, no
metadata, no caching outside the person's own browser memory.
"""

from __future__ import annotations

from typing import cast

from django.contrib.auth.decorators import login_required
from django.core import signing
from django.http import FileResponse, Http404, HttpRequest
from django.views.decorators.http import require_safe

from config.accounts.models import User
from config.blobs import has_blob, open_blob

_SALT = "inkbench.picture"
_MAX_AGE = 24 * 3600


def picture_token(*, person: User, blob: str) -> str:
    """A token that shows the picture `blob` (PNG) to `person` for a day."""
    return signing.dumps([person.pk, blob], salt=_SALT)


@login_required
@require_safe
def show_picture(request: HttpRequest, token: str) -> FileResponse:
    """The PNG a token stands for."""
    return send_picture(cast(User, request.user), token)


def send_picture(person: User, token: str) -> FileResponse:
    """The PNG a token stands for, to the person it was made for. Raises Http404."""
    try:
        owner, blob = signing.loads(token, salt=_SALT, max_age=_MAX_AGE)
    except signing.BadSignature:
        raise Http404 from None
    if owner != person.pk or not has_blob(blob):
        raise Http404
    response = FileResponse(open_blob(blob), content_type="image/png")
    response["Cache-Control"] = "private, no-store"
    return response
