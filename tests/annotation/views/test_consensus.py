"""The discussion page refuses in words what it cannot do."""

from __future__ import annotations

import pytest

from annotation.stages import Stage
from tests.annotation.assignments import assignment_for, submit_work
from tests.factories import make_project, make_sample


@pytest.mark.django_db
@pytest.mark.parametrize("action", ["sign", "say"])
def test_consensus_action_when_no_version_has_the_line_then_not_found(client, action):
    project = make_project()
    make_sample(project)
    primary = assignment_for(project)
    submit_work(primary, "one")
    submit_work(assignment_for(project, Stage.VERIFY), "two")
    client.force_login(primary.person)
    assert client.post(f"/consensus/{primary.uuid}/99/{action}/", {"text": "x"}).status_code == 404
    assert client.get(f"/consensus/{primary.uuid}/").status_code == 200
