"""Keys of one's own for the commands of the workbench, kept in the account.

Which commands there are, and which keys may be bound, is known to `static/src/js/lib/keymap.js` alone: it refuses on
the page and again where the keys are used. Here the shape is held: a command's name, and one chord as it writes them.
"""

from __future__ import annotations

import json
import re

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from config.accounts.models import User
from config.accounts.requests import PersonRequest

MOST = 60  # commands
_COMMAND = re.compile(r"[a-z]+(-[a-z]+)*")
_CHORD = re.compile(r"((Mod|Ctrl|Meta|Alt|Shift)\+){0,4}\S{1,20}")


class OwnKeysForm(forms.Form):
    """`keys`: {command: [chord]} as JSON."""

    keys = forms.CharField(required=False, max_length=8000)

    def clean_keys(self) -> dict[str, list[str]]:
        try:
            bindings = json.loads(self.cleaned_data["keys"] or "{}")
        except (ValueError, RecursionError):
            bindings = None
        if (
            not isinstance(bindings, dict)
            or len(bindings) > MOST
            or not all(map(_is_binding, bindings.items()))
        ):
            raise forms.ValidationError(_("These are not valid shortcuts. Reload the page and choose again."))
        return bindings


def _is_binding(entry: tuple[str, object]) -> bool:
    command, chords = entry
    if not _COMMAND.fullmatch(command) or not isinstance(chords, list) or len(chords) != 1:
        return False
    chord = chords[0]
    return isinstance(chord, str) and chord.isprintable() and _CHORD.fullmatch(chord) is not None


@login_required
def own_keys(request: PersonRequest) -> HttpResponse:
    form = OwnKeysForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        is_reset = "reset" in request.POST
        save_own_keys(user=request.user, keys={} if is_reset else form.cleaned_data["keys"])
        messages.success(request, _("All shortcuts are reset.") if is_reset else _("Shortcuts saved."))
        return redirect("own_keys")
    context = {"form": form, "written": json.dumps(keys_of(request.user))}
    return render(request, "accounts/own_keys.html", context, status=400 if form.errors else 200)


def save_own_keys(*, user: User, keys: dict[str, list[str]]) -> None:
    """Keep them; other preferences stay as they are."""
    user.preferences = {**user.preferences, "keys": keys}
    user.save(update_fields=["preferences"])


def keys_of(user: User) -> dict[str, list[str]]:
    """{command: [chord]}; empty for whoever has none of their own."""
    bindings = user.preferences.get("keys", {})
    return bindings if isinstance(bindings, dict) else {}
