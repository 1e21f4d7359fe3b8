"""URLs of discussions, by the UUID of an assignment."""

from __future__ import annotations

from django.urls import path

from annotation.views import consensus

urlpatterns = [
    path("consensus/<uuid:assignment_uuid>/", consensus.consensus_page, name="consensus"),
    path(
        "consensus/<uuid:assignment_uuid>/<int:position>/sign/",
        consensus.consensus_sign,
        name="consensus_sign",
    ),
    path(
        "consensus/<uuid:assignment_uuid>/<int:position>/say/", consensus.consensus_say, name="consensus_say"
    ),
    path("consensus/<uuid:assignment_uuid>/show/", consensus.consensus_show, name="consensus_show"),
    path(
        "consensus/<uuid:assignment_uuid>/escalate/", consensus.consensus_escalate, name="consensus_escalate"
    ),
    path("consensus/<uuid:assignment_uuid>/decide/", consensus.consensus_decide, name="consensus_decide"),
]
