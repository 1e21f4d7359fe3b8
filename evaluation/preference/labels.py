"""Labels of a study: categories, names of figures and tables, and the results in sentences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from evaluation.preference.design import CATEGORIES
from evaluation.preference.study_record import FIRST, SECOND

CATEGORY_NAMES = {
    "understanding": gettext_lazy("Understanding of the problem"),
    "conditions": gettext_lazy("Use of the given conditions"),
    "early_calculation": gettext_lazy("Calculation, early steps"),
    "late_calculation": gettext_lazy("Calculation, late steps"),
    "final_value": gettext_lazy("Final value and its check"),
}
FIGURES = {
    "shares": pgettext_lazy("figure", "Preferred metric by majority of each item's raters"),
    "brackets": pgettext_lazy("figure", "Preferred metric by bracket of the mean shown score"),
    "scatter": pgettext_lazy("figure", "Mean expert grade and automatic scores"),
    "raters": pgettext_lazy("figure", "Grades of two raters for the same items"),
    "sampling": pgettext_lazy("figure", "Scores of the sample and of all predictions"),
}
TABLES = {
    "preference": pgettext_lazy("table", "Preference"),
    "brackets": pgettext_lazy("table", "Score brackets"),
    "raters": pgettext_lazy("table", "Raters"),
    "agreement": pgettext_lazy("table", "Rater agreement"),
    "correlations": pgettext_lazy("table", "Expert grade and automatic scores"),
    "systems": pgettext_lazy("table", "Metrics over systems"),
    "without_failing_raters": pgettext_lazy("table", "Without raters who failed"),
    "trials": pgettext_lazy("table", "All ratings"),
}
LEFT_OUT = {
    "no_problem": gettext_lazy("samples without a problem or a reference answer"),
    "no_answer": gettext_lazy("predictions that are missing, failed or empty"),
    "no_score": gettext_lazy("predictions without both scores"),
    "equal_scores": gettext_lazy("predictions with two equal shown scores"),
}
assert tuple(CATEGORY_NAMES) == CATEGORIES


def percent(share: float | None, places: int = 1) -> str:
    return _("n/a") if share is None else f"{number_format(f'{100 * share:.{places}f}')} %"


def format_p(p_value: float | None) -> str:
    """A p-value as in papers, never rounded to 0: "p = 0.0288"."""
    if p_value is None:
        return _("n/a")
    return "p < 0.0001" if p_value < 0.0001 else f"p = {p_value:.4f}"


def p_cell(p_value: float | None) -> str:
    """A p-value for a table cell with five decimals, never rounded to 0."""
    if p_value is None:
        return _("n/a")
    return "< 0.00001" if p_value < 0.00001 else str(number_format(f"{p_value:.5f}"))


def summary(results: Mapping[str, Any], first: str, second: str) -> list[str]:
    """The results in plain sentences."""
    votes = results["preference"]
    if not votes["n_items"]:
        return [_("No item was rated, so there is nothing to compare.")]
    return [
        _preference_sentence(votes, first, second, sum(row["n"] > 0 for row in results["raters"])),
        _test_sentence(votes, first, second),
        _side_sentence(results["sides_and_order"]),
        _agreement_sentence(results["agreement"]),
        *_correlation_sentence(results["correlations"], {FIRST: first, SECOND: second}),
        *_robustness_sentence(results["without_failing_raters"], first, second),
    ]


def _preference_sentence(votes: Mapping[str, Any], first: str, second: str, n_raters: int) -> str:
    shares = votes["shares"]
    return ngettext(
        "On %(n)s item, rated by %(raters)s, the majority preferred %(first)s on %(a)s, "
        "%(second)s on %(b)s, and neither on %(tie)s.",
        "On %(n)s items, rated by %(raters)s, the majority preferred %(first)s on %(a)s, "
        "%(second)s on %(b)s, and neither on %(tie)s.",
        votes["n_items"],
    ) % {
        "n": votes["n_items"],
        "raters": ngettext("%(n)s expert", "%(n)s experts", n_raters) % {"n": n_raters},
        "first": first,
        "second": second,
        "a": percent(shares[FIRST]["share"]),
        "b": percent(shares[SECOND]["share"]),
        "tie": percent(shares["tie"]["share"]),
    }


def _test_sentence(votes: Mapping[str, Any], first: str, second: str) -> str:
    test = votes["majority_test"]
    if test["p_value"] is None:
        return _("Every majority is a tie, so there is nothing to test.")
    values = {"p": format_p(test["p_value"]), "n": test["n"], "k": test["successes"]}
    if test["p_value"] < 0.05:
        winner = first if test["difference"] > 0 else second
        return _(
            "On the items without a tie (%(n)s), the difference is larger than chance would "
            "explain, in favour of %(winner)s (two-sided exact binomial test, %(k)s of "
            "%(n)s, %(p)s)."
        ) % {**values, "winner": winner}
    return (
        _(
            "On the items without a tie (%(n)s), the difference may be due to chance "
            "(two-sided exact binomial test, %(k)s of %(n)s, %(p)s)."
        )
        % values
    )


def _side_sentence(effects: Mapping[str, Any]) -> str:
    test = effects["side"]
    if test["p_value"] is None:
        return _("No one chose a score, so nothing can be said about sides.")
    values = {"share": percent(test["successes"] / test["n"]), "p": format_p(test["p_value"])}
    if test["p_value"] < 0.05:
        return (
            _(
                "Raters chose score A in %(share)s of the cases (%(p)s), so the side itself "
                "influenced their choice. Sides were balanced, so neither metric gains, but "
                "the result is less clear."
            )
            % values
        )
    return _("Sides had no effect: score A was chosen in %(share)s of the cases (%(p)s).") % values


def _agreement_sentence(agreement: Mapping[str, Any]) -> str:
    kappa = agreement["grades"]["kappa_quadratic"]
    if kappa["mean"] is None:
        return _("Rater agreement cannot be computed: %(reason)s.") % {"reason": kappa["reason"]}
    alpha = agreement["grades"]["alpha_interval"]["value"]
    return _(
        "Rater agreement: quadratically weighted kappa of %(kappa)s on average, "
        "Krippendorff's alpha (interval) of %(alpha)s; 1 is full agreement, 0 is chance "
        "level."
    ) % {"kappa": figure(kappa["mean"]), "alpha": figure(alpha)}


def _correlation_sentence(rows: list[Mapping[str, Any]], names: Mapping[str, str]) -> list[str]:
    values = [
        _("%(name)s: r = %(r)s") % {"name": names[row["measure"]], "r": figure(row["pearson"]["value"])}
        for row in rows
        if row["measure"] in names and row["pearson"]["value"] is not None
    ]
    return (
        [_("Pearson correlation with the experts' mean grade: %(list)s.") % {"list": "; ".join(values)}]
        if values
        else []
    )


def _robustness_sentence(check: Mapping[str, Any], first: str, second: str) -> list[str]:
    """One sentence if raters failed the attention items, otherwise none."""
    if not check["left_out"]:
        return []
    values = {"raters": ", ".join(check["left_out"])}
    if check["preference"] is None:
        return [_("Every rater failed the attention items, so these results are not reliable.")]
    if not check["preference"]["n_items"]:
        return [
            _("Some raters failed the attention items (%(raters)s). Without them, no item has a vote.")
            % values
        ]
    shares, test = check["preference"]["shares"], check["preference"]["majority_test"]
    values |= {"first": first, "second": second, "p": format_p(test["p_value"])}
    values |= {"a": percent(shares[FIRST]["share"]), "b": percent(shares[SECOND]["share"])}
    return [
        _(
            "Some raters failed the attention items (%(raters)s). Without them the majority "
            "preferred %(first)s on %(a)s and %(second)s on %(b)s (%(p)s)."
        )
        % values
    ]


def figure(value: float | None, places: int = 3) -> str:
    return _("n/a") if value is None else str(number_format(f"{value:.{places}f}"))
