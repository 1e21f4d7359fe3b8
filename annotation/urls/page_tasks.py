"""URLs of screening, questions and ratings, by the UUID of a row."""

from __future__ import annotations

from django.urls import path

from annotation.views import difficulty, questions, screening

urlpatterns = [
    path("projects/<slug:slug>/screen/", screening.screening_next, name="screening_next"),
    path("screen/<uuid:screening>/", screening.screening_page, name="screening"),
    path("screen/<uuid:screening>/done/", screening.screening_finish, name="screening_finish"),
    path("screen/<uuid:screening>/save/", screening.screening_save, name="screening_save"),
    path("screen/<uuid:screening>/put-back/", screening.screening_put_back, name="screening_put_back"),
    path("projects/<slug:slug>/answer/", questions.question_next, name="question_next"),
    path("projects/<slug:slug>/people/questions/", questions.project_questions, name="project_questions"),
    path("questions/<uuid:question>/", questions.question_page, name="question"),
    path("questions/<uuid:question>/answer/", questions.question_answer, name="question_answer"),
    path("questions/<uuid:question>/give-back/", questions.question_give_back, name="question_give_back"),
    path("projects/<slug:slug>/rate/", difficulty.rating_next, name="rating_next"),
    path("projects/<slug:slug>/people/difficulty/", difficulty.project_difficulty, name="project_difficulty"),
    path("rate/<uuid:rating>/", difficulty.rating_page, name="rating"),
    path("rate/<uuid:rating>/submit/", difficulty.rating_submit, name="rating_submit"),
    path("rate/<uuid:rating>/save/", difficulty.rating_save, name="rating_save"),
    path("rate/<uuid:rating>/skip/", difficulty.rating_skip, name="rating_skip"),
]
