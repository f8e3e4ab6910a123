"""Scores of a round: its runs on its topics, whole or without what was judged before."""

import pytest
import pytrec_eval
from django.db import transaction

from accounts.access import Refused
from evaluation.access import front
from evaluation.models.scores import Evaluation
from evaluation.services import request_evaluation
from evaluation.tables import facts_of, file_stamp
from evaluation.templatetags.scores import label, stamp
from overview.facts import campaign_facts
from overview.services.rounds import begin_round
from qrels.services.publishing import publish_qrels
from tests import make
from tests.db.scoring import scored
from tests.worlds import once

EARLY = {"1": "d1 d2 d3", "2": "d4 d1"}
LATE = {"1": "d5 d1 d6", "2": "d4 d2 d5", "3": "d3 d6 d2"}
OTHER = {"2": "d2 d5 d4", "3": "d6 d1 d3"}
GRADES = {
    "1": {"d1": 2, "d2": 0, "d3": 1, "d5": 1, "d6": 0},
    "2": {"d4": 1, "d1": 0, "d2": 2, "d5": 0},
    "3": {"d3": 0, "d6": 3, "d2": 1, "d1": 0},
}


@pytest.fixture
@once
def rounds(campaign, olga, pat, quinn, ada):
    """Qrels of two rounds: the first of topics 1 and 2, the second of 2 and 3."""
    early = make.run(campaign, pat, EARLY, "early")
    make.frozen_pool(campaign, [early], depth=3)
    works = {number: make.assignment(campaign.topic_set.get(number=number), ada) for number in "12"}
    judge(works, EARLY)
    publish_qrels(user=olga, campaign=campaign)
    begin_round(user=olga, campaign=campaign)
    make.imported(campaign, "topics", b"3\tthree")
    campaign.refresh_from_db()
    campaign.rounds.filter(number=2).update(topics=["2", "3"])
    late = make.run(campaign, pat, LATE, "late")
    other = make.run(campaign, quinn, OTHER, "other")
    make.frozen(make.batch(campaign, [late, other], depth=3, topics=["2", "3"]))
    works["3"] = make.assignment(campaign.topic_set.get(number="3"), ada)
    judge({"2": works["2"]}, {"2": "d2 d5"})
    judge({"3": works["3"]}, {"3": "d3 d6 d2 d1"})
    publish_qrels(user=olga, campaign=campaign)
    return campaign


def judge(works, docnos) -> None:
    for number, work in works.items():
        make.judgments(work, {docno: GRADES[number][docno] for docno in docnos[number].split()})


def recount(grades, rankings, measures):
    """What NIST's trec_eval gives, as mean over the judged topics."""
    names = {"AP": "map", "nDCG@10": "ndcg_cut_10", "P@5": "P_5"}
    scorer = pytrec_eval.RelevanceEvaluator(grades, {names[each] for each in measures})
    run = {
        topic: {docno: 100.0 - n for n, docno in enumerate(docnos)}
        for topic, docnos in rankings.items()
    }
    by_topic = scorer.evaluate({t: own for t, own in run.items() if t in grades})
    sums = [
        sum(by_topic.get(t, {}).get(names[each], 0.0) for t in grades) / len(grades)
        for each in measures
    ]
    return pytest.approx(sums)


MEASURES = ("AP", "nDCG@10", "P@5")


def aggregates(evaluation: Evaluation) -> dict[str, list[float]]:
    return {each.run.tag: each.aggregates for each in evaluation.scores.select_related("run")}


def judged(topics: str) -> dict[str, dict[str, int]]:
    pool = {"1": "d1 d2 d3", "2": "d4 d1 d2 d5", "3": "d3 d6 d2 d1"}
    return {t: {d: GRADES[t][d] for d in pool[t].split()} for t in topics}


def lists(run) -> dict[str, list[str]]:
    return {topic: docnos.split() for topic, docnos in run.items()}


def test_the_whole_board_of_a_round_has_its_runs_on_its_topics(rounds, olga, sent):
    qrels = rounds.qrels_set.get(number=2)
    made = scored(olga, qrels, sent, round=2, measures=MEASURES)
    assert made.topics == ["2", "3"]
    assert made.n_judgments == 8
    assert aggregates(made) == {
        "late": recount(judged("23"), lists(LATE), MEASURES),
        "other": recount(judged("23"), lists(OTHER), MEASURES),
    }
    first = scored(olga, qrels, sent, round=1, measures=MEASURES)
    assert first.topics == ["1", "2"]
    assert aggregates(first) == {"early": recount(judged("12"), lists(EARLY), MEASURES)}


def test_the_residual_board_has_neither_runs_nor_judgments_of_what_was_judged(rounds, olga, sent):
    first, second = rounds.qrels_set.order_by("number")
    made = scored(olga, second, sent, round=2, without=first.number, measures=MEASURES)
    before = judged("12")["2"].keys() - {"d2", "d5"}
    left = {"2": {"d2": 2, "d5": 0}, "3": judged("3")["3"]}
    rankings = {
        tag: {t: [d for d in docnos if t != "2" or d not in before] for t, docnos in run.items()}
        for tag, run in (("late", lists(LATE)), ("other", lists(OTHER)))
    }
    assert made.n_judgments == 6
    assert aggregates(made) == {
        tag: recount(left, each, MEASURES) for tag, each in rankings.items()
    }
    assert made.scope.name == "qrels v2 in round 2 without v1"
    assert made.marks == ["draft", "residual"]


def test_a_public_board_of_a_round_has_its_public_topics(rounds, olga, sent):
    rounds.topic_set.filter(number="3").update(split="hidden")
    qrels = rounds.qrels_set.get(number=2)
    made = scored(olga, qrels, sent, round=2, split="public")
    assert made.topics == ["2"]
    assert made.scope.name == "qrels v2 in round 2 on the public topics"


def test_a_board_of_another_round_is_another_board(rounds, olga, sent):
    qrels = rounds.qrels_set.get(number=2)
    made = scored(olga, qrels, sent, round=2)
    with pytest.raises(Refused, match="against qrels v2 in round 2 of"), transaction.atomic():
        request_evaluation(user=olga, **make.scope(qrels, round=2))
    for other in (None, 1):
        asked = make.scope(qrels, round=other)
        assert request_evaluation(user=olga, **asked).scope == asked["scope"]
    assert Evaluation.objects.with_all_runs(made) == made


def test_a_round_that_there_is_not_or_without_judgments_is_not_scored(rounds, olga):
    first = rounds.qrels_set.get(number=1)
    with pytest.raises(Refused, match=r"There is no round 3\."), transaction.atomic():
        request_evaluation(user=olga, **make.scope(first, round=3))
    rounds.rounds.filter(number=2).update(topics=["3"])
    with pytest.raises(Refused, match="left to score against: qrels v1 in round 2 have no"):
        request_evaluation(user=olga, **make.scope(first, round=2))


def test_only_runs_of_its_round_are_left_out_of_a_board(rounds, olga, pat, sent):
    qrels = rounds.qrels_set.get(number=2)
    first, second = (scored(olga, qrels, sent, round=n) for n in (1, 2))
    make.run(rounds, pat, OTHER, "more")
    assert [Evaluation.objects.left_out(each).count() for each in (first, second)] == [0, 1]
    assert Evaluation.objects.with_all_runs(first) == first
    assert Evaluation.objects.with_all_runs(second) is None


def test_the_board_of_the_last_round_is_in_front(rounds, olga, sent):
    qrels = rounds.qrels_set.get(number=2)
    second = scored(olga, qrels, sent, round=2)
    scored(olga, qrels, sent, round=1)
    scored(olga, qrels, sent)
    assert front(olga, rounds) == second


def test_the_overview_counts_the_runs_of_the_round_on_the_board(rounds, olga, pat, sent):
    scored(olga, rounds.qrels_set.get(number=2), sent, round=2)
    facts = campaign_facts([rounds.pk])[rounds.pk]
    assert (facts.runs.n_valid, facts.n_left_out) == (3, 0)
    assert facts.board.against == "qrels v2 in round 2"
    make.run(rounds, pat, OTHER, "more")
    assert campaign_facts([rounds.pk])[rounds.pk].n_left_out == 1


def test_the_round_stands_wherever_scores_say_what_they_are(rounds, olga, sent):
    first, second = rounds.qrels_set.order_by("number")
    made = scored(olga, second, sent, round=2, without=first.number)
    assert facts_of(made, sees_all_runs=True)["round"] == 2
    assert "round-2-without-v1" in file_stamp(made)
    assert label(made, is_organizer=True).startswith("qrels v2 in round 2 without v1,")
    assert "Scored against qrels v2 in round 2 without v1; means over" in stamp(made)
    assert " 6 of 11 judgments on 2 topics" in stamp(made)
