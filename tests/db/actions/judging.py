"""What people do to assign, share, judge, ask and practice."""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

from assess.core.answers import Act, Answer, Provenance
from assess.models.assigning import Assignment
from assess.models.sharing import SharedQueue
from assess.services import (
    assigning,
    distributing,
    handover,
    judging,
    rejudging,
    reopening,
    sharing,
)
from campaigns.models.campaign import Campaign
from desk import services as marking
from desk.core.own_words import WordChange
from overview.services import rehearsal
from practice import services as practicing
from practice.core import Known
from questions.core.notes import Note
from questions.models.questions import Question
from questions.services import notes, questions
from tests import make
from tests.db.actions.doing import (
    NOTHING,
    STRANGERS,
    Action,
    Do,
    assigned,
    judged,
    partial_user,
    person,
    run,
)

ONLY_ASSESSORS = "Questions are asked by the assessors of Test campaign."
SOMEBODY_ELSE = "Topic 1 was given to somebody else to judge."
OTHER_ASSESSORS = {**STRANGERS, "ben": NOTHING, "pat": NOTHING, "olga": SOMEBODY_ELSE}


def assign(campaign: Campaign) -> Do:
    make.frozen_pool(campaign, [run(campaign)])
    topic = campaign.topic_set.get(number="1")
    return partial_user(assigning.assign, topic=topic, assessor=person("ada"), kind="primary")


def assign_again(campaign: Campaign) -> Do:
    taken_back = judged(campaign)
    handover.take_back(user=person("olga"), assignment=taken_back)
    return partial_user(
        assigning.assign, topic=taken_back.topic, assessor=person("ben"), kind="primary"
    )


def distribute(campaign: Campaign) -> Do:
    make.frozen_pool(campaign, [make.run(campaign, person("pat"), {"1": "d1"})])
    return partial_user(distributing.distribute, campaign=campaign)


def limit_assessors(campaign: Campaign) -> Do:
    make.frozen_pool(campaign, [run(campaign)])
    return partial_user(
        distributing.limit_assessors, campaign=campaign, limits={person("ada").pk: 100}
    )


def share(campaign: Campaign) -> Do:
    make.frozen_pool(campaign, [run(campaign)])
    topic, people = campaign.topic_set.get(number="1"), [person("ada"), person("ben")]
    return partial_user(
        sharing.share,
        campaign=campaign,
        topics=[topic],
        assessors=people,
        n_wanted=2,
        lease_minutes=30,
    )


def shared(campaign: Campaign) -> SharedQueue:
    [queue] = share(campaign)(person("olga"))
    return queue


def on_shared(service: Callable[..., Any], **values: Any) -> Callable[[Campaign], Do]:
    """An action on a shared topic."""
    return lambda campaign: partial_user(service, queue=shared(campaign), **values)


def join_sharing(campaign: Campaign) -> Do:
    queue = shared(campaign)
    handover.take_back(
        user=person("olga"), assignment=queue.assignments.get(assessor=person("ben"))
    )
    return partial_user(sharing.join_sharing, queue=queue, assessors=[person("ben")])


def lend(campaign: Campaign) -> Do:
    queue = shared(campaign)
    assignment = queue.assignments.get(assessor=person("ada"))
    return lambda user: sharing.lend(assessor=user, assignment=assignment)


def on_assignment(
    service: Callable[..., Any], state=assigned, **values: Any
) -> Callable[[Campaign], Do]:
    """An action on Ada's assignment."""
    return lambda campaign: partial_user(service, assignment=state(campaign), **values)


def hand_over(campaign: Campaign) -> Do:
    return partial_user(handover.hand_over, assignment=judged(campaign), assessor=person("ben"))


def throw_away(campaign: Campaign) -> Do:
    judged(campaign)
    return partial_user(rehearsal.throw_away_rehearsal, campaign=campaign)


def take_back_unbegun(campaign: Campaign) -> Do:
    assigned(campaign)
    return partial_user(handover.take_back_unbegun, campaign=campaign)


def restore(campaign: Campaign) -> Do:
    assignment = judged(campaign)
    reopening.reset(user=person("olga"), assignment=assignment)
    aside = assignment.judgments.get().set_aside_at
    return partial_user(reopening.restore, assignment=assignment, set_aside_at=aside)


def judge(campaign: Campaign) -> Do:
    assignment = assigned(campaign)
    answer = Answer("d1", "later")
    return lambda user: judging.judge(assessor=user, assignment=assignment, answer=answer)


def record(campaign: Campaign) -> Do:
    assignment = assigned(campaign)
    acts = [Act(Answer("d1", "later"), Provenance())]
    return lambda user: judging.record(assessor=user, pk=assignment.pk, acts=acts)


def save_note(campaign: Campaign) -> Do:
    assignment, note = assigned(campaign), Note("All that flies.", "hard", "two senses")
    return lambda user: notes.save_note(assessor=user, pk=assignment.pk, note=note)


def mark_words(campaign: Campaign) -> Do:
    changes = [WordChange("add", "canopy"), WordChange("off", "tree")]
    return partial_user(marking.mark_words, assignment=assigned(campaign), changes=changes)


def question(campaign: Campaign) -> Question:
    return questions.ask(
        user=person("ada"),
        assignment=assigned(campaign),
        client_id=uuid4(),
        text="Do bats count?",
        docno="d1",
    )


def ask(campaign: Campaign) -> Do:
    return partial_user(
        questions.ask, assignment=assigned(campaign), client_id=uuid4(), text="Do bats count?"
    )


def see_answers(campaign: Campaign) -> Do:
    given = questions.answer(user=person("olga"), question=question(campaign), text="No.")
    return partial_user(questions.see_answers, campaign=campaign, answers=[given.pk])


ONLY_FOR_PRACTICE = "Practice is for the assessors and organizers of Test campaign."


def change_practice(campaign: Campaign) -> Do:
    changes = {"title": "Bridges", "known": [Known("d1", 2, "It names one.")]}
    return partial_user(practicing.change_practice, campaign=campaign, changes=changes)


def answer_practice(campaign: Campaign) -> Do:
    make.practice(campaign, "d1 2 It names one.")
    return partial_user(practicing.answer_practice, campaign=campaign, docno="d1", grade=1)


def confirm_practice(campaign: Campaign) -> Do:
    make.practice(campaign, "d1 2 It names one.")
    make.imported(campaign, "documents", b"d1\t\tIt names another one.")
    return partial_user(practicing.confirm_practice, campaign=campaign, docno="d1", seen="2")


def reopen_earlier(campaign: Campaign) -> Do:
    for own in Assignment.objects.filter(queue=shared(campaign)):
        sharing.lend(assessor=own.assessor, assignment=own)
        make.judgment(own, "d1", 2)
    make.imported(campaign, "documents", b"d1\t\tIt names another one.", takes_versions=True)
    return partial_user(rejudging.reopen_earlier, campaign=campaign)


def skip_practice(campaign: Campaign) -> Do:
    make.practice(campaign, "d1 2 It names one.")
    return partial_user(practicing.skip_practice, campaign=campaign)


JUDGING = {
    "assign": Action(assign, ("topic.assigned", "1 to Ada (primary)")),
    "assign of a topic taken back": Action(assign_again, ("topic.assigned", "1 to Ben (primary)")),
    "distribute": Action(distribute, ("topics.assigned", "1 primary, 0 second")),
    "throw_away_rehearsal": Action(
        throw_away,
        (
            "rehearsal.thrown_away",
            "3 pooled documents, 1 assignment, 1 answer and 1 judgment event",
        ),
    ),
    "limit_assessors": Action(limit_assessors, ("assessors.limited", "ada")),
    "hand_over": Action(hand_over, ("topic.handed_over", "1 from Ada to Ben (primary)")),
    "take_back": Action(
        on_assignment(handover.take_back), ("topic.taken_back", "1 from Ada (primary)")
    ),
    "take_back_unbegun": Action(take_back_unbegun, ("topics.taken_back", "1 not begun")),
    "share": Action(share, ("topic.shared", "1 among Ada, Ben")),
    "change_sharing": Action(
        on_shared(sharing.change_sharing, n_wanted=1, lease_minutes=30),
        ("topic.sharing_changed", "1: 1 judgment of each document"),
    ),
    "join_sharing": Action(join_sharing, ("topic.sharing_joined", "1 to Ben")),
    "unshare": Action(on_shared(sharing.unshare), ("topic.unshared", "1")),
    "lend": Action(lend, None, "ada", {**OTHER_ASSESSORS, "ben": NOTHING}),
    "reopen": Action(
        on_assignment(reopening.reopen, judged, docno="d1"),
        ("topic.reopened", "1, Ada (primary): d1"),
    ),
    "reopen_earlier": Action(reopen_earlier, ("judgments.reopened", "2 judgments")),
    "reset": Action(on_assignment(reopening.reset, judged), ("topic.reset", "1, Ada (primary): 1")),
    "restore": Action(restore, ("topic.brought_back", "1, Ada (primary): 1")),
    "judge": Action(judge, None, "ada", OTHER_ASSESSORS),
    "record": Action(record, None, "ada", OTHER_ASSESSORS),
    "ask": Action(ask, None, "ada", OTHER_ASSESSORS),
    "withdraw_question": Action(
        lambda campaign: partial_user(questions.withdraw_question, question=question(campaign)),
        None,
        "ada",
        {**STRANGERS, "ben": NOTHING, "pat": ONLY_ASSESSORS, "olga": ONLY_ASSESSORS},
    ),
    "answer": Action(
        lambda campaign: partial_user(questions.answer, question=question(campaign), text="No."),
        ("question.answered", "1 by Ada"),
    ),
    "see_answers": Action(
        see_answers, None, "ada", {**STRANGERS, "pat": ONLY_ASSESSORS, "olga": ONLY_ASSESSORS}
    ),
    "save_note": Action(save_note, None, "ada", OTHER_ASSESSORS),
    "mark_words": Action(mark_words, None, "ada", OTHER_ASSESSORS),
    "change_practice": Action(change_practice, ("practice.changed", "title, known answers")),
    "confirm_practice": Action(confirm_practice, ("practice.changed", "d1 still has grade 2")),
    "answer_practice": Action(
        answer_practice, None, "ada", {**STRANGERS, "pat": ONLY_FOR_PRACTICE}
    ),
    "skip_practice": Action(
        skip_practice,
        None,
        "ada",
        {
            **STRANGERS,
            "pat": ONLY_FOR_PRACTICE,
            "olga": "Only assessors practice first, so there is nothing to skip.",
        },
    ),
}
