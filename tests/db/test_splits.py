"""Hidden topics: who may choose them and until when, and scores on the public ones alone."""

import re

import numpy as np
import pytest

from accounts.access import Refused
from campaigns.models.trail import AuditEvent
from collection.models.texts import Topic
from collection.services.collection import hide_topics
from evaluation import services
from evaluation.models.scores import Evaluation, Score
from evaluation.placement_cache import against
from evaluation.tables import facts_of, file_stamp
from pooling import services as pooling
from tests import make
from tests.db.races import overtaken
from tests.db.scoring import ONE, TWO, published, scored
from tests.db.test_importing_qrels import imported


def hide(*numbers: str) -> None:
    """As if they had been hidden before the pool was frozen."""
    Topic.objects.update(split="public")
    Topic.objects.filter(number__in=numbers).update(split="hidden")


def hidden() -> list[str]:
    return Topic.objects.all().numbers_in("hidden")


@pytest.mark.parametrize("kind", ["own", "imported", "residual"])
def test_scores_on_the_public_topics_are_those_of_all_topics_without_the_hidden(
    olga, campaign, judged, sent, kind
):
    hide("2")
    qrels, asked = published(olga, campaign), {}
    if kind != "own":
        # Topic 3 is in no list of topics, so nobody has said that it is public.
        lines = b"1 0 d1 2\n1 0 d3 1\n1 0 d6 1\n2 0 d1 3\n2 0 d5 1\n3 0 d1 1\n"
        qrels = imported(olga, campaign, lines)
    if kind == "residual":
        asked = {"without": published(olga, campaign).number}
    whole = scored(olga, qrels, sent, **asked)
    part = scored(olga, qrels, sent, split="public", **asked)
    assert (part.topics, whole.topics[:1]) == (["1"], ["1"])
    assert len(whole.topics) > 1
    for run in judged:
        mine, theirs = (Score.objects.get(evaluation=each, run=run) for each in (part, whole))
        np.testing.assert_array_equal(mine.by_topic(), theirs.by_topic()[:1])
        assert mine.aggregates == mine.by_topic()[0].tolist()
        assert set(mine.missing_topics) <= {"1"}
        assert against(part, [run])[0].topics == ("1",)
    judgments = re.findall(r"(?m)^1 ", make.content(qrels.file).decode())
    left = {"own": 0, "imported": 0, "residual": 2}[kind]
    assert part.n_judgments == len(judgments) - left
    splits = [facts_of(each, sees_all_runs=True)["split"] for each in (part, whole)]
    assert splits == ["public", "all"]
    assert "-public-topics-trec_eval-9" in file_stamp(part)
    assert "public" not in file_stamp(whole)
    with pytest.raises(Refused, match=r"on the public topics of .* has the same runs"):
        services.request_evaluation(user=olga, **make.scope(qrels, split="public", **asked))


def test_nothing_is_scored_where_no_public_topic_is_judged(olga, campaign, judged):
    hide("1", "2")
    asked = make.scope(published(olga, campaign), split="public")
    with pytest.raises(Refused, match="qrels v1 on the public topics have no judgments"):
        services.request_evaluation(user=olga, **asked)


def test_drafts_on_all_topics_come_before_those_on_the_public_ones(olga, campaign, judged, sent):
    hide("2")
    whole = scored(olga, published(olga, campaign), sent)
    part = scored(olga, whole.qrels, sent, split="public")
    assert Evaluation.objects.front_first(campaign).first() == whole
    assert Evaluation.objects.with_all_runs(part) == part


def test_topics_are_hidden_until_the_pool_is_frozen_or_scores_exist(olga, campaign, pat):
    hide_topics(user=olga, campaign=campaign, numbers=["2"])
    assert hidden() == ["2"]
    hide_topics(user=olga, campaign=campaign, numbers=["2"])
    changes = AuditEvent.objects.filter(kind="topics.split")
    assert changes.get().detail == {"before": [], "after": ["2"]}
    with pytest.raises(Refused, match=re.escape("There is no topic 9.")):
        hide_topics(user=olga, campaign=campaign, numbers=["9"])
    make.frozen_pool(campaign, [make.run(campaign, pat, {"1": "d1"})])
    said = "Topic 1 cannot be hidden or made public: it is in the frozen"
    with pytest.raises(Refused, match=said):
        hide_topics(user=olga, campaign=campaign, numbers=["1", "2"])
    # Nothing of topic 2 is in the pool.
    hide_topics(user=olga, campaign=campaign, numbers=[])
    assert hidden() == []


def test_a_file_hides_topics_that_are_new_and_no_others(campaign):
    lines = [f'{{"number": "{n}", "title": "new", "split": "hidden"}}' for n in (1, 7)]
    make.imported(campaign, "topics", "\n".join(lines).encode())
    assert hidden() == ["7"]
    row = make.imported(campaign, "topics", b"7\tother words")
    assert (Topic.objects.get(number="7").title, hidden()) == ("other words", ["7"])
    make.undone(row)
    assert (Topic.objects.get(number="7").title, hidden()) == ("new", ["7"])


def qrels_without_a_pool(olga, campaign, pat):
    make.run(campaign, pat, ONE, "one")
    make.run(campaign, pat, TWO, "two")
    return imported(olga, campaign)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("is_score_first", [True, False])
def test_scoring_and_hiding_at_once_come_one_after_the_other(olga, campaign, pat, is_score_first):
    qrels = qrels_without_a_pool(olga, campaign, pat)

    def score() -> Evaluation:
        return services.request_evaluation(user=olga, **make.scope(qrels, split="public"))

    def hide_two() -> None:
        hide_topics(user=olga, campaign=campaign, numbers=["2"])

    acts = (score, hide_two) if is_score_first else (hide_two, score)
    came = overtaken(*acts)
    topics = Evaluation.objects.get().topics
    if is_score_first:
        assert "Topic 2 cannot be hidden or made public: it is scored." in str(came)
        assert (topics, hidden()) == (["1", "2"], [])
    else:
        assert (topics, hidden()) == (["1"], ["2"])


@pytest.mark.django_db(transaction=True)
def test_who_hides_a_topic_while_the_pool_is_frozen_reads_why_not(olga, campaign, pat):
    draft = make.batch(campaign, [make.run(campaign, pat, ONE)])
    came = overtaken(
        lambda: pooling.freeze_batch(user=olga, batch=draft, sha256=draft.sha256),
        lambda: hide_topics(user=olga, campaign=campaign, numbers=["1"]),
    )
    assert "it is in the frozen pool" in str(came)
    assert hidden() == []
