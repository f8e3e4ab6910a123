"""What the story is made of: topics, runs, grades, and the reference's values for them."""

import pytrec_eval

TOPICS = """<top>
<num> Number: 301
<title> boundary layers
<desc> Description:
What is known of boundary layers in hypersonic flow?
<narr> Narrative:
Experiments and theory count.
</top>
<top>
<num> Number: 302
<title> wing flutter
<desc> Description: Causes of flutter.
<narr> Narrative: Anything on damping.
</top>
"""
NUMBERS = ("301", "302")
DOCNOS = [f"cran-{number:03d}" for number in range(60)]
DEPTH = 10
PASSWORD = "tralala-17x"


def ranking(topic: str, seed: int) -> list[str]:
    """Sixty documents in an order that depends on topic and run."""
    step = 7 if topic == "301" else 11
    return [DOCNOS[(seed * 5 + place * step) % 60] for place in range(60)]


RUNS = {
    "alpha": {t: ranking(t, 1)[:40] for t in NUMBERS},
    "beta": {t: ranking(t, 4) for t in NUMBERS},
}


def run_file(tag: str) -> bytes:
    # Pairs of documents share a score, so that the tie rule decides.
    return "".join(
        f"{topic}\tQ0\t{docno}\t{rank}\t{20 - rank // 2}\t{tag}\n"
        for topic, docnos in RUNS[tag].items()
        for rank, docno in enumerate(docnos, 1)
    ).encode()


def grade_of(person: str, topic: str, docno: str) -> int:
    """What each assessor says; Ben differs on every third document, so that any sample has both."""
    number = int(docno.removeprefix("cran-")) + int(topic)
    grade = number % 4
    return (grade + 2) % 4 if person == "ben" and number % 3 == 0 else grade


def ranked(tag: str, topic: str) -> list[str]:
    """The reference ranking: score descending, docno descending."""
    scores = {docno: 20 - rank // 2 for rank, docno in enumerate(RUNS[tag][topic], 1)}
    return sorted(sorted(scores, reverse=True), key=scores.get, reverse=True)


def official(labels: dict, primary: dict[str, str]) -> dict[str, dict[str, int]]:
    """What the primary assessor of each topic said."""
    return {
        t: {
            d: grade for (person, topic, d), grade in labels.items() if topic == t and person == who
        }
        for t, who in primary.items()
    }


NAMES = ("AP", "nDCG@10", "P@10", "RR", "Rprec", "Bpref", "R@1000", "Judged@10")
THEIRS = ("map", "ndcg_cut_10", "P_10", "recip_rank", "Rprec", "bpref", "recall_1000")


def reference(tag: str, qrels: dict) -> dict[str, list[float]]:
    """trec_eval's values by topic, in the order of NAMES; Judged@10 counted by hand."""
    run = {
        t: {d: 20.0 - rank // 2 for rank, d in enumerate(docnos, 1)}
        for t, docnos in RUNS[tag].items()
    }
    measures = {"map", "ndcg_cut.10", "P.10", "recip_rank", "Rprec", "bpref", "recall.1000"}
    values = pytrec_eval.RelevanceEvaluator(qrels, measures).evaluate(run)
    return {
        t: [
            *(values[t][name] for name in THEIRS),
            sum(d in qrels[t] for d in ranked(tag, t)[:10]) / 10,
        ]
        for t in NUMBERS
    }


def mean(by_topic: dict[str, list[float]]) -> list[float]:
    return [sum(column) / len(column) for column in zip(*by_topic.values(), strict=True)]
