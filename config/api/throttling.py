"""How many requests of the API a user may make, as `API_RATE` says; counted by each web process for itself."""

from __future__ import annotations

from django.core.cache import caches
from rest_framework.request import Request
from rest_framework.throttling import UserRateThrottle

from config.client_address import client_address


class UserThrottle(UserRateThrottle):
    cache = caches["process"]

    def get_ident(self, request: Request) -> str:
        """Whom requests without a user are counted for."""
        return client_address(request._request)
