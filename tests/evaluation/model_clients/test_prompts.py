from __future__ import annotations

import pytest

from evaluation.model_clients.prompts import UnknownPrompt, list_versions, load_prompt


def test_prompt_when_no_version_is_named_then_the_newest() -> None:
    newest = load_prompt("transcription")
    assert newest.version == list_versions("transcription")[-1]
    assert newest.label == f"transcription-{newest.version}"


def test_prompt_when_loaded_then_asks_for_a_faithful_copy() -> None:
    text = load_prompt("transcription", 1).text
    for word in ("Markdown", "$", "exactly", "~~"):
        assert word in text


def test_prompt_when_version_is_unknown_then_names_the_known_ones() -> None:
    with pytest.raises(UnknownPrompt, match="has versions 1"):
        load_prompt("transcription", 99)


def test_prompt_when_name_is_unknown_then_says_so() -> None:
    with pytest.raises(UnknownPrompt, match="nothing-like-it"):
        load_prompt("nothing-like-it")
