"""Describing operations in the OpenAPI schema."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers

from config.api.requests import KEY_HEADER, KEY_LENGTHS
from config.api.responses import PageQuery, page_serializer_for, serializer_for
from config.api.serializers import BaseSerializer


class ErrorResponse(BaseSerializer):
    """Every error has `kind` and `message`; the other fields depend on the kind."""

    kind = serializers.CharField(help_text="Stable code for programs.")
    message = serializers.CharField(help_text="Text for people, in the language of the request.")
    fields = serializers.DictField(required=False, help_text="Kind `invalid`: problems by field.")  # type: ignore[assignment]
    stored_text = serializers.CharField(
        required=False, help_text="Kind `newer_version`: the text on the server."
    )
    sent_text = serializers.CharField(required=False, help_text="Kind `newer_version`: the text you sent.")
    version = serializers.IntegerField(
        required=False, help_text="Kind `newer_version`: version of the stored text."
    )
    saved_at = serializers.DateTimeField(required=False)


def key_parameter(*, is_required: bool = False) -> OpenApiParameter:
    shortest, longest = KEY_LENGTHS
    return OpenApiParameter(
        KEY_HEADER,
        {"type": "string", "minLength": shortest, "maxLength": longest, "pattern": "^[A-Za-z0-9_-]+$"},
        OpenApiParameter.HEADER,
        required=is_required,
        description="A random value you choose; repeating a request with the same value has no further effect.",
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
    """Describe a view method in the OpenAPI schema.

    `gives` is the dataclass of the response (or anything drf-spectacular accepts), None for an empty 204; `media` its
    media type if it is not JSON; `takes` the serializer of the body; `also` further parameters. Every operation may
    return 401, 404 and 429, one with parameters or a body 422, one with a body also 400, 413 and 415; `refuses` adds
    the operation's own statuses.
    """
    response = (
        serializer_for(gives) if isinstance(gives, type) and hasattr(gives, "__dataclass_fields__") else gives
    )
    parameters: list[Any] = list(also)
    if is_list:
        response = page_serializer_for(gives)
        parameters.append(PageQuery)
    codes = {401, 404, 429, *refuses}
    if parameters or takes:
        codes.add(422)
    if takes:
        codes |= {400, 413, 415}
    responses: dict[Any, Any] = dict.fromkeys(sorted(codes), ErrorResponse)
    responses[(status, media) if media else 204 if gives is None else status] = response
    kinds = ["multipart/form-data"] if is_upload else ["application/json"]
    request = dict.fromkeys(kinds, takes) if takes else None
    decorate: Callable[[Callable[..., Any]], Callable[..., Any]] = extend_schema(
        operation_id=operation, parameters=parameters, request=request, responses=responses
    )
    return decorate


BINARY = OpenApiTypes.BINARY
