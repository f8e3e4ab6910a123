"""What rests on topics and documents, and keeps them from being changed, deleted or undone."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery
from django.utils.text import get_text_list

from accounts.access import Refused
from campaigns.models.campaign import Campaign
from campaigns.models.moments import dated
from cleverdon.trec.ordering import natural_key
from cleverdon.trec.words import first_of, verb
from collection.from_above import DOCUMENT_MENTIONS, TOPIC_MENTIONS, USES, Mention, Use
from collection.models.imports import Import
from collection.models.texts import Document, DocumentVersion, Topic, TopicVersion

# Names in a sentence.
MOST_NAMED = 3
# All mentions of a kind for a topic in words, in this order, from the people they are by.
KINDS: dict[str, Callable[[Sequence[str]], str]] = {
    "pooled": lambda _: "pooled",
    "judged": lambda people: f"judged by {first_of(people, MOST_NAMED)}",
    "control": lambda people: f"answered as a control by {first_of(people, MOST_NAMED)}",
    "labelled": lambda programs: f"labelled by {first_of(programs, MOST_NAMED)}",
    "known grade": lambda _: "known grade",
    "practice": lambda _: "used for practice",
}


def mentions_of(
    campaign: Campaign, model: type[Topic] | type[Document], names: Collection[str]
) -> list[Mention]:
    hook = TOPIC_MENTIONS if model is Topic else DOCUMENT_MENTIONS
    return [each for mentions in hook(campaign, names) for each in mentions] if names else []


def in_words(mentions: Iterable[Mention]) -> dict[str, str]:
    """Return for each name what rests on it, for a document by topic.

    >>> in_words([Mention("d1", "3", "pooled"), Mention("d1", "3", "judged", by="Ada")])
    {'d1': 'topic 3: pooled, judged by Ada'}
    """
    by: dict[str, dict[tuple[str, str], list[str]]] = {kind: defaultdict(list) for kind in KINDS}
    for each in mentions:
        by[each.kind][each.name, each.topic].append(each.by)
    phrases: dict[tuple[str, str], list[str]] = defaultdict(list)
    for kind, words in KINDS.items():
        for place, people in by[kind].items():
            phrases[place].append(words([*dict.fromkeys(people)]))
    lines: dict[str, list[str]] = defaultdict(list)
    for (name, topic), parts in phrases.items():
        lines[name].append((f"topic {topic}: " if topic else "") + ", ".join(parts))
    return {name: "; ".join(each) for name, each in lines.items()}


def _uses(model: type[Topic] | type[Document], act: str) -> list[Use]:
    """Return the uses that may forbid an act."""
    return [use for use in USES if use.model is model and act in use.acts.split()]


def _in_use(use: Use, campaign: Campaign, names: Collection[str]) -> list[str]:
    """Return those of the names that are in use, sorted."""
    if use.model is Topic:
        return _used(Topic.objects.filter(campaign=campaign), use, campaign, names)
    return sorted(name for (name,) in _names(use, campaign, names))


def _names(
    use: Use, campaign: Campaign, among: Collection[str] | None = None
) -> QuerySet[Any, Any]:
    """Return, as rows of one column, the names in use, or those among the given ones."""
    rows = use.rows(campaign).order_by()
    rows = rows if among is None else rows.filter(**{f"{use.column}__in": among})
    return rows.values_list(use.column).distinct()


def fixed_among(
    campaign: Campaign,
    model: type[Topic] | type[Document],
    names: Collection[str],
    act: str = "change",
) -> set[str]:
    """Return the topics or documents that an act may not be done to.

    Another text of one that may not "change" has to be taken as a new version.
    """
    return {name for use in _uses(model, act) for name in _in_use(use, campaign, names)}


def check_can_delete(
    campaign: Campaign, model: type[Topic] | type[Document], name: str | None = None
) -> None:
    """Refuse to delete the one with this name, or all, if anything rests on it."""
    rows = model.objects.filter(campaign=campaign)
    for use in _uses(model, "delete"):
        if used := _used(rows, use, campaign, name and [name]):
            raise _refused(use, used, "deleted")


def why_not_delete_all(campaign: Campaign, model: type[Topic] | type[Document]) -> str:
    """Say what keeps all from being deleted, by one example; "" for nothing.

    A page asks at each opening: the others are looked for once the button is pressed.
    """
    for use in _uses(model, "delete"):
        named = model.objects.filter(campaign=campaign, **{model.name_field: OuterRef(use.column)})
        using = use.rows(campaign).order_by().filter(Exists(named))
        for name in using.values_list(use.column, flat=True)[:1]:
            return str(_refused(use, [name], "deleted"))
    return ""


def check_can_split(campaign: Campaign, numbers: Collection[str]) -> None:
    """Refuse to hide these topics, or to make them public, once something rests on it."""
    for use in _uses(Topic, "split"):
        if used := _in_use(use, campaign, numbers):
            raise _refused(use, used, "hidden or made public")


def _refused(use: Use, used: Sequence[str], done: str) -> Refused:
    text, be = _listed(use.model, used), "it is" if len(used) == 1 else "they are"
    return Refused(f"{text[0].upper()}{text[1:]} cannot be {done}: {be} {use.reason}.")


def can_be_undone(_: object, row: Import) -> None:
    """Refuse if it has not ended, was built on, or its texts are in use."""
    if row.state not in {Import.State.IMPORTED, Import.State.INTERRUPTED, Import.State.UNDOING}:
        raise Refused(f"This import is {row.state}: there is nothing to undo.")
    later = later_than(row)
    if reason := _what_keeps(row):
        raise Refused(f"This import cannot be undone: {reason}.")
    for each in later:
        if reason := _what_keeps(each):
            raise Refused(
                f"This import cannot be undone: {_named(each)} has replaced some of its texts "
                f"since, and cannot be undone either: {reason}. "
                "To have the earlier texts again, import a file with them."
            )
    if later:
        which = "that import" if len(later) == 1 else "these imports, in this order,"
        names = get_text_list([*map(_named, later)], "and")
        raise Refused(
            f"{names} {verb(len(later), 'has')} replaced some of these texts since: "
            f"undo {which} first."
        )


def added_topics(row: Import) -> QuerySet[Topic]:
    replaced = TopicVersion.objects.filter(topic=OuterRef("pk"), replaced_in=row)
    return Topic.objects.filter(~Exists(replaced), imported_in=row)


def later_than(row: Import) -> list[Import]:
    """Return the imports to undo before this one, in this order: they replaced its texts."""
    _, earlier = models_of(row)
    later: set[int] = set()
    last = {row.pk}
    while last:
        texts = earlier.objects.filter(imported_in__in=last)
        last = set(texts.values_list("replaced_in", flat=True)) - later
        later |= last
    rows = Import.objects.filter(pk__in=later).select_related("campaign")
    return list(rows.order_by("-imported_at", "-pk"))


def _named(row: Import) -> str:
    at = dated(row.imported_at or row.created_at, row.campaign.zone)
    return f"{row} (imported on {at}, {row.campaign.zone_name})"


def models_of(
    row: Import,
) -> tuple[type[Topic] | type[Document], type[TopicVersion] | type[DocumentVersion]]:
    is_topics = row.kind == Import.Kind.TOPICS
    return (Topic, TopicVersion) if is_topics else (Document, DocumentVersion)


def _what_keeps(row: Import) -> str:
    """Return what keeps the texts of an import, as the rest of a sentence; "" for nothing."""
    model, versions = models_of(row)
    every, mine = model.objects.filter(campaign=row.campaign), Q(imported_in=row)
    earlier = versions.objects.filter(**{model.__name__.lower(): OuterRef("pk")})
    added = every.filter(mine | Exists(earlier.filter(mine)))
    added = added.exclude(Exists(earlier.filter(replaced_in=row)))
    for act, concerned in (("undo", every.filter(mine)), ("remove", added)):
        for use in _uses(model, act):
            if used := _used(concerned, use, row.campaign):
                return f"{_listed(model, used)} {verb(len(used), 'is')} {use.reason}"
    return ""


def _used(
    rows: QuerySet[Any, Any], use: Use, campaign: Campaign, among: Collection[str] | None = None
) -> list[str]:
    """Return the names of rows that are in use, or of those among the given ones, sorted.

    Names in use are looked up among documents, as they are few compared with a large collection;
    topics are looked up in what uses them, as they are few compared with its rows. As the
    subqueries return one value, PostgreSQL cannot turn the search round.
    """
    name = use.model.name_field
    if use.model is Topic:
        rows = rows if among is None else rows.filter(number__in=among)
        using = use.rows(campaign).order_by().filter(**{use.column: OuterRef(name)})
        used = rows.annotate(use=Subquery(using.values("pk")[:1])).exclude(use=None)
        return sorted(used.values_list(name, flat=True), key=natural_key)
    named = rows.filter(**{name: OuterRef(use.column)}).values(name)[:1]
    found = _names(use, campaign, among).values_list(Subquery(named), flat=True)
    return sorted(filter(None, found))


def _listed(model: type[Topic] | type[Document], names: Sequence[str]) -> str:
    noun, n, first = model.__name__.lower(), len(names), list(names[:MOST_NAMED])
    if n > MOST_NAMED:
        first.append(names[MOST_NAMED] if n == MOST_NAMED + 1 else f"{n - MOST_NAMED:,} others")
    return f"{noun}{'' if n == 1 else 's'} {get_text_list(first, 'and')}"
