"""Grades that are known beforehand: compared, changed, confirmed for a new text, and removed."""

from functools import partial

import pytest

from accounts.access import Refused
from agreement.web.controls import CONTROLS
from assess.access.answers import Stale
from assess.access.known_grades import BadLines
from assess.core.purposes import KNOWN as KIND_KNOWN
from assess.models.controls import KnownGrade
from assess.models.history import JudgmentEvent
from assess.services import known_grades
from campaigns.models.campaign import Campaign
from campaigns.models.trail import AuditEvent
from tests import make
from tests.db.controls import KNOWN, know, known_lines, numbers, report, say, served
from tests.db.judging import downloaded


def test_a_known_grade_that_changes_is_the_one_compared_and_one_that_goes_drops_out(mixed, olga):
    campaign = mixed.topic.campaign
    for number in numbers(mixed, KIND_KNOWN):
        say(mixed, number, grade=1)
    assert report(mixed).known.overall.n_equal == 0
    know(campaign, KNOWN, grade=1)
    assert report(mixed).known.overall.n_equal == 2
    known_grades.remove_known(user=olga, campaign=campaign)
    assert report(mixed).known.overall is None
    on_record = downloaded(CONTROLS, campaign, olga)
    assert [row["expected"] for row in on_record] == ["", ""]
    say(mixed, numbers(mixed, KIND_KNOWN)[0], grade=3)  # and still judged as before
    know(campaign, KNOWN, grade=3)
    assert (report(mixed).known.overall.n, report(mixed).known.overall.n_equal) == (2, 1)


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
    grade = KnownGrade.objects.get(item__key=docno).grade
    say(mixed, first, grade=grade)
    waiting = replaced(campaign, docno, "Another text.")
    assert docno not in KnownGrade.objects.by_topic([mixed.topic.pk])[mixed.topic.pk]
    assert report(mixed).known.overall.n_equal == 1, "about the text that was graded"
    say(mixed, first, grade=grade, version=2)
    versions = JudgmentEvent.objects.order_by("pk").values_list("document_version", flat=True)
    assert list(versions) == [1, 2]
    assert report(mixed).known.overall is None, "of the new text nothing is known yet"
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
    assert report(mixed).known.overall.n_equal == 1
    assert docno in KnownGrade.objects.by_topic([mixed.topic.pk])[mixed.topic.pk]
    assert not KnownGrade.objects.of(campaign).on_earlier()


def test_a_known_grade_that_is_corrected_is_of_the_new_text_alone(mixed, olga):
    campaign, first = mixed.topic.campaign, numbers(mixed, KIND_KNOWN)[0]
    docno = served(mixed)[first - 1][0]
    say(mixed, first, grade=1)
    confirm = partial(known_grades.confirm_known, user=olga, campaign=campaign, grade=1)
    confirm(known=replaced(campaign, docno, "Another text.").pk, seen="2")
    assert report(mixed).known.overall is None
    say(mixed, first, grade=1, version=2)
    assert report(mixed).known.overall.n_equal == 1
    replaced(campaign, docno, "A third text.")
    know(campaign, [docno], grade=1)  # a file says the same again, of the text there is now
    assert KnownGrade.objects.get(item__key=docno).document_versions == [2, 3]
    waiting = replaced(campaign, docno, "A fourth text.")
    known_grades.remove_known(user=olga, campaign=campaign)
    with pytest.raises(Stale, match="was removed while you had the page open"):
        confirm(known=waiting.pk, seen="4")


def test_known_grades_are_added_replaced_and_removed_on_record(mixed, olga):
    campaign = mixed.topic.campaign
    add = {"user": olga, "campaign": campaign}
    stale = KnownGrade.objects.of(campaign).seen()
    assert known_grades.import_known(**add, lines=known_lines(["k0", "d1"], 3)) == 2
    assert KnownGrade.objects.get(item__key="k0").grade == 3
    for change in (
        lambda: known_grades.import_known(**add, lines=known_lines(["d1"]), seen=stale),
        lambda: known_grades.remove_known(**add, seen=stale),
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
    assert not KnownGrade.objects.filter(item__key="d1").exists()
