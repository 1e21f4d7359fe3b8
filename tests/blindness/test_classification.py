"""Every field of every model of ours says who may see it."""

from __future__ import annotations

import pytest
from django.apps import apps
from django.db.models import Model

from annotation.classification import CLASSIFICATION as ANNOTATION
from baseline.classification import CLASSIFICATION as BASELINE
from config.accounts.classification import CLASSIFICATION as ACCOUNTS
from config.api.classification import CLASSIFICATION as API
from config.exposure.classification import CLASSIFICATION as EXPOSURE
from config.field_access import FieldAccess, classify_fields
from evaluation.classification import CLASSIFICATION as EVALUATION
from evaluation.preference.classification import CLASSIFICATION as PREFERENCE

OURS = ("config", "evaluation", "annotation", "baseline")
BY_APP: dict[str, dict[str, FieldAccess]] = {
    "accounts": ACCOUNTS,
    "api": API,
    "exposure": EXPOSURE,
    "evaluation": EVALUATION,
    "preference": PREFERENCE,
    "annotation": ANNOTATION,
    "baseline": BASELINE,
}


def fields_of(model: type[Model]) -> set[str]:
    """ "Model.field" of each column and many-to-many table of a model."""
    own = [*model._meta.local_fields, *model._meta.local_many_to_many]
    return {f"{model.__name__}.{field.name}" for field in own}


def fields_by_app() -> dict[str, set[str]]:
    """The same for every app of ours that has models."""
    by_app = {}
    for app in apps.get_app_configs():
        if app.name.split(".")[0] not in OURS:
            continue
        names = {name for model in app.get_models(include_auto_created=True) for name in fields_of(model)}
        if names:
            by_app[app.label] = names
    return by_app


def test_classification_when_an_app_has_models_then_it_classifies_every_field_and_no_other():
    by_app = fields_by_app()
    assert set(by_app) == set(BY_APP)
    missing = {app: sorted(names - set(BY_APP[app])) for app, names in by_app.items()}
    stale = {app: sorted(set(BY_APP[app]) - names) for app, names in by_app.items()}
    assert {app: names for app, names in missing.items() if names} == {}, "classify these fields"
    assert {app: names for app, names in stale.items() if names} == {}, "these fields are no more"


def test_classified_when_a_field_stands_in_two_tables_then_an_error():
    with pytest.raises(ValueError, match=r"Label\.text is classify_fields twice"):
        classify_fields(open={"Label": "id text"}, blind={"Label": "text"})
