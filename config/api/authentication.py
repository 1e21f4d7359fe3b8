"""Authentication by API token: `Authorization: Bearer ink_...`."""

from __future__ import annotations

from django.utils.translation import gettext as _
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from config.accounts.credential_limits import count_failed_token
from config.accounts.models import User
from config.api.models import ApiToken
from config.api.services import find_token


class BearerToken(BaseAuthentication):
    """Authenticates the owner of the token; a request without one is left to the next authentication class.

    Raises LockedOut after too many unknown tokens from one address.
    """

    def authenticate(self, request: Request) -> tuple[User, ApiToken] | None:
        scheme, _space, secret = request.headers.get("Authorization", "").partition(" ")
        if scheme.lower() != "bearer":
            return None
        token = find_token(secret.strip())
        if token is None:
            count_failed_token(request._request)
            raise AuthenticationFailed(
                _("This token is unknown or has been revoked. Create a new one in your preferences.")
            )
        return token.user, token

    def authenticate_header(self, request: Request) -> str:
        return 'Bearer realm="InkBench"'


class BearerTokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """Describes BearerToken in the OpenAPI schema."""

    target_class = BearerToken
    name = "token"

    def get_security_definition(self, auto_schema: object) -> dict[str, str]:
        return {"type": "http", "scheme": "bearer", "description": "A token from your preferences."}
