"""Agreement between assessors, and where they differ, as lists."""

from collections.abc import Iterator
from typing import NamedTuple

from accounts.access import can
from accounts.models import User
from agreement.access import AgreementFigures, version_seen
from agreement.core.differences import Difference, differences
from agreement.tallies import as_of, so_far
from assess.models.judging import Judgment
from campaigns.models.campaign import Campaign
from campaigns.noun import Noun, fields_of
from cleverdon.agreement.statistics import ComparedGrades, agreement_report


class AgreementRecord(NamedTuple):
    """How far two judgments of a document agree: in all, on a topic, or of two assessors."""

    topic: str | None
    assessor: str | None
    other: str | None
    documents: int
    equal: float | None
    kappa: float | None
    equal_relevance: float | None
    kappa_relevance: float | None
    why_undefined: str


def _record(
    its: ComparedGrades, topic: str | None = None, one: str | None = None, other: str | None = None
) -> AgreementRecord:
    graded, binary = its.graded, its.binary
    own = (graded.n, graded.raw, its.graded_kappa, binary.raw, its.kappa)
    return AgreementRecord(topic, one, other, *own, binary.reason or graded.reason)


def _agreement(user: User, campaign: Campaign) -> list[AgreementRecord]:
    """Return the figures that somebody may see: names of assessors are for organizers alone."""
    version, scale = version_seen(user, campaign), campaign.scale
    criteria = tuple(each.name for each in campaign.every_criterion)
    found = as_of(version.judgments, criteria) if version else so_far(campaign)
    grades = [grade.value for grade in scale.grades]
    report = agreement_report(found.grades, grades=grades, level=scale.level)
    rows = [_record(report.overall)]
    rows += [_record(its, topic=topic) for topic, its in report.by_topic.items()]
    if can(AgreementFigures.see_pairs, user, campaign):
        rows += [_record(its, None, *pair) for pair, its in report.by_pair.items()]
    return rows


AGREEMENT = Noun(
    name="agreement",
    see=AgreementFigures.see,
    rows=_agreement,
    fields=fields_of(
        AgreementRecord,
        equal="the share of documents with two equal grades",
        kappa="Cohen's, of several pairs of assessors with pooled marginals; on few documents null",
        equal_relevance="the same of relevant or not",
    ),
    help="Agreement in all (the first row), by topic, and for organizers by pair of assessors.",
)


def _differences(_: User, campaign: Campaign) -> Iterator[Difference]:
    scale = [grade.value for grade in campaign.scale.grades]
    rows = Judgment.objects.counting().filter(topic__campaign=campaign).twice_judged(campaign)
    return iter(differences(rows, scale, at_least=1))


DISAGREEMENTS = Noun(
    name="disagreements",
    see=AgreementFigures.see_pairs,
    rows=_differences,
    fields=fields_of(Difference, steps="of the scale between the two grades"),
    help="Documents with two different grades, the farthest first; the first one is official.",
)
