"""The catalogue of texts for scripts: one cacheable script per language, named by the hash of its content."""

from __future__ import annotations

import hashlib
import json
from functools import lru_cache

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import translation
from django.utils.cache import patch_cache_control
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import condition, require_safe

from config.translations.script_strings import SCRIPT_STRINGS

YEAR_IN_SECONDS = 365 * 24 * 60 * 60


@lru_cache(maxsize=16)  # languages of the site
def script_catalogue(language: str) -> str:
    """A script that sets `inkStrings`, the texts of SCRIPT_STRINGS in `language`, for static/src/js/lib/strings.js."""
    with translation.override(language):
        strings = {key: str(text) for key, text in SCRIPT_STRINGS.items()}
    return f"globalThis.inkStrings={json.dumps(strings, ensure_ascii=False, separators=(',', ':'))};\n"


def catalogue_digest(language: str) -> str:
    """The first 16 hexadecimal digits of the SHA-256 of the catalogue."""
    return hashlib.sha256(script_catalogue(language).encode()).hexdigest()[:16]


def catalogue_url(language: str) -> str:
    """The address of the current catalogue; another text has another address."""
    return reverse("script_strings", args=[language, catalogue_digest(language)])


def _etag(request: HttpRequest, language: str, digest: str) -> str | None:
    return f'"{catalogue_digest(language)}"' if language in dict(settings.LANGUAGES) else None


@require_safe
@gzip_page
@condition(etag_func=_etag)
def show_script_strings(request: HttpRequest, language: str, digest: str) -> HttpResponse:
    """The catalogue, kept by browsers for a year. An outdated digest gets the current texts, which are not kept."""
    if language not in dict(settings.LANGUAGES):
        raise Http404
    response = HttpResponse(script_catalogue(language), content_type="text/javascript; charset=utf-8")
    if digest == catalogue_digest(language):
        patch_cache_control(response, public=True, max_age=YEAR_IN_SECONDS, immutable=True)
    else:
        patch_cache_control(response, no_cache=True)
    return response
