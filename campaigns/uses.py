"""What keeps topics and documents from being changed, deleted or undone. Each check raises `Refused` with the sentence the person reads."""

from collections.abc import Collection
from typing import Any

from django.db.models import Count, Q, QuerySet, Window
from django.utils.formats import date_format
from django.utils.text import get_text_list

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
from trec.words import verb

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
        if found := _found(model, _used(rows, model, use.names(campaign))):
            named, n = found
            be = "it is" if n == 1 else "they are"
            raise Refused(
                f"{named[0].upper()}{named[1:]} cannot be deleted: {be} {use.reason}."
            )


def check_can_undo_import(row: Import) -> None:
    """Refuse to undo an import that has not ended, on which a later one rests, or whose texts are in use."""
    if row.state not in {Import.State.IMPORTED, Import.State.INTERRUPTED, Import.State.UNDOING}:  # fmt: skip
        raise Refused(f"This import is {row.state}: there is nothing to undo.")
    later = later_than(row)
    if found := _keeping(row):
        raise Refused(f"This import cannot be undone: {found}.")
    for each in later:
        if found := _keeping(each):
            raise Refused(
                f"This import cannot be undone: {_named(each)} has replaced some of its texts since, and cannot be undone "
                f"either: {found}. To have the earlier texts again, import a file with them."
            )
    if later:
        which = "that import" if len(later) == 1 else "these imports, in this order,"
        names = get_text_list([*map(_named, later)], "and")
        raise Refused(f"{names} {verb(len(later), 'has')} replaced some of these texts since: undo {which} first.")  # fmt: skip


def later_than(row: Import) -> list[Import]:
    """Return the imports that have to be undone before this one, in this order: they replaced its texts, or theirs."""
    _, earlier = _models(row)
    found: set[int] = set()
    last = {row.pk}
    while last:
        texts = earlier.objects.filter(imported_in__in=last)
        last = set(texts.values_list("replaced_in", flat=True)) - found
        found |= last
    return list(Import.objects.filter(pk__in=found).select_related("campaign").order_by("-imported_at", "-pk"))  # fmt: skip


def _named(row: Import) -> str:
    at = row.imported_at or row.created_at
    said = date_format(at.astimezone(row.campaign.zone), "j F Y, H:i")
    return f"{row} (imported on {said}, {row.campaign.zone_name})"


def _models(
    row: Import,
) -> tuple[type[Topic] | type[Document], type[TopicVersion] | type[DocumentVersion]]:
    is_topics = row.kind == Import.Kind.TOPICS
    return (Topic, TopicVersion) if is_topics else (Document, DocumentVersion)


def _keeping(row: Import) -> str:
    """Return what keeps the texts of an import, as the rest of a sentence; "" if nothing does."""
    model, _ = _models(row)
    rows = model.objects.filter(imported_in=row)
    replaced = model.objects.filter(earlier__imported_in=row)
    its = model.objects.filter(Q(imported_in=row) | Q(pk__in=replaced.values("pk")))
    added = its.exclude(earlier__replaced_in=row)
    for act, concerned in (("undo", rows), ("remove", added)):
        for use in uses(model, act):
            if found := _found(model, _used(concerned, model, use.names(row.campaign))):  # fmt: skip
                named, n = found
                return f"{named} {verb(n, 'is')} {use.reason}"
    return ""


def _used(
    rows: QuerySet[Any, Any],
    model: type[Topic] | type[Document],
    names: QuerySet[Any, Any],
) -> QuerySet[Any, str]:
    found = rows.filter(**{f"{model.name_field}__in": names})
    return found.values_list(model.name_field, flat=True)


def _found(
    model: type[Topic] | type[Document], names: QuerySet[Any, str]
) -> tuple[str, int] | None:
    """Return the first of them in words with the number of the others, and how many there are; None if there is none."""
    order = ["sort_key"] if model is Topic else []
    counted = names.annotate(n=Window(Count("pk"))).order_by(*order, model.name_field)
    rows = list(counted.values_list(model.name_field, "n")[: _NAMED + 1])
    if not rows:
        return None
    noun, first, n = model.__name__.lower(), [name for name, _ in rows], rows[0][1]
    if n == 1:
        return f"{noun} {first[0]}", n
    if n > _NAMED + 1:
        first[_NAMED] = f"{n - _NAMED:,} others"
    return f"{noun}s {get_text_list(first, 'and')}", n
