"""Corrections: an organizer's grade in place of the official one, with a reason, on record."""

import pytest

from accounts.access import Invalid, NotYours, Refused
from assess.models.disputes import disputes
from assess.models.official import OfficialGrade
from assess.services.correcting import correct, take_back_correction, version_of
from assess.services.judgment_files import OFFICIAL
from campaigns.models.trail import AuditEvent
from pooling.models.entries import PoolEntry
from qrels.services.publishing import publish_qrels
from tests import make, records
from tests.db.judging import answer, downloaded


@pytest.fixture
def judged(primary):
    answer(primary, "d1", grade=2)
    answer(primary, "d2", grade=1)
    return primary


def put(user, topic, docno="d1", grade=0, reason="A misprint in the scan.", **seen):
    return correct(user=user, topic=topic, docno=docno, grade=grade, reason=reason, **seen)


def grades(topic) -> dict[str, int]:
    return OfficialGrade.objects.grades(topic.campaign)["1"]


def test_a_correction_is_official_whatever_the_assessor_says_from_then_on(judged, topic, olga):
    put(olga, topic)
    assert grades(topic) == {"d1": 0, "d2": 1}
    answer(judged, "d1", grade=3)
    answer(judged, "d2", grade=3)
    assert grades(topic) == {"d1": 0, "d2": 3}
    event = AuditEvent.objects.get(kind="grade.corrected")
    assert event.subject == "d1 for topic 1: 0, 2 before"
    assert event.detail["reason"] == "A misprint in the scan."


def test_taken_back_the_grade_is_again_what_judgments_make_it(judged, topic, olga):
    put(olga, topic)
    answer(judged, "d1", grade=3)
    take_back_correction(user=olga, topic=topic, docno="d1")
    assert grades(topic)["d1"] == 3
    assert AuditEvent.objects.get(kind="correction.taken_back").subject == (
        "d1 for topic 1, which was 0"
    )
    with pytest.raises(Refused, match="d1 for topic 1 has no correction to take back"):
        take_back_correction(user=olga, topic=topic, docno="d1")


def test_its_past_and_reason_are_in_the_file_of_official_grades(judged, topic, olga):
    put(olga, topic)
    put(olga, topic, grade=1, reason="Read once more.")
    rows = downloaded(OFFICIAL, topic.campaign, olga)
    told = [(row["grade"], row["rule"], row["by"], row["why"]) for row in rows]
    assert told[:3] == [
        ("2", "primary", "ada", ""),
        ("0", "correction", "olga", "A misprint in the scan."),
        ("1", "correction", "olga", "Read once more."),
    ]
    assert [bool(row["until"]) for row in rows[:3]] == [True, True, False]


def test_a_version_keeps_the_correction_and_its_reason_beside_the_judgments(judged, topic, olga):
    put(olga, topic)
    qrels = publish_qrels(user=olga, campaign=topic.campaign)
    rows = records.read(records.kept(qrels.judgments))
    [row] = [row for row in rows if row["kind"] == "correction"]
    assert (row["grade"], row["comment"], row["judgment"]) == ("0", "A misprint in the scan.", "")
    assert make.content(qrels.file) == records.RULES[qrels.rule](rows) == b"1 0 d1 0\n1 0 d2 1\n"
    assert qrels.n_carried == 0, "it was judged here"
    assert (qrels.n_corrected, qrels.rule_in_words) == (1, "primary assessor; 1 corrected")


def test_a_correction_ends_a_dispute(judged, topic, olga, ben):
    second = make.assignment(topic, ben, "second")
    answer(second, "d1", grade=0)
    assert len(disputes(topic.campaign, [topic.pk])) == 1
    put(olga, topic, grade=1)
    assert disputes(topic.campaign, [topic.pk]) == []


def test_only_organizers_correct(judged, topic, ada):
    with pytest.raises(NotYours):
        put(ada, topic)


@pytest.mark.parametrize(
    ("values", "field", "sentence"),
    [
        ({"reason": " "}, "reason", "Say why: the reason stays on record beside the grade."),
        ({"reason": "x" * 2001}, "reason", "A reason has at most 2,000 characters."),
        ({"grade": 9}, "grade", "9 is not a grade of this campaign's scale: "),
    ],
)
def test_a_correction_needs_a_grade_of_the_scale_and_a_reason(
    judged, topic, olga, values, field, sentence
):
    with pytest.raises(Invalid) as refused:
        put(olga, topic, **values)
    assert refused.value.field == field
    assert str(refused.value).startswith(sentence)


def test_what_is_so_already_or_was_never_judged_is_not_corrected(judged, topic, olga):
    with pytest.raises(Refused, match="d1 officially has grade 2 already"):
        put(olga, topic, grade=2)
    with pytest.raises(Refused, match="d3 has no official grade for topic 1 that could be"):
        put(olga, topic, docno="d3")


def test_what_changed_since_the_page_showed_it_is_not_corrected(judged, topic, olga):
    seen = version_of(OfficialGrade.objects.current().get(item__key="d1"))
    answer(judged, "d1", grade=1)
    with pytest.raises(Refused, match="The official grade of d1"):
        put(olga, topic, seen=seen)


def test_the_grade_of_a_repeated_text_follows_that_of_its_original(judged, topic, olga):
    original, repeated = make.items(topic, "d2", "d9")
    entry = PoolEntry.objects.get(item=original)
    entry.pk, entry.item, entry.same_as, entry.position = None, repeated, original, 9
    entry.standing = "duplicate"
    entry.save(force_insert=True)
    answer(judged, "d2", grade=2)
    assert grades(topic)["d9"] == 2
    with pytest.raises(Refused, match="d9 has the grade of the document whose text it repeats"):
        put(olga, topic, docno="d9")
    put(olga, topic, docno="d2", grade=0)
    assert grades(topic) == {"d1": 2, "d2": 0, "d9": 0}
