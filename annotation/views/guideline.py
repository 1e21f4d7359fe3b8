"""The guideline: current and older versions, their changes, and writing the next version."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from annotation.forms.guideline import GuidelineForm
from annotation.permissions import may_enter, project_for
from annotation.selectors.guideline import line_changes
from annotation.services.configure_project import GuidelineMoved, publish_guideline
from config.accounts.models import Role
from config.accounts.requests import PersonRequest
from config.error_responses import FormErrors


@login_required
def project_guideline(request: PersonRequest, slug: str, number: int | None = None) -> HttpResponse:
    """One version, by default the newest, for all members. With `?against=n` the changes since version n."""
    project = project_for(request.user, slug)
    versions = list(project.guidelines.select_related("author").defer("text"))
    rows = project.guidelines.all() if number is None else project.guidelines.filter(number=number)
    shown = rows.first()
    if shown is None:
        raise Http404
    against = request.GET.get("against", "")
    older = project.guidelines.filter(number=int(against)).first() if against.isdecimal() else None
    context = {
        "project": project,
        "is_manager": may_enter(request.user, project, Role.MANAGER),
        "versions": versions,
        "shown": shown,
        "newest": versions[0],
        "older": older,
        "changes": line_changes(older.text, shown.text) if older else None,
    }
    return render(request, "annotation/project_guideline.html", context)


@login_required
def guideline_edit(request: PersonRequest, slug: str) -> HttpResponse:
    """Write the next version; `preview` shows it without publishing it."""
    project = project_for(request.user, slug, Role.MANAGER)
    newest = project.guidelines.first()
    initial = {"text": newest.text if newest else "", "based_on": newest.number if newest else 0}
    form = GuidelineForm(request.POST if request.method == "POST" else None, initial=initial)
    context = {"project": project, "form": form, "newest": newest}
    if request.method == "POST" and form.is_valid():
        text = form.cleaned_data["text"]
        if "preview" in request.POST:
            return render(request, "annotation/guideline_edit.html", context | {"preview": text})
        try:
            with FormErrors(form, but=GuidelineMoved):
                version = publish_guideline(
                    project=project, by=request.user, text=text, based_on=form.cleaned_data["based_on"]
                )
                messages.success(
                    request, _("Version %(number)s is now in force.") % {"number": version.number}
                )
                return redirect("project_guideline", slug)
        except GuidelineMoved:
            return _render_conflict(request, context)
    return render(request, "annotation/guideline_edit.html", context)


def _render_conflict(request: PersonRequest, context: dict[str, object]) -> HttpResponse:
    """409: someone else published a version; the text stays in the form, with the changes to that version."""
    form, newest = context["form"], context["newest"]
    kept = GuidelineForm(
        initial={"text": form.cleaned_data["text"], "based_on": newest.number}  # type: ignore[attr-defined]
    )
    changes = line_changes(newest.text, form.cleaned_data["text"])  # type: ignore[attr-defined]
    context |= {"form": kept, "conflict": changes}
    return render(request, "annotation/guideline_edit.html", context, status=409)
