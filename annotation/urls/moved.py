"""Old addresses of pages that now belong to a section of the project."""

from __future__ import annotations

from config.redirects import redirect_moved

app_name = "moved"
urlpatterns = [
    redirect_moved("projects/<slug:slug>/import/", "project_import"),
    redirect_moved("projects/<slug:slug>/duplicates/", "project_duplicates"),
    redirect_moved("projects/<slug:slug>/suggestions/", "project_suggestions"),
    redirect_moved("projects/<slug:slug>/difficulty/", "project_difficulty"),
    redirect_moved("projects/<slug:slug>/checks/", "project_checks"),
    redirect_moved("projects/<slug:slug>/guideline/", "project_guideline"),
    redirect_moved("projects/<slug:slug>/guideline/edit/", "guideline_edit"),
    redirect_moved("projects/<slug:slug>/guideline/<int:number>/", "guideline_version"),
    redirect_moved("projects/<slug:slug>/recognisers/", "project_recognisers"),
    redirect_moved("projects/<slug:slug>/recognisers/<int:slot>/clear/", "recogniser_clear"),
    redirect_moved("projects/<slug:slug>/recognisers/<int:slot>/<slug:kind>/", "recogniser_edit"),
    redirect_moved("projects/<slug:slug>/invitations/<int:pk>/revoke/", "invitation_revoke"),
    redirect_moved("releases/<int:pk>/run/", "model_run_new"),
]
