"""A demo's folder with tables of other models: one sentence, and no pages that fail."""

import pytest
from django.core.management import CommandError
from django.db import connection

from demo.management.commands import demo


@pytest.mark.parametrize(
    "change",
    [
        "ALTER TABLE runs_run ADD COLUMN of_long_ago integer",
        "ALTER TABLE runs_run DROP COLUMN description",
        "DROP TABLE evaluation_evaluation_runs",
    ],
)
def test_tables_of_other_models_are_named_with_what_to_do(db, monkeypatch, change):
    monkeypatch.setattr(demo, "call_command", lambda *_, **__: None)
    demo.prepare_tables()
    with connection.cursor() as cursor:
        cursor.execute(change)
    with pytest.raises(CommandError) as refusal:
        demo.prepare_tables()
    assert str(refusal.value) == (
        f"The example in {demo.mark()} was made by another version of Cleverdon: remove that "
        "folder, and start again."
    )
