"""Who may do what: the one question every app asks of a team."""

from __future__ import annotations

from django.conf import settings
from django.db.models import QuerySet

from config.accounts.models import Membership, Role, Team, User


def roles_in(user: User, team: Team) -> frozenset[Role]:
    """The roles a person has in a team; empty for a stranger, an anonymous visitor or a disabled account."""
    if not user.is_authenticated or not user.is_active:
        return frozenset()
    rows = Membership.objects.filter(user=user, team=team).values_list("role", flat=True)
    return frozenset(Role(row) for row in rows)


def has_role(user: User, team: Team, *roles: Role) -> bool:
    """True when the person has at least one of `roles` in the team."""
    return bool(roles_in(user, team) & set(roles))


def may_create_projects(user: User) -> bool:
    """True for everyone or, when PROJECT_CREATION is "permitted", for people with the permission to add projects.

    Superusers have it; they give it to others in the admin site.
    """
    return settings.PROJECT_CREATION == "everyone" or user.has_perm("annotation.add_project")


def teams_of(user: User, *roles: Role) -> QuerySet[Team]:
    """The teams a person belongs to, optionally only those where they have one of `roles`."""
    # One subquery: a second filter over the memberships would be met by anybody's role in the team.
    mine = Membership.objects.filter(user=user)
    if roles:
        mine = mine.filter(role__in=roles)
    return Team.objects.filter(pk__in=mine.values("team"))


def people_in(team: Team, *roles: Role) -> QuerySet[User]:
    """The people of a team, optionally only those with one of `roles`."""
    people = User.objects.filter(memberships__team=team, is_active=True)
    if roles:
        people = people.filter(memberships__team=team, memberships__role__in=roles)
    return people.distinct()


def members_of(team: Team) -> list[tuple[User, list[Role]]]:
    """The people of a team by name, each with their roles in the order of Role; one query."""
    rows = Membership.objects.filter(team=team).select_related("user").order_by("user__username")
    roles: dict[User, set[Role]] = {}
    for row in rows:
        roles.setdefault(row.user, set()).add(Role(row.role))
    return [(user, [role for role in Role if role in have]) for user, have in roles.items()]
