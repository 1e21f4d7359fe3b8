"""The admin site is a window, not a tool: rows are written by services, and this is where one looks at them."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import Model, URLField
from django.http import HttpRequest


class ReadOnlyAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """Shown to superusers, changed by nobody.

    Register nothing here that holds what people wrote or what systems answered: that is opened on the sample's own
    page, which writes down who saw it. A test goes through every registered model.
    """

    actions = None
    show_full_result_count = False
    list_per_page = 50
    formfield_overrides = {URLField: {"assume_scheme": "https"}}

    def has_module_permission(self, request: HttpRequest) -> bool:
        return _is_superuser(request)

    def has_view_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return _is_superuser(request)

    def has_add_permission(self, request: HttpRequest, *args: Any) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


def _is_superuser(request: HttpRequest) -> bool:
    return bool(request.user.is_active and request.user.is_superuser)
