"""What organizers are told of controls, and what becomes of them."""

from operator import itemgetter

import pytest
from django.utils import timezone

from accounts.access import Refused
from agreement.web.controls import CONTROLS
from assess.core.purposes import KNOWN as KIND_KNOWN
from assess.core.purposes import REPEAT
from assess.models.assigning import Assignment
from assess.models.controls import KnownGrade
from assess.models.pacing import dwells, last_judged, paces
from assess.models.serving import AssignmentEntry
from assess.services import handover, known_grades, reopening
from campaigns.models.campaign import Campaign
from campaigns.services.ending import delete_campaign
from collection.models.texts import Document
from collection.services.collection import delete_document
from evaluation.models.preliminary import Preliminary
from evaluation.tasks import refresh_preliminary
from overview.services.leaving import remove_member
from practice.access import comes_first
from qrels.services import publishing
from tests import make
from tests.db.controls import KNOWN, know, number_of, numbers, report, say, served
from tests.db.judging import act, downloaded, undo
from tests.several import twice_judged

# Accuracy


def test_answers_are_compared_with_the_known_grades_also_of_ones_own(mixed, ada):
    know(mixed.topic.campaign, ["d1"], grade=0)
    first, second = numbers(mixed, KIND_KNOWN)
    say(mixed, first, "later")
    say(mixed, second, "cannot_judge", reason="other")
    assert report(mixed).known.overall is None
    say(mixed, first, grade=2)
    say(mixed, second, grade=0)
    make.judgment(mixed, "d1", 1)
    make.judgment(mixed, "d2", 3)
    found = report(mixed).known.by_assessor[ada.username]
    assert (found.n, found.n_equal, found.distance, round(found.bias, 2)) == (3, 1, 1.0, -0.33)


# Repeats


@pytest.fixture
def repeat(mixed) -> tuple[int, str]:
    """The place and the document of a repeat."""
    again = number_of(mixed, REPEAT)
    return again, served(mixed)[again - 1][0]


def test_a_repeat_is_compared_with_the_grade_that_stood_when_it_was_judged(mixed, repeat, ada):
    again, docno = repeat
    say(mixed, again, grade=1)
    assert report(mixed).repeats.overall is None, "it waits for the other"
    make.judgment(mixed, docno, 3)
    found = report(mixed).repeats.by_assessor[ada.username]
    assert (found.n, found.n_equal, found.bias) == (1, 0, -2.0)
    say(mixed, again, grade=2)
    make.judgment(mixed, docno, 2)
    say(mixed, again, grade=2, comment="the same, with a word more")
    assert report(mixed).repeats.overall.n_equal == 0, "making both alike changes nothing"
    say(mixed, again, grade=1)
    say(mixed, again, grade=2)  # another grade is compared with what stands then
    assert report(mixed).repeats.overall.n_equal == 1


def test_two_people_are_not_one_who_repeats(mixed, repeat, ben):
    again, docno = repeat
    make.judgment(mixed, docno, 3)
    handed = act(handover.hand_over, mixed, assessor=ben)
    say(handed, again, grade=3)
    assert report(mixed).repeats.overall is None


def test_after_a_reset_nothing_is_compared_until_it_is_judged_again(mixed, repeat):
    again, docno = repeat
    make.judgment(mixed, docno, 3)
    say(mixed, again, grade=1)
    act(reopening.reset, mixed)
    assert report(mixed).repeats.overall is None
    say(mixed, again, grade=2)
    assert report(mixed).repeats.overall is None, "the other was given before the reset"
    [(at, _)] = mixed.set_aside_groups()
    act(reopening.restore, mixed, set_aside_at=at)
    assert report(mixed).repeats.overall.n == 1, "the new answer, beside the one that came back"


def test_the_file_has_what_was_answered_and_what_was_expected(mixed, repeat, olga, ada):
    (again, docno), known = repeat, number_of(mixed, KIND_KNOWN)
    control, _ = served(mixed)[known - 1]
    make.judgment(mixed, docno, 3)
    say(mixed, again, grade=1)
    say(mixed, known, grade=0)
    know(mixed.topic.campaign, [docno], grade=2)
    columns = itemgetter(
        *("docno", "assessor", "kind", "mixed_in", "expected", "state", "grade"), "document_version"
    )
    assert set(map(columns, downloaded(CONTROLS, mixed.topic.campaign, olga))) == {
        (docno, ada.username, "known", "0", "2", "judged", "3", "1"),
        (docno, ada.username, "repeat", "1", "3", "judged", "1", "1"),
        (control, ada.username, "known", "1", "2", "judged", "0", "1"),
    }


# Nothing official


def test_ones_own_pace_and_times_have_controls_in_them(mixed, ada):
    """They are what its assessor is shown; those of everybody are in test_controls.py."""
    campaign = mixed.topic.campaign
    say(mixed, number_of(mixed, KIND_KNOWN), grade=1, active_ms=5000)
    assert sum(paces(campaign, timezone.now(), ada)[ada.pk].days) == 1
    assert dwells(campaign, ada).of_assessors[ada.pk].n == 1
    assert mixed.pk in last_judged(Assignment.objects.counting(), ada)


def test_boards_qrels_and_agreement_are_what_they_were(mixed, repeat, olga, ben):
    (again, docno), campaign = repeat, mixed.topic.campaign
    make.judgment(mixed, docno, 3)
    make.judgment(make.assignment(mixed.topic, ben, Assignment.Kind.SECOND), docno, 2)
    refresh_preliminary(campaign.pk)
    before = shown()
    qrels = make.content(publishing.publish_qrels(user=olga, campaign=campaign).file)
    assert qrels == f"1 0 {docno} 3\n".encode()
    for number in (*numbers(mixed, KIND_KNOWN), again):
        say(mixed, number, grade=0)
    refresh_preliminary(campaign.pk)
    assert shown() == before
    assert twice_judged(campaign) == [("1", docno, "ada", 3, "ben", 2)]
    with pytest.raises(Refused, match="the same"):
        publishing.publish_qrels(user=olga, campaign=campaign)


def shown() -> dict:
    left_out = {"id", "version", "seen", "refreshed_at"}
    row = Preliminary.objects.values().get()
    return {name: value for name, value in row.items() if name not in left_out}


# Unfreezing, leaving, deleting


def test_an_answer_to_a_control_is_an_answer(mixed, olga, ada, ben):
    campaign = mixed.topic.campaign
    practice = make.practice(campaign, "d1\t2\tIt names one.")
    assert comes_first(ada, practice)
    say(mixed, number_of(mixed, KIND_KNOWN), grade=2)
    assert not comes_first(ada, practice)
    with pytest.raises(Refused, match="Judging has begun"):
        make.taken_back(olga, mixed.pool)
    with pytest.raises(Refused, match="1 answer from assessors"):
        delete_campaign(user=olga, campaign=campaign)
    act(handover.hand_over, mixed, assessor=ben)
    with pytest.raises(Refused, match="has judged documents of topic 1 already"):
        make.assignment(mixed.topic, ada, Assignment.Kind.SECOND)


@pytest.mark.parametrize("keeps_pool", [True, False])
def test_controls_go_with_their_pool_and_known_grades_with_their_campaign(mixed, olga, keeps_pool):
    if not keeps_pool:
        make.taken_back(olga, mixed.pool)
        assert not AssignmentEntry.objects.exists()
        assert KnownGrade.objects.controls().count() == len(KNOWN)
    delete_campaign(user=olga, campaign=mixed.topic.campaign)
    for rows in (Campaign.objects, KnownGrade.objects.controls(), AssignmentEntry.objects):
        assert not rows.exists()


def test_who_is_removed_leaves_what_they_answered(mixed, olga, ada, ben):
    number = numbers(mixed, KIND_KNOWN)[0]
    say(mixed, number, grade=2)
    membership = mixed.topic.campaign.membership_set.get(user=ada)
    remove_member(user=olga, membership=membership)
    assert report(mixed).known.by_assessor[ada.username].n_equal == 1
    again = make.assignment(mixed.topic, ben)
    assert again.pk == mixed.pk
    assert again.entries.get(position=number - 1).predecessor == ada
    say(again, number, grade=0)
    assert set(report(mixed).known.by_assessor) == {ben.username}
    undo(assessor=ben, assignment=again)
    assert set(report(mixed).known.by_assessor) == {ada.username}


def test_documents_with_known_grades_and_controls_that_are_served_stay(mixed, olga):
    campaign = mixed.topic.campaign
    docno = served(mixed)[numbers(mixed, KIND_KNOWN)[0] - 1][0]
    document = Document.objects.get(campaign=campaign, docno=docno)
    with pytest.raises(Refused, match="it is used with a known grade"):
        delete_document(user=olga, document=document)
    known_grades.remove_known(user=olga, campaign=campaign)
    with pytest.raises(Refused, match="it is mixed in among an assessor's own"):
        delete_document(user=olga, document=document)
