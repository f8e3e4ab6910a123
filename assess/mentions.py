"""Which judgments and known grades rest on a text, for the pages of documents and imports."""

from collections.abc import Collection, Iterator

from accounts.models import User
from assess.core.purposes import CONTROLS
from assess.models.controls import KnownGrade
from assess.models.judging import Judgment
from campaigns.models.campaign import Campaign
from collection.from_above import Mention


def of_judging(campaign: Campaign, docnos: Collection[str]) -> Iterator[Mention]:
    """Yield who judged these documents and how, and their known grades."""
    current = Judgment.with_controls.current().filter(
        topic__campaign=campaign, item__key__in=docnos
    )
    rows = current.select_related("topic", "item", "assessor")
    for each in rows.order_by("topic__sort_key", "item__key", "pk"):
        answer = f"grade {each.grade}" if each.grade is not None else each.get_state_display()
        part = each.get_purpose_display()
        what = f"{each.assessor}, {answer} ({part}, version {each.document_version})"
        kind = "control" if each.purpose in CONTROLS else "judged"
        yield Mention(each.docno, str(each.topic), kind, what, str(each.assessor))
    known = KnownGrade.objects.of(campaign).filter(item__key__in=docnos)
    ordered = known.select_related("item__topic").order_by("item__topic__sort_key", "item__key")
    for grade in ordered:
        versions = ", ".join(map(str, grade.document_versions))
        what = f"grade {grade.grade} (version {versions})"
        yield Mention(grade.docno, str(grade.topic), "known grade", what)


def of_topics(campaign: Campaign, numbers: Collection[str]) -> Iterator[Mention]:
    """Yield who judged for these topics, once each."""
    judgments = Judgment.with_controls.current().filter(
        topic__campaign=campaign, topic__number__in=numbers
    )
    rows = judgments.order_by().values_list("topic__number", "assessor").distinct()
    pairs = sorted(rows)
    people = User.objects.in_bulk({pk for _, pk in pairs})
    for number, pk in pairs:
        yield Mention(number, "", "judged", by=str(people[pk]))
