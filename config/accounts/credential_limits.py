"""How often somebody may try a password, a code, a token or a key: the only home of these limits.

An attempt is counted in the database before the credential is looked at, in a transaction of its own: requests that
arrive at one moment, at however many processes, never check more guesses than a limit allows. Success clears what the
account has against it and gives the address its count back. Windows are fixed: they begin with the first attempt, and
refused attempts neither count nor prolong them.

Nobody is locked out for good by a stranger who knows their name. In a browser in which the account has signed in
before (`known_browsers`), only that browser's attempts count. Elsewhere, a full counter of the account's passwords
still leaves every address its first attempt of a window.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from allauth.account.internal.userkit import filter_users_by_email, get_user_by_username
from allauth.core.internal.cryptokit import normalize_user_code
from django.db import transaction
from django.db.models import F, QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext_noop

from config.accounts.known_browsers import known_browser
from config.accounts.models import AttemptCount, User
from config.client_address import address_block
from config.errors import ApplicationError

_QUARTER, _HOUR, _DAY = timedelta(minutes=15), timedelta(hours=1), timedelta(days=1)
_BATCH = 1000
_CODE_LIFE = timedelta(seconds=90)  # 30 s, and as much before and after (MFA_TOTP_TOLERANCE)


class Credential(StrEnum):
    """What is guessed. Recovery codes count as codes."""

    PASSWORD = "password"
    CODE = "code"


class LockedOut(ApplicationError):
    """Too many attempts; `seconds` until the next one is possible."""

    status, kind = 429, "too_many"
    msgid = gettext_noop("Too many attempts. Try again in %(minutes)d min.")
    template = "account/locked_out.html"

    def __init__(self, seconds: int, *, may_reset: bool = False) -> None:
        self.seconds, self.minutes, self.may_reset = seconds, math.ceil(seconds / 60), may_reset
        super().__init__(minutes=self.minutes)

    def headers(self) -> dict[str, str]:
        return {"Retry-After": str(self.seconds)}

    def extra(self) -> dict[str, Any]:
        return {"retry_after": self.seconds}


@dataclass(frozen=True, slots=True)
class _Counter:
    """At most `limit` attempts in `window`. `key` is a digest: people type passwords into the field for the name."""

    key: str
    limit: int
    window: timedelta

    @classmethod
    def of(cls, limit: int, window: timedelta, *parts: object) -> _Counter:
        value = "\0".join(map(str, (*parts, int(window.total_seconds()))))
        digest = salted_hmac(__name__, value, algorithm="sha256").hexdigest()
        return cls(digest, limit, window)


def _of_address(address: str) -> _Counter:
    return _Counter.of(100, _QUARTER, "address", address)


def _of_token_address(address: str) -> _Counter:
    # Apart from the people's: a program with a revoked token must not keep an office from signing in.
    return _Counter.of(100, _QUARTER, "tokens", address)


def _of_browser(credential: Credential, account: str, browser: str) -> list[_Counter]:
    counters = [_Counter.of(10, _QUARTER, "browser", credential, account, browser)]
    if credential is Credential.CODE:
        counters.append(_Counter.of(50, _DAY, "browser", credential, account, browser))
    return counters


def _of_account_here(account: str, address: str) -> _Counter:
    return _Counter.of(10, _QUARTER, "here", account, address)


def _of_account(credential: Credential, account: str) -> list[_Counter]:
    """Over all addresses."""
    if credential is Credential.PASSWORD:
        return [_Counter.of(50, _HOUR, "account", credential, account)]
    return [
        _Counter.of(10, _QUARTER, "account", credential, account),
        _Counter.of(50, _DAY, "account", credential, account),
    ]


@dataclass(frozen=True, slots=True)
class Attempt:
    """A counted attempt. Without `succeed` it stays counted."""

    _own: tuple[_Counter, ...]
    _of_address: tuple[tuple[_Counter, datetime], ...]

    def succeed(self) -> None:
        """The credential was right: clear the account's counters, and give the address its count back."""
        _clear(self._own)
        for counter, ends_at in self._of_address:
            AttemptCount.objects.filter(key=counter.key, ends_at=ends_at, count__gt=0).update(
                count=F("count") - 1
            )


def attempt_by_name(request: HttpRequest, name: str) -> Attempt:
    """Count an attempt at the password of whoever `name` (or address) stands for, existing or not. Raises LockedOut."""
    accounts: dict[str, User | None] = {_account_of(user): user for user in _users_named(name)}
    return _attempt(request, Credential.PASSWORD, accounts or {f"name {name.strip().casefold()}": None})


def attempt_of(request: HttpRequest, user: User, credential: Credential) -> Attempt:
    """Count an attempt at a credential of this account. Raises LockedOut."""
    return _attempt(request, credential, {_account_of(user): user})


def _attempt(request: HttpRequest, credential: Credential, accounts: dict[str, User | None]) -> Attempt:
    address = address_block(request)
    counters: list[_Counter] = []
    spares: dict[_Counter, _Counter] = {}
    is_known_everywhere = True
    for account, user in accounts.items():
        browser = known_browser(request, user) if user else None
        if browser:
            counters += _of_browser(credential, account, browser)
            continue
        is_known_everywhere = False
        over_all = _of_account(credential, account)
        counters += over_all
        if credential is Credential.PASSWORD:
            here = _of_account_here(account, address)
            counters.append(here)
            spares |= dict.fromkeys(over_all, here)
    shared = [] if is_known_everywhere else [_of_address(address)]
    ends = _count([*counters, *shared], spares=spares, may_reset=credential is Credential.PASSWORD)
    return Attempt(tuple(counters), tuple((counter, ends[counter]) for counter in shared))


def count_failed_token(request: HttpRequest) -> None:
    """Count an unknown API token, invitation link or reset key, by address. Raises LockedOut.

    They are long random strings, so a right one always works and is not counted.
    """
    _count([_of_token_address(address_block(request))])


def spend_code(user: User, code: str) -> bool:
    """True for the first use of a right code while it is valid; over all processes, also at one moment."""
    try:
        _count([_Counter.of(1, _CODE_LIFE, "spent", user.pk, normalize_user_code(code))])
    except LockedOut:
        return False
    return True


def forgive(request: HttpRequest, user: User) -> None:
    """Clear the counters of passwords, here and over all addresses: the account has a new one."""
    account = _account_of(user)
    counters = [
        *_of_account(Credential.PASSWORD, account),
        _of_account_here(account, address_block(request)),
    ]
    _clear(counters)


def forget_ended_windows() -> None:
    """Delete what no longer counts."""
    ended = AttemptCount.objects.filter(ends_at__lte=timezone.now())
    while ended.exists():  # a DELETE of nothing would still wait for SQLite's write lock
        _delete(ended)


def _clear(counters: Iterable[_Counter]) -> None:
    _delete(AttemptCount.objects.filter(key__in=[counter.key for counter in counters]))


def _delete(rows: QuerySet[AttemptCount]) -> None:
    """Delete up to _BATCH of the rows, locked in the order in which attempts lock them: no deadlocks."""
    with transaction.atomic():
        locked = rows.select_for_update().order_by("key").values_list("pk", flat=True)[:_BATCH]
        AttemptCount.objects.filter(pk__in=list(locked)).delete()


def _account_of(user: User) -> str:
    return f"user {user.pk}"


def _users_named(name: str) -> set[User]:
    """Everybody whose password the sign-in form would compare for this name."""
    by_name = get_user_by_username(name)
    users = {
        *filter_users_by_email(name, prefer_verified=True, for_login=True),
        *User.objects.filter(username=name),
    }
    return users | ({by_name} if by_name else set())


def _count(
    counters: Iterable[_Counter],
    *,
    spares: dict[_Counter, _Counter] | None = None,
    may_reset: bool = False,
) -> dict[_Counter, datetime]:
    """Add one to every counter, or to none and raise LockedOut; returns when their windows end.

    A full counter with a spare one lets the attempt pass while the spare is at zero.
    """
    spares = spares or {}
    ordered = sorted(counters, key=lambda counter: counter.key)  # one order of locking: no deadlocks
    with transaction.atomic(durable=True):
        now = timezone.now()
        rows = _lock(ordered, now)
        waits = []
        for counter in ordered:
            row = rows[counter.key]
            if row.ends_at <= now:
                row.count, row.ends_at = 0, now + counter.window
        counts = {counter: rows[counter.key].count for counter in ordered}
        for counter in ordered:
            row, spare = rows[counter.key], spares.get(counter)
            if counts[counter] < counter.limit:
                row.count += 1
            elif spare is None:
                waits.append(row.ends_at)
            elif counts[spare] > 0:
                waits.append(min(row.ends_at, rows[spare.key].ends_at))
        if waits:
            raise LockedOut(max(1, math.ceil((max(waits) - now).total_seconds())), may_reset=may_reset)
        AttemptCount.objects.bulk_update(rows.values(), ["count", "ends_at"])
    return {counter: rows[counter.key].ends_at for counter in ordered}


def _lock(ordered: list[_Counter], now: datetime) -> dict[str, AttemptCount]:
    """The rows of the counters by key, made where they are missing, locked until the transaction ends.

    An upsert that changes nothing: it locks a row, and makes it, in one statement, whatever is deleted meanwhile.
    """
    AttemptCount.objects.bulk_create(
        [AttemptCount(key=counter.key, count=0, ends_at=now + counter.window) for counter in ordered],
        update_conflicts=True,
        unique_fields=["key"],
        update_fields=["key"],
    )
    rows = AttemptCount.objects.filter(key__in=[counter.key for counter in ordered])
    return {row.key: row for row in rows}
