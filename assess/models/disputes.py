"""Documents that assessors graded differently, and what each of them said."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

from django.db.models import Aggregate, Exists, F, Max, Min, OuterRef, Q, SmallIntegerField

from assess.core.purposes import SHARED
from assess.core.rules import CORRECTION
from assess.models.judging import Judgment
from assess.models.official import OfficialGrade
from assess.models.presenting import present_version
from assess.models.sharing import SharedDocument
from campaigns.core.criteria import key_of
from campaigns.models.campaign import SharedRule
from cleverdon.pools.seeds import seed_for, shuffled
from cleverdon.trec.versions import version

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from assess.models.serving import AssignmentEntry
    from campaigns.models.campaign import Campaign


class Dispute(NamedTuple):
    """An item, by ids, whose lowest and highest grade are so many steps of its scale apart.

    One that `is_tied` has no official grade until it is decided.
    """

    topic: int
    item: int
    steps: int
    is_tied: bool


class Mode(Aggregate):
    """The most frequent value, of several the first in a direction."""

    template = "mode() WITHIN GROUP (ORDER BY %(expressions)s %(direction)s)"
    output_field = SmallIntegerField()


# The grades of a shared topic's document that were given most often: the lowest and the highest.
MODES = {
    f"{name}_mode": Mode("grade", direction=direction, filter=Q(purpose=SHARED))
    for name, direction in (("low", "ASC"), ("high", "DESC"))
}


def disputes(
    campaign: Campaign,
    topics: Collection[int],
    least_steps: int = 1,
    items: Collection[int] | None = None,
) -> list[Dispute]:
    """Return the disputes of these topics, the farthest first; with `items` only of these.

    A document of a shared topic counts once it has its judgments, and one that an organizer has
    corrected is decided. Ties that the campaign's rule leaves to adjudication count whatever the
    distance.
    """
    rows = Judgment.objects.independent().graded().filter(topic__in=topics)
    if items is not None:
        rows = rows.filter(item__in=items)
    waiting = SharedDocument.objects.unsettled().filter(item=OuterRef("item"))
    corrected = OfficialGrade.objects.current().filter(item=OuterRef("item"), rule=CORRECTION)
    grouped = rows.order_by().values("topic", "item", "item__kind", "item__key")
    grouped = grouped.annotate(low=Min("grade"), high=Max("grade")).exclude(low=F("high"))
    decides_ties = campaign.shared_rule == SharedRule.DECIDED_MAJORITY
    grouped = grouped.annotate(**MODES) if decides_ties else grouped
    grouped = grouped.exclude(Exists(waiting)).exclude(Exists(corrected))
    step = {
        kind: {each.value: n for n, each in enumerate(criterion.answers)}
        for kind, criterion in campaign.graded_by.items()
    }
    found = []
    for row in grouped.order_by("topic", "item__key"):
        of = step[row["item__kind"]]
        steps = of[row["high"]] - of[row["low"]]
        is_tied = decides_ties and row["low_mode"] != row["high_mode"]
        if steps >= least_steps or is_tied:
            found.append(Dispute(row["topic"], row["item"], steps, is_tied))
    return sorted(found, key=lambda each: -each.steps)


def decided(topics: Collection[int]) -> set[int]:
    """Return the items of these topics that an adjudicator has graded."""
    graded = Judgment.objects.adjudication().graded().filter(topic__in=topics)
    return set(graded.values_list("item", flat=True))


class Opinion(NamedTuple):
    """What an assessor said of a document, under a letter; `name` is "" while it is hidden."""

    letter: str
    name: str
    grade: int
    label: str
    ratings: dict[str, int]
    comment: str
    passages: list[list[object]]
    beside: list[tuple[str, str, bool]]  # criterion, answer, and whether the answers differ
    is_earlier: bool  # said of a text that was replaced since

    @property
    def said(self) -> str:
        """What goes with the grade if it is taken, as JSON."""
        return json.dumps({"ratings": self.ratings, "passages": self.passages})


def version_of(said: Sequence[Opinion]) -> str:
    """Return the version of what assessors said of a document, names aside."""
    return version(*((each.letter, each.grade, each.said, each.comment) for each in said))


def steps_between(said: Sequence[Opinion], scale: Sequence[int]) -> int:
    """Return how many steps of a scale lie between the lowest and the highest grade."""
    at = [scale.index(each.grade) for each in said if each.grade in scale]
    return max(at) - min(at) if at else 0


def opinions(entry: AssignmentEntry) -> list[Opinion]:
    """Return the independent judgments of an adjudicator's document, in an order drawn for it.

    They have names once it is graded. Passages are as on judging pages: the characters before
    each, and its text.
    """
    named = entry.own is not None and entry.own.state == Judgment.State.JUDGED
    rows = Judgment.objects.independent().graded().filter(item=entry.item_id)
    rows = rows.select_related("assessor").annotate(present=present_version()).order_by("pk")
    by_name = {each.assessor.username: each for each in rows}
    drawn = shuffled(by_name, seed_for(entry.assignment.seed, entry.docno))
    given = [by_name[name] for name in drawn]
    campaign = entry.assignment.topic.campaign
    labels = campaign.graded_by[entry.item.kind].fixed
    of_kind = campaign.criteria_about(entry.item.kind)
    beside = {key_of(each, of_kind): each for each in of_kind[1:]}
    answers = {name: {each.ratings.get(name) for each in given} - {None} for name in beside}
    differ = {name for name, values in answers.items() if len(values) > 1}
    return [
        Opinion(
            chr(ord("A") + n),
            str(each.assessor) if named else "",
            grade,
            labels.get(grade, ""),
            each.ratings,
            each.comment,
            [[before, text] for _, _, before, text in each.passages],
            [
                (name, beside[name].fixed.get(value, str(value)), name in differ)
                for name, value in each.ratings.items()
                if name in beside
            ],
            each.document_version != each.present,
        )
        for n, each in enumerate(given)
        if (grade := each.grade) is not None
    ]
