"""A manager sets a baseline up, watches it, and opens and closes it."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_POST

from baseline.forms.setup import BaselineForm, PeopleForm
from baseline.models import Baseline, State
from baseline.permissions import baseline_for
from baseline.sampling import ImpossiblePlan, TooFew
from baseline.selectors.setup import baselines_of, progress_of
from baseline.services.assign_samples import (
    NobodyThere,
    NoConsentText,
    NotDraft,
    check_plan,
    draw_samples,
    open_baseline,
    who_is_left,
)
from baseline.services.configure_baseline import (
    ManagersCannotParticipate,
    NameTaken,
    NothingLeft,
    NotOpen,
    change_baseline,
    close_baseline,
    create_baseline,
    enrol_participant,
    remove_participation,
    set_invitation_link,
)
from baseline.services.publish_results import NothingToPublish, publish_results, withdraw_participation
from config.accounts.models import Role, User
from config.accounts.requests import PersonRequest
from evaluation.permissions import release_for

NAME_TAKEN = gettext_lazy(
    "A model or another baseline of this release already has this name. Choose another."
)


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
        try:
            made = create_baseline(release=release, by=request.user, **form.cleaned_data)
        except NameTaken:
            form.add_error("system_name", str(NAME_TAKEN))
        else:
            return redirect("baseline", made.pk)
    return render(request, "baseline/edit.html", {"release": release, "form": form})


@login_required
def baseline_edit(request: PersonRequest, pk: int) -> HttpResponse:
    made = baseline_for(request.user, pk)
    form = BaselineForm(request.POST or None, instance=baseline_for(request.user, pk), release=made.release)
    if request.method == "POST" and form.is_valid():
        try:
            change_baseline(baseline=made, by=request.user, **form.cleaned_data)
        except NameTaken:
            form.add_error("system_name", str(NAME_TAKEN))
        except NotDraft:
            form.add_error(
                None,
                _("The baseline has been opened in the meantime, so its rules can no longer be changed."),
            )
        else:
            messages.success(request, _("Saved."))
            return redirect("baseline", pk)
    return render(request, "baseline/edit.html", {"release": made.release, "baseline": made, "form": form})


@login_required
def baseline_page(request: PersonRequest, pk: int) -> HttpResponse:
    return _show(request, baseline_for(request.user, pk), PeopleForm())


def _show(request: PersonRequest, made: Baseline, form: PeopleForm, status: int = 200) -> HttpResponse:
    link = request.build_absolute_uri(reverse("baseline_join", args=[made.code]))
    context = {
        "baseline": made,
        "release": made.release,
        "form": form,
        "link": link if made.is_link_open else "",
        "progress": progress_of(made),
        "consent": made.consents.first(),
        "is_scored": made.publications.exists(),
        **(plan_of_draft(made) if made.state == State.DRAFT else {}),
    }
    return render(request, "baseline/baseline.html", context, status=status)


def plan_of_draft(made: Baseline) -> dict[str, Any]:
    """What would be drawn and who is left for it; `trouble` in words where the plan cannot be kept."""
    try:
        samples = draw_samples(made)
    except TooFew as short:
        told = [
            _("%(stratum)s: %(has)s of %(needs)s")
            % {"stratum": s.stratum or "–", "has": s.has, "needs": s.needs}
            for s in short.shortages[:10]
        ]
        return {"trouble": _("The release has too few samples: %(told)s.") % {"told": "; ".join(told)}}
    plan: dict[str, Any] = {"n_drawn": len(samples), "left": who_is_left(made, samples)}
    try:
        check_plan(made, samples)
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
    """Name people. Whoever cannot take part is named with the reason; the others are in."""
    made = baseline_for(request.user, pk)
    form = PeopleForm(request.POST)
    if form.is_valid():
        for name in form.cleaned_data["names"]:
            trouble = _enrol(made, name)
            if trouble:
                form.add_error("names", f"{name}: {trouble}")
    if form.errors:
        return _show(request, made, form, status=422)
    messages.success(request, _("Added to the list."))
    return redirect("baseline", pk)


def _enrol(made: Baseline, name: str) -> str:
    person = User.objects.filter(username=name, is_active=True).first()
    if person is None:
        return _("no such account.")
    try:
        enrol_participant(baseline=made, person=person)
    except ManagersCannotParticipate:
        return _("manages this project and can see the ground truth.")
    except NotOpen:
        return _("the baseline is closed.")
    except NothingLeft:
        return _("no samples are left for this person.")
    return ""


@login_required
@require_POST
def baseline_person(request: PersonRequest, pk: int, number: int, action: str) -> HttpResponse:
    """Take a person off the list of a draft, or withdraw them on their request."""
    made = baseline_for(request.user, pk)
    row = get_object_or_404(made.participations.select_related("baseline", "person"), number=number)
    if action == "withdraw":
        withdraw_participation(participation=row)
        messages.success(
            request, _("The responses were deleted, and the results are being computed without them.")
        )
    elif action == "strike":
        try:
            remove_participation(participation=row)
        except NotDraft:
            messages.error(
                request,
                _(
                    "The baseline is open, so participants are not removed from the "
                    "list. If someone asks, withdraw them."
                ),
            )
    else:
        raise Http404
    return redirect("baseline", pk)


@login_required
@require_POST
def baseline_action(request: PersonRequest, pk: int, action: str) -> HttpResponse:
    """Open, close, the link, and publishing."""
    made = baseline_for(request.user, pk)
    if action == "open":
        _open(request, made)
    elif action == "close":
        close_baseline(baseline=made)
        messages.success(request, _("The baseline is closed. What was submitted is kept."))
    elif action in ("open-link", "close-link"):
        set_invitation_link(baseline=made, is_open=action == "open-link")
    elif action == "publish":
        return _publish(request, made)
    else:
        raise Http404
    return redirect("baseline", pk)


def _open(request: PersonRequest, made: Baseline) -> None:
    try:
        open_baseline(baseline=made)
    except NoConsentText:
        messages.error(request, _("Write the consent text first."))
    except NobodyThere:
        messages.error(request, _("No one could take part. Add participants, or open the link."))
    except (TooFew, ImpossiblePlan):
        messages.error(
            request, _("Not enough readers yet; the reason is on this page. The baseline was not opened.")
        )
    except NotDraft:
        pass  # a second click
    else:
        messages.success(request, _("The baseline is open. Participants find it under “Taking part”."))


def _publish(request: PersonRequest, made: Baseline) -> HttpResponse:
    try:
        publish_results(baseline=made, by=request.user)
    except NothingToPublish:
        messages.error(request, _("No one has submitted anything yet."))
        return redirect("baseline", made.pk)
    messages.success(
        request, _("The responses are on the leaderboard next to the models and are being scored.")
    )
    return redirect("baseline_results", made.pk)
