"""What a participant may see of their session: the current page, and nothing else."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.http import Http404
from django.utils import timezone

from baseline.models import Baseline, Participation
from baseline.protocol import SessionPage, Step
from baseline.responses import RegionsResponse, parse_response
from baseline.selectors.formats import format_of
from baseline.selectors.sessions import current_page, key_of, open_task, practice_item
from baseline.worksheets import RegionComparison, SessionSheet, WritingSheet
from evaluation.models import GoldItem


def sheet_of(row: Participation) -> SessionSheet:
    """What the current page shows."""
    page, baseline = current_page(row), row.baseline
    is_practice = row.step == Step.PRACTICE
    consent = baseline.consents.first() if page == SessionPage.CONSENT else None
    return SessionSheet(
        session=str(row.uuid),
        page=page,
        version=row.version,
        name=baseline.name,
        place=row.position + 1,
        total=len(baseline.practice) if is_practice else row.tasks.count(),
        n_practice=len(baseline.practice),
        time_limit_seconds=baseline.time_limit_seconds,
        gap_minutes=baseline.gap_minutes,
        break_every=baseline.break_every,
        consent_number=consent.number if consent else 0,
        consent_text=consent.text if consent else "",
        brief=baseline.brief if page == SessionPage.BRIEF else "",
        questions=tuple(baseline.questions) if page == SessionPage.ABOUT else (),
        written=_written(row, page),
    )


def _written(row: Participation, page: SessionPage) -> WritingSheet | None:
    if page == SessionPage.ITEM:
        return _item(row)
    if page in (SessionPage.PRACTICE, SessionPage.FEEDBACK):
        item = practice_item(row)
        return None if item is None else _practice(row, item, page)
    return None


def _item(row: Participation) -> WritingSheet | None:
    task = open_task(row)
    if task is None:
        return None
    remaining = (task.deadline - timezone.now()).total_seconds() if task.deadline else None
    return _sheet(
        row.baseline,
        task.item,
        key=key_of(task),
        text=task.text,
        text_version=task.version,
        saved_at=task.saved_at.isoformat() if task.saved_at else "",
        remaining_seconds=None if remaining is None else max(remaining, 0.0),
    )


def _practice(row: Participation, item: GoldItem, page: SessionPage) -> WritingSheet:
    is_over = page == SessionPage.FEEDBACK
    text = row.practice_texts.get(item.sample_id, "") if is_over else ""
    return _sheet(
        row.baseline,
        item,
        key=f"{row.uuid.hex}-practice-{row.position}",
        text=text,
        gold=item.record["text"] if is_over else None,
        compared=_compared(item, text) if is_over else (),
    )


def _compared(item: GoldItem, text: str) -> tuple[RegionComparison, ...]:
    content = parse_response(text, format_of(item))
    if not isinstance(content, RegionsResponse):
        return ()
    return tuple(
        RegionComparison(region["number"], content.latex.get(str(region["number"]), ""), region["latex"])
        for region in item.record["regions"]
    )


def _sheet(baseline: Baseline, item: GoldItem, *, key: str, text: str, **more: Any) -> WritingSheet:
    manifest = baseline.release.manifest
    form = format_of(item)
    return WritingSheet(
        key=key,
        structure=item.structure,
        format=form.name,
        language=item.language,
        width=item.record["width"],
        height=item.record["height"],
        text=text,
        text_version=more.pop("text_version", 0),
        saved_at=more.pop("saved_at", ""),
        remaining_seconds=more.pop("remaining_seconds", None),
        guideline_number=manifest.get("guideline", 0),
        guideline_text=manifest.get("guideline_text", ""),
        regions=tuple(
            {"number": region["number"], "polygon": region["polygon"]} for region in item.record["regions"]
        )
        if form.regions is not None
        else (),
        **more,
    )


def image_of(row: Participation) -> str:
    """The blob of the image the current page shows: what a model is sent. Raises Http404 on any other page."""
    page = current_page(row)
    task = open_task(row) if page == SessionPage.ITEM else None
    item = (
        task.item
        if task
        else practice_item(row)
        if page in (SessionPage.PRACTICE, SessionPage.FEEDBACK)
        else None
    )
    if item is None or not item.image_blob:
        raise Http404
    return item.outlines_blob or item.image_blob


def remaining_seconds(row: Participation, now: datetime) -> tuple[float | None, str]:
    """What is left of the running page's time by the server's clock (None without a limit), and the page's key."""
    task = open_task(row)
    if task is None:
        return None, ""
    left = (task.deadline - now).total_seconds() if task.deadline else None
    return left, key_of(task)
