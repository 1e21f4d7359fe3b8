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
from evaluation.permissions import deny_reserved_readers_of, release_for
from evaluation.selectors.releases import (
    changes_of,
    contents_of,
    previous_of,
    scenarios_of,
)
from evaluation.services.check_release import check_release
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
    """Compute the checksum anew and say whether it is the one that was frozen."""
    release = release_for(request.user, pk, Role.MANAGER)
    found = check_release(release)
    if not found.is_unchanged:
        messages.error(
            request,
            _("The records do not match what was frozen: their checksum is %(now)s. Restore a backup.")
            % {"now": found.checksum},
        )
    if found.missing_images:
        count = len(found.missing_images)
        words = ngettext(
            "%(count)s image is missing from the store: %(names)s. Restore it from a backup.",
            "%(count)s images are missing from the store: %(names)s. Restore them from a backup.",
            count,
        )
        names = ", ".join(found.missing_images[:3]) + (" ..." if count > 3 else "")
        messages.error(request, words % {"count": count, "names": names})
    if found.is_whole:
        messages.success(request, _("Checked: every record and image matches what was frozen."))
    return redirect("release", pk)


@login_required
def release_changes(request: PersonRequest, pk: int) -> HttpResponse:
    """The texts that differ from the previous release. Opening them is written into the exposure log."""
    release = release_for(request.user, pk, Role.MANAGER)
    previous = previous_of(release)
    changes = changes_of(release)
    if previous is None or changes is None:
        raise Http404
    deny_reserved_readers_of(request.user, previous)  # a text that is gone stood in that one
    total = changes.added + changes.changed + changes.removed
    page = Paginator(range(total), PAGE_SIZE).get_page(request.GET.get("page"))
    start = page.start_index() - 1 if total else 0
    rows = open_changes(
        user=request.user, release=release, previous=previous, start=start, stop=start + PAGE_SIZE
    )
    context = {"release": release, "previous": previous, "changes": changes, "rows": rows, "page": page}
    return render(request, "evaluation/release_changes.html", context)
