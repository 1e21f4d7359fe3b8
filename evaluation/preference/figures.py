"""Figures of a study as SVG or PDF, in the reader's language. Equal results give equal bytes.

A PDF embeds its fonts: without a font with Chinese characters on the machine its text is English.
"""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from itertools import combinations
from typing import Any

from django.utils.translation import get_language, override, pgettext
from django.utils.translation import gettext as _

from evaluation.metrics.resample import mean
from evaluation.preference.design import TrialKind
from evaluation.preference.grade_statistics import mean_grades
from evaluation.preference.study_record import FIRST, SECOND, StudyRecord
from evaluation.preference.vote_statistics import TIE, main_trials

KINDS = {"svg": "image/svg+xml", "pdf": "application/pdf"}
Distributions = tuple[str, Sequence[float], Sequence[float], Mapping[str, float] | None]
"""A score's name, its mapped values of all predictions and of the sample, and the comparison of the two."""
_COLOURS = {FIRST: "#1f6f8b", SECOND: "#d98324", TIE: "#8a8a8a"}
_HATCHES = {FIRST: "", SECOND: "//", TIE: ".."}  # distinguishable without colour
_LATIN = "DejaVu Sans"
_CHINESE = ["Noto Sans CJK SC", "Noto Sans SC", "Source Han Sans SC", "WenQuanYi Micro Hei"]
_STYLE: dict[Any, Any] = {
    "svg.hashsalt": "inkbench",
    "svg.fonttype": "none",  # text stays text and uses the reader's own fonts
    "pdf.fonttype": 42,
    "font.size": 9,
    "text.parse_math": False,  # a metric's name is text
    "axes.spines.top": False,
    "axes.spines.right": False,
    "figure.constrained_layout.use": True,
}


def draw_figure(name: str, kind: str, record: StudyRecord, results: dict[str, Any]) -> bytes:
    """The figure called `name` as "svg" or "pdf". Raises KeyError for another name or kind."""
    draw = _FIGURES[name]
    return _render(kind, lambda figure: draw(figure, record, results))


def draw_distributions(rows: Mapping[str, Distributions]) -> bytes:
    """The score distributions of the sample and of all predictions as SVG, for a draft."""
    return _render("svg", lambda figure: _two_distributions(figure, rows))


def _render(kind: str, draw: Callable[[Any], None]) -> bytes:
    mime = KINDS[kind]
    # heavy: a second of imports that no other page needs
    from matplotlib import font_manager, rc_context  # noqa: PLC0415
    from matplotlib.figure import Figure  # noqa: PLC0415

    installed = {font.name for font in font_manager.fontManager.ttflist}
    fonts = [font for font in (_LATIN, *_CHINESE) if font in installed]
    has_characters = (get_language() or "en").startswith("en") or kind != "pdf" or set(fonts) & set(_CHINESE)
    buffer = io.BytesIO()
    with nullcontext() if has_characters else override("en"), rc_context(_STYLE | {"font.family": fonts}):
        figure = Figure(figsize=(6.4, 3.4))
        draw(figure)
        metadata = {"Date": None} if mime == KINDS["svg"] else {"CreationDate": None}
        figure.savefig(buffer, format=kind, metadata=metadata)
    return buffer.getvalue()


def _names(record: StudyRecord) -> dict[str, str]:
    return {FIRST: record.label(FIRST), SECOND: record.label(SECOND), TIE: pgettext("outcome", "tie")}


def _shares(figure: Any, record: StudyRecord, results: dict[str, Any]) -> None:
    axes = figure.add_subplot()
    names = _names(record)
    for index, key in enumerate(names):
        share = results["preference"]["shares"][key]
        value, wilson = share["share"], share["wilson"]
        if value is None:
            continue
        axes.barh(index, 100 * value, color=_COLOURS[key], hatch=_HATCHES[key], edgecolor="white")
        low, high = 100 * wilson["low"], 100 * wilson["high"]
        axes.plot([low, high], [index, index], color="black", linewidth=1.2)
        axes.annotate(
            f"{100 * value:.1f} %  ({share['count']})",
            (high, index),
            (5, 0),
            textcoords="offset points",
            va="center",
        )
    axes.set_yticks(range(len(names)), list(names.values()))
    axes.invert_yaxis()
    axes.set_xlim(0, 100)
    label = _("items won, %% of %(n)s (line: 95 %% Wilson interval)")
    axes.set_xlabel(label % {"n": results["preference"]["n_items"]})


def _brackets(figure: Any, record: StudyRecord, results: dict[str, Any]) -> None:
    axes = figure.add_subplot()
    rows = results["brackets_by_shown_mean"]
    for index, (key, name) in enumerate(_names(record).items()):
        heights = [row[key] for row in rows]
        positions = [row + (index - 1) * 0.27 for row in range(len(rows))]
        axes.bar(
            positions,
            heights,
            width=0.25,
            color=_COLOURS[key],
            hatch=_HATCHES[key],
            edgecolor="white",
            label=name,
        )
    axes.set_xticks(range(len(rows)), [f"{row['low']:g}–{row['high']:g}\nn = {row['n']}" for row in rows])
    axes.set_xlabel(_("mean of the two shown scores"))
    axes.set_ylabel(pgettext("axis", "items"))
    axes.legend(frameon=False)


def _scatter(figure: Any, record: StudyRecord, results: dict[str, Any]) -> None:
    grades = mean_grades(record)
    rows = {row["measure"]: row["pearson"] for row in results["correlations"]}
    for number, key in enumerate((FIRST, SECOND), start=1):
        axes = figure.add_subplot(1, 2, number)
        metric = record.metric(key)
        points = [
            (grades[str(item.id)], metric.oriented(item.values[key]))
            for item in record.items
            if item.kind is TrialKind.MAIN and str(item.id) in grades
        ]
        axes.scatter(
            [x for x, _ in points], [y for _, y in points], s=12, alpha=0.6, color=_COLOURS[key], linewidths=0
        )
        axes.set_xlim(-0.3, 10.3)
        axes.set_ylim(-0.3, 10.3)
        axes.set_xlabel(_("mean expert grade"))
        axes.set_ylabel(_("%(name)s, 0 to 10") % {"name": metric.label})
        r = rows[key]["value"]
        axes.set_title(
            f"r = {r:.3f}, n = {rows[key]['n']}" if r is not None else f"r: n/a, n = {rows[key]['n']}"
        )


def _raters(figure: Any, record: StudyRecord, results: dict[str, Any]) -> None:
    """Grades of each pair of raters, counts as areas; at most six pairs."""
    pairs = list(combinations(record.raters, 2))[:6]
    columns = min(3, max(1, len(pairs)))
    figure.set_size_inches(6.4, 2.4 * max(1, -(-len(pairs) // columns)))
    grades = {(trial.rater, trial.item): trial.grade for trial in main_trials(record)}
    for number, (a, b) in enumerate(pairs, start=1):
        axes = figure.add_subplot(-(-len(pairs) // columns), columns, number)
        counts = Counter(
            (grades[a, item.id], grades[b, item.id])
            for item in record.items
            if grades.get((a, item.id)) is not None and grades.get((b, item.id)) is not None
        )
        axes.plot([0, 10], [0, 10], color="#cccccc", linewidth=0.8, zorder=0)
        axes.scatter(
            [x for x, _ in counts],
            [y for _, y in counts],
            s=[14 * n for n in counts.values()],
            color=_COLOURS[FIRST],
            alpha=0.75,
        )
        axes.set_xlim(-0.8, 10.8)
        axes.set_ylim(-0.8, 10.8)
        axes.set_xlabel(_("grade given by %(rater)s") % {"rater": a})
        axes.set_ylabel(_("grade given by %(rater)s") % {"rater": b})


def _sampling(figure: Any, record: StudyRecord, results: dict[str, Any]) -> None:
    rows = {}
    for key in (FIRST, SECOND):
        metric = record.metric(key)
        full = [metric.oriented(unit.values[key]) for unit in record.units]
        drawn = [metric.oriented(item.values[key]) for item in record.items if item.kind is TrialKind.MAIN]
        rows[key] = metric.label, full, drawn, results["sampling"][key]
    _two_distributions(figure, rows)


def _two_distributions(figure: Any, rows: Mapping[str, Distributions]) -> None:
    for number, (key, (label, full, drawn, comparison)) in enumerate(rows.items(), start=1):
        axes = figure.add_subplot(1, 2, number)
        for values, name, line in (
            (sorted(full), pgettext("answers", "all"), "-"),
            (sorted(drawn), pgettext("answers", "sample"), "--"),
        ):
            if values:
                shares = [(index + 1) / len(values) for index in range(len(values))]
                legend = _("%(name)s: n = %(n)s, mean %(mean)s") % {
                    "name": name,
                    "n": len(values),
                    "mean": f"{mean(values):.3f}",
                }
                colour = "black" if line == "-" else _COLOURS[key]
                axes.step(values, shares, line, where="post", label=legend, color=colour)
        axes.set_xlim(0, 10)
        axes.set_ylim(0, 1.02)
        axes.set_xlabel(_("%(name)s, 0 to 10") % {"name": label})
        axes.set_ylabel(_("cumulative share"))
        if comparison:
            axes.set_title(f"D = {comparison['distance']:.3f}, p = {comparison['p_value']:.2f}")
        axes.legend(frameon=False, fontsize=7)


_FIGURES: dict[str, Callable[[Any, StudyRecord, dict[str, Any]], None]] = {
    "shares": _shares,
    "brackets": _brackets,
    "scatter": _scatter,
    "raters": _raters,
    "sampling": _sampling,
}
