"""What people do to assign, share, judge, ask and practice."""

from uuid import uuid4

from assess.core.answers import Act, Answer, Provenance
from assess.models.assigning import Assignment
from assess.models.sharing import SharedQueue
from assess.services import (
    adjudicating,
    assigning,
    correcting,
    handover,
    judging,
    reopening,
    sampling,
    sharing,
)
from campaigns.models.campaign import Campaign
from desk import services as marking
from desk.core.own_words import WordChange
from overview.services import rehearsal
from practice import services as practicing
from practice.core import Known
from questions import services as questions
from questions.core import Note
from questions.models import Question
from tests import make
from tests.db.actions.doing import (
    NOTHING,
    STRANGERS,
    Action,
    Given,
    assigned,
    judged,
    person,
    plainly,
    run,
)

ONLY_ASSESSORS = "Questions are asked by the assessors of Test campaign."
SOMEBODY_ELSE = "Topic 1 was given to somebody else to judge."
OTHER_ASSESSORS = {**STRANGERS, "ben": NOTHING, "pat": NOTHING, "olga": SOMEBODY_ELSE}
ONLY_FOR_PRACTICE = "Practice is for the assessors and organizers of Test campaign."


def frozen(campaign: Campaign, **values: object) -> Given:
    make.frozen_pool(campaign, [run(campaign)])
    return {"campaign": campaign, **values}


def on_judged(**values: object):
    return lambda campaign: {"assignment": judged(campaign), **values}


def on_assigned(**values: object):
    return lambda campaign: {"assignment": assigned(campaign), **values}


def to_assign(campaign: Campaign) -> Given:
    frozen(campaign)
    topic = campaign.topic_set.get(number="1")
    return {"topic": topic, "assessor": person("ada"), "kind": "primary"}


def to_assign_again(campaign: Campaign) -> Given:
    taken_back = judged(campaign)
    handover.take_back(user=person("olga"), assignment=taken_back)
    return {"topic": taken_back.topic, "assessor": person("ben"), "kind": "primary"}


def to_distribute(campaign: Campaign) -> Given:
    make.frozen_pool(campaign, [make.run(campaign, person("pat"), {"1": "d1"})])
    return {"campaign": campaign}


def to_share(campaign: Campaign) -> Given:
    people = [person("ada"), person("ben")]
    topics = [campaign.topic_set.get(number="1")]
    return frozen(campaign, topics=topics, assessors=people, n_wanted=2, lease_minutes=30)


def shared(campaign: Campaign) -> SharedQueue:
    [queue] = sharing.share(user=person("olga"), **to_share(campaign))
    return queue


def to_join(campaign: Campaign) -> Given:
    queue, ben = shared(campaign), person("ben")
    handover.take_back(user=person("olga"), assignment=queue.assignments.get(assessor=ben))
    return {"queue": queue, "assessors": [ben]}


def to_throw_away(campaign: Campaign) -> Given:
    judged(campaign)
    return {"campaign": campaign}


def unbegun(campaign: Campaign) -> Given:
    assigned(campaign)
    return {"campaign": campaign}


def to_restore(campaign: Campaign) -> Given:
    assignment = judged(campaign)
    reopening.reset(user=person("olga"), assignment=assignment)
    return {"assignment": assignment, "set_aside_at": assignment.judgments.get().set_aside_at}


def to_reopen_earlier(campaign: Campaign) -> Given:
    for own in Assignment.objects.filter(queue=shared(campaign)):
        sharing.lend(assessor=own.assessor, assignment=own)
        make.judgment(own, "d1", 2)
    make.imported(campaign, "documents", b"d1\t\tIt names another one.", takes_versions=True)
    return {"campaign": campaign}


def in_dispute(campaign: Campaign) -> Campaign:
    """Two documents that Dora and Ben graded, one of them differently."""
    dora = make.user("dora")
    campaign.membership_set.create(user=dora, role="assessor")
    make.frozen_pool(campaign, [run(campaign)])
    topic = campaign.topic_set.get(number="1")
    first = make.assignment(topic, dora)
    second = make.assignment(topic, person("ben"), "second")
    for docno, one, other in (("d1", 2, 0), ("d2", 1, 1)):
        make.judgment(first, docno, one)
        make.judgment(second, docno, other)
    return campaign


def to_bring(campaign: Campaign) -> Given:
    ada = person("ada")
    [made] = adjudicating.adjudicate(
        user=person("olga"), campaign=in_dispute(campaign), assessor=ada
    ).made
    make.judgment(Assignment.objects.get(kind="second"), "d2", 3)
    return {"assignment": made}


def to_sample_more(campaign: Campaign) -> Given:
    make.frozen_pool(campaign, [run(campaign)])
    topic = campaign.topic_set.get(number="1")
    return {"assignment": make.assignment(topic, person("ada"), "second", share=0.5), "n": 5}


def to_give_up(campaign: Campaign) -> Given:
    waiting = to_sample_more(campaign)["assignment"]
    handover.take_back(user=person("olga"), assignment=waiting)
    return {"assignment": waiting, "reason": "Nobody else has the time."}


def to_correct(campaign: Campaign) -> Given:
    return {"topic": judged(campaign).topic, "docno": "d1", "grade": 0, "reason": "A misprint."}


def to_take_back_correction(campaign: Campaign) -> Given:
    given = to_correct(campaign)
    correcting.correct(user=person("olga"), **given)
    return {"topic": given["topic"], "docno": "d1"}


def question(campaign: Campaign) -> Question:
    return questions.ask(
        user=person("ada"),
        assignment=assigned(campaign),
        client_id=uuid4(),
        text="Do bats count?",
        docno="d1",
    )


def answered(campaign: Campaign) -> Given:
    given = questions.answer(user=person("olga"), question=question(campaign), text="No.")
    return {"campaign": campaign, "answers": [given.pk]}


def to_practice(campaign: Campaign) -> Given:
    make.practice(campaign, "d1 2 It names one.")
    return {"campaign": campaign}


def to_confirm(campaign: Campaign) -> Given:
    given = to_practice(campaign, docno="d1", seen="2")
    make.imported(campaign, "documents", b"d1\t\tIt names another one.")
    return given


def by_ada(service, given, refused=OTHER_ASSESSORS) -> Action:
    """What an assessor does, without an event."""
    return Action(service, None, given, "ada", refused)


ASSIGNING = [
    Action(assigning.assign, "topic.assigned 1 to Ada (primary)", to_assign),
    Action(
        assigning.assign,
        "topic.assigned 1 to Ben (primary)",
        to_assign_again,
        of="a topic taken back",
    ),
    Action(assigning.distribute, "topics.assigned 1 primary, 0 second", to_distribute),
    Action(
        assigning.limit_assessors,
        "assessors.limited ada",
        lambda campaign: frozen(campaign, limits={person("ada").pk: 100}),
    ),
    Action(
        handover.hand_over,
        "topic.handed_over 1 from Ada to Ben (primary)",
        lambda campaign: {"assignment": judged(campaign), "assessor": person("ben")},
    ),
    Action(handover.take_back, "topic.taken_back 1 from Ada (primary)", on_assigned()),
    Action(handover.take_back_unbegun, "topics.taken_back 1 not begun", unbegun),
    Action(reopening.reopen, "topic.reopened 1, Ada (primary): d1", on_judged(docno="d1")),
    Action(reopening.reopen_earlier, "judgments.reopened 2 judgments", to_reopen_earlier),
    Action(reopening.reset, "topic.reset 1, Ada (primary): 1", on_judged()),
    Action(reopening.restore, "topic.brought_back 1, Ada (primary): 1", to_restore),
    Action(
        adjudicating.adjudicate,
        "adjudication.asked Ada: 1 document of 1 topic",
        lambda campaign: {"campaign": in_dispute(campaign), "assessor": person("ada")},
    ),
    by_ada(adjudicating.bring, to_bring),
    Action(handover.give_up, "topic.sample_given_up 1, 1 document", to_give_up),
    Action(sampling.sample_more, "topic.sample_extended 1, Ada: 1 document", to_sample_more),
    Action(correcting.correct, "grade.corrected d1 for topic 1: 0, 2 before", to_correct),
    Action(
        correcting.take_back_correction,
        "correction.taken_back d1 for topic 1, which was 0",
        to_take_back_correction,
    ),
    Action(
        rehearsal.throw_away_rehearsal,
        "rehearsal.thrown_away 3 pooled documents, 1 assignment, 1 answer and 1 judgment event",
        to_throw_away,
    ),
]
SHARING = [
    Action(sharing.share, "topic.shared 1 among Ada, Ben", to_share),
    Action(
        sharing.change_sharing,
        "topic.sharing_changed 1: 1 judgment of each document",
        lambda campaign: {"queue": shared(campaign), "n_wanted": 1, "lease_minutes": 30},
    ),
    Action(sharing.join_sharing, "topic.sharing_joined 1 to Ben", to_join),
    Action(sharing.unshare, "topic.unshared 1", lambda campaign: {"queue": shared(campaign)}),
    by_ada(
        sharing.lend,
        lambda campaign: {"assignment": shared(campaign).assignments.get(assessor=person("ada"))},
    ),
]
ANSWERING = [
    by_ada(judging.judge, on_assigned(answer=Answer("d1", "later"))),
    by_ada(
        judging.judge_all,
        lambda campaign: {
            "key": assigned(campaign).pk,
            "acts": [Act(Answer("d1", "later"), Provenance())],
        },
    ),
    by_ada(
        questions.save_note,
        lambda campaign: {
            "pk": assigned(campaign).pk,
            "note": Note("All that flies.", "hard", "two senses"),
        },
    ),
    by_ada(
        marking.mark_words,
        on_assigned(changes=[WordChange("add", "canopy"), WordChange("off", "tree")]),
    ),
]
ASKING = [
    by_ada(questions.ask, on_assigned(client_id=uuid4(), text="Do bats count?")),
    by_ada(
        questions.withdraw_question,
        lambda campaign: {"question": question(campaign)},
        {**STRANGERS, "ben": NOTHING, "pat": ONLY_ASSESSORS, "olga": ONLY_ASSESSORS},
    ),
    by_ada(
        questions.see_answers,
        answered,
        {**STRANGERS, "pat": ONLY_ASSESSORS, "olga": ONLY_ASSESSORS},
    ),
    Action(
        questions.answer,
        "question.answered 1 by Ada",
        lambda campaign: {"question": question(campaign), "text": "No."},
    ),
]
PRACTICING = [
    Action(
        practicing.change_practice,
        "practice.changed title, known answers",
        plainly(changes={"title": "Bridges", "known": [Known("d1", 2, "It names one.")]}),
    ),
    by_ada(practicing.serve_practice, to_practice, {**STRANGERS, "pat": ONLY_FOR_PRACTICE}),
]
JUDGING = [*ASSIGNING, *SHARING, *ANSWERING, *ASKING, *PRACTICING]
