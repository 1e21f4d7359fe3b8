"""Tables, formulas and masks through the API: kept, refused with the reason, and shut once they are submitted.

Field cases 26 and 44.
"""

from __future__ import annotations

import json
from typing import Any

import pytest
from rest_framework.test import APIClient

from annotation.models import Draft, Event, Label
from tests.api.assignments import API, body_for, submit_work, take
from tests.api.conftest import Cast, client_for
from tests.factories import make_sample

pytestmark = pytest.mark.database

BOX = [[10, 10], [100, 10], [100, 40], [10, 40]]
OTHER_BOX = [[10, 10], [120, 10], [120, 60], [10, 60]]
MASK = {"id": "m", "shape": "box", "points": [[10, 100], [60, 130]], "reason": "torn"}


def page(polygon: Any, latex: str = "x^2") -> str:
    return json.dumps({"regions": [{"id": "a", "polygon": polygon, "latex": latex}]})


# structure -> what is submitted, and what somebody tries to put in its place
LABELS = {
    "table": ("<table><tr><td>a</td></tr></table>", "<table><tr><td>b</td></tr></table>"),
    "formula": (page(BOX), page(OTHER_BOX)),
    "text": ("one", "two"),
}


def discussion_role_of(cast: Cast, structure: str) -> tuple[APIClient, str]:
    make_sample(cast.project, structure=structure)
    client = client_for(cast.annotator)
    return client, take(client, "letters", "label")


@pytest.mark.parametrize("structure", LABELS)
def test_label_when_submitted_then_text_outlines_and_masks_are_shut_to_every_write(
    cast: Cast, structure: str
) -> None:
    client, assignment = discussion_role_of(cast, structure)
    before, after = LABELS[structure]
    body = body_for(client, assignment, before) | {"masks": [MASK]}
    assert client.put(f"{API}/work/{assignment}/draft/", body, format="json").status_code == 200
    assert submit_work(client, assignment, before, mask_reason="a stain").status_code == 200
    kept = Label.objects.values("text", "masks").get()
    assert kept["masks"] == [MASK]
    tries = [
        client.put(f"{API}/work/{assignment}/draft/", body_for(client, assignment, after), format="json"),
        client.put(f"{API}/work/{assignment}/draft/", body | {"masks": []}, format="json"),
        submit_work(client, assignment, after),
        client.post(f"{API}/work/{assignment}/evidence/", {"kind": "other", "note": "late"}, format="json"),
    ]
    assert [answer.status_code for answer in tries] == [409] * 4
    assert Label.objects.values("text", "masks").get() == kept


@pytest.mark.parametrize(
    ("text", "masks", "kind"),
    [("Dear Jane", [MASK], "mask_without_mark"), ("Dear ⟦masked⟧", [], "mark_without_mask")],
)
def test_label_when_mask_and_mark_do_not_answer_each_other_then_422_until_a_reason_is_sent(
    cast: Cast, text: str, masks: list[Any], kind: str
) -> None:
    client, assignment = discussion_role_of(cast, "text")
    refused = submit_work(client, assignment, text, masks=masks)
    assert (refused.status_code, refused.json()["kind"]) == (422, kind)
    assert "mask_reason" in refused.text and not Label.objects.exists()
    taken = submit_work(client, assignment, text, masks=masks, mask_reason="it came so")
    assert taken.status_code == 200
    assert Event.objects.get(verb="submit").reason == "it came so"


# What no outline is -> a word of the reason.
NO_OUTLINES: dict[str, tuple[Any, str]] = {
    "a bow-tie": ([[10, 10], [90, 90], [90, 10], [10, 90]], "crosses itself"),
    "two points": ([[10, 10], [90, 90]], "at least three"),
    "a point twice": ([[10, 10], [10, 10], [90, 10], [90, 90]], "same place"),
    "no number": ([[10, 10], [None, 10], [90, 90]], "Point 2"),
    "not a number": ([[10, 10], ["NaN", 10], [90, 90]], "Point 2"),
    "outside": ([[10, 10], [900, 10], [90, 90]], "outside the image"),
    "ten thousand points": ([[index % 240, index // 240] for index in range(10_000)], "the limit is 1,000"),
}


@pytest.mark.parametrize("what", NO_OUTLINES)
def test_outline_when_it_is_none_then_422_with_the_reason_and_nothing_is_lost(cast: Cast, what: str) -> None:
    client, assignment = discussion_role_of(cast, "formula")
    polygon, words = NO_OUTLINES[what]
    assert (
        client.put(
            f"{API}/work/{assignment}/draft/", body_for(client, assignment, page(BOX)), format="json"
        ).status_code
        == 200
    )
    refused = submit_work(client, assignment, page(polygon))
    assert refused.status_code == 422
    assert words in refused.text
    assert not Label.objects.exists()
    assert json.loads(Draft.objects.get().text)["regions"][0]["latex"] == "x^2"


@pytest.mark.parametrize(
    ("mask", "words"),
    [
        (MASK | {"points": [[10, 100], [10, 130]]}, "no area"),
        (MASK | {"points": [[10, 100], [600, 130]]}, "outside"),
        (MASK | {"reason": ""}, "reason is missing"),
        (MASK | {"shape": "polygon", "points": NO_OUTLINES["a bow-tie"][0]}, "crosses itself"),
    ],
)
def test_mask_when_it_cannot_stand_then_422_with_the_reason(cast: Cast, mask: Any, words: str) -> None:
    client, assignment = discussion_role_of(cast, "text")
    body = body_for(client, assignment, "one") | {"masks": [mask]}
    refused = client.post(
        f"{API}/work/{assignment}/submit/", body, format="json", headers={"Idempotency-Key": "once-only"}
    )
    assert refused.status_code == 422
    assert words in refused.text
    assert not Label.objects.exists()
