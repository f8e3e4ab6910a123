"""Rules 11 of the command: those of 10, but for what trec_eval 11 prints otherwise."""

import json
from collections import Counter

import numpy as np
import pytest

from tests.core.measures.commands import run
from tests.core.measures.test_equal_to_trec_eval import CASES, collection, text_of, without

COEFFICIENTS = 3, -2, -5, 0.5


def rows(*arguments) -> dict[tuple[str, str], str]:
    status, out, err = run(*arguments)
    assert (status, err) == (0, "")
    lines = [tuple(map(str.strip, line.split("\t"))) for line in out.splitlines()]
    return {(name, topic): value for name, topic, value in lines}


def names(*requests: str, files, rules: str = "11") -> list[str]:
    asked = [each for request in requests for each in ("-m", request)]
    return [name for name, _ in rows("--rules", rules, *asked, *files)]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_all_else_is_what_trec_eval_10_printed(case):
    """The order of rows aside, which follows that of -m."""
    files = case / "qrels.txt", case / "run.txt"
    for output in json.loads((case / "expected.json").read_text()):
        options, left_out = output["options"], [*output.get("unreliable", [])]
        if output["rules"] != "10":
            continue
        if {"-c", "-l"} <= {*options}:
            left_out.append("num_rel")
        if any(option.startswith("utility.") for option in options):
            left_out += ["utility", "utility_2,-1,-1,0"]
        _, printed, _ = run("--rules", "11", *options, *files)
        ours, theirs = (without(each, left_out) for each in (printed, output["printed"]))
        assert Counter(ours) == Counter(theirs), options


@pytest.mark.parametrize("seed", range(12))
def test_relevant_documents_and_utility_of_drawn_collections(seed, tmp_path):
    """Against loops: with -c by the level, and topics without a retrieved document too."""
    qrels, ranked = collection(seed)
    shared = qrels.keys() & ranked.keys()
    if not shared:
        return
    files = tmp_path / "qrels", tmp_path / "run"
    files[0].write_bytes(text_of(qrels, "{} 0 {} {}", seed).getvalue())
    files[1].write_bytes(text_of(ranked, "{} Q0 {} 1 {!r} made", seed).getvalue())
    name = f"utility_{','.join(map(str, COEFFICIENTS))}"
    asked = "-m", "num_rel", "-m", name.replace("_", "."), "-N", 500, "-J", "-c", "-q", "-l", 2
    found = rows("--rules", "11", *asked, *files)
    utilities = []
    for topic, grades in qrels.items():
        kept = [grades[d] for d in ranked.get(topic, {}) if grades.get(d, -1) >= 0]
        hit, known = (sum(grade >= 2 for grade in each) for each in (kept, grades.values()))
        parts = hit, len(kept) - hit, known - hit, 500 + hit - len(kept) - known
        utilities.append(float(np.dot(parts, COEFFICIENTS)))
        assert found["num_rel", topic] == str(known)
        assert float(found[name, topic]) == pytest.approx(utilities[-1], abs=1e-4)
    relevant = sum(grade >= 2 for own in qrels.values() for grade in own.values())
    assert found["num_rel", "all"] == str(relevant)
    assert float(found[name, "all"]) == pytest.approx(np.mean(utilities), abs=1e-4)


def test_rows_come_in_the_order_asked_and_once(files):
    asked = "P.10", "map", "P.5", "map", "num_q"
    assert names(*asked, files=files) == ["P_10", "map", "P_5", "num_q"]
    assert names(*asked, files=files, rules="10") == ["num_q", "map", "P_10"]
    assert names("official", files=files) == names("official", files=files, rules="10")


@pytest.mark.parametrize(
    ("request_", "printed"),
    [
        *(("NDCG@5,10", "ndcg_cut_5 ndcg_cut_10"), ("Map@100", "map_cut_100"), ("p@7", "P_7")),
        *(("ndcg_cut_3", "ndcg_cut_3"), ("precision.5", "P_5"), ("RECALL_5", "recall_5")),
        *(("MRR", "recip_rank"), ("rr", "recip_rank"), ("bPREF", "bpref"), ("UNJ@5", "unj_5")),
        *(("Relative_P@5", "relative_P_5"), ("iprec_at_recall.0.10", "iprec_at_recall_0.10")),
        *(("ndcg_p.1=2", "ndcg_p_1=2"), ("RR@10", "RR@10"), ("ERR@20", "ERR@20")),
        *(("P(level=2)@5", "P(level=2)@5"), ("utility.1,-1,0,0", "utility_1,-1,0,0")),
    ],
)
def test_names_are_read_as_trec_eval_11_reads_them(files, request_, printed):
    assert names(request_, files=files) == printed.split()


def test_ndcg_p_discounts_from_the_third_rank_on(files):
    found = rows("--rules", "11", "-q", "-m", "ndcg_p", "-m", "nDCG(base=2)", *files)
    for topic in ("1", "2", "all"):
        assert found["ndcg_p", topic] == found["nDCG(base=2)", topic]
    assert found["ndcg_p", "2"] == f"{1 / 3:.4f}"  # 1 of 2 + 1 / log2(2)


def test_files_may_have_comments_and_blank_lines(files):
    for file in files:
        file.write_text(f"# made\n\n{file.read_text()}")
    assert rows("--rules", "11", *files)["runid", "all"] == "one"
