"""Tables whose rows are added and never changed: a constraint that the database keeps."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from django.db import connection
from django.db.models import BaseConstraint

# Settings of the transaction. Only what erases a whole campaign or rehearsal sets the one, and only
# what puts a pseudonym for a person's names the other.
ERASING, NAMING = "cleverdon.erasing", "cleverdon.naming"
SET = "SELECT set_config(%s, %s, true)"
# 23001 is `restrict_violation`, which Django raises as an IntegrityError.
REFUSE = f"""
CREATE OR REPLACE FUNCTION append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND current_setting('{ERASING}', true) = 'on' THEN
    RETURN OLD;
  END IF;
  IF TG_OP = 'UPDATE' AND current_setting('{NAMING}', true) = 'on'
     AND to_jsonb(NEW) - 'subject' - 'detail' = to_jsonb(OLD) - 'subject' - 'detail' THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION '% of "%" violates constraint "%"', TG_OP, TG_TABLE_NAME, TG_NAME
    USING ERRCODE = '23001', HINT = 'Rows are only ever added to this table.';
END $$;
"""


class AppendOnly(BaseConstraint):
    """Refuses UPDATE and DELETE; a constraint, so that it comes with the table."""

    def create_sql(self, model: Any, schema_editor: Any) -> str:
        return (
            f'{REFUSE} CREATE TRIGGER "{self.name}" BEFORE UPDATE OR DELETE '
            f'ON "{model._meta.db_table}" FOR EACH ROW EXECUTE FUNCTION append_only()'
        )

    def constraint_sql(self, model: Any, schema_editor: Any) -> str:
        """Have the trigger made once the table is there."""
        schema_editor.deferred_sql.append(self.create_sql(model, schema_editor))
        return ""

    def remove_sql(self, model: Any, schema_editor: Any) -> str:
        return f'DROP TRIGGER IF EXISTS "{self.name}" ON "{model._meta.db_table}"'

    def validate(self, *_: Any, **__: Any) -> None:
        """Every new row is fine."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, AppendOnly) and self.name == other.name

    def __hash__(self) -> int:
        return hash(self.name)


def erasing() -> AbstractContextManager[None]:
    """Let rows of these tables be deleted, in this transaction and until the block ends."""
    return _on(ERASING)


def naming() -> AbstractContextManager[None]:
    """Let the words of events, and nothing else, be changed until the block ends."""
    return _on(NAMING)


@contextmanager
def _on(setting: str) -> Iterator[None]:
    _set(setting, "on")
    yield
    _set(setting, "off")  # after an error the transaction is rolled back, and the setting with it


def _set(setting: str, value: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(SET, [setting, value])
