"""What many tests begin with is made once, and laid down for each of the others: its rows and its files."""

from io import StringIO
from pathlib import Path
from typing import NamedTuple

from django.conf import settings
from django.db import connection, transaction

# What Django itself writes when it makes the tables.
DJANGOS = {"django_content_type", "auth_permission"}


class World(NamedTuple):
    """The rows of each table that has any, as COPY writes them, and the stored files."""

    rows: dict[str, str]
    files: dict[Path, bytes]


def kept() -> World:
    """Return the world as it is now."""
    rows = {}
    with connection.cursor() as cursor:
        for table in sorted({*connection.introspection.django_table_names()} - DJANGOS):
            cursor.copy_expert(f"COPY {table} TO STDOUT", text := StringIO())
            rows[table] = text.getvalue()
    media = Path(settings.MEDIA_ROOT)
    files = {
        path.relative_to(media): path.read_bytes()
        for path in media.rglob("*")
        if path.is_file()
    }
    return World({table: text for table, text in rows.items() if text}, files)


@transaction.atomic
def lay_down(world: World) -> None:
    """Make the world as it was kept, where nothing is yet."""
    with connection.cursor() as cursor:
        for table, text in world.rows.items():
            cursor.copy_expert(f"COPY {table} FROM STDIN", StringIO(text))
    for path, content in world.files.items():
        target = Path(settings.MEDIA_ROOT) / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
