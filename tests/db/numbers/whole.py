"""What pages say of a whole campaign: counts, the pool, agreement, completeness."""

import re
from collections import defaultdict
from decimal import ROUND_HALF_EVEN, Decimal

from tests import records
from tests.db.numbers.downloads import Downloads
from tests.db.numbers.measured import rankings

Pair = tuple[str, str]


def check_counts(down: Downloads) -> None:
    """The chain on the overview."""
    page = down.get("")
    stages = dict(
        re.findall(r'<span class="name">([^<]*)</span>\s*<strong>v?([\d,]+)</strong>', page)
    )
    topics = down.get("topics/topics.tsv").splitlines()
    assert int(stages["topics"]) == len(topics) == len(down.lived.topics_of[1])
    assert int(stages["runs"]) == len(down.runs)
    pooled = {(row["topic"], row["docno"]) for row in down.pool if row["standing"] == "new"}
    assert int(stages["pool"].replace(",", "")) == len(pooled)


def first_batches(down: Downloads) -> dict[Pair, str]:
    """The batch that brought each document to be judged."""
    return {
        (row["topic"], row["docno"]): row["batch"] for row in down.pool if row["standing"] == "new"
    }


def check_pool(down: Downloads) -> None:
    """Ranks in the pool are those of runs, and pages count what is there."""
    pooled, ranked = (
        first_batches(down),
        {t: rankings(f, "trec_eval-9") for t, f in down.runs.items()},
    )
    for row in down.pool:
        own = ranked[row["run"]][row["topic"]]
        assert own[int(row["rank"]) - 1] == row["docno"]
    if not pooled:
        return
    names = {docno for _, docno in pooled}
    assert down.get("pool/docnos.txt").splitlines() == sorted(names, key=str.encode)
    judged = {(row["topic"], row["docno"]) for row in records.official(down.judgments)}
    plural = "" if len(pooled) == 1 else "s"
    said = f"{len(pooled):,} document{plural} pooled, {len(judged & pooled.keys()):,} judged"
    assert said in down.words("pool/")


def rounded(value: float | None) -> str:
    """A kappa as pages write it."""
    if value is None:
        return "undefined"
    text = f"{value:.2f}"
    return text.replace("-", "" if text == "-0.00" else "\N{MINUS SIGN}")


def check_agreement(down: Downloads) -> None:
    page, level = down.words("agreement/"), down.lived.campaign.level
    items = list(records.judged_by_several(down.judgments).values())
    if not items:
        assert "No document is judged twice yet" in page
        return
    binary = records.agreed(records.relevant(items, level), [0, 1])
    scale = [grade.value for grade in down.lived.campaign.scale.grades]
    graded = records.agreed(items, scale)
    of_two = len({name for given in items for name, _ in given}) == 2
    name = "Kappa" if of_two else "Alpha"
    assert f"{name} is {rounded(binary.plain)} on {binary.n} document" in page, binary
    for share in (binary.equal, graded.equal):
        percent = Decimal(float(100 * share)).quantize(Decimal(1), ROUND_HALF_EVEN)
        assert f"{percent} %" in page, share
    words = "Weighted kappa, quadratic" if of_two else "Krippendorff's alpha, ordinal"
    assert f"{rounded(graded.weighted)} {words}" in page, graded


def check_completeness(down: Downloads) -> None:
    """Chao2 from who brought what, each of a sample as often as its stratum says."""
    if not down.lived.is_reviewed:
        return
    page = down.words("pool/completeness/")
    pooled, level = first_batches(down), down.lived.campaign.level
    official = {
        (row["topic"], row["docno"]): int(row["grade"]) for row in records.official(down.judgments)
    }
    held: dict[Pair, set[str]] = defaultdict(set)
    for row in down.pool:
        held[row["topic"], row["docno"]].add(row["run"])
    judged = {pair: grade for pair, grade in official.items() if pair in pooled}
    assert f"{len(judged):,} of {len(pooled):,} pooled documents were judged" in page
    decided = {
        (row["topic"], row["docno"])
        for row in down.judgments
        if row["kind"] == "primary" and row["state"] in {"judged", "cannot_judge"}
    }
    n_left = len(pooled.keys() - decided)
    undrawn = {(row["topic"], row["docno"]) for row in down.pool} - pooled.keys()
    version = max(int(row["batch"]) for row in down.pool)
    if undrawn and version not in down.lived.pool_of.values():
        return  # no qrels were published since, so that no file has the strata
    weights = weights_of(down, judged) if undrawn else dict.fromkeys(judged, 1.0)
    relevant = {pair: weights[pair] for pair, grade in judged.items() if grade >= level}
    n_found = sum(relevant.values())
    once = sum(w for pair, w in relevant.items() if len(held[pair]) == 1)
    twice = sum(w for pair, w in relevant.items() if len(held[pair]) == 2)
    if 100 * n_left > 5 * len(pooled):
        assert "too early to tell what is missing" in page
        return
    n_runs = len({row["run"] for row in down.pool})
    more = once**2 / (2 * twice) if twice else once * max(once - 1, 0) / 2
    missed = more * (n_runs - 1) / n_runs
    html = down.get("pool/completeness/")
    heading = re.search(r"<h1>(.*?)</h1>", html, re.DOTALL)[1]
    numbers = [int(each.replace(",", "")) for each in re.findall(r"[\d,]*\d", heading)]
    assert abs(numbers[0] - n_found) <= 0.5
    # Halves of weights lie on either side of the whole number by their last bits.
    shown = sum(numbers[1:])
    assert abs(shown - missed) <= 0.5 + 1e-9, (heading, once, twice, n_runs)
    assert (len(numbers) == 2) == (shown > 0), heading
    if undrawn:
        n_all = len(pooled) + len(undrawn)
        assert f"The pool is a sample: {len(pooled):,} documents of {n_all:,}" in page


def weights_of(down: Downloads, judged: dict[Pair, int]) -> dict[Pair, float]:
    """How many of its stratum a judged document stands for: of a topic, those there are by those
    judged. The strata are those of the newest qrels.
    """
    strata = down.strata(max(down.lived.pool_of))
    found = {}
    for topic, own in strata.items():
        for docno, (name, _) in own.items():
            if (topic, docno) in judged:
                members = [d for d, (other, _) in own.items() if other == name]
                n_judged = sum((topic, d) in judged for d in members)
                found[topic, docno] = len(members) / n_judged
    return found
