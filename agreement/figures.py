"""Flags of a campaign's judging, for organizers, and the documents that each of them is about.

They read what counts and was given without a look at others, and the answers to controls: neither
practice nor adjudication, whose documents are chosen for their grades.
"""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from itertools import chain, repeat
from typing import Any, NamedTuple

import numpy as np
from django.db import connection
from django.db.models import Q, Sum

from accounts.models import User
from agreement.core.findings import NO_GRADE, Found, Judged, Work
from agreement.core.flags import KINDS, Kind, flags_of
from agreement.models import compared
from assess.core.purposes import INDEPENDENT
from assess.models.judging import Judgment
from assess.models.pacing import kept_of_many
from campaigns.core.criteria import DOCUMENT
from campaigns.models.campaign import Campaign
from collection.models.texts import Topic

# The columns of `Judged`, of the judgments that count and are decided.
JUDGED = """
    SELECT judgment.id, judgment.assessor_id, judgment.topic_id,
        coalesce((
            SELECT entry.batch_id FROM pooling_poolentry entry
            JOIN pooling_batch batch ON batch.id = entry.batch_id
            WHERE entry.item_id = judgment.item_id AND entry.standing = 'new'
                AND batch.pool_id IS NOT NULL
        ), 0),
        extract(epoch FROM coalesce(judgment.decided_at, judgment.changed_at))::float8,
        judgment.change, coalesce(judgment.grade, %(none)s),
        coalesce(sum(event.active_ms) FILTER (WHERE event.by_id IS NULL), 0) / 1000.0::float8
    FROM assess_judgment judgment
    JOIN collection_topic topic ON topic.id = judgment.topic_id
    JOIN collection_item item ON item.id = judgment.item_id
    LEFT JOIN assess_judgmentevent event ON event.judgment_id = judgment.id
    WHERE topic.campaign_id = %(campaign)s AND judgment.set_aside_at IS NULL
        AND judgment.state = ANY(%(decided)s) AND judgment.purpose = ANY(%(purposes)s)
        AND item.kind = %(kind)s
    GROUP BY judgment.id
"""
TYPES = (np.int64, np.int64, np.int64, np.int64, np.float64, np.int64, np.int64, np.float64)


class Flag(NamedTuple):
    """A flag with its kind, the person, and the topic, None if it is of all."""

    kind: Kind
    assessor: User
    topic: Topic | None
    found: Found

    @property
    def since(self) -> datetime:
        return datetime.fromtimestamp(self.found.since, UTC)

    @property
    def first(self) -> int:
        """The judgment that it begins with, which no other flag of its kind does."""
        return self.found.ids[0]

    @property
    def number(self) -> str | None:
        return self.topic.number if self.topic else None


class Flagged(NamedTuple):
    """A judgment that a flag is about; `note` says which part it has in that."""

    flag: Flag
    judgment: int
    note: str


class FlaggedDocument(NamedTuple):
    """What was judged, of a flag; `active_seconds` is None where no time was sent."""

    flag: Flag
    judgment: Judgment
    active_seconds: float | None
    note: str

    @property
    def decided_at(self) -> datetime:
        return self.judgment.decided_at or self.judgment.changed_at


def flags(campaign: Campaign) -> list[Flag]:
    """Return the flags of a campaign; of many judgments they are as of some minutes ago."""
    found = kept_of_many(
        campaign, "flags", lambda: [(kind.key, each) for kind, each in flags_of(work_of(campaign))]
    )
    kinds = {kind.key: kind for kind in KINDS}
    people = User.objects.in_bulk({each.assessor for _, each in found})
    topics = campaign.topic_set.in_bulk({each.topic for _, each in found if each.topic})
    return [
        Flag(kinds[key], people[each.assessor], topics[each.topic] if each.topic else None, each)
        for key, each in found
    ]


def work_of(campaign: Campaign) -> Work:
    """Read what the flags of a campaign are computed from."""
    answers = list(compared(campaign))
    people = User.objects.filter(username__in={each.assessor for each in answers})
    scale = campaign.scale
    return Work(
        _judged(campaign).in_order(),
        scale.level,
        answers,
        dict(people.values_list("username", "pk")),
        [grade.value for grade in scale.grades],
    )


def _judged(campaign: Campaign) -> Judged:
    values: dict[str, Any] = {
        "campaign": campaign.pk,
        "none": NO_GRADE,
        "decided": list(Judgment.DECIDED_STATES),
        "purposes": list(INDEPENDENT),
        "kind": DOCUMENT,
    }
    with connection.cursor() as cursor:
        cursor.execute(JUDGED, values)
        columns = list(zip(*cursor.fetchall(), strict=True)) or [()] * len(TYPES)
    typed: Any = (np.array(each, kind) for each, kind in zip(columns, TYPES, strict=True))
    return Judged(*typed)


def flagged(flags: Iterable[Flag]) -> list[Flagged]:
    """Return the judgments that flags are about, each flag's in its own order."""
    return [
        Flagged(flag, judgment, note)
        for flag in flags
        for judgment, note in zip(flag.found.ids, chain(flag.found.notes, repeat("")))  # noqa: B905 - endless
    ]


def documents_of(rows: Iterable[Flagged]) -> Iterator[FlaggedDocument]:
    """Yield the documents of some rows, without judgments that are gone since."""
    rows = list(rows)
    judgments = Judgment.objects.served().filter(pk__in={each.judgment for each in rows})
    judgments = judgments.annotate(ms=Sum("events__active_ms", filter=Q(events__by=None)))
    by_pk = {each.pk: each for each in judgments.select_related("item", "topic")}
    for each in rows:
        if its := by_pk.get(each.judgment):
            yield FlaggedDocument(each.flag, its, (its.ms or 0) / 1000 or None, each.note)
