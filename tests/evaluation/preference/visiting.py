"""A rater's way to a page of a study."""

from __future__ import annotations

from django.test import Client
from django.urls import reverse

from evaluation.preference.models import Enrolment


def client_of(user: object) -> Client:
    client = Client()
    client.force_login(user)  # type: ignore[arg-type]
    return client


def address(enrolment: Enrolment, step: str = "") -> str:
    return reverse(f"study_enrolment{'_' + step if step else ''}", args=[enrolment.uuid])
