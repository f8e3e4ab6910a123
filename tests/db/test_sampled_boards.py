"""What a board of a sampled pool offers, states and marks, and what rests on its population."""

import numpy as np
import pytest

from accounts.access import Refused
from evaluation import services
from evaluation.leaving_out import Reusability, leave_out
from evaluation.tables import facts_of, file_stamp
from evaluation.web.scoring_forms import EvaluationForm
from overview.services.rounds import begin_round
from runs.services.runs import move_to_round
from tests import make
from tests.core.measures.test_inferred import xinfap
from tests.db.computing import words
from tests.db.sampling import ALL, N_RUNS, ONE_RATE, SEVERAL, TOPICS, strata_of
from tests.db.scoring import published, scored


def test_strata_are_refused_where_there_are_none(sampling, olga, campaign, sent):
    sampling.extend("depth", {"depth": 8})
    qrels = sampling.published()
    for name in ("xinfAP", "infNDCG@20"):
        with pytest.raises(Refused, match=f"^{name} reads a stratified sample; the pool of qrels"):
            scored(olga, qrels, sent, measures=[name])
    with pytest.raises(Refused, match="reads subtopics; the qrels of a campaign hold one grade"):
        scored(olga, qrels, sent, measures=["alpha_nDCG@10"])
    assert scored(olga, qrels, sent, measures=["infAP"]).marks == ["draft"]


def test_a_sample_that_was_taken_whole_since_is_none(sampling, olga, campaign, sent):
    sampling.extend("sample", {"strata": ONE_RATE})
    sampling.extend("depth", {"depth": 40})
    qrels = sampling.published()
    assert (qrels.n_undrawn, qrels.is_sample) == (0, False)
    evaluation = scored(olga, qrels, sent, measures=["AP"])
    assert "sample" not in file_stamp(evaluation)


def test_files_state_the_sample_and_which_measures_know_only_it(sampled, olga, sent):
    evaluation = scored(olga, sampled, sent, measures=["xinfAP", "AP", "nDCG@10"])
    assert file_stamp(evaluation).startswith("draft-sample-qrels-v1-")
    facts = facts_of(evaluation, sees_all_runs=True)
    assert (facts["status"], facts["of_sample"]) == ("draft, sample", "AP nDCG@10")
    assert facts["undrawn"] == sampled.n_undrawn
    assert facts_of(evaluation, sees_all_runs=False)["undrawn"] == ""


def test_a_comparison_says_which_of_two_boards_is_of_a_sample(
    sampled, olga, campaign, sent, client
):
    sample = scored(olga, sampled, sent, measures=["AP", "xinfAP"])
    imported = make.imported_qrels(campaign, b"1 0 d00 1\n2 0 d00 1\n")
    whole = scored(olga, imported, sent, measures=["AP"])
    client.force_login(olga)
    address = f"/campaigns/{campaign.slug}/leaderboard/compare/"
    said = "The pool is a sample: documents that were not drawn are unjudged. Of these measures"
    for before, after, names in (
        (sample, whole, ["Before"]),
        (whole, sample, ["After"]),
        (sample, sample, ["Before", "After"]),
    ):
        page = words(client.get(address, {"before": before.pk, "after": after.pk}))
        parts = page.split(f"</b> {said} only xinfAP")
        assert [part.rpartition(">")[2] for part in parts[:-1]] == [f"{name}." for name in names]


def test_a_run_left_out_leaves_the_population_too(sampling, sampled, olga, sent):
    evaluation = scored(olga, sampled, sent, measures=["xinfAP", "AP"])
    services.request_reusability(user=olga, evaluation=evaluation)
    make.worked(leave_out.name, evaluation.pk)
    evaluation.refresh_from_db()
    strata = strata_of(sampling, sampled, (ALL, SEVERAL))
    xinfap_runs = Reusability.from_json(evaluation.reusability).measures[0].runs
    after = [each.own.after for each in xinfap_runs]
    for n in ALL:
        others = strata_of(sampling, sampled, ([m for m in ALL if m != n], SEVERAL))
        left = {
            topic: {docno: own[docno] for docno in own if docno in others[topic]}
            for topic, own in strata.items()
        }
        expected = [xinfap(left[t], sampling.rankings[n][t], None, 1) for t in TOPICS]
        assert after[n] == pytest.approx(np.mean(expected), abs=1e-9)
    assert after != [each.before for each in xinfap_runs]


def test_completeness_is_that_of_the_population(sampling, sampled, olga, campaign, client):
    review = services.request_review(user=olga, campaign=campaign)
    make.worked("review_pool", review.pk)
    review.refresh_from_db()
    strata, found = strata_of(sampling, sampled, (ALL, SEVERAL)), review.found
    total, by_n, by_best = 0.0, {1: 0.0, 2: 0.0}, np.zeros(SEVERAL[-1][0])
    for topic, own in strata.items():
        tops = [each[topic][: SEVERAL[-1][0]] for each in sampling.rankings]
        for docno, (stratum, grade) in own.items():
            if grade < 1:
                continue
            alike = [g for name, g in own.values() if name == stratum]
            weight = len(alike) / sum(g >= 0 for g in alike)
            ranks = [top.index(docno) + 1 for top in tops if docno in top]
            total += weight
            by_best[min(ranks) - 1 :] += weight
            if len(ranks) in by_n:
                by_n[len(ranks)] += weight
    assert found["missing"] == pytest.approx([total, by_n[1], by_n[2], N_RUNS])
    assert found["by_rank"] == pytest.approx(by_best[: len(found["by_rank"])].tolist())
    grades = [grade for own in strata.values() for _, grade in own.values()]
    n_judged = sum(grade >= 0 for grade in grades)
    assert (found["n_pooled"], found["n_judged"]) == (n_judged, n_judged)
    assert found["n_relevant"] < total
    client.force_login(olga)
    text = words(client.get(f"/campaigns/{campaign.slug}/pool/completeness/"))
    assert f"{n_judged} documents of {len(grades)}," in text
    assert f"{total:.0f} relevant documents estimated" in text


def test_only_a_board_with_topics_of_the_sample_is_of_one(sampling, campaign, olga, sent):
    sampling.extend("depth", {"depth": 10}, sampling.runs[:2], topics=["1"])
    begin_round(user=olga, campaign=campaign, topics=["2"])
    for run in sampling.runs[2:]:
        run.refresh_from_db()
        move_to_round(user=olga, run=run, number=2)
    sampling.extend("sample", {"strata": SEVERAL}, sampling.runs[2:], topics=["2"])
    campaign.rounds.filter(number=1).update(topics=["1"])
    sampling.judge()
    qrels = published(olga, campaign)
    boards = [scored(olga, qrels, sent, round=number) for number in (1, 2, None)]
    assert [each.is_sample for each in boards] == [False, True, True]
    assert [each.marks for each in boards] == [["draft"], ["draft", "sample"], ["draft", "sample"]]
    assert boards[0].sampling == "", "all of its population was judged"


def test_scoring_a_sample_for_the_first_time_offers_what_estimates(sampling, campaign, olga, sent):
    sampling.extend("depth", {"depth": 5})
    sampling.judge()
    before = scored(olga, published(olga, campaign), sent, measures=["P@10"])
    assert EvaluationForm.like(before, before.qrels)["picked"].value() == ["P@10"]
    sampling.extend("sample", {"strata": SEVERAL})
    sampling.judge()
    qrels = published(olga, campaign)
    assert EvaluationForm.like(before, qrels)["picked"].value() == ["xinfAP", "infNDCG", "P@10"]
    chosen = scored(olga, qrels, sent, measures=["P@10"])
    assert EvaluationForm.like(chosen, qrels)["picked"].value() == ["P@10"], "as was chosen"
