"""Addresses of the API under /api/v1/ for projects, samples, work and imports."""

from __future__ import annotations

from django.urls import path

from annotation.api import consensus, imports, page_tasks, projects, releases, work

urlpatterns = [
    path("projects/", projects.ProjectList.as_view(), name="projects"),
    path("projects/<slug:slug>/", projects.ProjectItem.as_view(), name="project"),
    path("projects/<slug:slug>/guideline/", projects.GuidelineItem.as_view(), name="guideline"),
    path("projects/<slug:slug>/samples/", projects.SampleList.as_view(), name="samples"),
    path("projects/<slug:slug>/next/<slug:stage>/", work.NextSample.as_view(), name="next"),
    path("projects/<slug:slug>/imports/", imports.ImportList.as_view(), name="imports"),
    path("projects/<slug:slug>/releases/", releases.ReleaseList.as_view(), name="releases"),
    path("samples/<uuid:sample>/", projects.SampleItem.as_view(), name="sample"),
    path("samples/<uuid:sample>/move/", projects.SampleMove.as_view(), name="sample_move"),
    path("samples/<uuid:sample>/labels/", projects.SampleLabels.as_view(), name="sample_labels"),
    path("samples/<uuid:sample>/flags/<int:pk>/", projects.SampleFlag.as_view(), name="sample_flag"),
    path("imports/<int:pk>/", imports.ImportItem.as_view(), name="import"),
    path("imports/<int:pk>/files/", imports.ImportFiles.as_view(), name="import_files"),
    path("imports/<int:pk>/start/", imports.ImportStart.as_view(), name="import_start"),
    path("imports/<int:pk>/cancel/", imports.ImportCancel.as_view(), name="import_cancel"),
    path("work/", work.WorkList.as_view(), name="work_list"),
    path("work/<uuid:assignment_uuid>/", work.Worksheet.as_view(), name="work"),
    path("work/<uuid:assignment_uuid>/draft/", work.DraftItem.as_view(), name="work_draft"),
    path("work/<uuid:assignment_uuid>/heartbeat/", work.Heartbeat.as_view(), name="work_heartbeat"),
    path("work/<uuid:assignment_uuid>/submit/", work.Submit.as_view(), name="work_submit"),
    path("work/<uuid:assignment_uuid>/reached-end/", work.ReachedEnd.as_view(), name="work_reached_end"),
    path("work/<uuid:assignment_uuid>/put-back/", work.PutBack.as_view(), name="work_put_back"),
    path("work/<uuid:assignment_uuid>/skip/", work.Skip.as_view(), name="work_skip"),
    path("work/<uuid:assignment_uuid>/flag/", work.Flag.as_view(), name="work_flag"),
    path("work/<uuid:assignment_uuid>/return/", work.Return.as_view(), name="work_return"),
    path("work/<uuid:assignment_uuid>/notes/", work.Notes.as_view(), name="work_notes"),
    path("work/<uuid:assignment_uuid>/evidence/", work.EvidenceLog.as_view(), name="work_evidence"),
    path("work/<uuid:assignment_uuid>/taken/", work.Taken.as_view(), name="work_taken"),
    path(
        "work/<uuid:assignment_uuid>/evidence/<int:pk>/",
        page_tasks.EvidenceEntry.as_view(),
        name="work_evidence_entry",
    ),
    path("work/<uuid:assignment_uuid>/questions/", page_tasks.Questions.as_view(), name="work_questions"),
    path(
        "work/<uuid:assignment_uuid>/questions/<int:pk>/",
        page_tasks.OwnQuestionItem.as_view(),
        name="work_question",
    ),
    path("projects/<slug:slug>/rate/", page_tasks.NextRating.as_view(), name="rating_next"),
    path("rate/<uuid:rating>/", page_tasks.RatingItem.as_view(), name="rating"),
    path("rate/<uuid:rating>/put-back/", page_tasks.RatingPutBack.as_view(), name="rating_put_back"),
    path("projects/<slug:slug>/screen/", page_tasks.NextScreening.as_view(), name="screening_next"),
    path("screen/<uuid:screening>/", page_tasks.ScreeningItem.as_view(), name="screening"),
    path(
        "screen/<uuid:screening>/put-back/", page_tasks.ScreeningPutBack.as_view(), name="screening_put_back"
    ),
    path("samples/<uuid:sample>/screen-again/", page_tasks.ScreenAgain.as_view(), name="sample_screen_again"),
    path("samples/<uuid:sample>/unredacted/", page_tasks.Unredacted.as_view(), name="sample_unredacted"),
    path("projects/<slug:slug>/answer/", page_tasks.NextQuestion.as_view(), name="question_next"),
    path("questions/<uuid:question>/", page_tasks.QuestionItem.as_view(), name="question"),
    path(
        "questions/<uuid:question>/give-back/",
        page_tasks.QuestionGiveBack.as_view(),
        name="question_give_back",
    ),
    path("consensus/<uuid:assignment_uuid>/", consensus.Discussion.as_view(), name="consensus"),
    path(
        "consensus/<uuid:assignment_uuid>/lines/<int:position>/sign/",
        consensus.Sign.as_view(),
        name="consensus_sign",
    ),
    path(
        "consensus/<uuid:assignment_uuid>/lines/<int:position>/say/",
        consensus.Say.as_view(),
        name="consensus_say",
    ),
    path("consensus/<uuid:assignment_uuid>/show/", consensus.Show.as_view(), name="consensus_show"),
    path(
        "consensus/<uuid:assignment_uuid>/escalate/", consensus.Escalate.as_view(), name="consensus_escalate"
    ),
    path("consensus/<uuid:assignment_uuid>/decide/", consensus.Decide.as_view(), name="consensus_decide"),
]
