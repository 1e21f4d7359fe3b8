"""The words that scripts need, put into every page: made once for each language, as they are some three hundred."""

from __future__ import annotations

from functools import lru_cache

from django import template
from django.conf import settings
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import get_language

register = template.Library()


@register.simple_tag
def script_strings() -> SafeString:
    """The `<script type="application/json">` of `components/strings.html` in the language of the page."""
    return _of(get_language() or settings.LANGUAGE_CODE)


@lru_cache(maxsize=16)  # one for each language of the site
def _of(language: str) -> SafeString:
    return render_to_string("components/strings.html")
