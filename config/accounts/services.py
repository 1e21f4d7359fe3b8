"""Changes to teams: every write is one of these verbs."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta

from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext_noop

from config.accounts.models import Invitation, Membership, Role, Team, User
from config.errors import ApplicationError
from config.transactions import locked


class InvitationClosed(ApplicationError):
    """The invitation has expired, is used up or was revoked."""

    status, kind = 410, "closed"
    msgid = gettext_noop(
        "It has expired, reached its maximum uses, or was revoked. Ask the person who sent it for a new link."
    )


class LastManager(ApplicationError):
    """A team must keep at least one manager."""

    kind = "last_manager"
    field = "roles"
    msgid = gettext_noop("A project needs a manager. Make someone else a manager first.")


def make_team(*, slug: str, name: str, manager: User) -> Team:
    """Create a team with its first manager."""
    with transaction.atomic():
        team = Team.objects.create(slug=slug, name=name)
        Membership.objects.create(team=team, user=manager, role=Role.MANAGER)
    return team


def give_roles(*, team: Team, user: User, roles: Iterable[Role]) -> bool:
    """Add roles to a person; those they have already stay as they are. True when one of them is new."""
    made = [Membership.objects.get_or_create(team=team, user=user, role=role)[1] for role in roles]
    return any(made)


def set_roles(*, team: Team, user: User, roles: Iterable[Role]) -> None:
    """Make `roles` exactly the roles of a person in a team. Raises LastManager."""
    wanted = set(roles)
    with transaction.atomic():
        managers = locked(Membership.objects.filter(team=team, role=Role.MANAGER))
        others = [row for row in managers if row.user_id != user.pk]
        if Role.MANAGER not in wanted and not others:
            raise LastManager
        Membership.objects.filter(team=team, user=user).exclude(role__in=wanted).delete()
        give_roles(team=team, user=user, roles=wanted)


def hold_role(*, team: Team, user: User, role: Role) -> bool:
    """True when the person has the role, which then stays locked until the end of the transaction.

    So the claims of one person for one queue come one after another, however many requests they send at one moment.
    """
    rows = Membership.objects.filter(team=team, user=user, role=role, user__is_active=True)
    return locked(rows).first() is not None


def invite(*, team: Team, by: User, roles: Iterable[Role], days: int = 14, max_uses: int = 1) -> Invitation:
    """Make an invitation link for `roles`."""
    return Invitation.objects.create(
        team=team,
        created_by=by,
        roles=sorted(Role(role).value for role in roles),
        expires_at=timezone.now() + timedelta(days=days),
        max_uses=max_uses,
    )


def accept_invitation(*, invitation: Invitation, user: User) -> Team:
    """Take the roles an invitation offers. A person who already has them all uses nothing up.

    The use is counted by a conditional update, so a link for one cannot be used by two at once.
    Raises InvitationClosed.
    """
    roles = [Role(role) for role in invitation.roles]
    if _has_all(invitation.team, user, roles):
        return invitation.team
    with transaction.atomic():
        counted = Invitation.objects.filter(
            pk=invitation.pk, revoked_at=None, uses__lt=F("max_uses"), expires_at__gt=timezone.now()
        ).update(uses=F("uses") + 1)
        if not counted:
            if _has_all(invitation.team, user, roles):
                return invitation.team
            raise InvitationClosed
        if not give_roles(team=invitation.team, user=user, roles=roles):  # the same person twice at once
            Invitation.objects.filter(pk=invitation.pk).update(uses=F("uses") - 1)
    return invitation.team


def _has_all(team: Team, user: User, roles: Iterable[Role]) -> bool:
    have = Membership.objects.filter(team=team, user=user).values_list("role", flat=True)
    return set(roles) <= set(have)


def revoke_invitation(*, invitation: Invitation) -> None:
    """Close a link; roles already taken through it stay."""
    Invitation.objects.filter(pk=invitation.pk, revoked_at=None).update(revoked_at=timezone.now())


def save_preferences(
    *, user: User, first_name: str, last_name: str, email: str, language: str, theme: str, reading_size: str
) -> None:
    """Keep what a person chose about themself; other keys of `preferences` stay as they are."""
    user.first_name, user.last_name, user.email = first_name, last_name, email
    user.language, user.theme = language, theme
    user.preferences = {**user.preferences, "reading_size": reading_size}
    user.save(update_fields=["first_name", "last_name", "email", "language", "theme", "preferences"])
