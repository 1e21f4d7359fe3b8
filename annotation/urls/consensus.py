"""Addresses of the discussion between two versions; a seat's UUID binds everything."""

from __future__ import annotations

from django.urls import path

from annotation.views import consensus

urlpatterns = [
    path("consensus/<uuid:seat>/", consensus.consensus_page, name="consensus"),
    path("consensus/<uuid:seat>/<int:position>/sign/", consensus.sign_field, name="consensus_sign"),
    path("consensus/<uuid:seat>/<int:position>/say/", consensus.say, name="consensus_say"),
    path("consensus/<uuid:seat>/show/", consensus.show_reasoning, name="consensus_show"),
    path("consensus/<uuid:seat>/escalate/", consensus.ask_adjudicator, name="consensus_escalate"),
    path("consensus/<uuid:seat>/decide/", consensus.decide_all, name="consensus_decide"),
]
