"""Older pages of a project that a new page repeats, found through the fingerprint index."""

from __future__ import annotations

from collections import defaultdict

from django.db.models import Count, Q, QuerySet

from annotation.images import fingerprint as prints
from annotation.images.fingerprint import Fingerprint
from annotation.models import FingerprintWord, Sample, SampleFingerprint
from annotation.models.sample import DuplicateKind
from annotation.stages import Intake


def find_duplicates(sample: Sample, print_: Fingerprint) -> list[tuple[DuplicateKind, float, int]]:
    """(kind, distance 0..1, id) of older pages of the project that this one repeats, nearest first."""
    others = _others(sample)
    matches: dict[int, tuple[DuplicateKind, float, int]] = {}
    same_bytes = Q(original_blob=sample.original_blob, page_number=sample.page_number)
    same_pixels = Q(pixel_hash=sample.pixel_hash) | Q(unredacted_pixel_hash=sample.pixel_hash)
    for pk, blob in others.filter(same_bytes | same_pixels).values_list("pk", "original_blob"):
        kind = DuplicateKind.BYTES if blob == sample.original_blob else DuplicateKind.PIXELS
        matches[pk] = (kind, 0.0, pk)
    shape = print_.to_bytes()
    candidates = [pk for pk in find_candidates(sample.project_id, print_) if pk not in matches]
    rows = SampleFingerprint.objects.filter(
        sample__in=others.filter(pk__in=candidates), version=prints.VERSION
    ).values_list("sample_id", "shape")
    for pk, other in rows:
        if share := prints.similarity(shape, bytes(other)):
            matches[pk] = (DuplicateKind.NEAR, round(1 - share, 4), pk)
    order = list(DuplicateKind)
    return sorted(matches.values(), key=lambda entry: (order.index(entry[0]), entry[1], entry[2]))


def find_candidates(project_id: int, print_: Fingerprint) -> list[int]:
    """Ids of the pages that share the most index words with a fingerprint, at most `MOST_COMPARED`."""
    corners_of_word: dict[int, list[int]] = defaultdict(list)
    for corner, probes in enumerate(print_.probes.tolist()):
        for word in set(probes):
            corners_of_word[word].append(corner)
    rows = FingerprintWord.objects.filter(project_id=project_id)
    rare_words = list(
        rows.filter(word__in=corners_of_word)
        .values("word")
        .annotate(pages=Count("pk"))
        .filter(pages__lte=prints.COMMON_WORD)
        .values_list("word", flat=True)
    )
    shared: dict[int, set[int]] = defaultdict(set)
    for word, pk in rows.filter(word__in=rare_words).values_list("word", "sample_id"):
        shared[pk].update(corners_of_word[word])
    ranked = sorted(shared, key=lambda pk: (-len(shared[pk]), pk))
    return [pk for pk in ranked[: prints.MOST_COMPARED] if len(shared[pk]) >= prints.MIN_SHARED]


def _others(sample: Sample) -> QuerySet[Sample]:
    """The pages of the project that a new one may repeat."""
    return (
        Sample.objects.filter(project_id=sample.project_id)
        .exclude(pk=sample.pk)
        .exclude(intake=Intake.EXCLUDED)
    )
