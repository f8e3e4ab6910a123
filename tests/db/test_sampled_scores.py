"""Scores of a pool that is a sample, against sample_eval written out and strata read from runs."""

import io
from types import SimpleNamespace

import numpy as np
import pytest

from accounts.access import Refused
from assess.models.assigning import Assignment
from assess.models.judging import Judgment
from cleverdon.measures.interface import evaluate
from evaluation import services
from evaluation.leaving_out import Reusability, leave_out
from evaluation.models.scores import Evaluation, Score
from evaluation.score_bounds import bounds_of
from evaluation.tables import facts_of, file_stamp
from evaluation.web.scoring_forms import EvaluationForm
from overview.services.rounds import begin_round
from pooling.models.batches import Batch
from qrels.models import Qrels
from qrels.samples import has_one_rate, rates
from runs.services.runs import move_to_round
from tests import make
from tests.core.measures.test_inferred import infndcg, xinfap
from tests.db.computing import words
from tests.db.scoring import published, scored

TOPICS, N_DOCUMENTS, N_RUNS = ("1", "2"), 60, 4
DOCNOS = [f"d{n:02}" for n in range(N_DOCUMENTS)]
SEVERAL, ONE_RATE = [[5, 100], [15, 50], [40, 25]], [[40, 40]]
INFERRED = ["xinfAP", "infNDCG", "xinfAP@10"]


def grade_of(topic: str, docno: str) -> int:
    """What anybody would judge: the lower numbers are more often relevant."""
    dice = np.random.default_rng([int(topic), int(docno[1:])])
    return int(dice.random() < 1 - int(docno[1:]) / N_DOCUMENTS) * int(dice.integers(1, 3))


@pytest.fixture
def pooled(campaign, pat, ada):
    """Runs that find the relevant ones rather early, and what extends and judges their pool."""
    make.documents(campaign, DOCNOS)
    rng, rankings = np.random.default_rng(7), []
    for _ in range(N_RUNS):
        noise = {t: np.arange(N_DOCUMENTS) + rng.normal(0, 15, N_DOCUMENTS) for t in TOPICS}
        rankings.append({t: [DOCNOS[n] for n in own.argsort()] for t, own in noise.items()})
    runs = [
        make.run(campaign, pat, {t: " ".join(own) for t, own in each.items()}, f"r{n}")
        for n, each in enumerate(rankings)
    ]

    def extend(strategy: str, parameters: dict, of=runs, **choice) -> Batch:
        made = make.batch(campaign, of, strategy=strategy, parameters=parameters, **choice)
        make.frozen(made)
        return made

    def judge(part: float = 1.0) -> None:
        for topic in campaign.topic_set.filter(number__in=TOPICS):
            own = Assignment.objects.filter(topic=topic).first() or make.assignment(topic, ada)
            known = set(Judgment.objects.filter(topic=topic).values_list("item__key", flat=True))
            left = [e.docno for e in own.entries.order_by("pk") if e.docno not in known]
            for docno in left[: round(part * len(left))]:
                make.judgment(own, docno, grade_of(topic.number, docno))

    return SimpleNamespace(runs=runs, rankings=rankings, extend=extend, judge=judge)


def strata_of(pooled, qrels: Qrels, *batches: tuple, certain=()) -> dict[str, dict]:
    """Each document of the population with its stratum and grade, from the runs and recipes alone.

    A batch is the runs that it read and its strata, or the depth of one without chance.
    """
    grades, found = qrels.grades(), {}
    for topic in TOPICS:
        own: dict[str, list[str]] = {}
        for runs, what in batches:
            deepest = what if isinstance(what, int) else what[-1][0]
            best: dict[str, int] = {}
            for each in runs:
                for rank, docno in enumerate(pooled.rankings[each][topic][:deepest], 1):
                    best[docno] = min(rank, best.get(docno, rank))
            for docno in {*best, *own}:
                stratum = "none"
                if docno in best and not isinstance(what, int):
                    stratum = str(sum(end < best[docno] for end, _ in what))
                elif docno in best:
                    stratum = "certain"
                own.setdefault(docno, []).append(stratum)
        sure = {d for d, names in own.items() if "certain" in names} | {
            d for t, d in certain if t == topic
        }
        n = len(batches)
        found[topic] = {
            docno: (
                "certain" if docno in sure else "".join(["none"] * (n - len(names)) + names),
                grades.get(topic, {}).get(docno, -1),
            )
            for docno, names in {**{d: [] for d in sure}, **own}.items()
        }
    return found


def check(evaluation: Evaluation, pooled, strata: dict, leave=()) -> None:
    """Compare the inferred measures of the board with sample_eval's, the others with the command's.

    `leave` are pairs that a residual collection lacks.
    """
    drawn = {t: {d: v for d, v in own.items() if (t, d) not in leave} for t, own in strata.items()}
    known = {t: {d: g for d, (_, g) in own.items() if g >= 0} for t, own in drawn.items()}
    for n, run in enumerate(pooled.runs):
        lists = {t: [d for d in pooled.rankings[n][t] if (t, d) not in leave] for t in TOPICS}
        pairs = [(drawn[t], lists[t]) for t in evaluation.topics]
        expected = {
            "xinfAP": [xinfap(*pair, None, 1) for pair in pairs],
            "infNDCG": [infndcg(*pair, None) for pair in pairs],
            "xinfAP@10": [xinfap(*pair, 10, 1) for pair in pairs],
        }
        score = Score.objects.get(evaluation=evaluation, run=run)
        found = dict(zip(evaluation.measures, score.by_topic().T.tolist(), strict=True))
        for name, values in expected.items():
            assert found[name] == pytest.approx(values, abs=1e-9), (run.tag, name)
        plain = [name for name in evaluation.measures if name not in INFERRED]
        scores = {t: {d: -float(k) for k, d in enumerate(own)} for t, own in lists.items()}
        qrels = {t: known[t] for t in evaluation.topics}
        theirs = evaluate(qrels, scores, plain).values[0]
        for column, name in enumerate(plain):
            assert found[name] == pytest.approx(theirs[:, column].tolist(), abs=1e-9), name


ALL = range(N_RUNS)
PLAIN = (
    "AP nDCG@10 P@10 RR Rprec Bpref R@1000 Judged@10 AP(judged_only=True) GMAP P@5 F@10 Success@1 "
    "IAP RBP(graded=False) RBPresid nDCG nDCG(judged_only=True)@10 ERR@20 Q Compat SetP SetR SetF "
    "MicroP@10 MicroR@1000 Judged@100 Unjudged@10 NumRet NumRelRet"
)
EVERY = [*INFERRED, *PLAIN.split()]


def test_a_sample_is_scored_by_its_strata_and_plain_measures_stay_as_they_were(
    pooled, olga, campaign, sent
):
    pooled.extend("sample", {"strata": SEVERAL})
    pooled.judge()
    qrels = published(olga, campaign)
    strata = strata_of(pooled, qrels, (ALL, SEVERAL))
    n_undrawn = sum(grade < 0 for own in strata.values() for _, grade in own.values())
    assert qrels.n_undrawn == n_undrawn > 20
    check(scored(olga, qrels, sent, measures=EVERY), pooled, strata)


def test_what_a_later_batch_takes_whole_is_certain(pooled, olga, campaign, sent):
    pooled.extend("sample", {"strata": SEVERAL}, pooled.runs[:3])
    pooled.judge()
    pooled.extend("depth", {"depth": 8}, pooled.runs[2:])
    pooled.judge()
    qrels = published(olga, campaign)
    assert rates(qrels) == [100, 50, 25]
    strata = strata_of(pooled, qrels, (range(3), SEVERAL), ((2, 3), 8))
    check(scored(olga, qrels, sent, measures=EVERY), pooled, strata)


def test_a_sample_after_a_batch_without_chance(pooled, olga, campaign, sent):
    pooled.extend("depth", {"depth": 6}, pooled.runs[:2])
    pooled.extend("sample", {"strata": ONE_RATE}, pooled.runs[1:])
    pooled.judge()
    qrels = published(olga, campaign)
    assert (rates(qrels), has_one_rate(qrels)) == ([100, 40], False)
    strata = strata_of(pooled, qrels, ((0, 1), 6), ((1, 2, 3), ONE_RATE))
    check(scored(olga, qrels, sent, measures=INFERRED), pooled, strata)


def test_documents_of_two_samples_are_as_likely_as_others_of_both_strata(
    pooled, olga, campaign, sent
):
    pooled.extend("sample", {"strata": SEVERAL}, pooled.runs[:2])
    first = strata_of(pooled, published_after(pooled, olga, campaign), (range(2), SEVERAL))
    assert {name for own in first.values() for name, _ in own.values()} == {"0", "1", "2"}
    pooled.extend("sample", {"strata": ONE_RATE}, pooled.runs[1:])
    qrels = published_after(pooled, olga, campaign)
    assert not has_one_rate(qrels)
    strata = strata_of(pooled, qrels, (range(2), SEVERAL), ((1, 2, 3), ONE_RATE))
    evaluation = scored(olga, qrels, sent, measures=INFERRED)
    check(evaluation, pooled, strata)
    # The older version keeps its own population.
    older = scored(olga, Qrels.objects.get(number=1), sent, measures=INFERRED)
    check(older, pooled, first)


def published_after(pooled, olga, campaign) -> Qrels:
    pooled.judge()
    return published(olga, campaign)


def test_documents_still_unjudged_count_like_those_not_drawn(pooled, olga, campaign, sent):
    pooled.extend("sample", {"strata": SEVERAL})
    pooled.judge(part=0.5)
    qrels = published(olga, campaign)
    assert qrels.is_preliminary
    assert {"preliminary", "sample"} == {*qrels.marks}
    strata = strata_of(pooled, qrels, (ALL, SEVERAL))
    check(scored(olga, qrels, sent, measures=EVERY), pooled, strata)


def test_what_existing_judgments_bring_is_certain(pooled, olga, campaign, sent):
    # So many that a sample does not draw them all.
    pairs = [(topic, f"d{n:02}") for topic in ("1", "2") for n in range(3, 60, 7)]
    lines = "".join(f"{t} 0 {d} {grade_of(t, d)}\n" for t, d in pairs).encode()
    earlier = make.imported_qrels(campaign, lines)
    first = pooled.extend("sample", {"strata": ONE_RATE})
    drawn = {*first.entries.new().values_list("topic__number", "item__key")}
    pairs = [pair for pair in pairs if pair not in drawn]
    assert pairs
    pooled.extend("depth", {"depth": 2}, existing_sha256=earlier.sha256)
    pooled.judge()
    qrels = published(olga, campaign)
    assert (rates(qrels), has_one_rate(qrels)) == ([100, 40], False)
    strata = strata_of(pooled, qrels, (ALL, ONE_RATE), (ALL, 2), certain=pairs)
    check(scored(olga, qrels, sent, measures=INFERRED), pooled, strata)


def test_a_residual_collection_lacks_what_was_judged_before(pooled, olga, campaign, sent):
    pooled.extend("depth", {"depth": 4}, pooled.runs[:2])
    before = published_after(pooled, olga, campaign)
    pooled.extend("sample", {"strata": SEVERAL})
    qrels = published_after(pooled, olga, campaign)
    leave = {(t, d) for t, own in before.grades().items() for d in own}
    strata = strata_of(pooled, qrels, ((0, 1), 4), (ALL, SEVERAL))
    evaluation = scored(olga, qrels, sent, measures=EVERY, without=before.number)
    check(evaluation, pooled, strata, leave=leave)


def test_the_public_topics_alone_keep_their_values(pooled, olga, campaign, sent):
    pooled.extend("sample", {"strata": SEVERAL})
    campaign.topic_set.filter(number="2").update(split="hidden")
    pooled.judge()
    qrels = published(olga, campaign)
    evaluation = scored(olga, qrels, sent, measures=EVERY, split="public")
    assert evaluation.topics == ["1"]
    check(evaluation, pooled, strata_of(pooled, qrels, (ALL, SEVERAL)))


def test_infap_reads_the_population_of_one_rate_and_is_refused_at_several(
    pooled, olga, campaign, sent
):
    pooled.extend("sample", {"strata": ONE_RATE})
    qrels = published_after(pooled, olga, campaign)
    assert has_one_rate(qrels)
    evaluation = scored(olga, qrels, sent, measures=["infAP", "AP"])
    strata = strata_of(pooled, qrels, (ALL, ONE_RATE))
    population = {t: {d: g for d, (_, g) in own.items()} for t, own in strata.items()}
    for n, run in enumerate(pooled.runs):
        text = make.content(run.file)
        theirs = evaluate(population, io.BytesIO(text), ["infAP"]).values[0, :, 0]
        mine = Score.objects.get(evaluation=evaluation, run=run).by_topic()
        assert mine[:, 0] == pytest.approx(theirs, abs=1e-12), n
        assert (mine[:, 0] != mine[:, 1]).all()
    assert evaluation.unestimated == ["AP"]
    pooled.extend("depth", {"depth": 8})
    several = published_after(pooled, olga, campaign)
    says = r"^infAP takes the pool for a sample at one rate, and that of qrels v2 has several "
    with pytest.raises(Refused, match=says + r"\(100 %, 40 %\)\. Use xinfAP"):
        scored(olga, several, sent, measures=["infAP"])


def test_strata_are_refused_where_there_are_none(pooled, olga, campaign, sent):
    pooled.extend("depth", {"depth": 8})
    qrels = published_after(pooled, olga, campaign)
    for name in ("xinfAP", "infNDCG@20"):
        with pytest.raises(Refused, match=f"^{name} reads a stratified sample; the pool of qrels"):
            scored(olga, qrels, sent, measures=[name])
    with pytest.raises(Refused, match="reads subtopics; the qrels of a campaign hold one grade"):
        scored(olga, qrels, sent, measures=["alpha_nDCG@10"])
    assert scored(olga, qrels, sent, measures=["infAP"]).marks == ["draft"]


def test_a_sample_that_was_taken_whole_since_is_none(pooled, olga, campaign, sent):
    pooled.extend("sample", {"strata": ONE_RATE})
    pooled.extend("depth", {"depth": 40})
    qrels = published_after(pooled, olga, campaign)
    assert (qrels.n_undrawn, qrels.is_sample) == (0, False)
    evaluation = scored(olga, qrels, sent, measures=["AP"])
    assert "sample" not in file_stamp(evaluation)


def test_files_state_the_sample_and_which_measures_know_only_it(pooled, olga, campaign, sent):
    pooled.extend("sample", {"strata": SEVERAL})
    qrels = published_after(pooled, olga, campaign)
    evaluation = scored(olga, qrels, sent, measures=["xinfAP", "AP", "nDCG@10"])
    assert file_stamp(evaluation).startswith("draft-sample-qrels-v1-")
    facts = facts_of(evaluation, sees_all_runs=True)
    assert (facts["status"], facts["of_sample"]) == ("draft, sample", "AP nDCG@10")
    assert facts["undrawn"] == qrels.n_undrawn
    assert facts_of(evaluation, sees_all_runs=False)["undrawn"] == ""


def test_a_comparison_says_which_of_two_boards_is_of_a_sample(pooled, olga, campaign, sent, client):
    pooled.extend("sample", {"strata": SEVERAL})
    qrels = published_after(pooled, olga, campaign)
    sample = scored(olga, qrels, sent, measures=["AP", "xinfAP"])
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


def test_bounds_take_undrawn_documents_as_unjudged(pooled, olga, campaign, sent):
    pooled.extend("sample", {"strata": SEVERAL})
    qrels = published_after(pooled, olga, campaign)
    evaluation = scored(olga, qrels, sent, measures=["AP", "xinfAP"])
    bounds = bounds_of(evaluation.scores.first())
    assert bounds.n_unjudged == bounds.n_retrieved - sum(
        len(own) for own in qrels.grades().values()
    )
    ap, inferred = bounds.rows
    assert ap.judging[0] == pytest.approx(ap.value)
    assert ap.value < ap.judging[1]
    assert inferred.judging is None


def test_a_run_left_out_leaves_the_population_too(pooled, olga, campaign, sent):
    pooled.extend("sample", {"strata": SEVERAL})
    qrels = published_after(pooled, olga, campaign)
    evaluation = scored(olga, qrels, sent, measures=["xinfAP", "AP"])
    services.request_reusability(user=olga, evaluation=evaluation)
    make.worked(leave_out.name, evaluation.pk)
    evaluation.refresh_from_db()
    strata = strata_of(pooled, qrels, (ALL, SEVERAL))
    xinfap_runs = Reusability.from_json(evaluation.reusability).measures[0].runs
    after = [each.own.after for each in xinfap_runs]
    for n in ALL:
        others = strata_of(pooled, qrels, ([m for m in ALL if m != n], SEVERAL))
        left = {
            topic: {docno: own[docno] for docno in own if docno in others[topic]}
            for topic, own in strata.items()
        }
        expected = [xinfap(left[t], pooled.rankings[n][t], None, 1) for t in TOPICS]
        assert after[n] == pytest.approx(np.mean(expected), abs=1e-9)
    assert after != [each.before for each in xinfap_runs]


def test_completeness_is_that_of_the_population(pooled, olga, campaign, client):
    pooled.extend("sample", {"strata": SEVERAL})
    qrels = published_after(pooled, olga, campaign)
    review = services.request_review(user=olga, campaign=campaign)
    make.worked("review_pool", review.pk)
    review.refresh_from_db()
    strata, found = strata_of(pooled, qrels, (ALL, SEVERAL)), review.found
    total, by_n, by_best = 0.0, {1: 0.0, 2: 0.0}, np.zeros(SEVERAL[-1][0])
    for topic, own in strata.items():
        tops = [each[topic][: SEVERAL[-1][0]] for each in pooled.rankings]
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
    n_judged = sum(grade >= 0 for own in strata.values() for _, grade in own.values())
    assert (found["n_pooled"], found["n_judged"]) == (n_judged, n_judged)
    assert found["n_relevant"] < total
    client.force_login(olga)
    text = words(client.get(f"/campaigns/{campaign.slug}/pool/completeness/"))
    assert f"{n_judged} documents of {n_judged + qrels.n_undrawn}," in text
    assert f"{total:.0f} relevant documents estimated" in text


def test_only_a_board_with_topics_of_the_sample_is_of_one(pooled, campaign, olga, sent):
    pooled.extend("depth", {"depth": 10}, pooled.runs[:2], topics=["1"])
    begin_round(user=olga, campaign=campaign, topics=["2"])
    for run in pooled.runs[2:]:
        run.refresh_from_db()
        move_to_round(user=olga, run=run, number=2)
    pooled.extend("sample", {"strata": SEVERAL}, pooled.runs[2:], topics=["2"])
    campaign.rounds.filter(number=1).update(topics=["1"])
    pooled.judge()
    qrels = published(olga, campaign)
    boards = [scored(olga, qrels, sent, round=number) for number in (1, 2, None)]
    assert [each.is_sample for each in boards] == [False, True, True]
    assert [each.marks for each in boards] == [["draft"], ["draft", "sample"], ["draft", "sample"]]
    assert boards[0].sampling == "", "all of its population was judged"


def test_scoring_a_sample_for_the_first_time_offers_what_estimates(pooled, campaign, olga, sent):
    pooled.extend("depth", {"depth": 5})
    pooled.judge()
    before = scored(olga, published(olga, campaign), sent, measures=["P@10"])
    assert EvaluationForm.like(before, before.qrels)["picked"].value() == ["P@10"]
    pooled.extend("sample", {"strata": SEVERAL})
    pooled.judge()
    qrels = published(olga, campaign)
    assert EvaluationForm.like(before, qrels)["picked"].value() == ["xinfAP", "infNDCG", "P@10"]
    chosen = scored(olga, qrels, sent, measures=["P@10"])
    assert EvaluationForm.like(chosen, qrels)["picked"].value() == ["P@10"], "as was chosen"
