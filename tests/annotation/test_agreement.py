"""Agreement before and after discussion: field case 31."""

from __future__ import annotations

import pytest

from annotation.selectors.agreement import agreement_of
from annotation.services.resolve_dispute import sign_field
from tests.factories import make_project


def test_agreement_before_discussion_when_the_consensus_is_found_then_unchanged(talk):
    project, primary, second = talk
    before = agreement_of(project)
    assert (before.reviews, before.fields, before.equal, before.share) == (1, 4, 2, 0.5)
    assert (before.disputed, before.open, before.by_discussion) == (2, 2, 0)
    for assignment in (primary, second):
        sign_field(assignment=assignment, position=1, text="tvo")
        sign_field(assignment=assignment, position=3, text=None)
    after = agreement_of(project)
    assert (after.reviews, after.fields, after.equal, after.edit) == (1, 4, 2, before.edit)
    assert (after.open, after.by_discussion, after.by_adjudicator) == (0, 2, 0)
    assert (after.to_primary, after.to_second, after.to_new) == (1, 1, 0)


@pytest.mark.django_db
def test_agreement_before_any_second_review_then_no_share():
    assert agreement_of(make_project()).share is None
