"""Expert studies to try: one that waits for its raters, one that is closed, one that is being set up."""

from __future__ import annotations

from collections.abc import Sequence

from annotation.demo.example_command import ExampleCommand
from annotation.demo.seeding.expert_study import SLUG, make_example_project
from annotation.models import Project
from config.accounts.models import User


class Command(ExampleCommand):
    help = "Make a project with small expert studies: one open, one closed with simulated answers, one being set up."
    slug = SLUG
    others, others_help = "raters", "user names of the raters"
    manager_among_others = "A manager knows what is compared and cannot rate. Name other raters."
    made = "Made the project “{name}”. Raters find the open study on their home page."

    def make(self, *, by: User, others: Sequence[User]) -> Project:
        return make_example_project(by=by, raters=others)
