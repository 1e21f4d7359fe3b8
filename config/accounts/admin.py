"""People in the admin site: accounts can be made, switched off and given a new password; teams are looked at."""

from __future__ import annotations

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.db.models import Model
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from config.accounts.models import Invitation, Membership, Team, User
from config.readonly_admin import ReadOnlyAdmin

admin.site.site_header = admin.site.site_title = "InkBench"


@admin.register(User)
class AccountAdmin(UserAdmin):  # type: ignore[type-arg]
    """Django's own page; only a superuser hands out powers. Accounts are switched off, never deleted."""

    list_display = ["username", "first_name", "last_name", "email", "is_active", "is_staff", "last_login"]
    fieldsets = [*UserAdmin.fieldsets, (_("Preferences"), {"fields": ["language", "theme"]})]  # type: ignore[misc]

    def get_readonly_fields(self, request: HttpRequest, obj: Model | None = None) -> list[str]:
        powers = ["is_staff", "is_superuser", "groups", "user_permissions"]
        return [] if getattr(request.user, "is_superuser", False) else powers

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Staff may not touch a superuser: a new password for one would be the keys to everything."""
        if getattr(obj, "is_superuser", False) and not getattr(request.user, "is_superuser", False):
            return False
        return super().has_change_permission(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


@admin.register(Team)
class TeamAdmin(ReadOnlyAdmin):
    list_display = ["name", "slug", "created_at"]
    search_fields = ["name", "slug"]


@admin.register(Membership)
class MembershipAdmin(ReadOnlyAdmin):
    list_display = ["user", "team", "role", "added_at"]
    list_filter = ["role"]
    list_select_related = ["user", "team"]
    search_fields = ["user__username", "team__name"]


@admin.register(Invitation)
class InvitationAdmin(ReadOnlyAdmin):
    """Without the token: whoever reads it could use it."""

    list_display = [
        "team",
        "roles",
        "created_by",
        "created_at",
        "expires_at",
        "uses",
        "max_uses",
        "revoked_at",
    ]
    list_select_related = ["team", "created_by"]
    exclude = ["token"]
