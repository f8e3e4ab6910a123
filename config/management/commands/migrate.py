"""Django's `migrate`, which looks before and after whether the tables fit."""

from typing import Any

from django.core.management.base import CommandError
from django.core.management.commands import migrate
from django.db import ProgrammingError, connection
from django.db.migrations.exceptions import InconsistentMigrationHistory
from django.db.migrations.executor import MigrationExecutor

from cleverdon.version import VERSION
from config.servers import why_too_old
from config.tables import why_unfit

OTHER = (
    f"The database was made by a version of Cleverdon from which {VERSION} cannot upgrade it: "
    "go back to that version. See Upgrade in docs/deploy.md."
)


def to_be_migrated() -> set[str]:
    """Return the labels of the apps whose tables wait for a migration, or come without any."""
    executor = MigrationExecutor(connection)
    waiting = executor.migration_plan(executor.loader.graph.leaf_nodes())
    return {each.app_label for each, _ in waiting} | executor.loader.unmigrated_apps


class Command(migrate.Command):
    def handle(self, *args: Any, **options: Any) -> None:
        if why := why_too_old():
            raise CommandError(why)
        is_whole = not (options["app_label"] or options["plan"] or options["check_unapplied"])
        if is_whole and (why := why_unfit(apart_from=to_be_migrated())):
            raise CommandError(why)  # before anything is changed
        try:
            super().handle(*args, **options)
        except (InconsistentMigrationHistory, ProgrammingError) as error:
            raise CommandError(f"{OTHER} ({str(error).splitlines()[0]})") from error
        if is_whole and (why := why_unfit()):
            raise CommandError(why)
