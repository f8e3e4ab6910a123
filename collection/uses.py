"""What keeps topics and documents from being changed, deleted or undone. Each check raises `Refused` with the sentence the person reads."""

from collections.abc import Collection, Sequence
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery
from django.utils.text import get_text_list

from accounts.access import Refused
from campaigns.core.ordering import natural_key
from campaigns.models.campaign import Campaign
from campaigns.models.moments import dated
from collection.models.imports import Import
from collection.models.texts import Document, DocumentVersion, Topic, TopicVersion, used_among, uses
from trec.words import verb

# Names in a sentence.
_NAMED = 3


def fixed_among(
    campaign: Campaign, model: type[Topic] | type[Document], names: Collection[str]
) -> set[str]:
    """Return those of some topics or documents whose text changes only as a new version that an organizer has asked for."""
    return {name for use in uses(model, "change") for (name,) in used_among(use, campaign, names)}


def check_can_delete(
    campaign: Campaign, model: type[Topic] | type[Document], name: str | None = None
) -> None:
    """Refuse to delete the one with this name, or all, if a pool or a judgment rests on it."""
    rows = model.objects.filter(campaign=campaign)
    for use in uses(model, "delete"):
        if found := _used(rows, model, used_among(use, campaign, name and [name])):
            be = "it is" if len(found) == 1 else "they are"
            named = _named_among(model, found)
            raise Refused(f"{named[0].upper()}{named[1:]} cannot be deleted: {be} {use.reason}.")


def check_can_undo_import(row: Import) -> None:
    """Refuse to undo an import that has not ended, on which a later one rests, or whose texts are in use."""
    if row.state not in {Import.State.IMPORTED, Import.State.INTERRUPTED, Import.State.UNDOING}:
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
        raise Refused(
            f"{names} {verb(len(later), 'has')} replaced some of these texts since: undo {which} first."
        )


def added_topics(row: Import) -> QuerySet[Topic]:
    """Return the topics that undoing an import deletes: they had no text before it."""
    replaced = TopicVersion.objects.filter(topic=OuterRef("pk"), replaced_in=row)
    return Topic.objects.filter(~Exists(replaced), imported_in=row)


def later_than(row: Import) -> list[Import]:
    """Return the imports that have to be undone before this one, in this order: they replaced its texts, or theirs."""
    _, earlier = models_of(row)
    found: set[int] = set()
    last = {row.pk}
    while last:
        texts = earlier.objects.filter(imported_in__in=last)
        last = set(texts.values_list("replaced_in", flat=True)) - found
        found |= last
    return list(
        Import.objects.filter(pk__in=found)
        .select_related("campaign")
        .order_by("-imported_at", "-pk")
    )


def _named(row: Import) -> str:
    at = row.imported_at or row.created_at
    said = dated(at, row.campaign.zone)
    return f"{row} (imported on {said}, {row.campaign.zone_name})"


def models_of(
    row: Import,
) -> tuple[type[Topic] | type[Document], type[TopicVersion] | type[DocumentVersion]]:
    is_topics = row.kind == Import.Kind.TOPICS
    return (Topic, TopicVersion) if is_topics else (Document, DocumentVersion)


def _keeping(row: Import) -> str:
    """Return what keeps the texts of an import, as the rest of a sentence; "" if nothing does."""
    model, versions = models_of(row)
    every, mine = model.objects.filter(campaign=row.campaign), Q(imported_in=row)
    earlier = versions.objects.filter(**{model.__name__.lower(): OuterRef("pk")})
    added = every.filter(mine | Exists(earlier.filter(mine)))
    added = added.exclude(Exists(earlier.filter(replaced_in=row)))
    for act, concerned in (("undo", every.filter(mine)), ("remove", added)):
        for use in uses(model, act):
            if found := _used(concerned, model, use.names(row.campaign)):
                named = _named_among(model, found)
                return f"{named} {verb(len(found), 'is')} {use.reason}"
    return ""


def _used(
    rows: QuerySet[Any, Any], model: type[Topic] | type[Document], names: QuerySet[Any, Any]
) -> list[str]:
    """Return which of the rows of one campaign have one of these names, in their order.

    Each name is looked up, as there are few beside the documents of a large collection. A subquery that returns one value
    is never turned round, however wrong PostgreSQL is about the size of either side.
    """
    [column] = names.query.values_select
    its = rows.filter(**{model.name_field: OuterRef(column)}).values(model.name_field)
    found = names.order_by().distinct().values_list(Subquery(its[:1]), flat=True)
    order = natural_key if model is Topic else str
    return sorted(filter(None, found), key=order)


def _named_among(model: type[Topic] | type[Document], found: Sequence[str]) -> str:
    """Return the first of some names in words, with the number of the others."""
    noun, n, first = model.__name__.lower(), len(found), list(found[:_NAMED])
    if n > _NAMED:
        first.append(found[_NAMED] if n == _NAMED + 1 else f"{n - _NAMED:,} others")
    return f"{noun}{'' if n == 1 else 's'} {get_text_list(first, 'and')}"
