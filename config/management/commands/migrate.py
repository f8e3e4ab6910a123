"""Django's `migrate`, which in the end looks whether the tables fit."""

from typing import Any

from django.core.management.base import CommandError
from django.core.management.commands import migrate
from django.db import ProgrammingError
from django.db.migrations.exceptions import InconsistentMigrationHistory

from config.servers import why_too_old
from config.tables import why_unfit
from config.version import VERSION

OTHER = (
    f"The database was made by a version of Cleverdon from which {VERSION} cannot upgrade it: "
    "go back to that version. See Upgrade in docs/deploy.md."
)


class Command(migrate.Command):
    def handle(self, *args: Any, **options: Any) -> None:
        if why := why_too_old():
            raise CommandError(why)
        try:
            super().handle(*args, **options)
        except (InconsistentMigrationHistory, ProgrammingError) as error:
            raise CommandError(f"{OTHER} ({str(error).splitlines()[0]})") from error
        is_whole = not (options["app_label"] or options["plan"] or options["check_unapplied"])
        if is_whole and (why := why_unfit()):
            raise CommandError(why)
