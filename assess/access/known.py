"""What a file of known grades may hold."""

from collections.abc import Sequence

from accounts.access import Refused
from assess.core.known import KnownLine, faults_of
from campaigns.models import Campaign, Document
from trec.streams import FormatError, storable, told

CHANGED_SINCE = "The known grades have changed since this page was opened: look at them again first."  # fmt: skip


class BadLines(Refused):
    """Refused because of lines of a file; `sentences` has one for each, of many for the first ones."""

    def __init__(self, sentences: Sequence[str]) -> None:
        self.sentences = sentences
        super().__init__(" ".join(sentences))


def check_known(campaign: Campaign, lines: Sequence[KnownLine]) -> None:
    """Refuse grades of topics, of documents or on a scale that the campaign has not."""
    if found := faults_of_lines(campaign, lines):
        raise BadLines(told(found))


def faults_of_lines(campaign: Campaign, lines: Sequence[KnownLine]) -> list[FormatError]:  # fmt: skip
    """Return what is wrong with the lines that name what the campaign has not."""
    topics = set(campaign.topic_set.values_list("number", flat=True))
    named = {storable(each.docno) for each in lines}
    there = Document.objects.filter(campaign=campaign, docno__in=named)
    docnos = set(there.values_list("docno", flat=True))
    grades = [grade.value for grade in campaign.scale.grades]
    return faults_of(lines, topics, docnos, grades)


def check_seen_known(n_seen: int | None, n: int) -> None:
    """Refuse to replace or remove grades that somebody has not seen."""
    if n_seen not in {None, n}:
        raise Refused(CHANGED_SINCE)
