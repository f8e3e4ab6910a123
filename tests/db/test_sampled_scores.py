"""Scores of a pool that is a sample, against sample_eval written out and strata read from runs."""

import io

import pytest

from accounts.access import Refused
from cleverdon.measures.interface import evaluate
from evaluation.models.scores import Score
from qrels.models import Qrels
from qrels.samples import has_one_rate, rates
from tests import make
from tests.db.sampling import ALL, INFERRED, ONE_RATE, SEVERAL, check, grade_of, strata_of
from tests.db.scoring import published, scored

PLAIN = (
    "AP nDCG@10 P@10 RR Rprec Bpref R@1000 Judged@10 AP(judged_only=True) GMAP P@5 F@10 Success@1 "
    "IAP RBP(graded=False) RBPresid nDCG nDCG(judged_only=True)@10 ERR@20 Q Compat SetP SetR SetF "
    "MicroP@10 MicroR@1000 Judged@100 Unjudged@10 NumRet NumRelRet"
)
EVERY = [*INFERRED, *PLAIN.split()]


def test_a_sample_is_scored_by_its_strata_and_plain_measures_stay_as_they_were(
    sampling, sampled, olga, sent
):
    strata = strata_of(sampling, sampled, (ALL, SEVERAL))
    n_undrawn = sum(grade < 0 for own in strata.values() for _, grade in own.values())
    assert sampled.n_undrawn == n_undrawn > 20
    check(scored(olga, sampled, sent, measures=EVERY), sampling, strata)


def test_what_a_later_batch_takes_whole_is_certain(sampling, olga, campaign, sent):
    sampling.extend("sample", {"strata": SEVERAL}, sampling.runs[:3])
    sampling.judge()
    sampling.extend("depth", {"depth": 8}, sampling.runs[2:])
    sampling.judge()
    qrels = published(olga, campaign)
    assert rates(qrels) == [100, 50, 25]
    strata = strata_of(sampling, qrels, (range(3), SEVERAL), ((2, 3), 8))
    check(scored(olga, qrels, sent, measures=EVERY), sampling, strata)


def test_a_sample_after_a_batch_without_chance(sampling, olga, campaign, sent):
    sampling.extend("depth", {"depth": 6}, sampling.runs[:2])
    sampling.extend("sample", {"strata": ONE_RATE}, sampling.runs[1:])
    sampling.judge()
    qrels = published(olga, campaign)
    assert (rates(qrels), has_one_rate(qrels)) == ([100, 40], False)
    strata = strata_of(sampling, qrels, ((0, 1), 6), ((1, 2, 3), ONE_RATE))
    check(scored(olga, qrels, sent, measures=INFERRED), sampling, strata)


def test_documents_of_two_samples_are_as_likely_as_others_of_both_strata(
    sampling, olga, campaign, sent
):
    sampling.extend("sample", {"strata": SEVERAL}, sampling.runs[:2])
    first = strata_of(sampling, sampling.published(), (range(2), SEVERAL))
    assert {name for own in first.values() for name, _ in own.values()} == {"0", "1", "2"}
    sampling.extend("sample", {"strata": ONE_RATE}, sampling.runs[1:])
    qrels = sampling.published()
    assert not has_one_rate(qrels)
    strata = strata_of(sampling, qrels, (range(2), SEVERAL), ((1, 2, 3), ONE_RATE))
    evaluation = scored(olga, qrels, sent, measures=INFERRED)
    check(evaluation, sampling, strata)
    # The older version keeps its own population.
    older = scored(olga, Qrels.objects.get(number=1), sent, measures=INFERRED)
    check(older, sampling, first)


def test_documents_still_unjudged_count_like_those_not_drawn(sampling, olga, campaign, sent):
    sampling.extend("sample", {"strata": SEVERAL})
    sampling.judge(part=0.5)
    qrels = published(olga, campaign)
    assert qrels.is_preliminary
    assert {"preliminary", "sample"} == {*qrels.marks}
    strata = strata_of(sampling, qrels, (ALL, SEVERAL))
    check(scored(olga, qrels, sent, measures=EVERY), sampling, strata)


def test_what_existing_judgments_bring_is_certain(sampling, olga, campaign, sent):
    # So many that a sample does not draw them all.
    pairs = [(topic, f"d{n:02}") for topic in ("1", "2") for n in range(3, 60, 7)]
    lines = "".join(f"{t} 0 {d} {grade_of(t, d)}\n" for t, d in pairs).encode()
    earlier = make.imported_qrels(campaign, lines)
    first = sampling.extend("sample", {"strata": ONE_RATE})
    drawn = {*first.entries.new().values_list("topic__number", "item__key")}
    pairs = [pair for pair in pairs if pair not in drawn]
    assert pairs
    sampling.extend("depth", {"depth": 2}, existing_sha256=earlier.sha256)
    sampling.judge()
    qrels = published(olga, campaign)
    assert (rates(qrels), has_one_rate(qrels)) == ([100, 40], False)
    strata = strata_of(sampling, qrels, (ALL, ONE_RATE), (ALL, 2), certain=pairs)
    check(scored(olga, qrels, sent, measures=INFERRED), sampling, strata)


def test_a_residual_collection_lacks_what_was_judged_before(sampling, olga, campaign, sent):
    sampling.extend("depth", {"depth": 4}, sampling.runs[:2])
    before = sampling.published()
    sampling.extend("sample", {"strata": SEVERAL})
    qrels = sampling.published()
    leave = {(t, d) for t, own in before.grades().items() for d in own}
    strata = strata_of(sampling, qrels, ((0, 1), 4), (ALL, SEVERAL))
    evaluation = scored(olga, qrels, sent, measures=EVERY, without=before.number)
    check(evaluation, sampling, strata, leave=leave)


def test_the_public_topics_alone_keep_their_values(sampling, olga, campaign, sent):
    sampling.extend("sample", {"strata": SEVERAL})
    campaign.topic_set.filter(number="2").update(split="hidden")
    sampling.judge()
    qrels = published(olga, campaign)
    evaluation = scored(olga, qrels, sent, measures=EVERY, split="public")
    assert evaluation.topics == ["1"]
    check(evaluation, sampling, strata_of(sampling, qrels, (ALL, SEVERAL)))


def test_infap_reads_the_population_of_one_rate_and_is_refused_at_several(
    sampling, olga, campaign, sent
):
    sampling.extend("sample", {"strata": ONE_RATE})
    qrels = sampling.published()
    assert has_one_rate(qrels)
    evaluation = scored(olga, qrels, sent, measures=["infAP", "AP"])
    strata = strata_of(sampling, qrels, (ALL, ONE_RATE))
    population = {t: {d: g for d, (_, g) in own.items()} for t, own in strata.items()}
    for n, run in enumerate(sampling.runs):
        text = make.content(run.file)
        theirs = evaluate(population, io.BytesIO(text), ["infAP"]).values[0, :, 0]
        mine = Score.objects.get(evaluation=evaluation, run=run).by_topic()
        assert mine[:, 0] == pytest.approx(theirs, abs=1e-12), n
        assert (mine[:, 0] != mine[:, 1]).all()
    assert evaluation.unestimated == ["AP"]
    sampling.extend("depth", {"depth": 8})
    several = sampling.published()
    says = r"^infAP takes the pool for a sample at one rate, and that of qrels v2 has several "
    with pytest.raises(Refused, match=says + r"\(100 %, 40 %\)\. Use xinfAP"):
        scored(olga, several, sent, measures=["infAP"])
