"""The people of the demo project and their passwords."""

from __future__ import annotations

import secrets

from config.accounts.models import Role, Team, User
from config.accounts.services import give_roles

# user name, full name, language, roles
PEOPLE: tuple[tuple[str, str, str, tuple[Role, ...]], ...] = (
    ("mei", "Mei Lin", "", (Role.MANAGER,)),
    ("ana", "Ana Duarte", "", (Role.ANNOTATOR,)),
    ("ben", "Ben Okafor", "", (Role.ANNOTATOR,)),
    ("chen", "Chen Jie", "", (Role.REVIEWER,)),
    ("dora", "Dora Weiss", "", (Role.REVIEWER,)),
    ("eva", "Eva Novak", "", (Role.ADJUDICATOR,)),
    ("finn", "Finn Larsen", "", (Role.SCREENER,)),
    ("gita", "Gita Rao", "", (Role.ANNOTATOR, Role.DIFFICULTY_RATER)),
    ("hugo", "Hugo Blanc", "", (Role.DIFFICULTY_RATER,)),
    ("ivan", "Ivan Petrov", "", (Role.DIFFICULTY_RATER,)),
    ("ines", "Inés Vidal", "", (Role.DOMAIN_EXPERT,)),
)
_WORDS = (
    "amber",
    "birch",
    "cedar",
    "delta",
    "ember",
    "fjord",
    "grove",
    "heron",
    "inlet",
    "jetty",
    "kelp",
    "lotus",
)


def make_people() -> dict[str, User]:
    """The demo's accounts by user name, created where missing. They cannot sign in before `reset_passwords`."""
    people = {}
    for username, full_name, language, _ in PEOPLE:
        first, _space, last = full_name.partition(" ")
        user, created = User.objects.get_or_create(
            username=username, defaults={"first_name": first, "last_name": last, "language": language}
        )
        if created:
            user.set_unusable_password()
            user.save(update_fields=["password"])
        people[username] = user
    return people


def give_demo_roles(*, team: Team, people: dict[str, User]) -> None:
    for username, _name, _language, roles in PEOPLE:
        give_roles(team=team, user=people[username], roles=roles)


def reset_passwords() -> dict[str, str]:
    """Give the demo's accounts new passwords: user name -> password. They are stored as hashes only."""
    passwords = {}
    for username, *_ in PEOPLE:
        user = User.objects.filter(username=username).first()
        if user is None:
            continue
        password = f"{secrets.choice(_WORDS)}-{secrets.choice(_WORDS)}-{secrets.randbelow(9000) + 1000}"
        user.set_password(password)
        user.save(update_fields=["password"])
        passwords[username] = password
    return passwords
