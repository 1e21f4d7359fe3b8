"""The base of everything that describes a body, a query or an answer: fields, and no rule of the business."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers


class BaseSerializer(serializers.Serializer[Any]):
    """Plain fields. Nothing is read from a model or written to one."""
