"""What this app tells the floors below it."""

from collections.abc import Collection, Iterator, Mapping

from campaigns.from_above import N_GRADED
from campaigns.models.campaign import Campaign
from campaigns.models.trail import EVENTS
from collection.from_above import DOCUMENT_MENTIONS, USES, Mention, Use
from collection.models.texts import Document, Topic
from programs.events import ProgramEvent
from programs.models import Label, LabelQuerySet


def _labels(campaign: Campaign) -> LabelQuerySet:
    return Label.objects.filter(program__campaign=campaign)


def _n_graded(campaign: Campaign, grades: Collection[int]) -> Mapping[str, int]:
    return {"program label": _labels(campaign).filter(grade__in=grades).count()}


def _mentions(campaign: Campaign, docnos: Collection[str]) -> Iterator[Mention]:
    """Yield which programs labelled these documents; not how, as assessors may read it."""
    rows = _labels(campaign).filter(item__key__in=docnos).select_related("program")
    for label in rows.in_order():
        name = str(label.program)
        what = f"{name} (version {label.document_version})"
        yield Mention(label.docno, label.item.topic.number, "labelled", what, name)


EVENTS.append(ProgramEvent)
N_GRADED.register(_n_graded)
DOCUMENT_MENTIONS.register(_mentions)
USES += [
    Use(Topic, "delete remove", "labelled by a program", _labels, "item__topic__number"),
    Use(Document, "delete remove", "labelled by a program", _labels, "item__docno"),
]
