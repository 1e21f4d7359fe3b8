"""Tokens, and requests that are carried out once however often they are sent."""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Callable, Mapping
from datetime import timedelta

from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils import timezone

from config.accounts.models import User
from config.api.models import ApiToken, RequestKey

PREFIX = "ink_"  # so that a token that leaked into a log or a repository can be searched for
MAX_TOKENS = 20
_USE_NOTED_EVERY = timedelta(minutes=1)
_KEYS_KEPT = timedelta(days=7)


class TooManyTokens(Exception):
    """A person has MAX_TOKENS tokens in force; one must go before another comes."""


class KeyReused(Exception):
    """The idempotency key came before with another request."""


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


def make_token(*, user: User, name: str) -> str:
    """A new token; the only time it is told. Raises TooManyTokens."""
    if ApiToken.objects.filter(user=user, revoked_at=None).count() >= MAX_TOKENS:
        raise TooManyTokens
    secret = PREFIX + secrets.token_urlsafe(32)
    ApiToken.objects.create(user=user, name=name, digest=_digest(secret), hint=secret[-4:])
    return secret


def revoke_token(*, user: User, pk: int) -> None:
    """Close one of the person's own tokens. Closing twice, or somebody else's, changes nothing."""
    ApiToken.objects.filter(pk=pk, user=user, revoked_at=None).update(revoked_at=timezone.now())


def find_token(secret: str) -> ApiToken | None:
    """The token in force with this secret, of an account in force; its use is noted, at most once a minute."""
    rows = ApiToken.objects.select_related("user").filter(digest=_digest(secret), revoked_at=None)
    found = rows.filter(user__is_active=True).first()
    if found is not None:
        now = timezone.now()
        stale = Q(last_used_at=None) | Q(last_used_at__lt=now - _USE_NOTED_EVERY)
        ApiToken.objects.filter(stale, pk=found.pk).update(last_used_at=now)
    return found


def once(
    *, user: User, key: str, place: str, body: Mapping[str, object], make: Callable[[], str]
) -> tuple[str, bool]:
    """What `make` returned (the name of what it made), and whether it was called now.

    The same key again returns the first name and makes nothing, also when both come at the same moment: the second
    waits for the first. Without a key it is made each time. When `make` raises, the key is free again. Raises
    KeyReused when the key came before with another `place` or `body`.
    """
    if not key:
        return make(), True
    told = json.dumps([place, body], sort_keys=True, default=str)
    request = hashlib.sha256(told.encode("utf-8", "surrogatepass")).hexdigest()
    with transaction.atomic():
        mine = RequestKey.objects.filter(user=user)
        mine.filter(at__lt=timezone.now() - _KEYS_KEPT).delete()
        try:
            with transaction.atomic():
                row = RequestKey.objects.create(user=user, key=key, request=request)
        except IntegrityError:
            row = mine.get(key=key)
            if row.request != request:
                raise KeyReused from None
            return row.result, False
        result = make()
        RequestKey.objects.filter(pk=row.pk).update(result=result)
    return result, True
