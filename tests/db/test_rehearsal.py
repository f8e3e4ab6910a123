"""A rehearsal is thrown away as a whole, while no qrels rest on it."""

from uuid import uuid4

import pytest
from django.utils import timezone

from accounts.access import Refused
from assess.models.assigning import Assignment, Unfrozen
from assess.models.history import JudgmentEvent
from assess.models.judging import Judgment
from assess.services import sharing
from campaigns.models.campaign import Campaign
from campaigns.models.trail import AuditEvent
from campaigns.services import campaign as campaign_services
from campaigns.services import ending
from cleverdon.trec.versions import version
from overview.services.rehearsal import describe_rehearsal, throw_away_rehearsal
from pooling import services as pooling
from pooling.models.pools import Pool
from qrels.services import publishing
from questions import services as questions
from questions.models import Answering, AnswerSeen, Question, TopicNote
from runs.models import Run
from tests import make
from tests.asked import graded_by
from tests.db.actions import doing, snapshot
from tests.db.judging import undo
from tests.db.practicing import answered
from tests.db.races import overtaken
from tests.db.test_ending import files, left
from tests.db.uploading import QRELS
from tests.releasing import show_to
from tests.worlds import once

WHOLE = (
    "4 pooled documents, 2 assignments, 1 shared topic, 1 answer, 2 judgment events, 1 practice "
    "answer, 1 question and 1 topic note"
)
# What is as it was before the pool, but for marks on runs and the campaign and for what is on
# record.
SAME = ["Topic", "Document", "Membership", "Team", "User", "KnownGrade", "Practice"]


@pytest.fixture
@once
def rehearsed(campaign, olga, pat, ada, ben) -> dict[str, list[str]]:
    """Judged, undone, practiced, asked, answered, noted, and another topic shared.

    What there was before is returned.
    """
    one, two = campaign.topic_set.order_by("number")
    make.known_grade(one, "d6", 2)
    make.practice(campaign, "d6\t2\tIt names the bridge.")
    run = make.run(campaign, pat, {"1": "d1 d2", "2": "d3 d4"})
    before = snapshot()
    make.frozen_pool(campaign, [run])
    answered(ada, campaign.practice, "d6", 1)
    mine = make.assignment(one, ada)
    make.judgment(mine, "d1", 3)
    undo(assessor=ada, assignment=mine)
    terms = {"assessors": [ben], "n_wanted": 1, "lease_minutes": 30}
    sharing.share(user=olga, campaign=campaign, topics=[two], **terms)
    question = questions.ask(user=ada, assignment=mine, client_id=uuid4(), text="Bats?")
    answering = Answering.objects.create(question=question, by=olga, text="No.", audience="asker")
    AnswerSeen.objects.create(answer=answering, reader=ada)
    TopicNote.objects.create(topic=one, author=ada, text="Bats.")
    return before


def test_everything_since_the_pool_goes_and_everything_before_it_stays(
    campaign, olga, rehearsed, django_capture_on_commit_callbacks
):
    n_files = len(files())
    assert describe_rehearsal(campaign) == WHOLE
    with django_capture_on_commit_callbacks(execute=False):
        throw_away_rehearsal(user=olga, campaign=campaign, seen=version(WHOLE))
    after = snapshot()
    assert [name for name in SAME if after[name] != rehearsed[name]] == []
    mine = {name for name in after if len(after[name]) != len(rehearsed[name])}
    # An item only names what may be judged for a topic.
    assert mine == {"AuditEvent", "Job", "Item"}
    gone = (Pool, Assignment, JudgmentEvent, Question, TopicNote)
    assert not any(model.objects.exists() for model in gone)
    assert len(files()) == n_files
    event = AuditEvent.objects.first()
    assert (event.kind, event.subject) == ("rehearsal.thrown_away", WHOLE)
    assert event.detail["counts"]["judgment event"] == 2


def test_everything_can_be_done_once_more_or_the_campaign_deleted(campaign, olga, ada, rehearsed):
    said = "has 1 answer from assessors: throw the rehearsal away first"
    with pytest.raises(Refused, match=said):
        ending.delete_campaign(user=olga, campaign=campaign)
    throw_away_rehearsal(user=olga, campaign=campaign)
    campaign = campaign_services.change_campaign(
        user=olga, campaign=campaign, changes={"criteria": graded_by({0: "no", 1: "yes"})}
    )
    run = Run.objects.get()
    assert not run.is_pooled
    make.frozen_pool(campaign, [run])
    make.judgment(make.assignment(campaign.topic_set.get(number="1"), ada), "d1", 1)
    throw_away_rehearsal(user=olga, campaign=campaign)
    ending.delete_campaign(user=olga, campaign=campaign)
    assert set(left()) == {"User", "AuditEvent"}


def test_a_run_that_was_valid_only_because_it_was_pooled_is_checked_again(campaign, olga, pat):
    run = make.run(campaign, pat, {"1": "d1 d2"})
    make.frozen_pool(campaign, [run])
    campaign_services.change_campaign(user=olga, campaign=campaign, changes={"run_depth": 1})
    make.worked("recheck_runs", campaign.pk)
    assert Run.objects.get().state == Run.State.VALID
    throw_away_rehearsal(user=olga, campaign=campaign)
    make.worked("recheck_runs", campaign.pk)
    assert Run.objects.get().state == Run.State.INVALID


def test_what_qrels_rest_on_stays_but_imported_ones_rest_on_nothing_here(campaign, olga):
    make.imported_qrels(campaign, QRELS)
    doing.judged(campaign)
    qrels = publishing.publish_qrels(user=olga, campaign=campaign)
    publishing.withdraw_qrels(user=olga, qrels=qrels, reason="no")
    with pytest.raises(Refused, match="Qrels v2 were published from the judgments, so these stay"):
        throw_away_rehearsal(user=olga, campaign=campaign)
    people = {
        "assessors": [doing.person("ada")],
        "participants": {"Aldgate": [doing.person("pat")]},
    }
    other = make.campaign(olga, **people)
    make.imported_qrels(other, QRELS)
    doing.judged(other)
    throw_away_rehearsal(user=olga, campaign=other)
    assert other.qrels_set.get().is_imported
    assert Judgment.objects.counting().get().topic.campaign == campaign
    assert Run.objects.get(campaign=campaign).is_pooled


def test_a_released_pool_is_taken_back_first(campaign, olga):
    doing.judged(campaign)
    show_to(campaign, "participants", what="pool")
    with pytest.raises(Refused, match="The pool is released: take that release back first"):
        throw_away_rehearsal(user=olga, campaign=campaign)
    campaign.releases.update(ended_at=timezone.now())
    throw_away_rehearsal(user=olga, campaign=campaign)


def test_practice_alone_can_be_thrown_away_but_not_nothing(campaign, olga, ada):
    with pytest.raises(Refused, match="There is no rehearsal to throw away"):
        throw_away_rehearsal(user=olga, campaign=campaign)
    make.practice(campaign, "d6\t2\tIt names the bridge.")
    answered(ada, campaign.practice, "d6", 1)
    throw_away_rehearsal(user=olga, campaign=campaign, seen=version("1 practice answer"))
    assert not Judgment.objects.exists()
    assert not Assignment.objects.exists()


@pytest.fixture
def judged(campaign) -> Assignment:
    return doing.judged(campaign)


def test_nothing_is_done_with_a_pool_that_was_thrown_away(campaign, olga, judged):
    batch, topic = judged.pool.last_batch, campaign.topic_set.get(number="2")
    throw_away_rehearsal(user=olga, campaign=campaign)
    for act, values, said in (
        (throw_away_rehearsal, {"campaign": campaign}, "no rehearsal"),
        (pooling.take_back_batch, {"batch": batch}, "has been deleted meanwhile"),
        (pooling.freeze_batch, {"batch": batch, "sha256": ""}, "has been deleted meanwhile"),
    ):
        with pytest.raises(Refused, match=said):
            act(user=olga, **values)
    with pytest.raises(Refused, match="once the pool is frozen"):
        make.assignment(topic, judged.assessor)


# At the same moment


def gone(olga, campaign):
    return lambda: throw_away_rehearsal(user=olga, campaign=campaign)


@pytest.mark.django_db(transaction=True)
def test_an_answer_comes_before_and_is_told_of_or_after_and_finds_nothing(campaign, olga, judged):
    seen = version(describe_rehearsal(campaign))
    answer = lambda: make.judgment(judged, "d2", 1)  # noqa: E731
    late = overtaken(answer, lambda: throw_away_rehearsal(user=olga, campaign=campaign, seen=seen))
    assert "2 answers and 2 judgment events, changed" in str(late)
    assert isinstance(overtaken(gone(olga, campaign), answer), Unfrozen)
    assert not Judgment.objects.counting().exists()


@pytest.mark.django_db(transaction=True)
def test_qrels_are_published_or_the_rehearsal_is_thrown_away(campaign, olga, judged):
    publish = lambda: publishing.publish_qrels(user=olga, campaign=campaign)  # noqa: E731
    assert "There is nothing to publish yet" in str(overtaken(gone(olga, campaign), publish))
    again = Campaign.objects.get(pk=campaign.pk)
    make.frozen_pool(again, [Run.objects.get()])
    make.judgment(make.assignment(again.topic_set.get(number="1"), doing.person("ada")), "d1", 1)
    assert "Qrels v1 were published" in str(overtaken(publish, gone(olga, campaign)))
