"""URLs under /api/v1/ for projects, samples, work and imports."""

from __future__ import annotations

from django.urls import path

from annotation.api import consensus, imports, page_tasks, projects, releases, work

urlpatterns = [
    path("projects/", projects.ProjectListView.as_view(), name="projects"),
    path("projects/<slug:slug>/", projects.ProjectDetailView.as_view(), name="project"),
    path("projects/<slug:slug>/guideline/", projects.GuidelineView.as_view(), name="guideline"),
    path("projects/<slug:slug>/samples/", projects.SampleListView.as_view(), name="samples"),
    path("projects/<slug:slug>/next/<slug:stage>/", work.NextSampleView.as_view(), name="next"),
    path("projects/<slug:slug>/imports/", imports.ImportListView.as_view(), name="imports"),
    path("projects/<slug:slug>/releases/", releases.ReleaseListView.as_view(), name="releases"),
    path("samples/<uuid:sample>/", projects.SampleDetailView.as_view(), name="sample"),
    path("samples/<uuid:sample>/move/", projects.SampleMoveView.as_view(), name="sample_move"),
    path("samples/<uuid:sample>/labels/", projects.SampleLabelsView.as_view(), name="sample_labels"),
    path("samples/<uuid:sample>/flags/<int:pk>/", projects.SampleFlagView.as_view(), name="sample_flag"),
    path("imports/<int:pk>/", imports.ImportDetailView.as_view(), name="import"),
    path("imports/<int:pk>/files/", imports.ImportFilesView.as_view(), name="import_files"),
    path("imports/<int:pk>/start/", imports.ImportStartView.as_view(), name="import_start"),
    path("imports/<int:pk>/cancel/", imports.ImportCancelView.as_view(), name="import_cancel"),
    path("work/", work.WorkListView.as_view(), name="work_list"),
    path("work/<uuid:assignment_uuid>/", work.WorkDetailView.as_view(), name="work"),
    path("work/<uuid:assignment_uuid>/draft/", work.WorkDraftView.as_view(), name="work_draft"),
    path("work/<uuid:assignment_uuid>/heartbeat/", work.WorkHeartbeatView.as_view(), name="work_heartbeat"),
    path("work/<uuid:assignment_uuid>/submit/", work.WorkSubmitView.as_view(), name="work_submit"),
    path(
        "work/<uuid:assignment_uuid>/reached-end/", work.WorkReachedEndView.as_view(), name="work_reached_end"
    ),
    path("work/<uuid:assignment_uuid>/put-back/", work.WorkReleaseView.as_view(), name="work_put_back"),
    path("work/<uuid:assignment_uuid>/skip/", work.WorkSkipView.as_view(), name="work_skip"),
    path("work/<uuid:assignment_uuid>/flag/", work.WorkFlagView.as_view(), name="work_flag"),
    path("work/<uuid:assignment_uuid>/return/", work.WorkReturnView.as_view(), name="work_return"),
    path("work/<uuid:assignment_uuid>/notes/", work.WorkNotesView.as_view(), name="work_notes"),
    path("work/<uuid:assignment_uuid>/evidence/", work.WorkEvidenceView.as_view(), name="work_evidence"),
    path("work/<uuid:assignment_uuid>/taken/", work.WorkTakenView.as_view(), name="work_taken"),
    path(
        "work/<uuid:assignment_uuid>/evidence/<int:pk>/",
        page_tasks.WorkEvidenceEntryView.as_view(),
        name="work_evidence_entry",
    ),
    path(
        "work/<uuid:assignment_uuid>/questions/",
        page_tasks.WorkQuestionsView.as_view(),
        name="work_questions",
    ),
    path(
        "work/<uuid:assignment_uuid>/questions/<int:pk>/",
        page_tasks.WorkQuestionView.as_view(),
        name="work_question",
    ),
    path("projects/<slug:slug>/rate/", page_tasks.RatingNextView.as_view(), name="rating_next"),
    path("rate/<uuid:rating>/", page_tasks.RatingDetailView.as_view(), name="rating"),
    path("rate/<uuid:rating>/put-back/", page_tasks.RatingReleaseView.as_view(), name="rating_put_back"),
    path("projects/<slug:slug>/screen/", page_tasks.ScreeningNextView.as_view(), name="screening_next"),
    path("screen/<uuid:screening>/", page_tasks.ScreeningDetailView.as_view(), name="screening"),
    path(
        "screen/<uuid:screening>/put-back/",
        page_tasks.ScreeningReleaseView.as_view(),
        name="screening_put_back",
    ),
    path(
        "samples/<uuid:sample>/screen-again/",
        page_tasks.SampleScreenAgainView.as_view(),
        name="sample_screen_again",
    ),
    path(
        "samples/<uuid:sample>/unredacted/",
        page_tasks.SampleUnredactedView.as_view(),
        name="sample_unredacted",
    ),
    path("projects/<slug:slug>/answer/", page_tasks.QuestionNextView.as_view(), name="question_next"),
    path("questions/<uuid:question>/", page_tasks.QuestionDetailView.as_view(), name="question"),
    path(
        "questions/<uuid:question>/give-back/",
        page_tasks.QuestionReleaseView.as_view(),
        name="question_give_back",
    ),
    path("consensus/<uuid:assignment_uuid>/", consensus.ConsensusView.as_view(), name="consensus"),
    path(
        "consensus/<uuid:assignment_uuid>/lines/<int:position>/sign/",
        consensus.ConsensusSignView.as_view(),
        name="consensus_sign",
    ),
    path(
        "consensus/<uuid:assignment_uuid>/lines/<int:position>/say/",
        consensus.ConsensusSayView.as_view(),
        name="consensus_say",
    ),
    path(
        "consensus/<uuid:assignment_uuid>/show/", consensus.ConsensusShowView.as_view(), name="consensus_show"
    ),
    path(
        "consensus/<uuid:assignment_uuid>/escalate/",
        consensus.ConsensusEscalateView.as_view(),
        name="consensus_escalate",
    ),
    path(
        "consensus/<uuid:assignment_uuid>/decide/",
        consensus.ConsensusDecideView.as_view(),
        name="consensus_decide",
    ),
]
