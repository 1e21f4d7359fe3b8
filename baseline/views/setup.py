"""Setting up a baseline, watching its progress, opening and closing it."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from baseline.forms.setup import BaselineForm, PeopleForm
from baseline.models import Baseline, State
from baseline.permissions import baseline_for
from baseline.sampling import ImpossiblePlan, TooFew
from baseline.selectors.setup import baselines_of, progress_of
from baseline.services.assign_samples import (
    NotDraft,
    check_plan,
    draw_samples,
    open_baseline,
    who_is_left,
)
from baseline.services.configure_baseline import (
    change_baseline,
    close_baseline,
    create_baseline,
    enrol_participant,
    remove_participation,
    set_invitation_link,
)
from baseline.services.publish_results import publish_results, withdraw_participation
from config.accounts.models import Role, User
from config.accounts.requests import PersonRequest
from config.error_responses import FormErrors, error_message, flash_and_redirect, renders_errors
from config.errors import ApplicationError
from evaluation.permissions import release_for


@login_required
def baselines(request: PersonRequest, pk: int) -> HttpResponse:
    release = release_for(request.user, pk, Role.MANAGER)
    rows = baselines_of(release.team).filter(release=release)
    return render(request, "baseline/list.html", {"release": release, "rows": rows})


@login_required
def baseline_new(request: PersonRequest, pk: int) -> HttpResponse:
    release = release_for(request.user, pk, Role.MANAGER)
    form = BaselineForm(request.POST or None, release=release)
    if request.method == "POST" and form.is_valid():
        with FormErrors(form):
            baseline = create_baseline(release=release, by=request.user, **form.cleaned_data)
            return redirect("baseline", baseline.pk)
    return render(request, "baseline/edit.html", {"release": release, "form": form})


@login_required
def baseline_edit(request: PersonRequest, pk: int) -> HttpResponse:
    baseline = baseline_for(request.user, pk)
    form = BaselineForm(
        request.POST or None, instance=baseline_for(request.user, pk), release=baseline.release
    )
    if request.method == "POST" and form.is_valid():
        with FormErrors(form):
            change_baseline(baseline=baseline, by=request.user, **form.cleaned_data)
            messages.success(request, _("Saved."))
            return redirect("baseline", pk)
    return render(
        request, "baseline/edit.html", {"release": baseline.release, "baseline": baseline, "form": form}
    )


@login_required
def baseline_page(request: PersonRequest, pk: int) -> HttpResponse:
    return _show(request, baseline_for(request.user, pk), PeopleForm())


def _show(request: PersonRequest, baseline: Baseline, form: PeopleForm, status: int = 200) -> HttpResponse:
    link = request.build_absolute_uri(reverse("baseline_join", args=[baseline.code]))
    context = {
        "baseline": baseline,
        "release": baseline.release,
        "form": form,
        "link": link if baseline.is_link_open else "",
        "progress": progress_of(baseline),
        "consent": baseline.consents.first(),
        "is_scored": baseline.publications.exists(),
        **(plan_of_draft(baseline) if baseline.state == State.DRAFT else {}),
    }
    return render(request, "baseline/baseline.html", context, status=status)


def plan_of_draft(baseline: Baseline) -> dict[str, Any]:
    """The samples that would be drawn and who could get them; `trouble` says why the plan cannot be kept."""
    try:
        samples = draw_samples(baseline)
    except TooFew as short:
        shortages = [
            _("%(stratum)s: %(has)s of %(needs)s")
            % {"stratum": shortage.stratum or "–", "has": shortage.has, "needs": shortage.needs}
            for shortage in short.shortages[:10]
        ]
        return {
            "trouble": _("The release has too few samples: %(stated)s.") % {"stated": "; ".join(shortages)}
        }
    plan: dict[str, Any] = {"n_drawn": len(samples), "left": who_is_left(baseline, samples)}
    try:
        check_plan(baseline, samples)
    except ImpossiblePlan as impossible:
        n = len(impossible.missing)
        plan["trouble"] = ngettext(
            "%(n)s sample has too few participants who have not seen its image. Add "
            "participants, lower the number per sample, or open the link.",
            "%(n)s samples have too few participants who have not seen their image. Add "
            "participants, lower the number per sample, or open the link.",
            n,
        ) % {"n": n}
    return plan


@login_required
@require_POST
def baseline_people(request: PersonRequest, pk: int) -> HttpResponse:
    """Add people by user name. The form lists those who cannot take part, with the reason; the others are added."""
    baseline = baseline_for(request.user, pk)
    form = PeopleForm(request.POST)
    if form.is_valid():
        for name in form.cleaned_data["names"]:
            problem = _enrol_participant(baseline, name)
            if problem:
                form.add_error("names", f"{name}: {problem}")
    if form.errors:
        return _show(request, baseline, form, status=422)
    messages.success(request, _("Added to the list."))
    return redirect("baseline", pk)


def _enrol_participant(baseline: Baseline, name: str) -> str:
    """Why the person cannot take part, or ""."""
    person = User.objects.filter(username=name, is_active=True).first()
    if person is None:
        return _("no such account.")
    try:
        enrol_participant(baseline=baseline, person=person)
    except ApplicationError as error:
        return error_message(error)
    return ""


@login_required
@require_POST
@renders_errors(flash_and_redirect("baseline", "pk"))
def baseline_person(request: PersonRequest, pk: int, number: int, action: str) -> HttpResponse:
    """Remove a person from the list of a draft, or withdraw them at their request."""
    baseline = baseline_for(request.user, pk)
    row = get_object_or_404(baseline.participations.select_related("baseline", "person"), number=number)
    if action == "withdraw":
        withdraw_participation(participation=row)
        messages.success(
            request, _("The responses were deleted, and the results are being computed without them.")
        )
    elif action == "strike":
        remove_participation(participation=row)
    else:
        raise Http404
    return redirect("baseline", pk)


@login_required
@require_POST
@renders_errors(flash_and_redirect("baseline", "pk"))
def baseline_action(request: PersonRequest, pk: int, action: str) -> HttpResponse:
    """Open or close the baseline or its link, or publish the results."""
    baseline = baseline_for(request.user, pk)
    if action == "open":
        _open(request, baseline)
    elif action == "close":
        close_baseline(baseline=baseline)
        messages.success(request, _("The baseline is closed. What was submitted is kept."))
    elif action in ("open-link", "close-link"):
        set_invitation_link(baseline=baseline, is_open=action == "open-link")
    elif action == "publish":
        return _publish(request, baseline)
    else:
        raise Http404
    return redirect("baseline", pk)


def _open(request: PersonRequest, baseline: Baseline) -> None:
    with suppress(NotDraft):  # a second click
        open_baseline(baseline=baseline)
        messages.success(request, _("The baseline is open. Participants find it under “Taking part”."))


def _publish(request: PersonRequest, baseline: Baseline) -> HttpResponse:
    publish_results(baseline=baseline, by=request.user)
    messages.success(
        request, _("The responses are on the leaderboard next to the models and are being scored.")
    )
    return redirect("baseline_results", baseline.pk)
