"""What many tests begin with is made once in each process, and laid down for each of them."""

from collections.abc import Callable
from functools import wraps
from inspect import signature
from io import BytesIO, StringIO
from pathlib import Path
from pickle import HIGHEST_PROTOCOL, Pickler, Unpickler
from typing import NamedTuple

from django.conf import settings
from django.core.cache import cache
from django.db import connection, transaction
from django.db.models import Model

from accounts.append_only import erasing

# What Django itself writes when it makes the tables.
DJANGOS = {"django_content_type", "auth_permission"}

Rows = dict[str, set[str]]  # of each table, as COPY writes them
Files = dict[Path, bytes]


class World(NamedTuple):
    """What making it changed."""

    gone: dict[str, list[str]]  # the keys of the rows that were there before
    new: dict[str, str]
    files: Files
    objects: bytes


def tables() -> list[str]:
    return sorted({*connection.introspection.django_table_names()} - DJANGOS)


# Who is signed in makes no other world: neither the sessions nor when somebody signed in last.
SESSIONS, USERS = "django_session", "accounts_user"
WHOLE, BUT_SIGNED_IN = "t::text", "(to_jsonb(t) - 'last_login')::text"


def make_fingerprint() -> None:
    """Make the function that `fingerprint` calls: planned once a connection."""
    texts = {each: BUT_SIGNED_IN if each == USERS else WHOLE for each in tables()}
    sums = (
        f"(SELECT sum(hashtextextended({text}, 0)) FROM {table} t)"  # noqa: S608
        for table, text in texts.items()
        if table != SESSIONS
    )
    with connection.cursor() as cursor:
        cursor.execute(
            "CREATE OR REPLACE FUNCTION fingerprint() RETURNS numeric[] STABLE LANGUAGE plpgsql"
            f" AS $$BEGIN RETURN ARRAY[{', '.join(sums)}]; END$$"
        )


def fingerprint() -> tuple:
    """Tell apart any two contents of the database, whoever is signed in."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT fingerprint()")
        return tuple(cursor.fetchone()[0])


def once(make: Callable) -> Callable:
    """Have a fixture make its rows once in a process for each content of the database and each
    number that it meets, and laid down ever after.

    The first test gets them laid down too, so that it matters to none which of them is the first.
    What the fixture returns, and what it changed in the rows that were given to it, is copied. It
    must not do anything but write rows and files.
    """
    worlds: dict[tuple, World] = {}
    names = [*signature(make).parameters]

    @wraps(make)
    def laid_down(*values, **named):
        given = {**dict(zip(names, values, strict=False)), **named}
        key = (*fingerprint(), *(each for each in given.values() if isinstance(each, int)))
        if key not in worlds:
            worlds[key] = made(make, given)
        return lay_down(worlds[key], given)

    return laid_down


def made(make: Callable, given: dict[str, object]) -> World:
    """Return the world as it is made; nothing of it stays in the database."""
    with transaction.atomic():
        rows, files = all_rows(), all_files()
        result = make(**given)
        then, written = all_rows(), all_files()
        transaction.set_rollback(True)
    cache.clear()
    gone = {table: [row.split("\t")[0] for row in rows[table] - then[table]] for table in rows}
    new = {table: "".join(sorted(then[table] - rows[table])) for table in then}
    return World(
        {table: keys for table, keys in gone.items() if keys},
        {table: text for table, text in new.items() if text},
        {path: content for path, content in written.items() if path not in files},
        packed(result, given),
    )


@transaction.atomic
def lay_down(world: World, given: dict[str, object]) -> object:
    """Make the world as it was made before, and return what its fixture returned."""
    with erasing(), connection.cursor() as cursor:
        for table, keys in world.gone.items():
            key = connection.introspection.get_primary_key_column(cursor, table)
            cursor.execute((f'DELETE FROM {table} WHERE "{key}"::text = ANY(%s)'), [keys])  # noqa: S608
        for table, text in world.new.items():
            cursor.copy_expert(f"COPY {table} FROM STDIN", StringIO(text))
    for path, content in world.files.items():
        target = Path(settings.MEDIA_ROOT) / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
    return unpacked(world.objects, given)


def all_rows() -> Rows:
    rows = {}
    with connection.cursor() as cursor:
        for table in tables():
            cursor.copy_expert(f"COPY {table} TO STDOUT", text := StringIO())
            rows[table] = {row + "\n" for row in text.getvalue().split("\n")[:-1]}
    return rows


def all_files() -> Files:
    media = Path(settings.MEDIA_ROOT)
    return {
        path.relative_to(media): path.read_bytes() for path in media.rglob("*") if path.is_file()
    }


def packed(result: object, given: dict[str, object]) -> bytes:
    """Pack what a fixture returned, and the rows that were given to it as it left them."""
    rows = {name: each for name, each in given.items() if isinstance(each, Model)}
    names = {id(row): name for name, row in rows.items()}
    pickler = Pickler(file := BytesIO(), HIGHEST_PROTOCOL)
    pickler.persistent_id = lambda each: names.get(id(each))
    left = {name: vars(row) for name, row in rows.items()}
    pickler.dump((result, left))
    return file.getvalue()


def unpacked(objects: bytes, given: dict[str, object]) -> object:
    unpickler = Unpickler(BytesIO(objects))  # noqa: S301 - packed by us
    unpickler.persistent_load = given.__getitem__
    result, left = unpickler.load()
    for name, state in left.items():
        vars(given[name]).update(state)
    return result
