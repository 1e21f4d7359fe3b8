"""The results in sentences: who is counted, and what is said where nobody is left."""

from __future__ import annotations

from evaluation.preference.analysis import analyse
from evaluation.preference.design import PreferredMetric
from evaluation.preference.labels import summary
from tests.evaluation.preference.builders import synthetic, with_attention

F, S = PreferredMetric.FIRST, PreferredMetric.SECOND


def test_summary_when_one_of_three_voted_then_one_expert_is_counted() -> None:
    results = analyse(synthetic([[F, None, None], [S, None, None], [F, None, None]]))
    assert results["n"]["raters"] == 3
    assert "3 items, rated by 1 expert," in summary(results, "PINK", "BLEU-4")[0]


def test_summary_when_the_only_voter_failed_then_it_says_that_nothing_is_left() -> None:
    record = with_attention(synthetic([[F, None], [F, None], [S, None]]), {"R1": 0}, 4)
    message = summary(analyse(record), "PINK", "BLEU-4")[-1]
    assert message == "Some raters failed the attention items (R1). Without them, no item has a vote."
