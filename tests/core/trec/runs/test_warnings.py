"""What a report warns of, though the run is valid."""

import io

from hypothesis import example, given
from hypothesis import strategies as st

from cleverdon.trec.runs.check import check_run
from tests.strategies import run_lines


def warnings(text, *, topics=("1", "2"), **options):
    stream = io.BytesIO(text.encode())
    return check_run(stream, tag="made", topics=topics, **options).report.warnings


def test_a_tidy_run_has_no_warning():
    text = "1 Q0 d1 1 2 made\n1 Q0 d2 2 1 made\n2 Q0 d1 1 2 made"
    assert warnings(text, unknown={"d3"}.intersection) == []


def test_missing_topics_are_listed():
    numbers = [str(n) for n in range(1, 9)]
    assert warnings("1 Q0 d1 1 2 made", topics=numbers) == [
        "7 topics of the campaign missing from the run: 2, 3, 4, 5, 6 and 2 more."
    ]


def test_what_a_report_warns_of_is_counted_each_document_once():
    text = "1 Q0 d1 1 2 made\n1 Q0 d2 2 1 made\n2 Q0 d1 1 2 made"
    stream = io.BytesIO(text.encode())
    report = check_run(
        stream, tag="made", topics=["1", "2", "3"], unknown={"d2"}.intersection
    ).report
    assert (report.n_lines, report.n_documents) == (3, 2)
    assert (report.n_missing, report.n_unknown) == (1, 1)


def test_a_rank_column_that_contradicts_the_scores_is_shown_once():
    text = "1 Q0 d1 2 9 made\n1 Q0 d2 1 8 made\n2 Q0 d1 1 1 made\n2 Q0 d2 2 2 made\n"
    assert warnings(text) == [
        (
            "In 2 topics the rank column contradicts the scores, first on line 2 (topic 1). "
            "Scores decide, as in trec_eval; the rank column is ignored."
        )
    ]


def test_the_first_line_that_contradicts_is_the_first_of_the_file():
    text = "2 Q0 d1 1 1 made\n2 Q0 d2 2 3 made\n1 Q0 d1 2 9 made\n1 Q0 d2 1 8 made\n"
    assert "first on line 1 (topic 2)" in warnings(text)[0]


FIVE = st.lists(st.integers(0, 3), min_size=5, max_size=5)


@example([1, 1, 1, 2, 2], [2, 2, 2, 1, 1])
@example([1, 5, 2, 3, 3], [3, 2, 2, 1, 1])
@example([2, 1, 3, 3, 3], [1, 2, 3, 4, 4])
@given(FIVE, FIVE)
def test_ranks_contradict_when_a_lower_score_has_no_higher_rank(ranks, scores):
    text = "\n".join(
        f"1 Q0 d{i} {r} {s} made" for i, (r, s) in enumerate(zip(ranks, scores, strict=True))
    )
    pairs = list(zip(ranks, scores, strict=True))
    wrong = [
        line for line, (q, t) in enumerate(pairs, 1) if any(s > t and r >= q for r, s in pairs)
    ]
    said = [w for w in warnings(text, topics=["1"]) if "contradicts" in w]
    assert bool(said) == bool(wrong)
    assert not wrong or f"first on line {wrong[0]} (topic 1)" in said[0]


def test_tied_scores_are_counted_with_an_example():
    text = "1 Q0 d1 1 2 made\n1 Q0 d2 2 2.0 made\n1 Q0 d3 3 1 made\n2 Q0 d1 1 1 made\n"
    assert warnings(text) == [
        (
            "2 documents in 1 topic share a score with another, as on lines 1 and 2 (topic 1). "
            "Ties are ranked by docno descending, as in trec_eval."
        )
    ]


def test_near_ties_are_tied_under_the_older_rules_only():
    text = "1 Q0 d1 1 0.10000000002 made\n1 Q0 d2 2 0.10000000001 made\n"
    assert len(warnings(text, topics=["1"])) == 1
    assert warnings(text, topics=["1"], rules="trec_eval-10") == []


def test_documents_outside_the_collection_are_counted_with_examples():
    text = "\n".join(run_lines({"1": {f"d{i}": -i for i in range(9)}}))
    found = warnings(text, topics=["1"], unknown=lambda docnos: {*docnos} - {"d0"})
    assert found == ["8 documents not in the collection: d1, d2, d3, d4, d5 and 3 more."]


@given(st.lists(st.sampled_from("abé01"), unique=True), st.sets(st.sampled_from("abé01")))
def test_unknown_documents_are_asked_for_once_and_listed_by_rank(docnos, known):
    asked = []

    def unknown(distinct):
        asked.append(list(distinct))
        return set(distinct) - known

    run = {topic: {docno: -rank for rank, docno in enumerate(docnos)} for topic in "12"}
    found = warnings("\n".join(run_lines(run)), unknown=unknown)
    missing = [docno for docno in docnos if docno not in known]
    listed = [line for line in found if "not in the collection" in line]
    assert asked == ([docnos] if docnos else [])
    assert [line.split(": ")[1] for line in listed] == (
        [f"{', '.join(missing)}."] if missing else []
    )
