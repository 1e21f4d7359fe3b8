"""The base of all serializers of the API."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers


class BaseSerializer(serializers.Serializer[Any]):
    """Plain fields of a body, query or response; it neither reads nor writes models."""
