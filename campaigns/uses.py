"""What keeps topics and documents from being changed, deleted or undone. Each check raises `Refused` with the sentence the person reads."""

from collections.abc import Collection
from typing import Any

from django.db.models import QuerySet

from accounts.access import Refused
from campaigns.models import (
    Campaign,
    Document,
    DocumentVersion,
    Import,
    Topic,
    TopicVersion,
)
from campaigns.models.collection import uses

# Names in a sentence.
_NAMED = 3


def fixed_among(
    campaign: Campaign, model: type[Topic] | type[Document], names: Collection[str]
) -> set[str]:
    """Return those of some topics or documents whose text changes only as a new version that an organizer has asked for."""
    rows = model.objects.filter(campaign=campaign).filter(
        **{f"{model.name_field}__in": names}
    )
    return {
        name for use in uses(model, "change")
        for name in _used(rows, model, use.names(campaign))
    }  # fmt: skip


def check_can_delete(
    campaign: Campaign, model: type[Topic] | type[Document], rows: QuerySet[Any, Any]
) -> None:
    """Refuse to delete what a pool or a judgment rests on."""
    for use in uses(model, "delete"):
        if names := list(_used(rows, model, use.names(campaign))):
            be = "it is" if len(names) == 1 else "they are"
            named = _named(model, names)
            raise Refused(
                f"{named[0].upper()}{named[1:]} cannot be deleted: {be} {use.reason}."
            )


def check_can_undo_import(row: Import) -> None:
    """Refuse to undo an import that has not ended, on which a later one rests, or whose texts are in use."""
    if row.state not in {Import.State.IMPORTED, Import.State.INTERRUPTED, Import.State.UNDOING}:  # fmt: skip
        raise Refused(f"This import is {row.state}: there is nothing to undo.")
    is_topics = row.kind == Import.Kind.TOPICS
    model, earlier = (Topic, TopicVersion) if is_topics else (Document, DocumentVersion)
    later = earlier.objects.filter(imported_in=row).select_related("replaced_in").first()  # fmt: skip
    if later:
        raise Refused(
            f"{later.replaced_in} has replaced some of these texts since: undo that import first."
        )
    rows = model.objects.filter(imported_in=row)
    added = rows.exclude(earlier__replaced_in=row)
    for act, concerned in (("undo", rows), ("remove", added)):
        for use in uses(model, act):
            if names := list(_used(concerned, model, use.names(row.campaign))):
                be = "is" if len(names) == 1 else "are"
                named = _named(model, names)
                raise Refused(f"This import cannot be undone: {named} {be} {use.reason}.")  # fmt: skip


def _used(
    rows: QuerySet[Any, Any],
    model: type[Topic] | type[Document],
    names: QuerySet[Any, Any],
) -> QuerySet[Any, str]:
    found = rows.filter(**{f"{model.name_field}__in": names})
    order = ["sort_key"] if model is Topic else []
    names_found = found.order_by(*order, model.name_field)
    return names_found.values_list(model.name_field, flat=True)


def _named(model: type[Topic] | type[Document], names: list[str]) -> str:
    """Return the first of them in a sentence, and how many others there are."""
    noun = model.__name__.lower()
    if len(names) == 1:
        return f"{noun} {names[0]}"
    shown, n_others = names[:_NAMED], len(names) - _NAMED
    *most, last = [*shown, f"{n_others:,} others"] if n_others > 1 else names
    return f"{noun}s {', '.join(most)} and {last}"
