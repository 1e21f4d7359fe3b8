"""The product's settings plus the style page; for people who work on the looks."""

from __future__ import annotations

from config.settings import *  # noqa: F403
from config.settings import BASE_DIR, TEMPLATES

DEBUG = True
ROOT_URLCONF = "tests.browser.style.urls"
TEMPLATES = [{**TEMPLATES[0], "DIRS": [BASE_DIR / "templates", BASE_DIR / "tests/browser/style/templates"]}]
