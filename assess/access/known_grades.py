"""What a file of known grades may contain, and which of them a change of the scale concerns."""

from collections.abc import Collection, Sequence

from accounts.access import Refused, Verb, Verbs, check_seen
from assess.access.answers import Stale
from assess.core.known_grades import KnownLine, faults_of
from assess.models.controls import KnownGrade
from campaigns.access.roles import organizes
from campaigns.models.campaign import Campaign
from cleverdon.trec.streams import FormatError, storable, told
from cleverdon.trec.versions import version
from collection.models.texts import Document


class KnownGrades(Verbs):
    see = upload = confirm = remove = Verb(organizes)


class BadLines(Refused):
    """Refused because of lines of a file; `sentences` has one for each of the first ones."""

    def __init__(self, sentences: Sequence[str]) -> None:
        self.sentences = sentences
        super().__init__(" ".join(sentences))


def n_graded(campaign: Campaign, grades: Collection[int]) -> dict[str, int]:
    known = KnownGrade.objects.controls_of(campaign)
    return {"known grade": known.filter(grade__in=grades).count()}


def check_known(campaign: Campaign, lines: Sequence[KnownLine]) -> None:
    if found := faults_of_lines(campaign, lines):
        raise BadLines(told(found))


def faults_of_lines(campaign: Campaign, lines: Sequence[KnownLine]) -> list[FormatError]:
    """Return the faults of lines whose topic, document or grade the campaign does not have."""
    topics = set(campaign.topic_set.values_list("number", flat=True))
    named = {storable(each.docno) for each in lines}
    there = Document.objects.filter(campaign=campaign, docno__in=named)
    docnos = set(there.values_list("docno", flat=True))
    grades = [grade.value for grade in campaign.scale.grades]
    return faults_of(lines, topics, docnos, grades)


def check_known_text(
    known: KnownGrade | None, campaign: Campaign, seen: str | None, grade: int
) -> KnownGrade:
    """Return the known grade, `with_texts`; refuse it if its text or grade has changed since."""
    if known is None or not known.version:
        raise Stale("It was removed while you had the page open: look again.")
    check_seen(seen, version(known.version), f"The text of {known.docno}")
    if not campaign.scale.has(grade):
        raise Refused(f"{grade} is not a grade of the scale.")
    if known.version in known.document_versions and known.grade != grade:
        raise Stale(
            f"{known.docno} has grade {known.grade} on this text: "
            "it was confirmed or corrected since this page was opened."
        )
    return known
