"""From home to the work that waits, and from a dispute to one version. Page controls alone."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, expect

from tests.browser.journey.person import Person


def wait_for_work(person: Person, words: str, count: int) -> None:
    """Home says how much waits; the recognisers may take their time."""
    waiting = person.page.locator("li").filter(has_text=words).locator(".todo__figure")
    for _ in range(120):
        person.go_home()
        if waiting.count() and waiting.first.inner_text() == str(count):
            return
        person.page.wait_for_timeout(2000)
    raise AssertionError(f"{person.name} still does not see {count} {words}")


def open_discussion(person: Person, number: int) -> None:
    """The discussion of one sample, from home."""
    person.go_home()
    person.page.get_by_role("link", name=f"Sample {number}", exact=True).click()
    assert person.sample_number() == number


def case(person: Person, name: str | None = None) -> Locator:
    """The card of a disputed field by its heading; the first one where no name is given."""
    cards = person.page.locator("ink-disputed-field")
    if name is None:
        return cards.first
    return cards.filter(has=person.page.get_by_role("heading", name=re.compile(f"^{re.escape(name)}")))


def choose(person: Person, value: str, name: str | None = None) -> None:
    """Stand behind a version: primary, second, drop."""
    card = case(person, name)
    card.locator(f"input[type=radio][value={value}]").check()
    card.get_by_role("button", name="Agree to this").click()


def say(person: Person, words: str) -> None:
    person.page.get_by_label(re.compile("Message about")).first.fill(words)
    person.press("Send")
    expect(person.page.locator(".thread").first).to_contain_text(words)


def settle_by_talking(first: Person, second: Person, number: int, value: str, words: str) -> None:
    """The reviewer says why and stands behind a version; the annotator reads it and joins."""
    open_discussion(second, number)
    say(second, words)
    choose(second, value)
    expect(case(second)).to_contain_text("waiting for the other person")
    open_discussion(first, number)
    expect(first.page.locator(".thread").first).to_contain_text(words)
    expect(first.page.get_by_role("main")).not_to_contain_text(second.name)
    choose(first, value)
    expect(first.page.get_by_role("main")).to_contain_text("This sample is settled")


def settle_by_adjudicator(asker: Person, judge: Person, number: int, value: str, reason: str) -> None:
    """One of the two asks an adjudicator, who takes one version for all that is open."""
    open_discussion(asker, number)
    asker.page.get_by_text("Ask for an adjudicator").click()
    asker.page.get_by_label("Reason").fill(reason)
    asker.press("Send to an adjudicator")
    expect(asker.page.get_by_role("main")).to_contain_text("An adjudicator is deciding")
    judge.go_home()
    judge.press("Decide")
    assert judge.sample_number() == number
    expect(judge.page.get_by_role("main")).to_contain_text(reason)
    judge.page.locator(f"ink-disputed-field input[type=radio][value={value}]").check()
    judge.press("Decide and continue")
    expect(judge.page.get_by_role("heading", level=1)).to_contain_text("Hello")
