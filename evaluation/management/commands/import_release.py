"""Import an exported release."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from config.accounts.models import Role, Team, User
from config.accounts.selectors import has_role, people_in
from evaluation.imports.release import BadExport
from evaluation.services.freeze_release import NothingToRelease
from evaluation.services.reimport_release import AlreadyHere, reimport_release


class Command(BaseCommand):
    help = "Take an export of the format inkbench in as the next release of a team; every text as it was."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("team", help="the team's short name, as in the address of its project")
        parser.add_argument("file", type=Path, help="the exported zip")
        parser.add_argument("--user", help="in whose name; by default the first manager")

    def handle(self, *args: Any, **options: Any) -> None:
        team = Team.objects.filter(slug=options["team"]).first()
        if team is None:
            raise CommandError(f"There is no team '{options['team']}'. See the address of its project.")
        try:
            with options["file"].open("rb") as file:
                release = reimport_release(team=team, by=_user(team, options["user"]), file=file)
        except OSError as error:
            raise CommandError(f"{options['file']} cannot be read: {error.strerror}.") from None
        except BadExport as error:
            raise CommandError(f"Nothing was imported. {error}") from None
        except AlreadyHere as error:
            raise CommandError(f"Nothing was imported: {error} already.") from None
        except NothingToRelease:
            raise CommandError("Nothing was imported: the export holds no record.") from None
        self.stdout.write(f"Release {release.number}: {release.count} samples, checksum {release.checksum}")


def _user(team: Team, name: str | None) -> User:
    if name is None:
        first = people_in(team, Role.MANAGER).order_by("pk").first()
        if first is None:
            raise CommandError("The team has no manager; name a person with --user once it has one.")
        return first
    user = User.objects.filter(username=name).first()
    if user is None or not has_role(user, team, Role.MANAGER):
        raise CommandError(f"'{name}' is not a manager of this team.")
    return user
