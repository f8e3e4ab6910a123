"""Practice as assessors go through it, and as organizers see how it went."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from django.db.models import Q
from django.shortcuts import get_object_or_404
from django.utils.text import get_text_list

from accounts.access import can
from accounts.models import BY_NAME, User
from assess.access import (
    check_can_answer_practice,
    check_can_practice,
    comes_first,
    practised,
    why_left_out,
)
from assess.core.pace import in_words
from assess.core.practice import (
    Accuracy,
    Known,
    PracticeRecord,
    accuracy_of,
    changes_between,
)
from assess.models import (
    Assignment,
    PracticeAnswer,
    PracticeDocument,
    PracticeTopic,
)
from campaigns.core.cells import records_csv
from campaigns.core.grades import Grade, Scale
from campaigns.models import Campaign, Document, Role
from trec.words import counted


class Place(NamedTuple):
    """A document of practice where it stands, counted from 1, and what its reader has answered to it."""

    number: int
    document: PracticeDocument
    answer: PracticeAnswer | None


class Walk(NamedTuple):
    """Practice as somebody goes through it."""

    places: list[Place]

    @property
    def left(self) -> list[Place]:
        return [each for each in self.places if not each.answer]

    @property
    def answered(self) -> list[Place]:
        return [each for each in self.places if each.answer]

    @property
    def right(self) -> list[Place]:
        return [each for each in self.places if each.answer and each.answer.agrees]

    @property
    def different(self) -> list[Place]:
        return [each for each in self.places if each.answer and not each.answer.agrees]

    def at(self, number: int) -> Place | None:
        return self.places[number - 1] if 0 < number <= len(self.places) else None

    def after(self, number: int) -> Place | None:
        """Return the next place without an answer, from the first one again at the end; None once all have one."""
        later = [each for each in self.left if each.number > number]
        return next(iter([*later, *self.left]), None)


def walk_of(user: User, practice: PracticeTopic) -> Walk:
    """Return the documents that practice has, with what somebody has answered."""
    if not practice.pk:
        return Walk([])
    rows = PracticeAnswer.objects.filter(practice=practice, user=user)
    answers = {each.docno: each for each in rows}
    documents = practised(practice)
    return Walk([Place(n, each, answers.get(each.docno)) for n, each in enumerate(documents, 1)])  # fmt: skip


def grade_of(scale: Scale, value: int | None) -> Grade | None:
    """Return the step of the scale with this value; one without a label if the scale has it no more."""
    if value is None:
        return None
    return next((each for each in scale.grades if each.value == value), Grade(value, ""))  # fmt: skip


def shown_at(place: Place, practice: PracticeTopic, walk: Walk) -> dict[str, Any]:
    """Return what the page shows of a document: its text, and how the answer to it stands to the known grade, if there is one."""
    scale, answer = practice.campaign.scale, place.answer
    texts = Document.objects.filter(campaign=practice.campaign)
    context: dict[str, Any] = {
        "place": place,
        "document": get_object_or_404(texts, docno=place.document.docno),
        "before": walk.at(place.number - 1),
        "behind": walk.at(place.number + 1),
        "following": walk.after(place.number),
        "known": grade_of(scale, place.document.grade),
    }
    if answer:
        context |= {
            "given": grade_of(scale, answer.grade),
            "known_then": grade_of(scale, answer.known),
            "last": grade_of(scale, answer.last_grade),
        }
    return context


def compared(walk: Walk, scale: Scale) -> list[dict[str, Any]]:
    """Return the documents on which somebody differs from the known grade, with both grades."""
    return [
        {
            "place": each,
            "given": grade_of(scale, each.answer.grade),
            "known": grade_of(scale, each.answer.known),
        }
        for each in walk.different
        if each.answer
    ]


def next_topic(user: User, campaign: Campaign) -> Assignment | None:
    """Return the first of somebody's topics with something left to judge."""
    theirs = Assignment.objects.in_campaign(campaign).live().filter(assessor=user)
    return theirs.unfinished().first()


class Offer(NamedTuple):
    """Practice on an assessor's own page: the next thing to do, or a line."""

    practice: PracticeTopic
    walk: Walk
    comes_first: bool
    is_open: bool
    time_left: str


def offer_of(user: User, campaign: Campaign) -> Offer | None:
    """Return what practice offers somebody now; None if there is nothing to do and nothing to see again."""
    practice = PracticeTopic.objects.of(campaign)
    if not practice.pk or not can(check_can_practice, user, practice):
        return None
    walk = walk_of(user, practice)
    is_open = can(check_can_answer_practice, user, practice)
    if not walk.answered and not (is_open and walk.left):
        return None
    return Offer(practice, walk, comes_first(user, practice), is_open, time_for(walk, campaign))  # fmt: skip


def time_for(walk: Walk, campaign: Campaign) -> str:
    """Write how long the documents left take, at the seconds that the settings count a judgment for."""
    seconds = len(walk.left) * campaign.seconds_per_judgment
    return in_words(-(-seconds // 60))


# For organizers


class Practiced(NamedTuple):
    """How an assessor's practice went; `has_left`: they are no assessor any more."""

    user: User
    accuracy: Accuracy
    n: int  # documents that practice has
    n_again: int  # answered more than once
    skipped_at: datetime | None
    finished_at: datetime | None
    has_left: bool

    @property
    def difference(self) -> str:
        """The mean difference with its sign."""
        mean = self.accuracy.mean_difference
        return "" if mean is None else f"{mean:+.2f}".replace("-", "\N{MINUS SIGN}")


class Listed(NamedTuple):
    """A document of practice in the organizers' list; `n_right` of `n_answered` assessors agreed with the known grade."""

    document: PracticeDocument
    grade: Grade | None
    why_left_out: str
    n_answered: int
    n_right: int


class Report(NamedTuple):
    """How practice went: who, and on what."""

    people: list[Practiced]
    documents: list[Listed]

    @property
    def n_finished(self) -> int:
        return sum(1 for each in self.people if each.finished_at and not each.has_left)

    @property
    def n_assessors(self) -> int:
        return sum(1 for each in self.people if not each.has_left)


def report_of(practice: PracticeTopic) -> Report:
    """Return how practice went for every assessor, and for who was one when they answered. Organizers know the answers and are not counted."""
    campaign = practice.campaign
    rows = PracticeDocument.objects.filter(practice=practice.pk).with_texts()
    left_out = {each: why_left_out(each, campaign.scale) for each in rows}
    docnos = [each.docno for each, why in left_out.items() if not why]
    answers = answers_of(practice, docnos)
    by_docno = defaultdict(list)
    for given in answers.values():
        for answer in given:
            by_docno[answer.docno].append(answer.agrees)
    people = _people(practice, answers, docnos)
    listed = [
        Listed(each, grade_of(campaign.scale, each.grade), why, len(by_docno[each.docno]), sum(by_docno[each.docno]))
        for each, why in left_out.items()
    ]  # fmt: skip
    return Report(people, listed)


def answers_of(
    practice: PracticeTopic, docnos: Sequence[str]
) -> dict[int, list[PracticeAnswer]]:
    """Return what was answered to these documents by whoever does not organize the campaign, by person."""
    organizers = User.objects.filter(membership__campaign=practice.campaign, membership__role=Role.ORGANIZER)  # fmt: skip
    rows = PracticeAnswer.objects.filter(practice=practice.pk, docno__in=docnos)
    found: dict[int, list[PracticeAnswer]] = defaultdict(list)
    for each in rows.exclude(user__in=organizers):
        found[each.user_id].append(each)
    return dict(found)


def _people(
    practice: PracticeTopic,
    answers: dict[int, list[PracticeAnswer]],
    docnos: Sequence[str],
) -> list[Practiced]:
    campaign = practice.campaign
    ours = User.objects.filter(membership__campaign=campaign)
    assessors = ours.filter(membership__role=Role.ASSESSOR).values("pk")
    organizers = ours.filter(membership__role=Role.ORGANIZER).values("pk")
    present = set(User.objects.filter(pk__in=assessors).exclude(pk__in=organizers).values_list("pk", flat=True))  # fmt: skip
    found = User.objects.filter(Q(pk__in=present) | Q(pk__in=answers)).order_by(*BY_NAME)  # fmt: skip
    skips = dict(practice.skips.values_list("user", "at")) if practice.pk else {}
    values = [grade.value for grade in campaign.scale.grades]
    people = []
    for user in found:
        given = answers.get(user.pk, [])
        is_finished = bool(docnos) and len(given) == len(docnos)
        people.append(
            Practiced(
                user=user,
                accuracy=accuracy_of([each.first for each in given], values),
                n=len(docnos),
                n_again=sum(each.n_tries > 1 for each in given),
                skipped_at=skips.get(user.pk),
                finished_at=max(each.at for each in given) if is_finished else None,
                has_left=user.pk not in present,
            )
        )
    return sorted(people, key=lambda each: each.has_left)


def effects_of(practice: PracticeTopic, after: Sequence[Known]) -> list[str]:
    """Return a sentence for each thing that other known answers mean for what assessors have answered."""
    before = practice.known
    changes = changes_between(before, after)
    answers = answers_of(practice, [each.docno for each in before])
    n = {
        docno: sum(any(each.docno == docno for each in given) for given in answers.values())
        for docno in (*changes.removed, *changes.regraded)
    }  # fmt: skip
    was = {each.docno: each.grade for each in before}
    now = {each.docno: each.grade for each in after}
    said = [
        f"{counted(n[docno], 'assessor')} answered {docno} while its known grade was {was[docno]}: that stays what they are compared with. It becomes {now[docno]} for those who come after."
        for docno in changes.regraded
        if n[docno]
    ]
    said += [
        f"{counted(n[docno], 'assessor')} answered {docno}, which leaves practice: the answers are kept, and count again only if it comes back."
        for docno in changes.removed
        if n[docno]
    ]
    finished = [given for given in answers.values() if len(given) == len(before)]
    if changes.added and finished:
        named = get_text_list(changes.added[:5], "and") if len(changes.added) <= 5 else counted(len(changes.added), "document")  # fmt: skip
        have = "has" if len(finished) == 1 else "have"
        said.append(f"{counted(len(finished), 'assessor')} {have} finished and will find {named} still to be answered.")  # fmt: skip
    return said


class Previewed(NamedTuple):
    """A known answer as it would be: its document's title, and how it differs from what is stored."""

    known: Known
    grade: Grade | None
    title: str
    mark: str


def preview_of(practice: PracticeTopic, after: Sequence[Known]) -> list[Previewed]:
    """Return known answers as they would be."""
    campaign, changes = practice.campaign, changes_between(practice.known, after)
    marks = dict.fromkeys(changes.added, "new")
    marks |= dict.fromkeys(changes.regraded, "another grade")
    marks |= dict.fromkeys(changes.explained, "another explanation")
    documents = Document.objects.filter(campaign=campaign)
    rows = documents.filter(docno__in=[each.docno for each in after])
    titles = dict(rows.values_list("docno", "title"))
    return [
        Previewed(each, grade_of(campaign.scale, each.grade), titles.get(each.docno, ""), marks.get(each.docno, ""))
        for each in after
    ]  # fmt: skip


def practice_csv(people: Sequence[Practiced]) -> Iterator[str]:
    """Yield a header and each assessor."""
    return records_csv(PracticeRecord, map(_record, people))


def _record(each: Practiced) -> PracticeRecord:
    accuracy = each.accuracy
    mean = accuracy.mean_difference
    return PracticeRecord(
        user=each.user.username, name=each.user.get_full_name(), documents=each.n,
        answered=accuracy.answered, right=accuracy.right, off_by_one=accuracy.off_by_one,
        cannot_judge=accuracy.cannot_judge, mean_difference=None if mean is None else round(mean, 3),
        tried_again=each.n_again, skipped_at=each.skipped_at, finished_at=each.finished_at,
    )  # fmt: skip
