"""Agreement between assessors, and the documents that several of them have judged, as lists."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import starmap
from typing import Any, NamedTuple, Self

from django import forms
from django.db.models import Q

from accounts.access import can
from accounts.models import User
from agreement.access import AgreementFigures, version_seen
from agreement.core.differences import Difference, chosen
from agreement.tables import WeightRecord, weight_records
from agreement.tallies import Tallies, as_of, by_rule, so_far
from assess.core.rules import CARRIED
from assess.models.compared import TWICE
from assess.models.judging import Judgment, JudgmentQuerySet
from assess.models.official import OfficialGrade, official_by
from campaigns.core.criteria import Criterion
from campaigns.models.campaign import Campaign, SharedRule
from campaigns.noun import Noun, fields_of
from cleverdon.agreement.measured import Figure, Groups
from cleverdon.agreement.ratings import Ratings
from qrels.models import Qrels

# The rules by which documents that somebody judged have their official grade.
RULES = [("", "any rule"), *(each for each in OfficialGrade.Rule.choices if each[0] not in CARRIED)]


class AgreementFilter(forms.Form):
    """What figures are asked for: of a topic, of somebody with others or one, on a criterion.

    Those of a rule are of documents whose official grade comes by it.
    """

    topic = forms.CharField(required=False, max_length=100)
    assessor = forms.CharField(required=False, max_length=150)
    other = forms.CharField(required=False, max_length=150)
    criterion = forms.CharField(required=False, max_length=30)
    level = forms.IntegerField(required=False, min_value=1, max_value=9)
    rule = forms.ChoiceField(required=False, choices=RULES, label="official by")


@dataclass(frozen=True)
class Asked:
    """Ratings by a criterion; the level of relevance if that is what it says."""

    ratings: Ratings
    criterion: Criterion
    level: int | None

    @property
    def of_several(self) -> bool:
        """Whether more than two people are compared."""
        return len({*self.ratings.rater.ravel().tolist()} - {-1}) > 2

    def groups(self) -> Groups:
        return Groups(self.ratings, self.level or 0)

    def by_topic(self) -> Groups:
        return Groups.by_topic(self.ratings, self.level or 0)

    def by_pair(self) -> tuple[list[tuple[str, str]], Groups]:
        """Return the names of each two assessors, and their groups."""
        pairs, groups = Groups.by_pair(self.ratings, self.level or 0)
        names = self.ratings.raters
        return [(names[one], names[other]) for one, other in pairs], groups

    def every(self, groups: Groups) -> Iterator[tuple[Figure, ...]]:
        """Yield each coefficient by group: those of relevance only if there is a level."""
        found = groups.every()
        return (each for each in found if self.level is not None or each[0].on == "grades")


@dataclass(frozen=True)
class Seen:
    """What somebody sees figures of: judgments so far, or as of a version; names or not."""

    campaign: Campaign
    tallies: Tallies
    version: Qrels | None
    with_names: bool

    @classmethod
    def by(cls, user: User, campaign: Campaign) -> Self:
        version, criteria = version_seen(user, campaign), campaign.every_criterion
        found = as_of(version, criteria) if version else so_far(campaign)
        return cls(campaign, found, version, can(AgreementFigures.see_pairs, user, campaign))

    def _by(self, rule: str) -> Tallies:
        return by_rule(self.campaign, self.campaign.every_criterion, rule, self.version)

    def knows(self, rule: str) -> bool:
        """Whether it is known which documents had their official grade by a rule.

        Of shared topics a version says so by its own rule, which one of other grades has not.
        """
        return not (self.version and self.version.is_other and rule in SharedRule.values)

    def asked(
        self,
        *,
        topic: str = "",
        assessor: str = "",
        other: str = "",
        criterion: str = "",
        level: int | None = None,
        rule: str = "",
    ) -> Asked:
        """Return the ratings asked for: none of an unknown criterion, or of names not seen."""
        names = {each.name: each for each in self.campaign.every_criterion}
        its = names.get(criterion) or next(iter(names.values()))
        tallies = self._by(rule) if rule else self.tallies
        ratings = chosen(tallies.by_criterion[its.name], topic, assessor, other)
        if criterion not in {"", its.name} or ((assessor or other) and not self.with_names):
            ratings = ratings.only(ratings.n < 0)
        is_first = its.level is not None
        return Asked(ratings, its, (level or its.level or 0) if is_first else None)


class AgreementRecord(NamedTuple):
    """A coefficient of agreement with its 95 % interval: of all, of a topic, or of two assessors.

    It is `on` relevance, on grades, or on the answers to a further criterion.
    """

    topic: str | None
    assessor: str | None
    other: str | None
    on: str
    coefficient: str
    value: float | None
    low: float | None
    high: float | None
    documents: int
    weighted: int
    left_out: str
    why_undefined: str


# A topic, or two assessors.
Named = tuple[str | None, str | None, str | None]


def _record(asked: Asked, its: Figure, names: Named, n_weighted: int) -> AgreementRecord:
    on = asked.criterion.name if asked.level is None else its.on
    units = f"{its.n_units} {'documents' if its.of_documents else 'topics'}"
    value, key = (its.value, its.low, its.high), its.coefficient.key
    return AgreementRecord(*names, on, key, *value, its.n, n_weighted, units, its.why)


def _records(seen: Seen, **filters: Any) -> Iterator[AgreementRecord]:
    asked = seen.asked(**filters)
    whole = asked.groups()
    for (figure,) in asked.every(whole):
        yield _record(asked, figure, (None, None, None), int(whole.n_weighted[0]))
    topics = asked.ratings.topics
    of_topics: list[Named] = [(each, None, None) for each in topics]
    groups = [(of_topics, asked.by_topic())]
    if seen.with_names:
        pairs, of_pairs = asked.by_pair()
        groups.append(([(None, *pair) for pair in pairs], of_pairs))
    for names, its in groups:
        by_coefficient, n_weighted = list(asked.every(its)), its.n_weighted.tolist()
        for n, name in enumerate(names):
            if its.n[n]:
                yield from (
                    _record(asked, figures[n], name, n_weighted[n]) for figures in by_coefficient
                )


AGREEMENT = Noun(
    name="agreement",
    see=AgreementFigures.see,
    rows=Seen.by,
    filters=AgreementFilter,
    found=_records,
    fields=fields_of(
        AgreementRecord,
        topic="none in rows of all topics",
        coefficient="as docs/agreement.md names them",
        low="of the 95 % interval, null where `why_undefined` says why",
        documents="judged by two people or more",
        weighted="of them by what they stand for, as samples were drawn by first grade",
        left_out="how many topics, or documents of one topic, the interval leaves out in turn",
    ),
    help="Agreement in all, by topic, and for organizers by pair of assessors, by coefficient.",
)


class DisagreementFilter(forms.Form):
    """Which documents are asked for; of somebody's, that person's grade is the first one.

    Those of two grades are listed whatever these are, all others if they are `at_least` so many
    steps apart, 1 unless it is said.
    """

    topic = forms.CharField(required=False, max_length=100)
    assessor = forms.CharField(required=False, max_length=150)
    other = forms.CharField(required=False, max_length=150)
    criterion = forms.CharField(required=False, max_length=30)
    grade = forms.IntegerField(required=False, min_value=-2, max_value=9)
    other_grade = forms.IntegerField(required=False, min_value=-2, max_value=9)
    steps = forms.IntegerField(required=False, min_value=0, max_value=11, label="steps apart")
    at_least = forms.IntegerField(
        required=False, min_value=0, max_value=11, label="steps apart at least"
    )
    level = forms.IntegerField(required=False, min_value=1, max_value=9, label="relevant from")
    rule = forms.ChoiceField(required=False, choices=RULES, label="official by")
    relevant = forms.ChoiceField(
        required=False,
        label="relevant",
        choices=[
            ("", "whatever they say"),
            ("both", "to both"),
            ("first", "to the first alone"),
            ("second", "to the second alone"),
            ("neither", "to neither"),
            ("one", "to one of them"),
        ],
    )


class Differences(Sequence[Difference]):
    """Documents with two grades, the farthest apart first; slices are read as asked for."""

    def __init__(self, found: JudgmentQuerySet) -> None:
        self.found = found.order_by("-steps", "topic__sort_key", "item__key", "its_pk", "pk")

    def __len__(self) -> int:
        return self.found.count()

    def __iter__(self) -> Iterator[Difference]:
        return starmap(Difference, self.found.values_list(*TWICE).iterator(2000))

    def __getitem__(self, at: Any) -> Any:
        return [*starmap(Difference, self.found.values_list(*TWICE)[at])]


def differences(
    campaign: Campaign, topics: Iterable[str] | None = None, **asked: Any
) -> Differences:
    """Return the documents that `DisagreementFilter` asks for, of these topics or of all."""
    criteria = campaign.every_criterion
    its = next((each for each in criteria if each.name == asked.get("criterion")), criteria[0])
    of_campaign = campaign.topic_set.all()
    numbers = [asked["topic"]] if asked.get("topic") else topics
    if numbers is not None:
        of_campaign = of_campaign.filter(number__in=numbers)
    found = Judgment.objects.independent().in_pairs(
        its, criteria, list(of_campaign.values_list("pk", flat=True))
    )
    found = found.filter(_of_people(**asked), _of_grades(**asked))
    found = found.filter(official_by(asked.get("rule", "")))
    level = asked.get("level") or its.level or 0
    return Differences(found.filter(_of_relevance(level, asked.get("relevant", ""))))


def _of_people(assessor: str = "", other: str = "", **_: Any) -> Q:
    if other and not assessor:
        assessor, other = other, ""
    rows = Q(its_assessor=assessor) if assessor else Q(is_in_order=True)
    return rows & (Q(assessor__username=other) if other else Q())


def _of_grades(
    grade: int | None = None,
    other_grade: int | None = None,
    steps: int | None = None,
    at_least: int | None = None,
    relevant: str = "",
    **_: Any,
) -> Q:
    exact = {"first_grade": grade, "second_grade": other_grade, "steps": steps}
    known = {name: value for name, value in exact.items() if value is not None}
    if at_least is None:
        at_least = 0 if known or relevant else 1
    return Q(**known, steps__gte=at_least)


def _of_relevance(level: int, relevant: str) -> Q:
    first, second = Q(first_grade__gte=level), Q(second_grade__gte=level)
    return {
        "both": first & second,
        "first": first & ~second,
        "second": ~first & second,
        "neither": ~first & ~second,
        "one": (first & ~second) | (~first & second),
    }.get(relevant, Q())


DISAGREEMENTS = Noun(
    name="disagreements",
    see=AgreementFigures.see_pairs,
    rows=lambda _, campaign: campaign,
    filters=DisagreementFilter,
    found=differences,
    fields={
        name: field
        for name, field in fields_of(
            Difference, steps="of the scale between the two grades"
        ).items()
        if "assignment" not in name
    },
    help="Documents with two different grades, the farthest first. Of the two grades the primary "
    "assessor's, or the earlier one, comes first.",
)


WEIGHTS = Noun(
    name="weights",
    see=AgreementFigures.see_pairs,
    rows=lambda _, campaign: weight_records(campaign),
    fields=fields_of(
        WeightRecord, weight="documents / compared, over the mean of that in the topic"
    ),
    help="What documents weigh in agreement, in topics with samples drawn by first grade.",
)
