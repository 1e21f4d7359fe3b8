"""What the description of the API says of an operation, in one line beside each view."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers

from config.api.requests import KEY_HEADER, KEY_LENGTHS
from config.api.responses import PageQuery, page_serializer_for, serializer_for
from config.api.serializers import BaseSerializer


class Refusal(BaseSerializer):
    """Every refusal has `kind` and `message`; the rest stands where it applies."""

    kind = serializers.CharField(help_text="Stable: for programs.")
    message = serializers.CharField(help_text="For people, in their language.")
    fields = serializers.DictField(required=False, help_text="Kind `invalid`: what is wrong, by field.")  # type: ignore[assignment]
    stored_text = serializers.CharField(required=False, help_text="Kind `newer_version`: what the site has.")
    sent_text = serializers.CharField(required=False, help_text="Kind `newer_version`: what you sent.")
    version = serializers.IntegerField(required=False, help_text="Kind `newer_version`: of the stored text.")
    saved_at = serializers.DateTimeField(required=False)


def key_parameter(*, is_required: bool = False) -> OpenApiParameter:
    shortest, longest = KEY_LENGTHS
    return OpenApiParameter(
        KEY_HEADER,
        {"type": "string", "minLength": shortest, "maxLength": longest, "pattern": "^[A-Za-z0-9_-]+$"},
        OpenApiParameter.HEADER,
        required=is_required,
        description="A random value of your own; the same request with the same value is carried out once.",
    )


def described(
    operation: str,
    *,
    gives: Any = None,
    is_list: bool = False,
    takes: type[BaseSerializer] | None = None,
    is_upload: bool = False,
    status: int = 200,
    media: str = "",
    also: Sequence[Any] = (),
    refuses: Sequence[int] = (),
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Describe a method of a view. `gives`: a dataclass (or what the library takes), None for an empty 204; `media`
    names its kind where it is not JSON.

    401, 404 and 429 can come from anywhere, 422 from whatever takes something, 413 from whatever takes a body;
    `refuses` adds the operation's own.
    """
    answer = (
        serializer_for(gives) if isinstance(gives, type) and hasattr(gives, "__dataclass_fields__") else gives
    )
    parameters: list[Any] = list(also)
    if is_list:
        answer = page_serializer_for(gives)
        parameters.append(PageQuery)
    codes = {401, 404, 429, *refuses}
    if parameters or takes:
        codes.add(422)
    if takes:
        codes |= {400, 413, 415}
    responses: dict[Any, Any] = dict.fromkeys(sorted(codes), Refusal)
    responses[(status, media) if media else 204 if gives is None else status] = answer
    kinds = ["multipart/form-data"] if is_upload else ["application/json"]
    request = dict.fromkeys(kinds, takes) if takes else None
    decorate: Callable[[Callable[..., Any]], Callable[..., Any]] = extend_schema(
        operation_id=operation, parameters=parameters, request=request, responses=responses
    )
    return decorate


BINARY = OpenApiTypes.BINARY
