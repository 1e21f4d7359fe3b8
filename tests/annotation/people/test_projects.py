"""Making a project and changing it in the browser."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from lxml import html

from annotation.default_guideline import faithful_transcription
from annotation.forms.project import QUESTIONS, NewProjectForm, ProjectForm
from annotation.models import Project, RecogniserSetting
from config.accounts.models import Role, User
from config.accounts.selectors import roles_in
from evaluation.model_clients.prompts import load_prompt
from evaluation.payloads.mask_mark import MASK_MARK
from tests.factories import make_project, make_user

pytestmark = [pytest.mark.django_db, pytest.mark.database]

NEW = {
    "name": "Letters of 1905",
    "languages": ["en", "zh-Hant"],
    "other_languages": "de, ar-EG",
    "scenarios": "Letters and notes\n历史档案\nPostcards\n\nPostcards",
    "guideline": "zh-hans",
    "recognisers": ["ppocr-v6", "ppocr-v5"],
    "verification_mode": "double_blind",
    "file_prefix": "letter",
    "image_cap_kb": "",
    "image_max_side": "3000",
    "lease_minutes": "20",
    "raters_per_sample": "3",
    "region_pair_iou": "0.6",
    "region_agree_iou": "0.95",
}


@pytest.fixture
def manager(client: Client):
    user = make_user()
    client.force_login(user)
    return user


def test_new_project_when_filled_in_then_all_of_it_is_made(client: Client, manager) -> None:
    response = client.post(reverse("project_new"), NEW)
    project = Project.objects.get()
    assert response.url == reverse("project", args=["letters-of-1905"])
    assert project.languages == ["en", "zh-Hant", "de", "ar-EG"]
    assert project.scenarios == ["letters_notes", "historical_archives", "Postcards"]
    assert project.image_cap_bytes is None and project.image_max_side == 3000
    assert (project.verification_mode, project.file_prefix, project.lease_minutes) == (
        "double_blind",
        "letter",
        20,
    )
    assert roles_in(manager, project.team) == {Role.MANAGER}
    assert project.guidelines.get().text == faithful_transcription("zh-hans")
    slots = project.recognisers.values_list("slot", "engine", "label")
    assert list(slots) == [(1, "ppocr-v6", "PP-OCRv6 small"), (2, "ppocr-v5", "PP-OCRv5 mobile")]


def test_new_project_page_when_opened_then_the_benchmark_defaults_stand_in_it(
    client: Client, manager
) -> None:
    form = client.get(reverse("project_new")).context["form"]
    assert form["image_cap_kb"].value() == 1000
    assert form["scenarios"].value().splitlines()[0] == "Literary essays"
    assert len(form["scenarios"].value().splitlines()) == 9
    assert form["languages"].value() == ["zh-Hans", "en", "zh-Hant", "zh-en-mix"]


@pytest.mark.parametrize(
    ("name", "slug"),
    [("Ünïcode & Ink!", "unicode-ink"), ("手写书信", "project"), ("new", "new-2"), ("x" * 90, "x" * 50)],
)
def test_new_project_when_no_short_name_is_given_then_one_is_made(
    client: Client, manager, name: str, slug: str
) -> None:
    client.post(reverse("project_new"), NEW | {"name": name})
    assert Project.objects.get().slug == slug


def test_new_project_when_two_have_one_name_then_the_second_gets_a_number(client: Client, manager) -> None:
    for _ in range(2):
        client.post(reverse("project_new"), NEW)
    assert list(Project.objects.order_by("pk").values_list("slug", flat=True)) == [
        "letters-of-1905",
        "letters-of-1905-2",
    ]


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"name": " "}, "name"),
        ({"slug": "taken"}, "slug"),
        ({"slug": "new"}, "slug"),
        ({"languages": [], "other_languages": ""}, "languages"),
        ({"other_languages": "not a tag!"}, "other_languages"),
        ({"scenarios": " \n "}, "scenarios"),
        ({"scenarios": "x" * 61}, "scenarios"),
        ({"file_prefix": "Über prefix"}, "file_prefix"),
        ({"image_cap_kb": "3"}, "image_cap_kb"),
        ({"image_max_side": "10"}, "image_max_side"),
        ({"verification_mode": "none"}, "verification_mode"),
        ({"recognisers": ["magic"]}, "recognisers"),
    ],
)
def test_new_project_when_a_value_is_bad_then_its_field_says_so_and_nothing_is_made(
    client: Client, manager, change: dict, field: str
) -> None:
    make_project(slug="taken")
    response = client.post(reverse("project_new"), NEW | change)
    assert list(response.context["form"].errors) == [field]
    assert Project.objects.count() == 1


def test_settings_when_saved_then_the_project_and_its_team_follow(client: Client, manager) -> None:
    project = make_project(manager=manager)
    response = client.post(
        reverse("project_settings", args=[project.slug]), NEW | {"image_cap_kb": "500", "name": "Other"}
    )
    assert response.status_code == 302
    project.refresh_from_db()
    assert (project.name, project.team.name, project.image_cap_bytes) == ("Other", "Other", 500_000)


def test_settings_when_a_value_is_bad_then_the_page_keeps_the_old_name_in_its_frame(
    client: Client, manager
) -> None:
    project = make_project(manager=manager)
    response = client.post(
        reverse("project_settings", args=[project.slug]), NEW | {"name": "Other", "image_max_side": "1"}
    )
    assert response.context["project"].name == project.name
    project.refresh_from_db()
    assert project.name != "Other"


@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_default_guideline_when_read_then_it_settles_every_rule_by_number(language: str) -> None:
    text = faithful_transcription(language)
    assert MASK_MARK in text and "~~" in text and "$x^2+1=0$" in text
    assert [n for n in range(1, 29) if f"\n{n}. " in text] == list(range(1, 29))


# Recognisers


def _endpoint(**fields: object) -> dict[str, object]:
    return {
        "label": "Vision",
        "base_url": "http://127.0.0.1:9/v1",
        "model": "vl-large",
        "api_key_variable": "",
        "prompt": load_prompt("transcription").text,
        "parameters": '{"top_p": 1}',
        "timeout_seconds": "200",
    } | fields


@pytest.fixture
def project(manager, settings, monkeypatch: pytest.MonkeyPatch) -> Project:
    settings.MODEL_ENDPOINT_ALLOWLIST = ["127.0.0.1:9"]
    settings.MODEL_API_KEYS = {
        "OFFERED": ["127.0.0.1:9"],
        "OFFERED_NOT_SET": ["127.0.0.1:9"],
        "OFFERED_ELSEWHERE": ["api.example.com"],
    }
    for name in ("OFFERED", "OFFERED_ELSEWHERE", "NOT_OFFERED"):
        monkeypatch.setenv(name, f"value-of-{name}")
    return make_project(manager=manager)


def _edit(client: Client, project: Project, kind: str, data: dict):
    return client.post(reverse("recogniser_edit", args=[project.slug, 2, kind]), data)


def test_endpoint_when_set_then_one_row_is_in_force_with_our_prompts_name(
    client: Client, project: Project
) -> None:
    assert _edit(client, project, "endpoint", _endpoint()).status_code == 302
    row = RecogniserSetting.objects.get()
    assert (row.slot, row.kind, row.model, row.parameters) == (2, "endpoint", "vl-large", {"top_p": 1})
    assert row.prompt_version == load_prompt("transcription").label


def test_endpoint_when_changed_then_the_old_row_is_retired_and_a_new_prompt_gets_a_number(
    client: Client, project: Project
) -> None:
    for prompt in ("First wording", "Second wording", "Second wording", "First wording"):
        _edit(client, project, "endpoint", _endpoint(prompt=prompt))
    rows = list(RecogniserSetting.objects.order_by("pk"))
    assert [row.prompt_version for row in rows] == ["own-1", "own-2", "own-1"]
    assert [row.retired_at is None for row in rows] == [False, False, True]


def test_recogniser_when_cleared_then_the_row_stays_retired(client: Client, project: Project) -> None:
    _edit(client, project, "embedded", {"engine": "ppocr-v6"})
    client.post(reverse("recogniser_clear", args=[project.slug, 2]))
    assert RecogniserSetting.objects.get().retired_at is not None
    assert "Previous settings" in client.get(reverse("project_recognisers", args=[project.slug])).text


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"base_url": "http://169.254.169.254/v1"}, "base_url"),
        ({"base_url": "http://127.0.0.1:11434/v1"}, "base_url"),
        ({"base_url": "http://[::1]/v1"}, "base_url"),
        ({"base_url": "ftp://127.0.0.1/"}, "base_url"),
        ({"base_url": "http://user:secret@127.0.0.1:9/v1"}, "base_url"),
        ({"parameters": "[1]"}, "parameters"),
        ({"parameters": "{"}, "parameters"),
        ({"parameters": '{"stream": true}'}, "parameters"),
        ({"parameters": '{"max_tokens": 9000}'}, "parameters"),
        ({"api_key_variable": "NOT_OFFERED"}, "api_key_variable"),
        ({"api_key_variable": "OFFERED_ELSEWHERE"}, "api_key_variable"),
        ({"api_key_variable": "OFFERED_NOT_SET"}, "api_key_variable"),
        ({"timeout_seconds": "601"}, "timeout_seconds"),
        ({"prompt": " "}, "prompt"),
    ],
)
def test_endpoint_when_a_value_is_bad_then_its_field_says_so_and_nothing_is_set(
    client: Client, project: Project, change: dict, field: str
) -> None:
    response = _edit(client, project, "endpoint", _endpoint(**change))
    assert list(response.context["form"].errors) == [field]
    assert not RecogniserSetting.objects.exists()


def test_endpoint_when_the_key_itself_is_pasted_then_it_is_neither_kept_nor_shown(
    client: Client, project: Project
) -> None:
    response = _edit(client, project, "endpoint", _endpoint(api_key_variable="sk-secret-123"))
    assert (
        list(response.context["form"].errors) == ["api_key_variable"] and "sk-secret-123" not in response.text
    )


def test_endpoint_form_when_shown_then_it_lists_the_offered_keys_and_no_other(
    client: Client, project: Project
) -> None:
    page = client.get(reverse("recogniser_edit", args=[project.slug, 2, "endpoint"])).text
    assert "OFFERED (127.0.0.1:9)" in page and "OFFERED_ELSEWHERE (api.example.com)" in page
    assert "NOT_OFFERED" not in page and "value-of" not in page
    _edit(client, project, "endpoint", _endpoint(api_key_variable="OFFERED"))
    assert RecogniserSetting.objects.get().api_key_variable == "OFFERED"


@pytest.mark.parametrize("address", [(0, "embedded"), (4, "embedded"), (1, "magic")])
def test_recogniser_page_when_slot_or_kind_is_unknown_then_404(
    client: Client, project: Project, address
) -> None:
    assert client.get(reverse("recogniser_edit", args=[project.slug, *address])).status_code == 404


def test_settings_when_outlines_agree_below_being_one_region_then_refused_beside_the_field(
    client: Client, manager
) -> None:
    client.post(reverse("project_new"), NEW)
    project = Project.objects.get()
    assert (project.region_pair_iou, project.region_agree_iou) == (0.6, 0.95)
    answer = client.post(
        reverse("project_settings", args=[project.slug]), NEW | {"name": "N", "region_agree_iou": "0.5"}
    )
    assert "must also count as the same region" in answer.content.decode()
    assert Project.objects.get().region_agree_iou == 0.95


# What a new project is asked


def _as_filled_in(page: str) -> dict[str, Any]:
    """What a browser would send of the page's form, untouched."""
    form = html.fromstring(page).xpath("//main//form[@method='post']")[0]
    return {
        name: values
        if len(values := [value for key, value in form.form_values() if key == name]) > 1
        else values[0]
        for name in {key for key, _value in form.form_values()}
    }


def test_new_project_page_when_opened_then_it_asks_three_things_and_the_rest_is_closed(
    client: Client, manager: User
) -> None:
    tree = html.fromstring(client.get(reverse("project_new")).text)
    (advanced,) = tree.xpath("//details[summary[contains(., 'Advanced')]]")
    assert advanced.get("open") is None
    inside = {field.get("name") for field in advanced.xpath(".//*[@name]")}
    asked = {field.get("name") for field in tree.xpath("//main//form//*[@name]")} - inside
    assert asked == {"csrfmiddlewaretoken", "name", "languages", "other_languages", "verification_mode"}
    assert [title.text_content() for title in advanced.xpath(".//h2")] == [
        "Description and scenarios",
        "Guideline and recognisers",
        "Released images",
        "Queue",
        "Screening and difficulty",
        "Regions and masks",
    ]
    assert len(tree.xpath("//input[@name='verification_mode']/following-sibling::label/span")) == 2


def test_new_project_when_only_three_things_are_said_then_it_works(client: Client, manager: User) -> None:
    data = _as_filled_in(client.get(reverse("project_new")).text)
    data |= {"name": "Postcards", "languages": ["en"], "verification_mode": "double_blind"}
    response = client.post(reverse("project_new"), data, follow=True)
    project = Project.objects.get()
    assert response.redirect_chain == [(reverse("project", args=["postcards"]), 302)]
    assert (project.languages, project.verification_mode) == (["en"], "double_blind")
    untouched = Project()
    for name in ("scenarios", "file_prefix", "image_cap_bytes", "image_max_side", "lease_minutes",
                 "raters_per_sample", "region_pair_iou", "region_agree_iou", "requires_screening",
                 "release_needs_ratings"):  # fmt: skip
        assert getattr(project, name) == getattr(untouched, name), name
    assert project.guidelines.get().text == faithful_transcription("en")
    assert [row.slot for row in project.recognisers.all()] == [1, 2, 3]
    for name in ("project_import", "project_people", "project_settings"):
        assert client.get(reverse(name, args=[project.slug])).status_code == 200


def test_new_project_when_an_advanced_value_is_bad_then_advanced_is_open(
    client: Client, manager: User
) -> None:
    page = client.post(reverse("project_new"), NEW | {"image_max_side": "1"}).text
    (advanced,) = html.fromstring(page).xpath("//details[summary[contains(., 'Advanced')]]")
    assert advanced.get("open") is not None
    page = client.post(reverse("project_new"), NEW | {"name": " "}).text
    (advanced,) = html.fromstring(page).xpath("//details[summary[contains(., 'Advanced')]]")
    assert advanced.get("open") is None


@pytest.mark.parametrize("form", [ProjectForm, NewProjectForm])
def test_project_form_when_grouped_then_every_field_is_shown_once(form: type[ProjectForm]) -> None:
    shown = [*QUESTIONS, *(field.name for group in form().groups for field in group.fields)]
    assert sorted(shown) == sorted(form.base_fields)


def test_settings_when_opened_then_the_index_leads_to_every_group(client: Client, manager: User) -> None:
    project = make_project(manager=manager)
    tree = html.fromstring(client.get(reverse("project_settings", args=[project.slug])).text)
    links = tree.xpath("//nav[@aria-label='On this page']//a/@href")
    assert len(links) == 7
    for link in links:
        assert tree.xpath(f"//section[@id='{link[1:]}']/h2"), link
