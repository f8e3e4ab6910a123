"""What is judged twice, counted: kept by topic as long as its judgments do not change."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from django.core.cache import cache
from django.db.models import Count
from django.db.models.fields.files import FieldFile

from accounts.models import User
from agreement.core.kept import twice_answered
from assess.models.assigning import Assignment
from assess.models.judging import Judgment
from campaigns.core.criteria import DOCUMENT, Criterion
from campaigns.models.campaign import Campaign
from cleverdon.agreement.statistics import Tally, tallied
from cleverdon.trec.words import counted
from qrels.services.kept_judgments import unpacked

KEPT_SECONDS = 7 * 24 * 3600


class Tallies(NamedTuple):
    """All pairs of judgments, by criterion, and how many documents they are of.

    `grades` are the pairs by the first criterion, which gives the grades of documents.
    """

    by_criterion: Mapping[str, Tally]
    grades: Tally
    n_documents: int

    @property
    def in_pairs(self) -> bool:
        """Whether a document was judged by more than two people and so has several pairs."""
        return self.n_documents < self.grades.total()

    def __str__(self) -> str:
        documents = counted(self.n_documents, "document")
        if not self.in_pairs:
            return f"{documents} judged twice"
        return f"{self.grades.total():,} pairs of judgments of {documents}"


@lru_cache(maxsize=4)  # a file never changes
def as_of(judgments: FieldFile, criteria: tuple[str, ...]) -> Tallies:
    """Count what was judged twice when a version of the qrels kept its judgments."""
    found = twice_answered(unpacked(judgments), criteria)
    tallies = {name: tallied(rows) for name, rows in found.items()}
    n_documents = len({(topic, docno) for topic, docno, *_ in found[criteria[0]]})
    return Tallies(tallies, tallies[criteria[0]], n_documents)


def so_far(campaign: Campaign) -> Tallies:
    """Count what is judged twice now; only topics with changes since they were counted are read."""
    criteria = campaign.every_criterion
    names_of = [each.name for each in criteria]
    # Read before the judgments: of what changes meanwhile the mark is old, so it is read again.
    marks = _marks(campaign, names_of)
    kept = cache.get(f"twice:{campaign.pk}", {})
    if stale := [topic for topic, mark in marks.items() if kept.get(topic, [None])[0] != mark]:
        kept = {topic: kept.get(topic) for topic in marks}
        kept |= {topic: (marks[topic], *of) for topic, of in _counted(stale, criteria).items()}
        cache.set(f"twice:{campaign.pk}", kept, KEPT_SECONDS)
    numbers = dict(campaign.topic_set.values_list("pk", "number"))
    rows = [(numbers[topic], *row) for topic in marks for row in kept[topic][1]]
    people = {pk for _, one, other, *_ in rows for pk in (one, other)}
    names = dict(User.objects.filter(pk__in=people).values_list("pk", "username"))
    found: dict[str, Tally] = {name: Counter() for name in names_of}
    for number, one, other, *answers, n in rows:
        for name, mine, its in zip(names_of, answers[::2], answers[1::2], strict=True):
            if mine is not None and its is not None:
                found[name][number, names[one], mine, names[other], its] += n
    return Tallies(found, found[names_of[0]], sum(kept[topic][2] for topic in marks))


def _marks(campaign: Campaign, criteria: list[str]) -> dict[int, list[Any]]:
    """Return what changes with the judgments of each topic that has two assignments or more."""
    marks: dict[int, list[Any]] = defaultdict(lambda: [criteria])
    of_campaign = Assignment.objects.counting().filter(topic__campaign=campaign).order_by("pk")
    for topic, pk, n_changes in of_campaign.values_list("topic", "pk", "n_changes"):
        marks[topic].append((pk, n_changes))
    return {topic: mark for topic, mark in marks.items() if len(mark) > 2}


def _counted(topics: list[int], criteria: Sequence[Criterion]) -> dict[int, tuple[list[Any], int]]:
    """Return by topic who gave which answers, with how many documents, and all its documents."""
    judgments = Judgment.objects.counting().filter(topic__in=topics)
    documents = judgments.twice().filter(item__kind=DOCUMENT).order_by().values_list("topic")
    n_documents = dict(documents.annotate(n=Count("item", distinct=True)))
    rows: dict[int, list[Any]] = defaultdict(list)
    for topic, *row in judgments.twice_counted(criteria):
        rows[topic].append(row)
    return {topic: (rows[topic], n_documents.get(topic, 0)) for topic in topics}
