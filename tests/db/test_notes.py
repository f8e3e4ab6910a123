"""Notes on topics: each its author's, saved once, and never overwritten unseen."""

import pytest

from accounts.access import Invalid, NotYours, Refused
from assess.models.assigning import Assignment
from assess.services import handover
from collection.services import collection
from pooling import services as pooling
from questions import services as notes
from questions.access import NoteChanged
from questions.core import Note
from questions.models import TopicNote
from tests import make
from tests.db.judging import downloaded

BIRDS = Note("All that flies.\nNot bats.", "hard", "two senses")


def save(assignment, note=BIRDS, version=None, assessor=None) -> TopicNote:
    return notes.save_note(
        assessor=assessor or assignment.assessor, pk=assignment.pk, note=note, version=version
    )


def test_a_note_is_saved_once_if_it_says_anything_and_never_overwritten_unseen(primary):
    save(primary, Note(), 0)
    assert not TopicNote.objects.exists()
    for _ in range(2):
        assert save(primary, version=0).version == 1
    assert TopicNote.objects.get().note == BIRDS
    with pytest.raises(NoteChanged) as refusal:
        save(primary, Note("Bats too."), 0)
    assert refusal.value.now.note == TopicNote.objects.get().note == BIRDS
    assert save(primary, Note("Bats too."), refusal.value.now.version).version == 2


@pytest.mark.parametrize(
    ("note", "field", "sentence"),
    [
        (Note("x" * 10_001), "text", "at most 10,000 characters; this one has 10,001"),
        (Note(remark="x" * 301), "remark", "at most 300 characters; this one has 301"),
        (Note(difficulty="awful"), "difficulty", "easy, middling, hard"),
        (Note("a\0b"), "text", "NUL"),
        (Note(remark="\ud800"), "text", "lone surrogates"),
    ],
)
def test_what_a_note_may_not_hold_is_said(primary, note, field, sentence):
    with pytest.raises(Invalid, match=sentence) as refusal:
        save(primary, note)
    assert refusal.value.field == field


def test_a_note_stays_its_authors_when_the_topic_passes_on(primary, olga, ada, ben):
    save(primary)
    handed = handover.hand_over(user=olga, assignment=primary, assessor=ben)
    assert TopicNote.objects.of(primary.topic, ben).note == Note()
    save(handed, Note("Only birds."))
    with pytest.raises(NotYours, match="given to somebody else"):
        save(handed, Note("Mine."), assessor=ada)
    found = [(str(note.author), note.text) for note in TopicNote.objects.on(primary.topic)]
    assert found == [("Ada", BIRDS.text), ("Ben", "Only birds.")]


def test_nothing_is_saved_once_judging_has_closed_or_the_author_was_removed(primary, ada):
    campaign = primary.topic.campaign
    save(primary)
    campaign.membership_set.get(user=ada).delete()
    with pytest.raises(Refused, match="no longer an assessor"):
        save(primary, Note("More."))
    campaign.judging_closes_at = campaign.created_at
    campaign.save()
    campaign.membership_set.create(user=ada, role="assessor")
    with pytest.raises(Refused, match="Judging closed"):
        save(primary, Note("Later."))
    assert TopicNote.objects.on(primary.topic).get().note == BIRDS


def test_a_note_outlives_the_assignment_and_keeps_its_topic(primary, olga):
    save(primary)
    topic, pool = primary.topic, primary.pool
    pooling.delete_batch(user=olga, batch=make.taken_back(olga, pool))
    assert not Assignment.objects.exists()
    assert TopicNote.objects.on(topic).get().note == BIRDS
    with pytest.raises(Refused, match="noted on by an assessor"):
        collection.delete_topic(user=olga, topic=topic)


def test_the_file_has_every_note_that_says_anything(primary, olga, ben):
    save(primary)
    other = make.assignment(primary.topic, ben, Assignment.Kind.SECOND)
    save(other, Note(difficulty="easy"))
    save(other, Note())
    [row] = downloaded(notes.NOTES, primary.topic.campaign, olga)
    row.pop("changed_at")
    said = {"difficulty": "hard", "remark": "two senses", "note": BIRDS.text}
    assert row == {"topic": "1", "assessor": "ada", **said, "version": "1"}
