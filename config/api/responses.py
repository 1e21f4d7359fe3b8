"""Responses are frozen dataclasses: nothing but their fields is sent.

The OpenAPI schema is derived from the same dataclasses, so it cannot drift from the responses.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, fields, is_dataclass
from datetime import datetime
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import Any, Protocol, TypeVar, get_args, get_origin, get_type_hints

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from config.api.serializers import BaseSerializer

AnyField = serializers.Field[Any, Any, Any, Any]
_PLAIN: dict[type, type[AnyField]] = {
    bool: serializers.BooleanField,
    int: serializers.IntegerField,
    float: serializers.FloatField,
    datetime: serializers.DateTimeField,
    uuid.UUID: serializers.UUIDField,
}
_Row = TypeVar("_Row", covariant=True)


class Rows(Protocol[_Row]):
    """A list or a queryset."""

    def __getitem__(self, index: slice, /) -> Iterable[_Row]: ...


class PageQuery(BaseSerializer):
    """A page of a list."""

    limit = serializers.IntegerField(
        min_value=1, max_value=200, default=50, help_text="Maximum number of results."
    )
    offset = serializers.IntegerField(
        min_value=0, max_value=1_000_000_000, default=0, help_text="Number of results to skip."
    )


def respond(record: Any, status: int = 200) -> Response:
    """The fields of a dataclass, as JSON."""
    return Response(asdict(record), status=status)


def respond_page(
    request: Request, rows: Rows[_Row], count: int, make: Callable[[_Row], Any], *, limit: int, offset: int
) -> Response:
    """One page of a list: {count, next, results}; `next` is the URL of the next page, or null."""
    shown = [asdict(make(row)) for row in rows[offset : offset + limit]]
    next_url = None
    if offset + limit < count:
        query = request.query_params.copy()
        query["limit"], query["offset"] = str(limit), str(offset + limit)
        next_url = request.build_absolute_uri(f"{request.path}?{query.urlencode()}")
    return Response({"count": count, "next": next_url, "results": shown})


@cache
def serializer_for(record: type) -> type[BaseSerializer]:
    """A serializer with exactly the fields of a dataclass, for the OpenAPI schema."""
    hints = get_type_hints(record)
    columns = {field.name: _field(hints[field.name]) for field in fields(record)}
    doc = (record.__doc__ or "").strip()
    return type(record.__name__, (BaseSerializer,), {**columns, "__doc__": doc})


@cache
def page_serializer_for(record: type) -> type[BaseSerializer]:
    """A serializer for one page of a list of such dataclasses."""
    columns = {
        "count": serializers.IntegerField(help_text="Length of the whole list."),
        "next": serializers.URLField(allow_null=True, help_text="URL of the next page."),
        "results": serializer_for(record)(many=True),
    }
    return type(f"{record.__name__}Page", (BaseSerializer,), columns)


def _field(hint: Any, **options: Any) -> AnyField:
    if isinstance(hint, UnionType):
        (inner,) = (option for option in get_args(hint) if option is not NoneType)
        return _field(inner, allow_null=True)
    origin, inside = get_origin(hint), get_args(hint)
    if origin is tuple and inside[-1] is Ellipsis:
        return serializers.ListField(child=_field(inside[0]), **options)
    if origin is tuple:
        return serializers.ListField(
            child=_field(inside[0]), min_length=len(inside), max_length=len(inside), **options
        )
    if hint is dict or origin in (dict, Mapping):
        return serializers.DictField(**options)
    if is_dataclass(hint):
        return serializer_for(hint)(**options)  # type: ignore[arg-type]
    if isinstance(hint, type) and issubclass(hint, Enum):
        return serializers.ChoiceField([member.value for member in hint], **options)
    return _PLAIN.get(hint, serializers.CharField)(**options)
