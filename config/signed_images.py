"""Images reach a browser by signed token only: one person, one image of one team, one day.

An image that is shut (an unredacted page) is shown to managers and screeners, by private token, and to nobody else.
The token names blob, person and team; another account, a changed character, an old one, or a person who has left the
team gets 404. No file name, no
metadata, no caching outside the person's own browser memory.
"""

from __future__ import annotations

from typing import cast

from django.contrib.auth.decorators import login_required
from django.core import signing
from django.http import FileResponse, Http404, HttpRequest
from django.views.decorators.http import require_safe

from config.accounts.models import Role, Team, User
from config.accounts.selectors import teams_of
from config.blobs import has_blob, open_blob
from config.exposure.selectors import is_restricted

_SALT = "inkbench.image"
_MAX_AGE = 24 * 3600
_PRIVATE_AGE = 3600
_PRIVATE = "private"


def image_token(*, person: User, blob: str, team: Team) -> str:
    """A token that shows the image `blob` (PNG) to `person` for a day, as long as they are in `team`."""
    return signing.dumps([person.pk, blob, team.pk], salt=_SALT)


def private_image_token(*, person: User, blob: str, team: Team) -> str:
    """A token for an image that is shut to others: for an hour, and only to a manager or screener of the team."""
    return signing.dumps([person.pk, blob, team.pk, _PRIVATE], salt=_SALT)


@login_required
@require_safe
def show_image(request: HttpRequest, token: str) -> FileResponse:
    """The PNG a token stands for."""
    return send_image(cast(User, request.user), token)


def send_image(person: User, token: str) -> FileResponse:
    """The PNG a token stands for, to the person it was made for. Raises Http404."""
    try:
        owner, blob, team, *more = signing.loads(token, salt=_SALT, max_age=_MAX_AGE)
        if more:
            signing.loads(token, salt=_SALT, max_age=_PRIVATE_AGE)
    except (signing.BadSignature, ValueError):  # ValueError: a token from before teams stood in it
        raise Http404 from None
    if owner != person.pk or not teams_of(person).filter(pk=team).exists() or not has_blob(blob):
        raise Http404
    if is_restricted(team, blob) and not (
        more and teams_of(person, Role.MANAGER, Role.SCREENER).filter(pk=team)
    ):
        raise Http404
    response = FileResponse(open_blob(blob), content_type="image/png")
    response["Cache-Control"] = "private, no-store"
    return response
