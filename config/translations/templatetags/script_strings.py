"""The address of the texts that scripts show."""

from __future__ import annotations

from django import template
from django.conf import settings
from django.utils.translation import get_language

from config.translations.views import catalogue_url

register = template.Library()


@register.simple_tag
def script_strings_url() -> str:
    """The address of the catalogue in the language of the page."""
    return catalogue_url(get_language() or settings.LANGUAGE_CODE)
