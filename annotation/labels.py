"""Labels of stored keys: languages, scenarios, states, stages, verbs.

An unknown key (a project's own scenario) is its own label.
"""

from __future__ import annotations

from django.conf import settings
from django.utils.translation import gettext_lazy as _
from django.utils.translation import override, pgettext_lazy

from annotation.stages import SampleState, Stage, Verb
from evaluation.labels import LANGUAGES as LANGUAGES  # the labels of a record are also those of annotation
from evaluation.labels import SCENARIOS as SCENARIOS
from evaluation.labels import language_name as language_name
from evaluation.labels import scenario_name as scenario_name

STATES = {
    SampleState.IMPORTED: pgettext_lazy("state", "Imported"),
    SampleState.SCREENING: pgettext_lazy("state", "Screening"),
    SampleState.DUPLICATE: pgettext_lazy("state", "Possible duplicate"),
    SampleState.PREANNOTATING: pgettext_lazy("state", "Waiting for suggestions"),
    SampleState.LABELLING: pgettext_lazy("state", "Transcription"),
    SampleState.VERIFYING: pgettext_lazy("state", "Second review"),
    SampleState.DISPUTED: pgettext_lazy("state", "Disagreement"),
    SampleState.VERIFIED: pgettext_lazy("state", "Verified"),
    SampleState.RELEASED: pgettext_lazy("state", "Released"),
    SampleState.EXCLUDED: pgettext_lazy("state", "Excluded"),
}
STAGES = {
    Stage.PREANNOTATE: _("Suggestions"),
    Stage.LABEL: _("Transcription"),
    Stage.VERIFY: _("Second review"),
    Stage.ADJUDICATE: _("Disagreement"),
    Stage.DONE: _("Consensus"),
}
VERBS = {
    Verb.SUGGESTED: _("Suggestions ready"),
    Verb.BROUGHT: _("Imported with ground truth"),
    Verb.CLAIM: _("Claimed"),
    Verb.RELEASE: _("Sample released"),
    Verb.SUBMIT: _("Transcription submitted"),
    Verb.AGREE: _("Second review: agreed"),
    Verb.DISPUTE: _("Second review: disagreed"),
    Verb.SIGN: _("Both agreed to one text"),
    Verb.ESCALATE: _("Sent to the adjudicator"),
    Verb.DECIDE: _("Adjudicator decided"),
    Verb.RETURN: _("Returned to the annotator"),
    Verb.REOPEN: _("Reopened"),
    Verb.WITHDRAW: _("Withdrawn"),
    Verb.RESTORE: _("Restored"),
}
OTHER_EVENTS = {
    "labels_opened": _("Transcriptions opened by a manager"),
    "flag_closed": _("Flag closed"),
    "released": _("Included in a release"),
    "imported": _("Imported"),
    "screened": _("Screened for names"),
    "screen_again": _("Sent back to screening"),
    "screen_copy": _("Sent to screening: names were redacted on a copy"),
    "unredacted_opened": _("Unredacted page opened"),
    "rated": _("Difficulty rated"),
    "excluded_as_duplicate": _("Set aside as a duplicate"),
    "kept_with_duplicate": _("Kept: not a duplicate"),
    "duplicate_undone": _("Duplicate decision undone"),
}
# Tone and icon: amber needs a person, green is agreed (see the tones in docs/front-end.md).
STATE_LOOKS = {
    SampleState.IMPORTED: ("", "import"),
    SampleState.SCREENING: ("todo", "eye"),
    SampleState.DUPLICATE: ("todo", "files"),
    SampleState.PREANNOTATING: ("", "hourglass"),
    SampleState.LABELLING: ("", "pen-line"),
    SampleState.VERIFYING: ("", "eye"),
    SampleState.DISPUTED: ("todo", "messages-square"),
    SampleState.VERIFIED: ("done", "check"),
    SampleState.RELEASED: ("done", "package-check"),
    SampleState.EXCLUDED: ("", "ban"),
}


def scenario_keys() -> dict[str, str]:
    """Scenario keys by their names in every language of the site, and by themselves."""
    key_of_name = {key: key for key in SCENARIOS}
    for code, _name in settings.LANGUAGES:
        with override(code):
            key_of_name |= {str(name): key for key, name in SCENARIOS.items()}
    return key_of_name


def event_name(verb: str) -> str:
    """The label of an event's verb; an unknown verb is its own label."""
    names = {**{str(known_verb): name for known_verb, name in VERBS.items()}, **OTHER_EVENTS}
    return str(names.get(verb, verb))
