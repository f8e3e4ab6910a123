"""Write the pages of the documentation that are made from the code: `python -m docs.generate`.

`docs/data-model.md` and the table of `docs/personal-data.md` come from the models,
`docs/states.md` from the tables of states, `docs/handbook/permissions.md` from those of verbs,
`docs/addresses.md` from the nouns and acts of the API, the table of `docs/agreement.md` from that
of coefficients. The styles of pictures in files are made from the site's stylesheets. A test
compares them with the code.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from django.apps import apps  # noqa: E402 - models need Django's set-up
from django.conf import settings  # noqa: E402
from django.db import models  # noqa: E402

from campaigns.services.personal import links  # noqa: E402
from cleverdon.agreement.coefficients import COEFFICIENTS  # noqa: E402
from collection.core.lifecycle import IMPORT_TRANSITIONS  # noqa: E402
from docs import addresses, permissions  # noqa: E402
from docs.light import light  # noqa: E402
from jobs.core import JOB_TRANSITIONS, diagram  # noqa: E402
from pooling.core.lifecycle import BATCH_TRANSITIONS  # noqa: E402
from qrels.core import IMPORT_TRANSITIONS as QRELS_TRANSITIONS  # noqa: E402
from runs.core.lifecycle import RUN_TRANSITIONS  # noqa: E402

DOCS = Path(__file__).resolve().parent
FLOORS = [name for name in settings.OUR_APPS if any(apps.get_app_config(name).get_models())]
Link = models.ForeignKey[Any, Any] | models.ManyToManyField[Any, Any]


class Meaning(NamedTuple):
    """What a link means for deleting the row it points at, and the arrow that is drawn for it."""

    words: str
    arrow: str


MEANINGS: dict[object, Meaning] = {
    models.CASCADE: Meaning("deleted with it", "-->"),
    models.PROTECT: Meaning("keeps it from being deleted", "-.->"),
    models.RESTRICT: Meaning("keeps it from being deleted alone", "-.->"),
    models.SET_NULL: Meaning("names it no longer", "-.->"),
    None: Meaning("any number of them", "==>"),
}


def data_model() -> str:
    """Return the tables in a picture, and what deleting one of a table's rows does to others."""
    lines = [
        "# Data model",
        "",
        (
            "Made from the models by `python -m docs.generate`. An arrow points at the row that is "
            "referred to. It is **solid** when the referring row is deleted with that row,"
        ),
        (
            "**dotted** when it keeps that row from being deleted, and **thick** when a row refers "
            "to any number of rows (many to many)."
        ),
        "",
    ]
    for app in FLOORS:
        lines += [f"## {app}", "", "```mermaid", "flowchart LR", *_arrows(app), "```"]
        lines += ["", "| table | what it is | refers to |", "|---|---|---|"]
        lines += [*_rows(app), ""]
    return "\n".join(lines)


def _models(app: str) -> list[type[models.Model]]:
    found = apps.get_app_config(app).get_models()
    return sorted(found, key=lambda model: model.__name__)


def _first_line(model: type[models.Model]) -> str:
    return (model.__doc__ or "").partition("\n")[0]


def _links(model: type[models.Model]) -> Iterator[Link]:
    """Yield the links to our own tables; a User has others, to Django's groups and permissions."""
    for field in model._meta.get_fields():
        if (
            isinstance(field, models.ForeignKey | models.ManyToManyField)
            and field.related_model._meta.app_label in FLOORS
        ):
            yield field


def _meaning(link: Link) -> Meaning:
    return MEANINGS[getattr(link.remote_field, "on_delete", None)]


def _arrows(app: str) -> Iterator[str]:
    for model in _models(app):
        yield f"  {model.__name__}"
        for link in _links(model):
            # Who made a row is in every table: drawn, it would hide the rest.
            if link.related_model.__name__ != "User":
                yield f"  {model.__name__} {_meaning(link).arrow} {link.related_model.__name__}"


def _rows(app: str) -> Iterator[str]:
    for model in _models(app):
        what = _first_line(model)
        links = ", ".join(
            f"`{link.name}` ({link.related_model.__name__}; {_meaning(link).words})"
            for link in _links(model)
        )
        yield f"| {model.__name__} | {what} | {links} |"


def states() -> str:
    """Return the states of each thing that has any, from the tables that the code moves them by."""
    lines = [
        "# States",
        "",
        (
            "Drawn by `python -m docs.generate` from the tables of transitions in `*/core/`. "
            "Every change of state of a run, a pool or a job is a conditional update that names the"
        ),
        (
            "states it may start from. When two processes change the same row at once, "
            "only one of them succeeds."
        ),
    ]
    for name, transitions in LIVES.items():
        lines += ["", f"## {name}", "", "```mermaid", diagram(transitions), "```"]
    return "\n".join([*lines, ""])


LIVES = {
    "A run": RUN_TRANSITIONS,
    "A pool": BATCH_TRANSITIONS,
    "A job": JOB_TRANSITIONS,
    "An import": IMPORT_TRANSITIONS,
    "An import of qrels": QRELS_TRANSITIONS,
}
# Above it stands what is written by hand.
BEGIN = "| table | what it is | column that names the person, or the way to it |\n|---|---|---|\n"


def personal_data() -> str:
    """Return what is kept of people, with every table that refers to them."""
    ways: dict[type[models.Model], list[str]] = {}
    for model, lookup in links():
        if model._meta.app_label in FLOORS and not model._meta.auto_created:
            ways.setdefault(model, []).append(f"`{lookup}`")
    rows = [
        f"| {model.__name__} | {_first_line(model)} | {', '.join(found)} |"
        for model, found in ways.items()
    ]
    by_hand = (DOCS / "personal-data.md").read_text(encoding="utf-8").partition(BEGIN)[0]
    return by_hand + BEGIN + "\n".join([*rows, ""])


# The end of the page of agreement.
COEFFICIENTS_BEGIN = (
    "| key | coefficient | on | computed of | formula | source |\n|---|---|---|---|---|---|\n"
)


def agreement() -> str:
    """Return the page of agreement, with the table of coefficients."""
    rows = [
        f"| `{its.key}` | {its.name} | {' and '.join(its.on)} | {its.counted} | "
        f"{its.formula.replace('|', chr(92) + '|')} | {its.source or 'by definition'} |"
        for its in COEFFICIENTS
    ]
    by_hand = (DOCS / "agreement.md").read_text(encoding="utf-8").partition(COEFFICIENTS_BEGIN)[0]
    return by_hand + COEFFICIENTS_BEGIN + "\n".join([*rows, ""])


PAGES = {
    "agreement.md": agreement,
    "data-model.md": data_model,
    "states.md": states,
    "handbook/permissions.md": permissions.page,
    "addresses.md": addresses.page,
    "personal-data.md": personal_data,
    "../cleverdon/pictures/light.css": light,
}


def main() -> None:
    for name, page in PAGES.items():
        (DOCS / name).write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
