"""A judgment is of what its assessor saw: texts, scale and the judgment there was."""

from dataclasses import replace

import pytest

from accounts.access import Invalid, Refused
from assess.access.answers import Stale
from assess.core.answers import Act, Answer, Provenance, Seen
from assess.models.history import JudgmentEvent
from assess.models.judging import Judgment
from assess.services import judging
from collection.models.texts import Document
from tests.db.judging import answer, counts, undo


@pytest.fixture
def document(primary):
    return Document.objects.get(campaign=primary.topic.campaign, docno="d1")


def say(assignment, grade=1, *, state="judged", docno="d1", comment=None, **seen):
    grade = grade if state == "judged" else None
    return answer(assignment, docno, state, grade=grade, comment=comment, seen=Seen(**seen))


def replaced(row, text="Other words."):
    """The row with another text, as an import leaves it."""
    field = "text" if isinstance(row, Document) else "title"
    version = row.version + 1
    type(row).objects.filter(pk=row.pk).update(**{field: text, "version": version})
    row.refresh_from_db()
    return row


def test_judgment_events_and_undo_know_the_versions_that_were_read(primary, document):
    replaced(document)
    replaced(replaced(primary.topic))
    judgment = say(primary, document_version=2, topic_version=3)
    replaced(document)
    undo(assessor=primary.assessor, assignment=primary)
    judgment.refresh_from_db()
    read = ("document_version", "topic_version")
    assert (judgment.document_version, judgment.topic_version) == (2, 3)
    assert list(judgment.events.values_list(*read)) == [(2, 3), (2, 3)]


@pytest.mark.parametrize("what", ["document", "topic"])
def test_a_text_replaced_since_is_not_judged_unread(primary, document, what):
    replaced(document if what == "document" else primary.topic)
    with pytest.raises(Stale, match="is not the one that was read"):
        say(primary, document_version=1, topic_version=1)
    with pytest.raises(Invalid, match=f"say in {what}_version which one was judged"):
        say(primary)
    assert not Judgment.objects.exists()
    assert counts(primary) == (0, 0, 0)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (None, "missing"),
        ("", "missing"),
        (" \n\t\u00a0\u200b\ufeff", "missing"),
        ("\ufffd\ufffd\ufffd\x01 PDF", "unreadable"),
    ],
)
def test_what_nobody_can_read_has_no_grade_but_can_be_said_to_be_so(
    primary, document, text, reason
):
    if text is None:
        document.delete()
    else:
        Document.objects.filter(docno="d1").update(title="", text=text)
    said = f"so it cannot be graded: say that it is {reason}"
    with pytest.raises(Refused, match=said):
        say(primary, grade=0)
    assert not Judgment.objects.exists()
    with pytest.raises(Stale, match="d2 was missing, and is here now: read it first"):
        say(primary, docno="d2", state="later", document_version=0)
    judgment = answer(primary, "d1", "cannot_judge", reason=reason)
    assert judgment.document_version == (0 if text is None else 1)
    answer(primary, "d1", "later")
    assert counts(primary) == (0, 1, 0)


@pytest.mark.parametrize("gone", ["title", "text"])
def test_a_title_or_a_text_alone_can_be_graded(primary, gone):
    Document.objects.update(**{gone: ""})
    assert say(primary).grade == 1


# Two tabs: the cases are those of tests/core/assess/deciding.py


@pytest.mark.parametrize(
    ("shown", "typed", "newer", "kept"),
    [("old", "old", "newer", "newer"), ("", "mine", "", "mine"), ("old", "", "old", "")],
)
def test_a_comment_is_compared_with_the_one_that_the_page_showed(
    primary, shown, typed, newer, kept
):
    seen = say(primary, comment=shown, state="later")
    say(primary, grade=2, comment=newer, change=seen.change)
    say(primary, grade=2, comment=typed, change=seen.change)
    assert Judgment.objects.get().comment == kept


def test_an_act_of_a_list_is_compared_with_those_before_it(primary):
    first = Act(Answer("d1", "judged", {"grade": 2}, comment="old"), Provenance())
    after = first.provenance.client_id
    acts = [
        Act(replace(first.answer, comment=each), Provenance(), after=after)
        for each in ("new", "old")
    ]
    judging.judge_all(assessor=primary.assessor, key=primary.pk, acts=[first, *acts])
    assert list(JudgmentEvent.objects.values_list("comment", flat=True)) == ["old", "new", "new"]


def test_the_events_tell_every_grade_and_comment_there_was(primary):
    say(primary, grade=1, comment="first")
    say(primary, grade=2, docno="d2")
    say(primary, grade=3)
    undo(assessor=primary.assessor, assignment=primary)
    answer(primary, "d1", "cannot_judge", reason="other", comment="last")
    judgment = Judgment.objects.get(item__key="d1")
    columns = ("change", "to_state", "to_grade", "reason", "comment")
    assert list(judgment.events.values_list(*columns)) == [
        (1, "judged", 1, "", "first"),
        (3, "judged", 3, "", "first"),
        (4, "reopened", None, "", "first"),
        (5, "cannot_judge", None, "other", "last"),
    ]
    assert [judgment.comment_at(n) for n in range(7)] == ["", *["first"] * 4, "last", "last"]
    last = judgment.events.last()
    present = (judgment.change, judgment.state, judgment.grade, judgment.reason, judgment.comment)
    assert present == tuple(getattr(last, name) for name in columns)
    assert JudgmentEvent.objects.count() == 5
