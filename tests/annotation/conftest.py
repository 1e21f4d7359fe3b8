"""A discussion between two people, for every test of annotation that needs one."""

from __future__ import annotations

import pytest

from annotation.stages import Stage
from tests.annotation.seats import hand_in, seat_for
from tests.factories import make_project, make_sample

FIRST = "one\ntwo\nthree"
SECOND = "one\ntvo\nthree\nfour"


@pytest.fixture
def talk(db):
    """A sample in dispute on positions 1 and 3: the project and the two seats."""
    project = make_project()
    make_sample(project)
    primary = seat_for(project)
    hand_in(primary, FIRST)
    second = seat_for(project, Stage.VERIFY)
    hand_in(second, SECOND)
    return project, primary, second
