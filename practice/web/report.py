"""Practice as organizers see it: results by assessor and document."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import NamedTuple, TypeAlias

from django.db.models import Q

from accounts.models import BY_NAME, User
from assess.models.controls import KnownGrade
from assess.models.judging import Judgment
from campaigns.core.grades import Grade
from campaigns.models.people import Role
from campaigns.noun import Field, Noun
from campaigns.sorting import Cell, Figure, Sorting
from campaigns.web.lists import csv_of
from practice.access import PracticeTopic, why_left_out
from practice.core import Accuracy, Practiced, accuracy_of
from practice.models import Practice, answers_of
from practice.web.page import grade_of

FEW = 5  # docnos in a sentence
Answers: TypeAlias = dict[int, dict[str, Practiced]]  # by person and docno


PRACTICED = Sorting(
    "practiced",
    assessor=Cell(lambda each: each.user),
    answered=Figure(lambda each: each.accuracy.answered),
    agreed=Figure(lambda each: each.accuracy.right),
    off_by_one=Figure(lambda each: each.accuracy.off_by_one),
    cannot_judge=Figure(lambda each: each.accuracy.cannot_judge),
    mean_difference=Figure(lambda each: each.accuracy.mean_difference),
    finished=Cell(lambda each: each.finished_at),
)


class PracticeOf(NamedTuple):
    """An assessor's results. `has_left`: no longer an assessor. `has_judged`: without practice."""

    user: User
    accuracy: Accuracy
    n: int  # documents that practice has
    n_again: int  # answered more than once
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
        """Assessors without those who judged without practice."""
        return len(self._counted)

    @property
    def n_judged_without(self) -> int:
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
    values = [grade.value for grade in campaign.scale.grades]
    judged = Judgment.objects.served().filter(topic__campaign=campaign)
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
                finished_at=max(each.at for each in given if each.at) if is_finished else None,
                has_left=user.pk not in present,
                has_judged=user.pk in judges and not given,
            )
        )
    return sorted(people, key=lambda each: each.has_left)


PEOPLE = Noun(
    name="practice",
    see=PracticeTopic.change,
    rows=lambda _, campaign: report_of(Practice.objects.of(campaign)).people,
    fields={
        "user": Field(str, lambda each: each.user.username),
        "name": Field(str, lambda each: each.user.get_full_name()),
        "documents": Field(int, lambda each: each.n),
        "answered": Field(int, lambda each: each.accuracy.answered),
        "right": Field(int, lambda each: each.accuracy.right),
        "off_by_one": Field(int, lambda each: each.accuracy.off_by_one),
        "cannot_judge": Field(int, lambda each: each.accuracy.cannot_judge),
        "mean_difference": Field(
            float | None, lambda each: (mean := each.accuracy.mean_difference) and round(mean, 3)
        ),
        "tried_again": Field(int, lambda each: each.n_again),
        "finished_at": Field(datetime | None),
    },
)
practice_file = csv_of(PEOPLE)
