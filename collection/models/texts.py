"""Topics and documents, with their earlier texts."""

from collections.abc import Iterable
from typing import Any, NamedTuple, Self, cast

from django.db import models
from django.db.models import Count, F, Func, Max, Q, Sum
from django.db.models.functions import Left
from django.utils import timezone

from accounts.models import User
from campaigns.models.campaign import Campaign
from campaigns.models.ordering import containing
from campaigns.models.releases import Release
from cleverdon.trec.ordering import MAX_LENGTH, natural_key
from cleverdon.trec.topics import MAX_NUMBER, PUBLIC
from cleverdon.trec.versions import version
from collection.core.readability import EMPTY, UNREADABLE
from collection.core.reading import PART
from collection.models.columns import fault_of, sha256_of
from collection.models.imports import Import
from collection.models.parts import InParts

TITLE_LENGTH = 300  # characters in a list
HTML = "Of an HTML document, sanitized, a block a line; `text` is then what it says."


def listed_title(title: str = "title") -> Left:
    """Return as much of a title as a list shows: one may be as long as a text."""
    return Left(title, TITLE_LENGTH)


class SortKey(models.CharField[str, str]):
    """The natural order of a row's number, computed whenever the row is written."""

    def __init__(self, **options: Any) -> None:
        super().__init__(
            **{"max_length": MAX_LENGTH, "db_collation": "C", "editable": False, **options}
        )

    def pre_save(self, model_instance: models.Model, add: bool) -> str:
        # Django calls this for `save` and `bulk_create` alike.
        key = natural_key(model_instance.number)  # type: ignore[attr-defined]
        setattr(model_instance, self.attname, key)
        return key


class Versioned(models.Model):
    """A text with versions: another text of the same name is a new one, and the earlier is kept."""

    version = models.PositiveIntegerField(
        default=1, db_default=1, help_text="Counted from 1, anew for each text."
    )
    last_version = models.PositiveIntegerField(
        default=1,
        db_default=1,
        help_text=(
            "The highest version there has been: after an undo no other text gets its number."
        ),
    )
    imported_in = models.ForeignKey(
        Import, on_delete=models.RESTRICT, related_name="+", null=True, blank=True
    )

    class Meta:
        abstract = True

    @property
    def n_undone(self) -> int:
        """How many versions are gone, because their import was undone."""
        n_earlier: int = self.earlier.count()  # type: ignore[attr-defined]
        return self.last_version - n_earlier - 1


class Earlier(models.Model):
    """The text of an earlier version, and who replaced it when."""

    version = models.PositiveIntegerField()
    title = models.TextField(blank=True)
    imported_in = models.ForeignKey(
        Import, on_delete=models.RESTRICT, related_name="+", null=True, blank=True
    )
    replaced_in = models.ForeignKey(Import, on_delete=models.RESTRICT, related_name="+")
    replaced_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    replaced_at = models.DateTimeField(default=timezone.now)

    class Meta:
        abstract = True


class TopicQuerySet(models.QuerySet["Topic"]):
    def numbers_in(self, split: str) -> list[str]:
        return list(self.filter(split=split).values_list("number", flat=True))

    def matching(self, words: str) -> Self:
        """Return the one with exactly this number, or those with each word in number or title."""
        exact = self.filter(number__iexact=words.strip())
        if words and exact.exists():
            return exact
        return self.filter(*(containing(word, "number", "title") for word in words.split()))


EveryTopic = models.Manager.from_queryset(TopicQuerySet)


class TopicManager(EveryTopic["Topic"]):
    """The topics of the campaign, without the one to practice on."""

    def get_queryset(self) -> TopicQuerySet:
        return cast("TopicQuerySet", super().get_queryset().filter(is_practice=False))


class Topic(Versioned):
    """A statement of an information need."""

    name_field = "number"

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE)
    number = models.CharField(max_length=MAX_NUMBER, db_collation="C")
    sort_key = SortKey()
    title = models.TextField()
    description = models.TextField(blank=True)
    narrative = models.TextField(blank=True)
    is_practice = models.BooleanField(
        default=False,
        db_default=False,
        help_text="Assessors practice on it. It has no number and is in no pool.",
    )
    # A hidden topic is left out of scores that are shown before the final ones.
    split = models.CharField(max_length=6, default=PUBLIC, db_default=PUBLIC)
    releases = models.ManyToManyField(Release, related_name="topics", help_text="That name it.")
    sha256 = sha256_of("title", "description", "narrative")

    # The first is Django's default manager.
    objects = TopicManager()
    every = TopicQuerySet.as_manager()

    class Meta:
        # Natural order: 2 before 10. Files in trec_eval's layout sort by the bytes of `number`.
        ordering = ["sort_key", "number"]
        constraints = [
            models.UniqueConstraint(fields=["campaign", "number"], name="one_topic_per_number")
        ]

    def __str__(self) -> str:
        return self.number or "practice"

    @property
    def in_words(self) -> str:
        return "practice" if self.is_practice else f"topic {self.number}"

    def neighbors(self, among: TopicQuerySet) -> tuple["Topic | None", "Topic | None"]:
        """Return the topics before and after it among those that the reader sees."""
        others = among.only("number", "title", "sort_key")
        here, same = self.sort_key, Q(sort_key=self.sort_key)
        before = others.filter(Q(sort_key__lt=here) | same & Q(number__lt=self.number))
        after = others.filter(Q(sort_key__gt=here) | same & Q(number__gt=self.number))
        return before.last(), after.first()


class TopicVersion(Earlier):
    """An earlier version of a topic's statement."""

    topic = models.ForeignKey(Topic, on_delete=models.CASCADE, related_name="earlier")
    description = models.TextField(blank=True)
    narrative = models.TextField(blank=True)
    sha256 = sha256_of("title", "description", "narrative")

    class Meta:
        ordering = ["-version"]
        constraints = [
            models.UniqueConstraint(
                fields=["topic", "version"], name="one_text_per_version_of_a_topic"
            )
        ]

    def __str__(self) -> str:
        return f"topic {self.topic}, version {self.version}"


class CollectionFacts(NamedTuple):
    """How many documents there are, how long, and in which languages.

    Empty and unreadable ones cannot be graded; those with only a title can.
    """

    n: int
    n_bytes: int = 0
    n_empty: int = 0
    languages: tuple[tuple[str, int], ...] = ()  # the most frequent first
    n_more_languages: int = 0
    n_unreadable: int = 0
    n_only_title: int = 0


class DocumentQuerySet(models.QuerySet["Document"]):
    # Looking at more would take too long for a page.
    MOST_LOOKED_AT = 200_000
    LANGUAGES = 8

    def with_length(self) -> Self:
        """Annotate the `length` of each text in bytes, without reading it."""
        length = Func(F("text"), function="octet_length", output_field=models.BigIntegerField())
        return self.annotate(length=length)

    def titles(self, docnos: Iterable[str]) -> dict[str, str]:
        """Return the beginnings of the titles of these documents, for a list, by docno."""
        rows = self.filter(docno__in=docnos).annotate(beginning=listed_title())
        return dict(rows.values_list("docno", "beginning"))

    def readable(self, docnos: Iterable[str]) -> Self:
        """Return those of these documents that can be read."""
        return self.filter(docno__in=docnos, fault="")

    def facts(self) -> CollectionFacts:
        """Return facts about the documents; of very many only their number."""
        n = self.count()
        if not 0 < n <= self.MOST_LOOKED_AT:
            return CollectionFacts(n)
        sized = self.order_by().with_length().values("language")
        rows = sized.annotate(
            n=Count("pk"),
            n_bytes=Sum("length"),
            n_empty=Count("pk", filter=Q(fault=EMPTY)),
            n_unreadable=Count("pk", filter=Q(fault=UNREADABLE)),
            n_only_title=Count("pk", filter=Q(fault="", length=0)),
        )
        by_language = list(rows.order_by("-n", "language"))
        languages = tuple((row["language"], row["n"]) for row in by_language)
        totals = {
            name: sum(row[name] for row in by_language)
            for name in ("n_bytes", "n_empty", "n_unreadable", "n_only_title")
        }
        return CollectionFacts(
            n,
            languages=languages[: self.LANGUAGES],
            n_more_languages=max(len(languages) - self.LANGUAGES, 0),
            **totals,
        )


class Document(InParts, Versioned):
    """The unit judged and ranked. The docno never changes."""

    name_field = "docno"

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE)
    docno = models.CharField(max_length=255, db_collation="C")
    title = models.TextField(blank=True)
    text = models.TextField(blank=True)
    url = models.TextField(blank=True)
    language = models.CharField(max_length=35, blank=True)
    html = models.TextField(blank=True, help_text=HTML)
    sha256 = sha256_of("title", "text", "url", "language", "html")
    fault = fault_of("title", "text")

    objects = DocumentQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["campaign", "docno"], name="one_document_per_docno")
        ]
        indexes = [
            # `JudgmentQuerySet.of_unreadable`, at each opening of the page of the qrels.
            models.Index(
                fields=["campaign"], condition=models.Q(fault__gt=""), name="unreadable_texts"
            )
        ]

    def __str__(self) -> str:
        return self.docno


def text_shown(text: str, start: int = 0, title: str = "") -> Document:
    """Return a text that is not stored as a document, to be shown from a character on."""
    shown = Document(title=title, text=text)
    shown.window, shown.is_html = text[start : start + PART + 1], False
    shown.start, shown.size, shown.fault = start, PART, ""
    return shown


class DocumentVersion(InParts, Earlier):
    """An earlier version of a document."""

    document = models.ForeignKey(Document, on_delete=models.CASCADE, related_name="earlier")
    text = models.TextField(blank=True)
    url = models.TextField(blank=True)
    language = models.CharField(max_length=35, blank=True)
    html = models.TextField(blank=True, help_text=HTML)
    sha256 = sha256_of("title", "text", "url", "language", "html")

    class Meta:
        ordering = ["-version"]
        constraints = [
            models.UniqueConstraint(
                fields=["document", "version"], name="one_text_per_version_of_a_document"
            )
        ]

    def __str__(self) -> str:
        return f"{self.document}, version {self.version}"


def seen_of(rows: models.QuerySet[Any]) -> str:
    """Return the version of a list of topics or documents, of which none comes back once gone."""
    n, last = rows.order_by().aggregate(n=Count("pk"), last=Max("pk")).values()
    return version(n, last or 0)
