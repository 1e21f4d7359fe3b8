"""API tokens in the admin site, read-only: owner and use, without the hash."""

from __future__ import annotations

from django.contrib import admin

from config.api.models import ApiToken
from config.readonly_admin import ReadOnlyAdmin


@admin.register(ApiToken)
class ApiTokenAdmin(ReadOnlyAdmin):
    list_display = ["user", "name", "hint", "created_at", "last_used_at", "revoked_at"]
    list_select_related = ["user"]
    search_fields = ["user__username", "name"]
    exclude = ["digest"]
