"""Questions to domain experts: the managers' list, and the expert's page with image, question and answer."""

from __future__ import annotations

import uuid

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST, require_safe

from annotation.forms.work import AnswerForm
from annotation.models import Question
from annotation.permissions import project_for
from annotation.selectors.question_queue import count_waiting_questions, next_question_at
from annotation.selectors.questions import count_questions, listed, questions_of
from annotation.services.ask_question import answer_question, claim_question, release_question
from annotation.visibility.page_tasks import question_for, question_sheet
from config.accounts.models import Role
from config.accounts.requests import PersonRequest
from config.accounts.selectors import people_in
from config.error_responses import error_message, flash_and_redirect, renders_errors
from config.errors import RequestError

PAGE_SIZE = 50


@login_required
@require_safe
def project_questions(request: PersonRequest, slug: str) -> HttpResponse:
    """How many questions wait and for how long, for managers; neither text nor names."""
    project = project_for(request.user, slug, Role.MANAGER)
    page = Paginator(questions_of(project, request.user), PAGE_SIZE).get_page(request.GET.get("page"))
    rows = listed(page)
    context = {
        "project": project,
        "counts": count_questions(project),
        "has_experts": people_in(project.team, Role.DOMAIN_EXPERT).exists(),
        "page": page,
        "rows": rows,
        "has_hidden": any(row.sample is None for row in rows),
    }
    return render(request, "annotation/project_questions.html", context)


@login_required
@require_POST
def question_next(request: PersonRequest, slug: str) -> HttpResponse:
    """Claim the oldest open question and open it."""
    project = project_for(request.user, slug, Role.DOMAIN_EXPERT)
    question = claim_question(person=request.user, project=project)
    if question is None:
        context = {"project": project, "free_at": next_question_at(project)}
        return render(request, "annotation/nothing_left.html", context)
    return redirect("question", question.uuid)


@login_required
@require_GET
def question_page(request: PersonRequest, question: uuid.UUID) -> HttpResponse:
    return _render(request, question_for(request.user, question), AnswerForm())


def _render(request: PersonRequest, question: Question, form: AnswerForm, *, error: str = "") -> HttpResponse:
    context = {
        "sheet": question_sheet(question, request.user),
        "form": form,
        "error": error,
        "waiting": count_waiting_questions(request.user, question.sample.project),
    }
    status = 422 if form.errors and not error else 200
    return render(request, "annotation/question.html", context, status=status)


def _render_refused(request: PersonRequest, error: RequestError, question: uuid.UUID) -> HttpResponse:
    """The page again, with the answer as it was typed."""
    row = question_for(request.user, question)
    return _render(request, row, AnswerForm(request.POST), error=error_message(error))


@login_required
@require_POST
@renders_errors(_render_refused)
def question_answer(request: PersonRequest, question: uuid.UUID) -> HttpResponse:
    """Answer once."""
    row = question_for(request.user, question)
    form = AnswerForm(request.POST)
    if not form.is_valid():
        return _render(request, row, form)
    answer_question(question=row, text=form.cleaned_data["answer"])
    messages.success(request, _("Your answer was sent to the person who asked."))
    return redirect("home")


@login_required
@require_POST
@renders_errors(flash_and_redirect("home"))
def question_give_back(request: PersonRequest, question: uuid.UUID) -> HttpResponse:
    """Release the question to another expert."""
    release_question(question=question_for(request.user, question), person=request.user)
    return redirect("home")
