"""Practice as organizers see it: results by assessor and document, and effects of changes."""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from typing import NamedTuple, TypeAlias

from django.db.models import Q
from django.utils.text import get_text_list

from accounts.models import BY_NAME, User
from assess.models.controls import KnownGrade
from assess.models.judging import Judgment
from campaigns.core.grades import Grade
from campaigns.models.people import Role
from campaigns.web.lists import NounList, csv_of
from collection.models.texts import Document
from practice.access import practised, why_left_out
from practice.core import (
    NEW,
    REGRADED,
    REMOVED,
    Accuracy,
    Known,
    Practiced,
    accuracy_of,
    changes_between,
)
from practice.models import Practice, answers_of
from practice.web.page import grade_of
from trec.words import counted, verb

FEW = 5  # docnos in a sentence
Answers: TypeAlias = dict[int, dict[str, Practiced]]  # by person and docno


class PracticeOf(NamedTuple):
    """An assessor's results. `has_left`: no longer an assessor. `has_judged`: before practice."""

    user: User
    accuracy: Accuracy
    n: int  # documents that practice has
    n_again: int  # answered more than once
    skipped_at: datetime | None
    finished_at: datetime | None
    has_left: bool
    has_judged: bool


class PracticeRow(NamedTuple):
    """A document of practice: how many agreed, and for how many another grade was known then."""

    document: KnownGrade
    grade: Grade | None
    why_left_out: str
    n_answered: int
    n_right: int
    n_earlier: int


class PracticeReport(NamedTuple):
    """Results of practice by assessor and by document."""

    people: list[PracticeOf]
    documents: list[PracticeRow]

    @property
    def n_finished(self) -> int:
        return sum(1 for each in self._counted if each.finished_at)

    @property
    def n_assessors(self) -> int:
        """Assessors without those who had judged before practice."""
        return len(self._counted)

    @property
    def n_judged_before(self) -> int:
        return sum(1 for each in self.people if each.has_judged and not each.has_left)

    @property
    def _counted(self) -> list[PracticeOf]:
        return [each for each in self.people if not (each.has_left or each.has_judged)]


def report_of(practice: Practice) -> PracticeReport:
    """Return results of present and former assessors, without organizers, who know the answers."""
    campaign = practice.campaign
    left_out = {each: why_left_out(each, campaign.scale) for each in practice.documents}
    docnos = [each.docno for each, why in left_out.items() if not why]
    answers = _of_assessors(practice, docnos)
    people = _people(practice, answers, docnos)
    documents = []
    for each, why in left_out.items():
        given = [its[each.docno] for its in answers.values() if each.docno in its]
        row = PracticeRow(
            each,
            grade_of(campaign.scale, each.grade),
            why,
            n_answered=len(given),
            n_right=sum(answer.agrees for answer in given),
            n_earlier=sum(answer.known != each.grade for answer in given),
        )
        documents.append(row)
    return PracticeReport(people, documents)


def _of_assessors(practice: Practice, docnos: Collection[str]) -> Answers:
    """Return by person and docno the answers to these documents, without those of organizers."""
    organizers = practice.campaign.membership_set.filter(role=Role.ORGANIZER)
    known_to = set(organizers.values_list("user", flat=True))
    answers = {}
    for person, given in answers_of(practice).items():
        its = {docno: each for docno, each in given.items() if docno in docnos}
        if its and person not in known_to:
            answers[person] = its
    return answers


def _people(practice: Practice, answers: Answers, docnos: Sequence[str]) -> list[PracticeOf]:
    campaign = practice.campaign
    roles = campaign.membership_set
    assessors = roles.filter(role=Role.ASSESSOR).values_list("user", flat=True)
    organizers = roles.filter(role=Role.ORGANIZER).values("user")
    present = set(assessors.exclude(user__in=organizers))
    users = User.objects.filter(Q(pk__in=present) | Q(pk__in=answers)).order_by(*BY_NAME)
    skips = dict(practice.skips.values_list("user", "at")) if practice.pk else {}
    values = [grade.value for grade in campaign.scale.grades]
    judged = Judgment.with_controls.filter(topic__campaign=campaign)
    judges = set(judged.order_by().values_list("assessor", flat=True).distinct())
    people = []
    for user in users:
        given = list(answers.get(user.pk, {}).values())
        is_finished = bool(docnos) and len(given) == len(docnos)
        people.append(
            PracticeOf(
                user=user,
                accuracy=accuracy_of(given, values),
                n=len(docnos),
                n_again=sum(each.n_tries > 1 for each in given),
                skipped_at=skips.get(user.pk),
                finished_at=max(each.at for each in given if each.at) if is_finished else None,
                has_left=user.pk not in present,
                has_judged=user.pk in judges and not given and user.pk not in skips,
            )
        )
    return sorted(people, key=lambda each: each.has_left)


def effects_of(practice: Practice, after: Sequence[Known]) -> list[str]:
    """Return a sentence for each effect of other known answers on what assessors answered."""
    changes = changes_between(practice.known, after)
    answers = _of_assessors(practice, [each.docno for each in practice.known])
    n = Counter(docno for given in answers.values() for docno in given)
    now = {each.docno: each.grade for each in after}
    means = {
        REGRADED: " and will still be compared with the grade that was known then. "
        "Answers from now on are compared with {}.",
        REMOVED: ", which leaves practice. "
        "The answers are kept, and count again if the document comes back.",
    }
    said = [
        f"{counted(n[docno], 'assessor')} answered {docno}{means[change].format(now.get(docno))}"
        for docno, change in changes.items()
        if change in means and n[docno]
    ]
    added = [docno for docno, change in changes.items() if change == NEW]
    return [*said, *_left_again(practice, answers.values(), added)]


def _left_again(
    practice: Practice, answers: Iterable[Collection[str]], added: Sequence[str]
) -> list[str]:
    """Say what is added for assessors who had finished."""
    docnos = {each.docno for each in practised(practice)}
    finished = [given for given in answers if docnos and docnos <= set(given)]
    if not added or not finished:
        return []
    few, n = len(added) <= FEW, len(finished)
    documents = get_text_list(list(added), "and") if few else counted(len(added), "document")
    assessors = f"{counted(n, 'assessor')} {verb(n, 'has')}"
    return [f"{assessors} finished practice and will find {documents} still to answer."]


def preview_of(
    practice: Practice, after: Sequence[Known]
) -> list[tuple[Known, Grade | None, str, str]]:
    """Return each known answer before it is saved: its grade, title, and how it differs."""
    campaign, marks = practice.campaign, changes_between(practice.known, after)
    titles = Document.objects.filter(campaign=campaign).titles([each.docno for each in after])
    return [
        (
            each,
            grade_of(campaign.scale, each.grade),
            titles.get(each.docno, ""),
            marks.get(each.docno, ""),
        )
        for each in after
    ]


PEOPLE = NounList(
    name="practice",
    rows=lambda _, campaign: report_of(Practice.objects.of(campaign)).people,
    columns={
        "user": lambda each: each.user.username,
        "name": lambda each: each.user.get_full_name(),
        "documents": lambda each: each.n,
        "answered": lambda each: each.accuracy.answered,
        "right": lambda each: each.accuracy.right,
        "off_by_one": lambda each: each.accuracy.off_by_one,
        "cannot_judge": lambda each: each.accuracy.cannot_judge,
        "mean_difference": lambda each: (mean := each.accuracy.mean_difference) and round(mean, 3),
        "tried_again": lambda each: each.n_again,
        "skipped_at": lambda each: each.skipped_at,
        "finished_at": lambda each: each.finished_at,
    },
)
practice_file = csv_of(PEOPLE)
