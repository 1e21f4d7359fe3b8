"""API tokens and idempotent requests."""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Callable, Mapping
from datetime import timedelta

from django.db import IntegrityError, transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_noop

from config.accounts.models import User
from config.api.models import ApiToken, RequestKey
from config.errors import ApplicationError
from config.transactions import retries_conflicts

PREFIX = "ink_"  # makes tokens leaked into logs or repositories searchable
MAX_TOKENS = 20
_USE_NOTED_EVERY = timedelta(minutes=1)
_KEYS_KEPT = timedelta(days=7)


class TooManyTokens(ApplicationError):
    """The user already has MAX_TOKENS active tokens."""

    kind = "too_many_tokens"
    msgid = gettext_noop("You have reached the limit of %(count)d tokens. Revoke one first.")


class KeyReused(ApplicationError):
    """The idempotency key was used for a different request."""

    kind = "key_reused"
    msgid = gettext_noop("This idempotency key was already used for another request. Send a new one.")


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


def make_token(*, user: User, name: str) -> str:
    """Create a token and return its secret, which is not stored. Raises TooManyTokens."""
    if active_tokens().filter(user=user).count() >= MAX_TOKENS:
        raise TooManyTokens(count=MAX_TOKENS)
    secret = PREFIX + secrets.token_urlsafe(32)
    ApiToken.objects.create(user=user, name=name, digest=_digest(secret), hint=secret[-4:])
    return secret


def active_tokens() -> QuerySet[ApiToken]:
    """Tokens that were not revoked and are younger than their account's password.

    Who changes a password because somebody knew it must not leave that person a token.
    """
    is_young = Q(user__password_set_at=None) | Q(created_at__gte=F("user__password_set_at"))
    return ApiToken.objects.filter(is_young, revoked_at=None)


def revoke_token(*, user: User, pk: int) -> None:
    """Revoke one of the user's own tokens. A revoked token or another user's is left unchanged."""
    ApiToken.objects.filter(pk=pk, user=user, revoked_at=None).update(revoked_at=timezone.now())


def find_token(secret: str) -> ApiToken | None:
    """The active token with this secret, of an active user. Records its use, at most once a minute."""
    rows = active_tokens().select_related("user").filter(digest=_digest(secret))
    token = rows.filter(user__is_active=True).first()
    if token is not None:
        now = timezone.now()
        stale = Q(last_used_at=None) | Q(last_used_at__lt=now - _USE_NOTED_EVERY)
        ApiToken.objects.filter(stale, pk=token.pk).update(last_used_at=now)
    return token


@retries_conflicts
def once(
    *, user: User, key: str, path: str, body: Mapping[str, object], make: Callable[[], str]
) -> tuple[str, bool]:
    """(result of `make`, whether `make` was called now).

    `make` creates a row and returns its primary key as text. A repeated key returns the first result without calling
    `make`, also for concurrent requests: the second waits for the first. Without a key `make` is always called. If
    `make` raises, the key can be used again. Raises KeyReused if the key was used with another `path` or `body`.
    """
    if not key:
        return make(), True
    content = json.dumps([path, body], sort_keys=True, default=str)
    request = hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()
    with transaction.atomic():
        keys = RequestKey.objects.filter(user=user)
        keys.filter(at__lt=timezone.now() - _KEYS_KEPT).delete()
        try:
            with transaction.atomic():
                row = RequestKey.objects.create(user=user, key=key, request=request)
        except IntegrityError:
            row = keys.get(key=key)
            if row.request != request:
                raise KeyReused from None
            return row.result, False
        result = make()
        RequestKey.objects.filter(pk=row.pk).update(result=result)
    return result, True
