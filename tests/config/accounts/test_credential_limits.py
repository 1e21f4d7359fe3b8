"""How often a password, code, token or key may be tried, and who is never locked out."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import timedelta

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, format_hotp_value, generate_totp_secret, hotp_value
from django.contrib.auth.hashers import MD5PasswordHasher
from django.core import mail
from django.db import connection
from django.test import Client, RequestFactory, override_settings
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from config.accounts import known_browsers
from config.accounts.credential_limits import (
    Attempt,
    Credential,
    LockedOut,
    attempt_by_name,
    attempt_of,
    spend_code,
)
from config.accounts.models import AttemptCount, User
from config.accounts.services import invite
from config.api.services import make_token
from config.jobs.tasks import sweep
from tests.at_once import at_once
from tests.factories import PASSWORD, make_project, make_user

pytestmark = [pytest.mark.django_db, pytest.mark.database]

HOME, AWAY = "192.0.2.1", "198.51.100.1"
NEW_PASSWORD = "New-Quill-1905"
Clock = Callable[[timedelta], None]


@pytest.fixture
def pass_time(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """Moves the clock of the database's rows on."""
    real, ahead = timezone.now, [timedelta()]
    monkeypatch.setattr(timezone, "now", lambda: real() + ahead[0])

    def move(by: timedelta) -> None:
        ahead[0] += by

    return move


def browser(address: str = HOME, **headers: str) -> Client:
    return Client(REMOTE_ADDR=address, **headers)


def sign_in(client: Client, name: str, password: str = "wrong") -> int:
    """The status: 302 signed in or on to the second step, 200 wrong, 429 locked out."""
    return client.post(reverse("account_login"), {"login": name, "password": password}).status_code


def attempt(user: User, credential: Credential = Credential.PASSWORD, *, address: str = HOME) -> Attempt:
    return attempt_of(RequestFactory().get("/", REMOTE_ADDR=address), user, credential)


def fill(user: User, count: int, credential: Credential = Credential.PASSWORD, *, first: int = 0) -> None:
    """Failed attempts of strangers, each from an address of its own."""
    for number in range(first, first + count):
        attempt(user, credential, address=f"203.0.113.{number}")


def is_locked(user: User, credential: Credential = Credential.PASSWORD, *, address: str = HOME) -> bool:
    try:
        attempt(user, credential, address=address)
    except LockedOut:
        return True
    return False


def code_of(secret: str, steps_ahead: int = 0) -> str:
    return format_hotp_value(hotp_value(secret, int(time.time()) // 30 + steps_ahead))


def wrong_code(secret: str) -> str:
    """Six digits that are right at no moment near this one."""
    right = {code_of(secret, steps) for steps in range(-3, 8)}
    return next(code for code in map("{:06}".format, range(100)) if code not in right)


def make_user_with_code(name: str = "ann") -> tuple[User, str]:
    user, secret = make_user(name, email=f"{name}@example.org"), generate_totp_secret()
    TOTP.activate(user, secret)
    return user, secret


def before_second_step(name: str = "ann", address: str = HOME) -> Client:
    client = browser(address)
    assert sign_in(client, name, PASSWORD) == 302 and "_auth_user_id" not in client.session
    return client


def give_code(client: Client, code: str) -> int:
    return client.post(reverse("mfa_authenticate"), {"code": code}).status_code


# Passwords


@pytest.mark.parametrize("name", ["ann", "nobody", "ANN@example.org"])
def test_password_when_it_was_wrong_ten_times_from_one_address_then_the_right_one_waits_15_minutes(
    name: str, pass_time: Clock
) -> None:
    make_user("ann", email="ann@example.org")
    client = browser()
    assert [sign_in(client, name) for _ in range(10)] == [200] * 10
    pass_time(timedelta(minutes=5))
    response = client.post(reverse("account_login"), {"login": name, "password": PASSWORD})
    assert response.status_code == 429 and 590 <= int(response["Retry-After"]) <= 600
    assert "Too many attempts. Try again in 10 min." in response.text
    assert "_auth_user_id" not in client.session
    pass_time(timedelta(minutes=10))  # the refused attempt has not prolonged it
    assert sign_in(client, name, PASSWORD) == (200 if name == "nobody" else 302)


def test_lock_out_page_when_the_reader_wants_chinese_then_it_is_chinese() -> None:
    client = browser(HTTP_ACCEPT_LANGUAGE="zh-hans")
    for _ in range(10):
        sign_in(client, "nobody")
    response = client.post(reverse("account_login"), {"login": "nobody", "password": "wrong"})
    assert response.status_code == 429 and "15 分钟" in response.text and "attempts" not in response.text


def test_password_when_the_name_is_typed_in_several_ways_then_they_count_together() -> None:
    make_user("ann", email="ann@example.org")
    names = ["ann", "ANN", "ann@example.org", " Ann ", "ANN@EXAMPLE.ORG"]
    assert [sign_in(browser(), name) for name in names * 2] == [200] * 10
    assert {sign_in(browser(), name) for name in names} == {429}


def test_password_when_the_name_is_unknown_then_as_many_rows_are_counted_as_for_a_known_one() -> None:
    make_user("ann")
    counts = []
    for name in ("ann", "nobody", "ann"):
        before = AttemptCount.objects.count()
        sign_in(browser(), name)
        counts.append(AttemptCount.objects.count() - before)
    assert counts == [3, 2, 0]  # the row of the address is there when the second one comes
    keys = "".join(AttemptCount.objects.values_list("key", flat=True))
    assert "ann" not in keys and "nobody" not in keys


def test_password_when_the_name_is_unknown_then_checking_takes_as_many_hashes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    make_user("ann", email="ann@example.org")
    make_user("off", is_active=False)
    hashes: list[str] = []
    real = MD5PasswordHasher.encode
    monkeypatch.setattr(
        MD5PasswordHasher, "encode", lambda *args, **facts: hashes.append("") or real(*args, **facts)
    )
    counts = []
    for name in ("ann", "nobody", "ann@example.org", "nobody@example.org", "off"):
        hashes.clear()
        assert sign_in(browser(), name) == 200
        counts.append(len(hashes))
    assert counts[0] and len(set(counts)) == 1


def test_password_when_one_address_tries_many_names_then_100_in_15_minutes() -> None:
    request = RequestFactory().get("/", REMOTE_ADDR="2001:db8:1:2::1")
    for number in range(100):
        attempt_by_name(request, f"name{number}")
    neighbour = RequestFactory().get("/", REMOTE_ADDR="2001:db8:1:2:ffff::9")
    with pytest.raises(LockedOut):
        attempt_by_name(neighbour, "another")
    attempt_by_name(RequestFactory().get("/", REMOTE_ADDR="2001:db8:1:3::1"), "another")


def test_password_when_twenty_people_of_one_office_sign_in_again_and_again_then_nobody_waits() -> None:
    people = [make_user() for _ in range(20)]
    for _ in range(6):
        for person in people:
            attempt(person).succeed()
    assert not AttemptCount.objects.filter(count__gt=0).exists()


def test_password_when_it_was_right_then_the_count_begins_anew_and_the_address_keeps_only_others() -> None:
    make_user("ann")
    for _ in range(9):
        sign_in(browser(), "ann")
    assert sign_in(browser(), "ann", PASSWORD) == 302
    assert AttemptCount.objects.get().count == 9  # of the address
    assert [sign_in(browser(), "ann") for _ in range(11)] == [200] * 10 + [429]


def test_password_when_strangers_have_filled_the_accounts_hour_then_each_address_keeps_one_attempt(
    pass_time: Clock,
) -> None:
    user = make_user("ann")
    fill(user, 50)
    assert sign_in(browser(), "ann") == 200
    response = browser().post(reverse("account_login"), {"login": "ann", "password": PASSWORD})
    assert response.status_code == 429 and int(response["Retry-After"]) <= 900
    assert sign_in(browser(AWAY), "ann", PASSWORD) == 302  # a new place, the right password
    fill(user, 50, first=60)
    pass_time(timedelta(hours=1))
    assert [sign_in(browser(), "ann") for _ in range(2)] == [200, 200]


def test_password_when_a_stranger_fills_every_counter_then_a_known_browser_still_signs_in() -> None:
    user = make_user("ann")
    known = browser()
    assert sign_in(known, "ann", PASSWORD) == 302
    known.post(reverse("account_logout"))
    for _ in range(10):
        sign_in(browser(), "ann")
    fill(user, 50)
    request = RequestFactory().get("/", REMOTE_ADDR=HOME)
    for number in range(90):
        attempt_by_name(request, f"name{number}")
    assert sign_in(browser(), "ann", PASSWORD) == 429
    assert sign_in(browser(), "somebody") == 429
    assert [sign_in(known, "ann") for _ in range(9)] == [200] * 9
    assert sign_in(known, "ann", PASSWORD) == 302


def test_password_when_a_known_browser_was_wrong_ten_times_then_it_waits_too(pass_time: Clock) -> None:
    make_user("ann")
    known = browser()
    sign_in(known, "ann", PASSWORD)
    known.post(reverse("account_logout"))
    assert [sign_in(known, "ann") for _ in range(10)] == [200] * 10
    assert sign_in(known, "ann", PASSWORD) == 429
    pass_time(timedelta(minutes=15))
    assert sign_in(known, "ann", PASSWORD) == 302


@pytest.mark.parametrize("forwarded", ["6.6.6.{}", "6.6.6.{}, 192.0.2.1"])
@pytest.mark.parametrize("proxies", [0, 1])
def test_password_when_the_header_of_proxies_is_made_up_then_it_counts_all_the_same(
    forwarded: str, proxies: int
) -> None:
    if proxies and "," not in forwarded:
        forwarded = "6.6.6.{}, " + HOME  # the proxy appends whoever called it
    with override_settings(TRUSTED_PROXIES=proxies):
        for number in range(10):
            sign_in(browser(HTTP_X_FORWARDED_FOR=forwarded.format(number)), "nobody")
        assert sign_in(browser(HTTP_X_FORWARDED_FOR=forwarded.format(99)), "nobody") == 429


def test_password_reset_when_done_then_the_account_is_open_again() -> None:
    make_user("ann", email="ann@example.org")
    client = browser()
    for _ in range(10):
        sign_in(client, "ann")
    client.post(reverse("account_reset_password"), {"email": "ann@example.org"})
    link = next(word for word in mail.outbox[0].body.split() if "/password/reset/key/" in word)
    page = client.get(link.replace("http://testserver", ""), follow=True)
    client.post(page.redirect_chain[-1][0], {"password1": NEW_PASSWORD, "password2": NEW_PASSWORD})
    assert sign_in(client, "ann", NEW_PASSWORD) == 302


@pytest.mark.parametrize(
    ("page", "field"), [("account_reauthenticate", "password"), ("account_change_password", "oldpassword")]
)
def test_password_when_it_is_asked_for_again_then_ten_times(page: str, field: str) -> None:
    client = browser()
    client.force_login(make_user())
    typed = {field: "wrong", "password1": NEW_PASSWORD, "password2": NEW_PASSWORD}
    answers = [client.post(reverse(page), typed).status_code for _ in range(11)]
    assert answers == [200] * 10 + [429]
    right = client.post(reverse(page), typed | {field: PASSWORD})
    assert right.status_code == 429 and "Go to the home page" in right.text


# Known browsers


def test_known_browser_when_an_account_signs_in_then_a_cookie_for_servers_only_that_others_do_not_profit_from() -> (
    None
):
    ann, bob = make_user("ann"), make_user("bob")
    client = browser()
    for name in ("ann", "bob"):
        sign_in(client, name, PASSWORD)
        client.post(reverse("account_logout"))
    cookie = client.cookies[known_browsers.COOKIE]
    assert cookie["httponly"] and cookie["samesite"] == "Lax" and PASSWORD not in cookie.value
    request = RequestFactory().get("/")
    request.COOKIES[known_browsers.COOKIE] = cookie.value
    names = [known_browsers.known_browser(request, user) for user in (ann, bob, make_user())]
    assert all(names[:2]) and names[0] != names[1] and names[2] is None
    request.COOKIES[known_browsers.COOKIE] = cookie.value[:-1] + "x"
    assert known_browsers.known_browser(request, ann) is None


def test_known_browser_when_only_the_password_was_right_then_it_is_not_known_yet() -> None:
    make_user_with_code()
    assert known_browsers.COOKIE not in before_second_step().cookies


def test_known_browser_when_the_password_changes_then_only_the_browser_of_the_change_stays_known() -> None:
    user = make_user("ann")
    here, there = browser(), browser(AWAY)
    for client in (here, there):
        sign_in(client, "ann", PASSWORD)
    typed = {"oldpassword": PASSWORD, "password1": NEW_PASSWORD, "password2": NEW_PASSWORD}
    assert here.post(reverse("account_change_password"), typed).status_code == 302
    user.refresh_from_db()
    for client, is_known in ((here, True), (there, False)):
        request = RequestFactory().get("/")
        request.COOKIES[known_browsers.COOKIE] = client.cookies[known_browsers.COOKIE].value
        assert bool(known_browsers.known_browser(request, user)) == is_known


# Codes


def test_code_when_sixty_were_wrong_then_the_right_one_is_refused_until_the_window_ends(
    pass_time: Clock,
) -> None:
    _user, secret = make_user_with_code()
    wrong = wrong_code(secret)
    client = before_second_step()
    answers = [give_code(client, wrong) for _ in range(60)]
    assert answers == [200] * 10 + [429] * 50
    again = before_second_step(address=AWAY)  # a new session, another place, the right password
    assert give_code(again, code_of(secret)) == 429 and "_auth_user_id" not in again.session
    pass_time(timedelta(minutes=15))
    assert give_code(again, code_of(secret)) == 302 and "_auth_user_id" in again.session


def test_recovery_code_when_codes_were_wrong_then_they_count_together() -> None:
    user, secret = make_user_with_code()
    codes = RecoveryCodes.activate(user).get_unused_codes()
    client = before_second_step()
    for number in range(10):
        assert give_code(client, f"{number:08}" if number % 2 else wrong_code(secret)) == 200
    assert give_code(client, codes[0]) == 429
    assert len(Authenticator.objects.get(type="recovery_codes").wrap().get_unused_codes()) == 10


def test_code_when_fifty_were_wrong_in_a_day_then_it_is_locked_until_the_day_is_over(
    pass_time: Clock,
) -> None:
    user = make_user()
    for _ in range(5):
        fill(user, 10, Credential.CODE)
        assert is_locked(user, Credential.CODE)
        pass_time(timedelta(minutes=15))
    assert is_locked(user, Credential.CODE)
    assert not is_locked(user), "passwords have counters of their own"
    pass_time(timedelta(hours=23))
    assert not is_locked(user, Credential.CODE)


def test_code_when_strangers_have_filled_the_account_then_a_known_browser_still_signs_in() -> None:
    user, secret = make_user_with_code()
    known = before_second_step()
    assert give_code(known, code_of(secret, -1)) == 302
    known.post(reverse("account_logout"))
    fill(user, 10, Credential.CODE)
    assert is_locked(user, Credential.CODE)
    assert sign_in(known, "ann", PASSWORD) == 302
    assert give_code(known, code_of(secret)) == 302 and "_auth_user_id" in known.session


def test_code_when_it_is_asked_for_again_then_ten_times() -> None:
    user, secret = make_user_with_code()
    client = browser()
    client.force_login(user)
    wrong = wrong_code(secret)
    answers = [
        client.post(reverse("mfa_reauthenticate"), {"code": code}).status_code
        for code in [wrong] * 10 + [code_of(secret)]
    ]
    assert answers == [200] * 10 + [429]


def test_code_when_it_was_used_then_not_again_for_anything() -> None:
    user, secret = make_user_with_code()
    code = code_of(secret)
    client = before_second_step()
    assert give_code(client, code) == 302
    assert client.post(reverse("mfa_reauthenticate"), {"code": f"{code[:3]} {code[3:]}"}).status_code == 200
    assert give_code(before_second_step(), code) == 200
    assert spend_code(make_user(), code) and not spend_code(user, code)


# At one moment


@pytest.mark.django_db(transaction=True)
def test_passwords_when_sixteen_are_tried_at_one_moment_then_ten_are_looked_at() -> None:
    make_user("ann")
    answers = at_once(*(lambda: sign_in(browser(), "ann") for _ in range(16)))
    assert sorted(answers) == [200] * 10 + [429] * 6


@pytest.mark.django_db(transaction=True)
def test_codes_when_sixteen_are_tried_at_one_moment_from_many_places_then_ten_are_looked_at() -> None:
    _user, secret = make_user_with_code()
    clients = [before_second_step(address=f"203.0.113.{number}") for number in range(16)]
    answers = at_once(*(lambda client=client: give_code(client, wrong_code(secret)) for client in clients))
    assert sorted(answers) == [200] * 10 + [429] * 6


@pytest.mark.django_db(transaction=True)
def test_counters_when_right_and_wrong_ones_and_the_sweep_meet_then_none_waits_for_the_other_for_ever() -> (
    None
):
    user = make_user("ann")

    def succeed() -> None:
        for _ in range(8):
            attempt(user).succeed()
            sweep()

    assert at_once(*(succeed for _ in range(6))) == [None] * 6


@pytest.mark.django_db(transaction=True)
def test_right_code_when_it_is_given_five_times_at_one_moment_then_one_signs_in() -> None:
    _user, secret = make_user_with_code()
    clients = [before_second_step() for _ in range(5)]
    at_once(*(lambda client=client: give_code(client, code_of(secret)) for client in clients))
    assert sum("_auth_user_id" in client.session for client in clients) == 1


# Tokens, links and keys


def _token_status(secret: str, address: str = HOME) -> int:
    response = browser(address, HTTP_AUTHORIZATION=f"Bearer {secret}").get("/api/v1/work/")
    if response.status_code == 429:
        assert int(response["Retry-After"]) > 0 and response.json()["kind"] == "too_many"
    return response.status_code


def test_api_token_when_100_were_wrong_then_wrong_ones_wait_and_right_ones_work() -> None:
    secret = make_token(user=make_user(), name="program")
    assert [_token_status(f"ink_{number}") for number in range(101)] == [401] * 100 + [429]
    assert _token_status(secret) == 200 and _token_status("ink_x", AWAY) == 401
    with CaptureQueriesContext(connection) as queries:
        assert _token_status(secret) == 200
    assert queries and not [query for query in queries if AttemptCount._meta.db_table in query["sql"]]
    assert sign_in(browser(), "nobody") == 200, "people of the same office are not kept from signing in"


def test_invitation_when_100_links_were_wrong_then_wrong_ones_wait_and_right_ones_work() -> None:
    project = make_project()
    token = invite(team=project.team, by=project.created_by, roles=["annotator"]).token
    client = browser()
    answers = [client.get(reverse("invitation", args=[f"x{number}"])).status_code for number in range(101)]
    assert answers == [404] * 100 + [429]
    assert client.get(reverse("invitation", args=[token])).status_code == 200


def test_reset_key_when_100_were_wrong_then_429() -> None:
    client = browser()
    keys = [reverse("account_reset_password_from_key", args=["1", f"x-{number}"]) for number in range(101)]
    assert [client.get(key).status_code for key in keys] == [200] * 100 + [429]


def test_mails_when_too_many_are_asked_for_then_a_page_of_ours_says_so() -> None:
    client = browser()
    answers = [client.post(reverse("account_reset_password"), {"email": "ann@example.org"}) for _ in range(6)]
    assert [answer.status_code for answer in answers] == [302] * 5 + [429]
    assert answers[5]["Retry-After"] == "60" and "bar__brand" in answers[5].text


# Rows


def test_sweep_when_windows_have_ended_then_their_rows_are_deleted(pass_time: Clock) -> None:
    fill(make_user(), 3)
    sweep()
    assert AttemptCount.objects.count() == 7
    pass_time(timedelta(minutes=15))
    sweep()
    assert AttemptCount.objects.count() == 1  # the hour of the account
