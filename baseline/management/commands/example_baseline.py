"""A human baseline to try: one that waits for its people, and one that is over."""

from __future__ import annotations

from collections.abc import Sequence

from annotation.demo.example_command import ExampleCommand
from annotation.models import Project
from baseline.demo import SLUG, make_example_project
from config.accounts.models import User


class Command(ExampleCommand):
    help = "Make a project with two small human baselines, one open and one closed with simulated answers."
    slug = SLUG
    others, others_help = "people", "user names of the participants"
    manager_among_others = "A manager may see the ground truth and cannot take part. Name other people."
    made = "Made the project “{name}”. Participants find it on their home page."

    def make(self, *, by: User, others: Sequence[User]) -> Project:
        return make_example_project(by=by, people=others)
