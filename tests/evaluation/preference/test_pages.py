"""The pages of a study: what raters see and do not see, step by step, and what managers get when it is closed."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from config.jobs.services import run_waiting
from evaluation.preference.design import Choice, TrialKind
from evaluation.preference.forms import SetUpForm
from evaluation.preference.models import (
    Enrolment,
    ExpertGrade,
    PreferenceVote,
    Study,
    StudyAnalysis,
    Trial,
    TrialEvent,
)
from evaluation.preference.selectors import current_trial
from evaluation.preference.services import rate_item
from evaluation.preference.services.open_study import close_study
from tests.evaluation.preference.visiting import address, client_of
from tests.evaluation.preference.world import answer_all, make_maths_release, make_open_study, make_raters

pytestmark = pytest.mark.django_db


@pytest.fixture
def study_and_enrolments() -> tuple[Study, list[Enrolment]]:
    return make_open_study()


def read(client: Client, enrolment: Enrolment) -> str:
    return client.get(address(enrolment) + "?begin=1").content.decode()


def answer_item(client: Client, enrolment: Enrolment, *, grade: int = 5, choice: str = "A") -> None:
    position = re.search(r'name="position" value="(\d+)"', read(client, enrolment)).group(1)  # type: ignore[union-attr]
    client.post(address(enrolment, "grade"), {"position": position, "grade": grade})
    client.post(address(enrolment, "vote"), {"position": position, "choice": choice})


def test_step_1_when_read_then_it_carries_no_image_no_score_and_no_file_name(study_and_enrolments):
    study, enrolments = study_and_enrolments
    enrolment = enrolments[0]
    client = client_of(enrolment.user)
    trial = current_trial(enrolment)
    response = client.get(address(enrolment) + "?begin=1")
    whole = response.content.decode() + repr(response.headers)
    item = trial.item
    hidden = [
        reverse("image", args=["x"])[:-1], "ink-viewer", item.gold.file_name, item.gold.sample_id,
        item.gold.image_blob, item.gold.pixel_hash, item.system, "PINK", study.title, "data-choose",
    ]  # fmt: skip
    assert [word for word in hidden if word and word in whole] == []
    for score in (item.shown_first, item.shown_second):
        assert not re.search(rf"(?<![\d.]){re.escape(score)}(?![\d.])", strip(whole))
    assert item.output.splitlines()[0] in whole and "Halve" in whole


def strip(page: str) -> str:
    """Without the scripts' words, addresses of built files and the texts of the item."""
    return re.sub(
        r"<script.*?</script>|<pre.*?</pre>|<link[^>]*>|<head>.*?</head>|<svg.*?</svg>", "", page, flags=re.S
    )


def test_step_2_when_read_then_both_scores_look_alike_and_nothing_names_a_metric(study_and_enrolments):
    study, enrolments = study_and_enrolments
    enrolment = enrolments[0]
    client = client_of(enrolment.user)
    client.post(
        address(enrolment, "grade"),
        {"position": 1, "grade": 7, "mark_final_value": "2", "mark_conditions": ""},
    )
    page = read(client, enrolment)
    trial = current_trial(enrolment)
    item = trial.item
    shown = re.findall(r'<span\s+class="scores__value"\s*>([^<]*)</span>', page)
    expected = [item.shown_first, item.shown_second]
    assert shown == (expected if trial.first_is == "A" else expected[::-1])
    assert len({len(value.split(".")[1]) for value in shown}) == 1
    for word in (
        "PINK",
        "Edit",
        "pink",
        "edit",
        "inkbench-1",
        study.title,
        item.system,
        item.gold.file_name,
        item.gold.sample_id,
    ):
        assert not word or word not in strip(page).replace("Edit grade", ""), word
    assert "Your grade: 7 of 10, locked" in page and ExpertGrade.objects.get().marks == {"final_value": 2}
    labels = re.findall(r'<label class="(?:scores|answers)__one".*?</label>', page, re.S)
    forms = [
        re.sub(r"[\d.]+</span>|Score [AB]|value=\"[AB]\"|cho(?:ose|ice)-[ab]|<kbd>\d</kbd>", "", label)
        for label in labels
    ]
    assert len(forms) == 5 and forms[0] == forms[1] and forms[2] == forms[3]


def test_step_2_when_the_sides_are_swapped_then_the_page_differs_in_the_two_numbers_alone(
    study_and_enrolments,
):
    _study, enrolments = study_and_enrolments
    enrolment = enrolments[0]
    client = client_of(enrolment.user)
    client.post(address(enrolment, "grade"), {"position": 1, "grade": 7})

    def seen() -> tuple[str, list[str]]:
        page = re.sub(r'nonce="[^"]*"|csrf[^>]*>|/images/[^"]*|content="[^"]*"', "", read(client, enrolment))
        return re.sub(r'(scores__value"\s*>)[^<]*', r"\1", page), re.findall(
            r'scores__value"\s*>([^<]*)', page
        )

    before, scores = seen()
    trial = current_trial(enrolment)
    Trial.objects.filter(pk=trial.pk).update(first_is="B" if trial.first_is == "A" else "A")
    after, swapped = seen()
    assert before == after and scores == swapped[::-1]


def test_rating_when_the_form_is_wrong_then_what_was_typed_comes_back(study_and_enrolments):
    _study, enrolments = study_and_enrolments
    client = client_of(enrolments[0].user)
    answer = client.post(address(enrolments[0], "grade"), {"position": 1, "mark_final_value": "2"})
    assert answer.status_code == 400 and "Choose a grade from 0 to 10." in answer.content.decode()
    assert '<option value="2" selected>' in answer.content.decode()
    client.post(address(enrolments[0], "grade"), {"position": 1, "grade": 4})
    answer = client.post(address(enrolments[0], "vote"), {"position": 1, "comment": "hard to say"})
    assert answer.status_code == 400 and "hard to say" in answer.content.decode()
    assert not PreferenceVote.objects.exists()


def test_rating_when_two_tabs_answer_then_one_vote_and_the_second_tab_goes_on(study_and_enrolments):
    _study, enrolments = study_and_enrolments
    enrolment = enrolments[0]
    tabs = [client_of(enrolment.user) for _ in range(2)]
    for tab, grade in zip(tabs, (3, 9), strict=True):
        assert tab.post(address(enrolment, "grade"), {"position": 1, "grade": grade}).status_code == 302
    for tab, choice in zip(tabs, "AB", strict=True):
        assert tab.post(address(enrolment, "vote"), {"position": 1, "choice": choice}).status_code == 302
    assert ExpertGrade.objects.get().value == 3 and PreferenceVote.objects.get().choice == "A"
    assert 'name="position" value="2"' in read(tabs[1], enrolment)
    # no way back: an answer to what is over changes nothing
    tabs[0].post(address(enrolment, "vote"), {"position": 1, "choice": "none"})
    assert PreferenceVote.objects.get().choice == "A"


def test_rating_when_paused_then_it_stands_still_and_goes_on_where_it_was(study_and_enrolments):
    _study, enrolments = study_and_enrolments
    enrolment = enrolments[0]
    client = client_of(enrolment.user)
    answer_item(client, enrolment)
    client.post(address(enrolment, "pause"))
    assert "Paused" in client.get(address(enrolment)).content.decode()
    back = client.post(address(enrolment, "pause"), {"resume": "1"}, follow=True).content.decode()
    assert 'name="position" value="2"' in back
    assert TrialEvent.objects.filter(kind="paused", trial__position=2).count() == 1


def test_events_when_the_browser_tells_then_they_are_kept_and_others_refused(study_and_enrolments):
    _study, enrolments = study_and_enrolments
    enrolment = enrolments[0]
    client = client_of(enrolment.user)
    read(client, enrolment)
    for what, status in (("left", 200), ("returned", 200), ("pasted", 200), ("voted", 422), ("x", 422)):
        body = json.dumps({"position": 1, "what": what})
        assert (
            client.post(address(enrolment, "event"), body, content_type="application/json").status_code
            == status
        )
    assert client.post(address(enrolment, "event"), "{", content_type="application/json").status_code == 422
    assert list(TrialEvent.objects.values_list("kind", flat=True)) == ["opened", "left", "returned", "pasted"]


def test_enrolment_when_somebody_else_asks_then_404(study_and_enrolments):
    study, enrolments = study_and_enrolments
    others = [enrolments[1].user, study.release.created_by]
    for user in others:
        client = client_of(user)
        assert client.get(address(enrolments[0])).status_code == 404
        for step in ("grade", "vote", "pause", "event"):
            assert client.post(address(enrolments[0], step), {}).status_code == 404
    enrolments[0].user.memberships.all().delete()
    assert client_of(enrolments[0].user).get(address(enrolments[0])).status_code == 404


def test_managers_pages_when_the_study_is_open_then_no_answer_is_reported_anywhere(study_and_enrolments):
    study, enrolments = study_and_enrolments
    rater, manager = client_of(enrolments[0].user), client_of(study.release.created_by)
    rater.post(address(enrolments[0], "grade"), {"position": 1, "grade": 9})
    rater.post(address(enrolments[0], "vote"), {"position": 1, "choice": "A", "comment": "zq-comment"})
    page = manager.get(reverse("study", args=[study.pk])).content.decode()
    assert "zq-comment" not in page and re.search(r'<td class="num">1</td>\s*<td class="num">11</td>', page)
    for name in ("shares", "sampling"):
        assert manager.get(reverse("study_figure", args=[study.pk, name, "svg"])).status_code == 404
    assert manager.get(reverse("study_table", args=[study.pk, "trials", "csv"])).status_code == 404
    assert manager.get(reverse("study_record", args=[study.pk])).status_code == 404


def test_study_when_a_manager_rates_it_then_its_pages_are_not_there(study_and_enrolments):
    study, enrolments = study_and_enrolments
    enrolments[0].user.memberships.create(team=study.release.team, role="manager")
    client = client_of(enrolments[0].user)
    assert client.get(reverse("study", args=[study.pk])).status_code == 404
    assert study.title not in client.get(reverse("studies", args=[study.release_id])).content.decode()
    close_study(study)
    assert client.get(reverse("study", args=[study.pk])).status_code == 200


@pytest.fixture
def closed(study_and_enrolments) -> Iterator[Study]:
    study, enrolments = study_and_enrolments
    dice = random.Random(2)
    for enrolment in enrolments:
        while (trial := current_trial(enrolment)) is not None:
            rate_item.record_opening(trial)
            rate_item.save_grade(
                enrolment=enrolment, position=trial.position, value=dice.randint(0, 10), marks={}
            )
            comment = "=1+1" if trial.kind == TrialKind.MAIN and trial.position < 5 else ""
            choice = dice.choice(list(Choice))
            rate_item.save_vote(enrolment=enrolment, position=trial.position, choice=choice, comment=comment)
    close_study(study)
    run_waiting()
    study.refresh_from_db()
    yield study


def test_report_when_closed_then_page_figures_tables_and_record_are_there(closed):
    manager = client_of(closed.release.created_by)
    page = manager.get(reverse("study", args=[closed.pk])).content.decode()
    assert "On 6 items, rated by 3 experts, the majority preferred PINK" in page
    for name in ("shares", "brackets", "scatter", "raters", "sampling"):
        svg = manager.get(reverse("study_figure", args=[closed.pk, name, "svg"]))
        assert svg["Content-Type"] == "image/svg+xml" and b"<svg" in svg.content
        assert svg.content == manager.get(reverse("study_figure", args=[closed.pk, name, "svg"])).content
    pdf = manager.get(reverse("study_figure", args=[closed.pk, "shares", "pdf"]))
    assert pdf.content.startswith(b"%PDF")
    for name in ("preference", "brackets", "raters", "agreement", "correlations", "systems", "trials"):
        for kind in ("csv", "tex"):
            assert manager.get(reverse("study_table", args=[closed.pk, name, kind])).content
    rows = (
        manager.get(reverse("study_table", args=[closed.pk, "trials", "csv"])).content.decode().splitlines()
    )
    assert len(rows) == 1 + 3 * 11 and any(",'=1+1," in row for row in rows)
    assert manager.get(reverse("study_figure", args=[closed.pk, "no-such", "svg"])).status_code == 404
    assert manager.get(reverse("study_table", args=[closed.pk, "raters", "xls"])).status_code == 404
    record = manager.get(reverse("study_record", args=[closed.pk])).json()
    assert record["format"] == "inkbench-preference-1" and record["settings"]["seed"] == closed.seed
    assert {"first_is", "choice", "chosen", "position"} <= record["trials"][0].keys()


def test_study_when_closed_and_not_yet_computed_then_its_state_stands_there_and_nothing_else(
    study_and_enrolments,
):
    study, enrolments = study_and_enrolments
    manager = client_of(study.release.created_by)
    answer_item(client_of(enrolments[0].user), enrolments[0])
    address_of_study = reverse("study", args=[study.pk])
    asked = manager.get(address_of_study).content.decode()
    assert "32 ratings are still missing" in asked
    manager.post(reverse("study_action", args=[study.pk, "close"]))
    page = manager.get(address_of_study).content.decode()
    assert "Waiting for a worker." in page and "Summary" not in page
    assert manager.get(reverse("study_record", args=[study.pk])).status_code == 404
    assert manager.get(reverse("study_figure", args=[study.pk, "shares", "svg"])).status_code == 404
    assert manager.get(reverse("study_table", args=[study.pk, "trials", "csv"])).status_code == 404
    StudyAnalysis.objects.update(state="failed", error="MemoryError: \n\ntrace")
    page = manager.get(address_of_study).content.decode()
    assert "Stopped by an error" in page and "Compute the results again" in page
    manager.post(reverse("study_action", args=[study.pk, "analyse"]))
    run_waiting()
    assert "Summary" in manager.get(address_of_study).content.decode()
    manager.post(reverse("study_action", args=[study.pk, "close"]))  # the back button, and pressed again
    assert "Summary" in manager.get(address_of_study).content.decode()


def test_report_when_read_in_chinese_then_the_summary_is_chinese(closed):
    manager = client_of(closed.release.created_by)
    closed.release.created_by.language = "zh-hans"
    closed.release.created_by.save()
    page = manager.get(reverse("study", args=[closed.pk])).content.decode()
    assert "在由 3 位专家评价的 6 道题中" in page


def test_enrolment_when_the_study_is_closed_then_it_says_so_and_tells_nothing(closed):
    enrolment = closed.enrolments.first()
    page = client_of(enrolment.user).get(address(enrolment)).content.decode()
    assert "The study is closed" in page and "PINK" not in page


def test_study_when_made_on_the_pages_then_it_can_be_opened():
    release = make_maths_release()
    answer_all(release)
    raters = make_raters(release)
    client = client_of(release.created_by)
    ids = [item.sample_id for item in release.items.all()]
    data = "id,pink\n" + "".join(f"{sample},{(7 * index) % 90}\n" for index, sample in enumerate(ids))
    body = {
        "title": "PINK or Edit",
        "prediction_sets": [release.prediction_sets.get().pk],
        "scores": SimpleUploadedFile("scores.csv", data.encode()),
    }
    assert client.post(reverse("study_new", args=[release.pk]), body).status_code == 302
    study = Study.objects.get()
    setup = reverse("study_setup", args=[study.pk])
    asked = client.get(setup).content.decode()
    assert "metric:bleu:inkbench-1" in asked
    assert all(f'name="{name}"' in asked for name in SetUpForm.base_fields)  # none is left out of the page
    plan = {
        "first": "column:pink", "second": "metric:edit:inkbench-1", "second_label": "Edit", "n_items": 6,
        "n_practice": 1, "n_attention": 2, "n_repeats": 2, "attention_share": 1.0, "decimals": 1,
        "tie_rule": "more_than_half",
        "raters": [user.pk for user in raters],
    }  # fmt: skip
    message = client.post(setup, plan | {"instructions": "Mind the PINK score."})
    assert message.status_code == 400 and "would reveal to raters" in message.content.decode()
    message = client.post(setup, plan | {"second_mapping": "linear"})
    assert message.status_code == 400 and "choose the inverted mapping" in message.content.decode()
    assert client.post(setup, plan).status_code == 302
    run_waiting()
    page = client.get(reverse("study", args=[study.pk])).content.decode()
    assert "Does the sample represent all predictions?" in page and "Open the study" in page
    assert b"<svg" in client.get(reverse("study_sampling", args=[study.pk])).content
    client.post(reverse("study_action", args=[study.pk, "open"]))
    study.refresh_from_db()
    assert study.state == "open"
    home = client_of(raters[0]).get("/").content.decode()
    assert "PINK" not in home


def test_home_when_a_study_waits_then_the_rater_finds_it():
    from evaluation.preference.services.open_study import open_study  # noqa: PLC0415
    from tests.evaluation.preference.world import make_study  # noqa: PLC0415
    from tests.factories import make_project  # noqa: PLC0415

    project = make_project()
    release = make_maths_release(team=project.team)
    answer_all(release)
    raters = make_raters(release, 1)
    study = make_study(release, raters)
    open_study(study)
    page = client_of(raters[0]).get("/").content.decode()
    assert address(study.enrolments.get()) in page and study.title not in page
