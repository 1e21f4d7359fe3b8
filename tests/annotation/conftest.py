"""A discussion between two people, for every test of annotation that needs one."""

from __future__ import annotations

import pytest

from annotation.stages import Stage
from tests.annotation.assignments import assignment_for, submit_work
from tests.factories import make_project, make_sample

FIRST = "one\ntwo\nthree"
SECOND = "one\ntvo\nthree\nfour"


@pytest.fixture
def talk(db):
    """A sample in dispute on positions 1 and 3: the project and the two assignments."""
    project = make_project()
    make_sample(project)
    primary = assignment_for(project)
    submit_work(primary, FIRST)
    second = assignment_for(project, Stage.VERIFY)
    submit_work(second, SECOND)
    return project, primary, second
