"""Change the words that an assessor marks in the documents of a topic."""

from collections.abc import Iterable, Sequence

from accounts.access import check
from accounts.models import User
from assess.access.judging import Judging
from assess.models.answering import lock_assignment
from assess.models.assigning import Assignment
from campaigns.acting import in_campaign
from desk.core.own_words import Marked, OwnWord, WordChange, after
from desk.models import TopicWord

Kind = TopicWord.Kind


@in_campaign
def mark_words(
    *, user: User, assignment: Assignment, changes: Sequence[WordChange]
) -> tuple[Marked, list[tuple[WordChange, str]]]:
    """Apply the changes in order. A list that is sent twice changes nothing the second time.

    Return what is marked now, and the changes refused, each with the reason.
    """
    # The second of two tabs waits for the first, so together they stay within the limits.
    locked = lock_assignment(assignment.pk, user)
    check(Judging.mark_words, user, locked)
    topic = locked.topic_id
    before = TopicWord.objects.marked(user, topic)
    now, refused = after(before, changes)
    if now != before:
        _write(user, topic, before, now)
    return now, refused


def _write(user: User, topic: int, before: Marked, now: Marked) -> None:
    """Delete the rows that went, and add those that came."""
    rows = TopicWord.objects.of(user, topic)
    for kind, was, words in (
        (Kind.OWN, before.own, now.own),
        (Kind.OFF, _words(before.off), _words(now.off)),
    ):
        gone = [word.text for word in was if word not in words]
        rows.filter(kind=kind, text__in=gone).delete()
        TopicWord.objects.bulk_create(
            (
                TopicWord(assessor=user, topic_id=topic, kind=kind, text=word.text, mark=word.mark)
                for word in words
                if word not in was
            ),
            ignore_conflicts=True,
        )


def _words(labels: Iterable[str]) -> list[OwnWord]:
    return [OwnWord(label, 1) for label in labels]
