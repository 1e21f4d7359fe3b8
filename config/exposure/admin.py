"""The exposure log in the admin site."""

from __future__ import annotations

from django.contrib import admin

from config.exposure.models import Exposure, Reservation
from config.readonly_admin import ReadOnlyAdmin


@admin.register(Exposure)
class ExposureAdmin(ReadOnlyAdmin):
    list_display = ["user", "role", "saw", "place", "image_hash", "at"]
    list_filter = ["role", "saw"]
    list_select_related = ["user"]
    search_fields = ["user__username", "image_hash"]


@admin.register(Reservation)
class ReservationAdmin(ReadOnlyAdmin):
    list_display = ["user", "holder", "content", "image_hash"]
    list_select_related = ["user"]
    search_fields = ["user__username", "image_hash"]
