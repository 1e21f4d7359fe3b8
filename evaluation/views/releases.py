"""A release: what it holds, what changed since the one before, and whether it is still intact."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from config.accounts.models import Role
from config.accounts.requests import PersonRequest
from evaluation.permissions import deny_figure_readers_of, release_for
from evaluation.selectors.release_integrity import check_release
from evaluation.selectors.releases import (
    changes_of,
    contents_of,
    previous_of,
    scenarios_of,
)
from evaluation.visibility import open_changes

PAGE_SIZE = 20


@login_required
def release_page(request: PersonRequest, pk: int) -> HttpResponse:
    release = release_for(request.user, pk, Role.MANAGER)
    context = {
        "release": release,
        "contents": contents_of(release),
        "scenarios": scenarios_of(release),
    }
    return render(request, "evaluation/release.html", context)


@login_required
@require_POST
def release_check(request: PersonRequest, pk: int) -> HttpResponse:
    """Recompute the checksum and compare it with the frozen one."""
    release = release_for(request.user, pk, Role.MANAGER)
    check = check_release(release)
    if not check.is_unchanged:
        messages.error(
            request,
            _("The records do not match what was frozen: their checksum is %(now)s. Restore a backup.")
            % {"now": check.checksum},
        )
    if check.missing_images:
        count = len(check.missing_images)
        message = ngettext(
            "%(count)s image is missing from the store: %(names)s. Restore it from a backup.",
            "%(count)s images are missing from the store: %(names)s. Restore them from a backup.",
            count,
        )
        names = ", ".join(check.missing_images[:3]) + (" ..." if count > 3 else "")
        messages.error(request, message % {"count": count, "names": names})
    if check.is_whole:
        messages.success(request, _("Checked: every record and image matches what was frozen."))
    return redirect("release", pk)


@login_required
def release_changes(request: PersonRequest, pk: int) -> HttpResponse:
    """The texts that differ from the previous release. The access is recorded in the exposure log."""
    release = release_for(request.user, pk, Role.MANAGER)
    previous = previous_of(release)
    changes = changes_of(release)
    if previous is None or changes is None:
        raise Http404
    deny_figure_readers_of(request.user, previous)  # it contains the removed texts
    total = changes.added + changes.changed + changes.removed
    page = Paginator(range(total), PAGE_SIZE).get_page(request.GET.get("page"))
    start = page.start_index() - 1 if total else 0
    rows = open_changes(
        user=request.user, release=release, previous=previous, start=start, stop=start + PAGE_SIZE
    )
    context = {"release": release, "previous": previous, "changes": changes, "rows": rows, "page": page}
    return render(request, "evaluation/release_changes.html", context)
