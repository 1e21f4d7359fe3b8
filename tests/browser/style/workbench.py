"""A workbench in memory that keeps the promises of the work page's server, and breaks when a test tells it to.

The elements are tested against real requests without a project behind them; the journey test has the real workbench.
"""

from __future__ import annotations

import io
import json
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from annotation.demo.drawing.page_scripts import load_pages
from tests.drawn_pages import drawn_page

IMAGE_HASH = "a" * 64


@dataclass
class Workbench:
    """One assignment. `refusal` is answered to every save; `delay` seconds come before it and before the image."""

    text: str = ""
    version: int = 0
    saved_at: str = ""
    refusal: tuple[int, dict[str, Any]] | None = None
    delay: float = 0
    image_delay: float = 0
    image_status: int = 200
    image_hash: str = IMAGE_HASH
    page: str = "letter-allotment"
    stage: str = "label"
    structure: str = "text"
    masks: str = "[]"
    returned: str = ""
    saves: list[dict[str, Any]] = field(default_factory=list)
    taken: list[dict[str, Any]] = field(default_factory=list)
    submits: list[dict[str, str]] = field(default_factory=list)
    uploads: list[str] = field(default_factory=list)
    end_reached: bool = False


workbench = Workbench()


def clear_workbench(**values: Any) -> Workbench:
    """A new workbench in place of the old one."""
    fresh = Workbench(**values)
    workbench.__dict__.update(fresh.__dict__)
    return workbench


@cache
def page_jpeg(name: str) -> bytes:
    page = next(page for page in load_pages() if page.name == name)
    out = io.BytesIO()
    drawn_page(page).save(out, "JPEG", quality=85)
    return out.getvalue()


def truth(name: str) -> str:
    return next(page.truth for page in load_pages() if page.name == name)


@require_GET
def image(request: HttpRequest) -> HttpResponse:
    time.sleep(workbench.image_delay)
    if workbench.image_status != 200:
        return HttpResponse(status=workbench.image_status)
    return HttpResponse(page_jpeg(workbench.page), content_type="image/jpeg")


@require_http_methods(["PUT"])
def save(request: HttpRequest) -> JsonResponse:
    if not request.user.is_authenticated:
        return JsonResponse({"login_url": reverse("account_login")}, status=401)
    time.sleep(workbench.delay)
    body = json.loads(request.body)
    workbench.saves.append(body)
    if workbench.refusal:
        return JsonResponse(workbench.refusal[1], status=workbench.refusal[0])
    if body["base_version"] != workbench.version:
        newer = {
            "kind": "newer_version",
            "version": workbench.version,
            "stored_text": workbench.text,
            "saved_at": workbench.saved_at,
        }
        return JsonResponse(newer, status=409)
    if body["text"] != workbench.text:
        workbench.text, workbench.version = body["text"], workbench.version + 1
    workbench.saved_at = datetime.now(UTC).isoformat()
    return JsonResponse({"version": workbench.version, "saved_at": workbench.saved_at})


@require_POST
def heartbeat(request: HttpRequest) -> JsonResponse:
    if not request.user.is_authenticated:
        return JsonResponse({"login_url": reverse("account_login")}, status=401)
    if workbench.refusal and workbench.refusal[0] == 409:
        return JsonResponse(workbench.refusal[1], status=409)
    return JsonResponse({"lease_until": datetime.now(UTC).isoformat()})


@require_POST
def take(request: HttpRequest) -> HttpResponse:
    workbench.taken.append(json.loads(request.body))
    return HttpResponse(status=204)


@require_POST
def reach(request: HttpRequest) -> HttpResponse:
    workbench.end_reached = True
    return HttpResponse(status=204)


@require_POST
def submit(request: HttpRequest) -> HttpResponse:
    workbench.submits.append(request.POST.dict())
    return redirect("style_done")


@require_POST
def upload(request: HttpRequest) -> HttpResponse:
    # The files themselves are skipped: nobody is signed in on this site.
    paths = request.POST.getlist("paths")
    if any(path.endswith(".exe") for path in paths):
        return JsonResponse(
            {"errors": ["a.exe is not an image. Choose PNG, JPEG, WebP, TIFF or PDF."]}, status=422
        )
    workbench.uploads = paths
    return redirect("style_done")


def work(request: HttpRequest) -> HttpResponse:
    lines = truth(workbench.page).splitlines()
    misread = [line.replace("e", "c", 1) if number % 3 == 1 else line for number, line in enumerate(lines)]
    skipped = [
        line.replace("l", "I", 1) if number % 4 == 2 else line
        for number, line in enumerate(lines)
        if number != 3
    ]
    context = {
        "workbench": workbench,
        "first": "\n".join(misread),
        "second": "\n".join(skipped),
        "is_review": workbench.stage == "verify",
    }
    return render(request, "style/work.html", context)


def done(request: HttpRequest) -> HttpResponse:
    return render(request, "style/done.html")


def index(request: HttpRequest) -> HttpResponse:
    math = (
        r"The energy is $E = mc^2$, and"
        + "\n\n$$\\int_0^1 x^2\\,dx = \\tfrac13$$\n\n| a | b |\n|:-:|--:|\n| 1 | 2 |"
    )
    hostile = (
        r"$\href{javascript:alert(1)}{x}$ $\rule{999em}{999em}$ $\def\a{\a\a}\a$ $<img src=a onerror=alert(1)>%$ "
        "<script>window.hit = 1</script> <img src=a onerror='window.hit = 1'> [x](javascript:window.hit=1) "
        "![y](https://elsewhere.example/z.png) $\\frac{1$ " + "$" + "{" * 4000 + "}" * 4000 + "$"
    )
    context = {"math": math, "hostile": hostile, "arabic": "مرحبا hello بالعالم $x^2$\nsecond line"}
    return render(request, "style/index.html", context)
