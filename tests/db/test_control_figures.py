"""What organizers are told of controls and known grades, and what becomes of both."""

from functools import partial
from operator import itemgetter

import pytest
from django.utils import timezone

from accounts.access import Refused
from agreement import services
from agreement.core.accuracy import control_report
from agreement.models import compared
from assess.access.answers import Stale
from assess.access.known_grades import BadLines
from assess.core.controls import KNOWN as KIND_KNOWN
from assess.core.controls import REPEAT
from assess.models.assigning import Assignment
from assess.models.controls import KnownGrade
from assess.models.history import JudgmentEvent
from assess.models.judging import Judgment
from assess.models.pacing import dwells, last_judged, paces
from assess.models.serving import AssignmentEntry
from assess.services import handover, known_grades, reopening
from campaigns.models.campaign import Campaign
from campaigns.models.trail import AuditEvent
from campaigns.services.ending import delete_campaign
from campaigns.services.leaving import remove_member
from collection.models.texts import Document
from collection.services.collection import delete_document
from evaluation.models.preliminary import Preliminary
from evaluation.tasks import refresh_preliminary
from pooling.services import unfreeze_pool
from practice.access import comes_first
from qrels.services import publishing
from tests import make, records
from tests.db.controls import KNOWN, know, known_lines, number_of, say, served
from tests.db.judging import act, undo


def report(assignment):
    return control_report(compared(assignment.topic.campaign), [0, 1, 2, 3])


def lines(assignment, user) -> list[dict[str, str]]:
    text = services.download_controls(user=user, campaign=assignment.topic.campaign)
    return records.read("".join(text))


def numbers(assignment, control: str) -> list[int]:
    rows = assignment.all_entries.filter(control=control).order_by("position")
    return [entry.number for entry in rows]


# Accuracy


def test_answers_are_compared_with_the_known_grades_also_of_ones_own(mixed, ada):
    know(mixed.topic.campaign, ["d1"], grade=0)
    first, second = numbers(mixed, KIND_KNOWN)
    say(mixed, first, "later")
    say(mixed, second, "cannot_judge", reason="other")
    assert report(mixed).overall.known is None
    say(mixed, first, grade=2)
    say(mixed, second, grade=0)
    make.judgment(mixed, "d1", 1)
    make.judgment(mixed, "d2", 3)
    found = report(mixed).by_assessor[ada.username].known
    assert (found.n, found.n_equal, found.distance, round(found.bias, 2)) == (3, 1, 1.0, -0.33)


def test_a_known_grade_that_changes_is_the_one_compared_and_one_that_goes_drops_out(mixed, olga):
    campaign = mixed.topic.campaign
    for number in numbers(mixed, KIND_KNOWN):
        say(mixed, number, grade=1)
    assert report(mixed).overall.known.n_equal == 0
    know(campaign, KNOWN, grade=1)
    assert report(mixed).overall.known.n_equal == 2
    known_grades.remove_known(user=olga, campaign=campaign)
    assert report(mixed).overall.known is None
    assert [row["expected"] for row in lines(mixed, olga)] == ["", ""], "on record all the same"
    say(mixed, numbers(mixed, KIND_KNOWN)[0], grade=3)  # and still judged as before
    know(campaign, KNOWN, grade=3)
    assert (report(mixed).overall.known.n, report(mixed).overall.known.n_equal) == (2, 1)


def replaced(campaign: Campaign, docno: str, text: str) -> KnownGrade:
    make.imported(campaign, "documents", f"{docno}\t\t{text}".encode(), takes_versions=True)
    [waiting] = KnownGrade.objects.of(campaign).on_earlier()
    assert waiting.docno == docno
    return waiting


def test_a_known_grade_waits_when_its_text_is_replaced_and_is_confirmed_for_the_new_one(
    mixed, olga
):
    campaign, first = mixed.topic.campaign, numbers(mixed, KIND_KNOWN)[0]
    docno = served(mixed)[first - 1][0]
    grade = KnownGrade.objects.get(docno=docno).grade
    say(mixed, first, grade=grade)
    waiting = replaced(campaign, docno, "Another text.")
    assert docno not in KnownGrade.objects.by_topic([mixed.topic.pk])[mixed.topic.pk]
    assert report(mixed).overall.known.n_equal == 1, "about the text that was graded"
    say(mixed, first, grade=grade, version=2)
    versions = JudgmentEvent.objects.order_by("pk").values_list("document_version", flat=True)
    assert list(versions) == [1, 2]
    assert report(mixed).overall.known is None, "of the new text nothing is known yet"
    confirm = partial(
        known_grades.confirm_known, user=olga, campaign=campaign, known=waiting.pk, seen="2"
    )
    with pytest.raises(Refused, match="9 is not a grade of the scale"):
        confirm(grade=9)
    with pytest.raises(Refused, match="changed while you had the page open"):
        confirm(grade=grade, seen="1")
    confirm(grade=grade)
    n_events = AuditEvent.objects.count()
    assert confirm(grade=grade).document_versions == [1, 2], "twice is once"
    assert AuditEvent.objects.count() == n_events
    with pytest.raises(Stale, match=f"{docno} has grade {grade} on this text"):
        confirm(grade=grade - 1)  # of a page an hour old
    assert report(mixed).overall.known.n_equal == 1
    assert docno in KnownGrade.objects.by_topic([mixed.topic.pk])[mixed.topic.pk]
    assert not KnownGrade.objects.of(campaign).on_earlier()


def test_a_known_grade_that_is_corrected_is_of_the_new_text_alone(mixed, olga):
    campaign, first = mixed.topic.campaign, numbers(mixed, KIND_KNOWN)[0]
    docno = served(mixed)[first - 1][0]
    say(mixed, first, grade=1)
    confirm = partial(known_grades.confirm_known, user=olga, campaign=campaign, grade=1)
    confirm(known=replaced(campaign, docno, "Another text.").pk, seen="2")
    assert report(mixed).overall.known is None
    say(mixed, first, grade=1, version=2)
    assert report(mixed).overall.known.n_equal == 1
    replaced(campaign, docno, "A third text.")
    know(campaign, [docno], grade=1)  # a file says the same again, of the text there is now
    assert KnownGrade.objects.get(docno=docno).document_versions == [2, 3]
    waiting = replaced(campaign, docno, "A fourth text.")
    known_grades.remove_known(user=olga, campaign=campaign)
    with pytest.raises(Stale, match="was removed while you had the page open"):
        confirm(known=waiting.pk, seen="4")


# Repeats


@pytest.fixture
def repeat(mixed) -> tuple[int, str]:
    """The place and the document of a repeat."""
    again = number_of(mixed, REPEAT)
    return again, served(mixed)[again - 1][0]


def test_a_repeat_is_compared_with_the_grade_that_stood_when_it_was_judged(mixed, repeat, ada):
    again, docno = repeat
    say(mixed, again, grade=1)
    assert report(mixed).overall.repeats is None, "it waits for the other"
    make.judgment(mixed, docno, 3)
    found = report(mixed).by_assessor[ada.username].repeats
    assert (found.n, found.n_equal, found.bias) == (1, 0, -2.0)
    say(mixed, again, grade=2)
    make.judgment(mixed, docno, 2)
    say(mixed, again, grade=2, comment="the same, with a word more")
    assert report(mixed).overall.repeats.n_equal == 0, "making both alike changes nothing"
    say(mixed, again, grade=1)
    say(mixed, again, grade=2)  # another grade is compared with what stands then
    assert report(mixed).overall.repeats.n_equal == 1


def test_two_people_are_not_one_who_repeats(mixed, repeat, ben):
    again, docno = repeat
    make.judgment(mixed, docno, 3)
    handed = act(handover.hand_over, mixed, assessor=ben)
    say(handed, again, grade=3)
    assert report(mixed).overall.repeats is None


def test_after_a_reset_nothing_is_compared_until_it_is_judged_again(mixed, repeat):
    again, docno = repeat
    make.judgment(mixed, docno, 3)
    say(mixed, again, grade=1)
    act(reopening.reset, mixed)
    assert report(mixed).overall.repeats is None
    say(mixed, again, grade=2)
    assert report(mixed).overall.repeats is None, "the other was given before the reset"
    [(at, _)] = mixed.set_aside_groups()
    act(reopening.restore, mixed, set_aside_at=at)
    assert report(mixed).overall.repeats.n == 1, "the new answer, beside the one that came back"


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
    assert set(map(columns, lines(mixed, olga))) == {
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
    assert mixed.pk in last_judged(Assignment.objects.all(), ada)


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
    assert Judgment.objects.twice_judged(campaign) == [("1", docno, "ada", 3, "ben", 2)]
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
        unfreeze_pool(user=olga, pool=mixed.pool)
    with pytest.raises(Refused, match="1 answer from assessors"):
        delete_campaign(user=olga, campaign=campaign)
    act(handover.hand_over, mixed, assessor=ben)
    with pytest.raises(Refused, match="has judged documents of topic 1 already"):
        make.assignment(mixed.topic, ada, Assignment.Kind.SECOND)


@pytest.mark.parametrize("keeps_pool", [True, False])
def test_controls_go_with_their_pool_and_known_grades_with_their_campaign(mixed, olga, keeps_pool):
    if not keeps_pool:
        unfreeze_pool(user=olga, pool=mixed.pool)
        assert not AssignmentEntry.with_controls.exists()
        assert KnownGrade.objects.count() == len(KNOWN)
    delete_campaign(user=olga, campaign=mixed.topic.campaign)
    for rows in (Campaign.objects, KnownGrade.objects, AssignmentEntry.with_controls):
        assert not rows.exists()


def test_whoever_is_removed_leaves_what_they_answered(mixed, olga, ada, ben):
    number = numbers(mixed, KIND_KNOWN)[0]
    say(mixed, number, grade=2)
    membership = mixed.topic.campaign.membership_set.get(user=ada)
    remove_member(user=olga, membership=membership)
    assert report(mixed).by_assessor[ada.username].known.n_equal == 1
    again = make.assignment(mixed.topic, ben)
    assert again.pk == mixed.pk
    assert again.all_entries.get(position=number - 1).predecessor == ada
    say(again, number, grade=0)
    assert set(report(mixed).by_assessor) == {ben.username}
    undo(assessor=ben, assignment=again)
    assert set(report(mixed).by_assessor) == {ada.username}


def test_documents_with_known_grades_and_controls_that_are_served_stay(mixed, olga):
    campaign = mixed.topic.campaign
    docno = served(mixed)[numbers(mixed, KIND_KNOWN)[0] - 1][0]
    document = Document.objects.get(campaign=campaign, docno=docno)
    with pytest.raises(Refused, match="it is used with a known grade"):
        delete_document(user=olga, document=document)
    known_grades.remove_known(user=olga, campaign=campaign)
    with pytest.raises(Refused, match="it is mixed in among an assessor's own"):
        delete_document(user=olga, document=document)


# Known grades


def test_known_grades_are_added_replaced_and_removed_on_record(mixed, olga):
    campaign = mixed.topic.campaign
    add = {"user": olga, "campaign": campaign}
    assert known_grades.import_known(**add, lines=known_lines(["k0", "d1"], 3)) == 2
    assert KnownGrade.objects.get(docno="k0").grade == 3
    for change in (
        lambda: known_grades.import_known(**add, lines=known_lines(["d1"]), seen="3"),
        lambda: known_grades.remove_known(**add, seen="4"),
    ):
        with pytest.raises(Refused, match="changed while you had the page open"):
            change()
    assert KnownGrade.objects.count() == 5
    known_grades.import_known(**add, lines=known_lines(["d5"], 1), replaces=True)
    assert "".join(known_grades.download_known(**add)) == "1 0 d5 1\n"
    known_grades.remove_known(**add, topic=mixed.topic)
    with pytest.raises(Refused, match="no known grades to remove"):
        known_grades.remove_known(**add)
    events = AuditEvent.objects.filter(kind__startswith="known").order_by("pk")
    assert list(events.values_list("subject", flat=True))[1:] == [
        "2 known grades",
        "1 known grade, in place of all before",
        "1 known grade of topic 1",
    ]


def test_lines_for_which_the_campaign_has_nothing_are_named(mixed, olga):
    make.campaign(olga, docnos=["nothing"])
    wrong = [*known_lines(["d1"]), *known_lines(["nothing"], 9, "7")]
    with pytest.raises(BadLines) as refused:
        known_grades.import_known(user=olga, campaign=mixed.topic.campaign, lines=wrong)
    [sentence] = refused.value.sentences
    assert sentence.startswith("Line 1: The campaign has no topic 7, and document nothing has not")
    assert not KnownGrade.objects.filter(docno="d1").exists()
