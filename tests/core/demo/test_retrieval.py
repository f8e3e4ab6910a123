import io
import math
from itertools import combinations

import pytest
import pytrec_eval

from demo.core import retrieval
from demo.core.collection import Document
from trec.runs.check import check_run


def columns(text):
    return [line.split() for line in text.splitlines()]


def by_topic(text):
    run = {}
    for topic, _, docno, _, score, _ in columns(text):
        run.setdefault(topic, {})[docno] = float(score)
    return run


@pytest.fixture(scope="session")
def average_precision(made, truth):
    evaluator = pytrec_eval.RelevanceEvaluator(truth, {"map"})
    results = {run.tag: evaluator.evaluate(by_topic(run.text)) for run in made}
    return {
        tag: {topic: result.get(topic, {}).get("map", 0) for topic in truth}
        for tag, result in results.items()
    }


@pytest.fixture(scope="session")
def mean(average_precision):
    return {tag: sum(ap.values()) / len(ap) for tag, ap in average_precision.items()}


def test_two_teams_submit_at_least_seven_runs_with_different_tags(made):
    assert len({run.tag for run in made}) == len(made) >= 7
    assert {run.team for run in made} == {"Aldgate", "Cranfield"}
    assert all(run.description.endswith(".") for run in made)


def test_every_line_of_every_run_is_regular(made, topics, documents):
    numbers = {topic.number for topic in topics}
    docnos = {document.docno for document in documents}
    for run in made:
        for topic, q0, docno, _, score, tag in columns(run.text):
            assert topic in numbers
            assert docno in docnos
            assert (q0, tag) == ("Q0", run.tag)
            assert math.isfinite(float(score))


def test_no_run_has_a_document_twice_or_more_than_a_thousand_for_a_topic(made):
    for run in made:
        lines = columns(run.text)
        grouped = by_topic(run.text)
        assert sum(map(len, grouped.values())) == len(lines)
        assert max(map(len, grouped.values())) <= 1000


def test_every_run_answers_every_topic(made, topics):
    for run in made:
        assert list(by_topic(run.text)) == [topic.number for topic in topics]


def test_ranks_count_from_one_and_scores_never_rise(made):
    for run in made:
        before = None
        for topic, _, _, rank, score, _ in columns(run.text):
            first = before is None or before[0] != topic
            assert int(rank) == (1 if first else before[1] + 1)
            assert first or float(score) <= before[2]
            before = topic, int(rank), float(score)


def test_runs_differ_in_what_they_put_first(made):
    tops = {
        run.tag: {
            (line[0], line[2]) for line in columns(run.text) if int(line[3]) <= 10
        }
        for run in made
    }
    for first, second in combinations(tops.values(), 2):
        assert len(first & second) / len(first | second) < 0.9


def test_no_two_runs_have_the_same_average_precision(average_precision):
    values = [tuple(ap.values()) for ap in average_precision.values()]
    assert len(set(values)) == len(values)


def test_every_run_finds_something_and_none_everything(mean):
    assert all(0.1 < value < 0.7 for value in mean.values())


def test_bm25_over_everything_beats_titles_alone_and_counting_words(mean):
    for tag in ("aldgate-bm25", "aldgate-bm25-desc", "aldgate-bm25l"):
        assert mean[tag] > mean["aldgate-titles"] + 0.05
        assert mean[tag] > mean["cranfield-overlap"] + 0.05


def test_the_description_helps(mean):
    assert mean["aldgate-bm25-desc"] == max(mean.values())


def test_the_same_collection_gives_the_same_runs(documents, topics):
    some = documents[::20]
    assert retrieval.runs(some, topics) == retrieval.runs(some, topics)


def test_a_document_without_a_query_term_is_not_retrieved(topics):
    found = Document("a.b", "module a.b", "A priority queue of urgent entries.")
    other = Document("c.d", "module c.d", "Nothing that any query asks for at all.")
    topic = next(topic for topic in topics if topic.number == "103")
    for run in retrieval.runs([found, other], [topic]):
        assert {line[2] for line in columns(run.text)} <= {"a.b"}


@pytest.fixture(scope="session")
def faulty(made):
    return columns(retrieval.faulty_run(made[0].text))


def is_number(text):
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False


def test_each_fault_is_planted_in_its_line(faulty):
    line = {fault.line: faulty[fault.line - 1] for fault in retrieval.FAULTS}
    assert len(line[4]) == 5
    assert len(line[7]) == 7
    assert line[10][2] == faulty[8 - 1][2]
    assert [line[number][4] for number in (13, 16, 19, 22)] == [
        "high",
        "nan",
        "inf",
        "3,14",
    ]
    assert not any(is_number(line[number][4]) for number in (13, 16, 19, 22))
    assert line[25][0] == "999"
    assert line[28][5] == "another-run"
    assert line[31][3] == "31.5"


def test_every_other_line_is_as_it_was_but_for_the_tag(made, faulty):
    spoiled = {fault.line for fault in retrieval.FAULTS}
    original = columns(made[0].text)
    assert len(faulty) == len(original)
    for number, (now, before) in enumerate(zip(faulty, original, strict=True), 1):
        if number not in spoiled:
            assert now == [*before[:5], retrieval.FAULTY_TAG]


def test_every_fault_says_what_it_is_in_a_line_of_its_own():
    numbers = [fault.line for fault in retrieval.FAULTS]
    assert numbers == sorted(set(numbers))
    assert len({fault.what for fault in retrieval.FAULTS}) == len(retrieval.FAULTS)


def test_faults_fit_every_run(made):
    for run in made:
        assert retrieval.faulty_run(run.text)


@pytest.mark.parametrize("topics", [("1",) * 30, ("1",) * 20 + ("2",) * 40])
def test_a_run_too_short_for_the_faults_is_refused(topics):
    text = "".join(f"{topic} Q0 d{n} 1 1.0 t\n" for n, topic in enumerate(topics))
    with pytest.raises(ValueError, match="at least 31 documents"):
        retrieval.faulty_run(text)


def report_of(text, tag, topics, documents):
    checked = check_run(
        io.BytesIO(text.encode()),
        tag=tag,
        topics=[topic.number for topic in topics],
        unknown=lambda docnos: {*docnos} - {document.docno for document in documents},
    )
    return checked.report


def test_the_check_finds_no_error_in_any_run(made, topics, documents):
    for run in made:
        assert report_of(run.text, run.tag, topics, documents).n_errors == 0


def test_the_check_reports_each_fault_on_its_line_and_nothing_else(
    made, topics, documents
):
    text = retrieval.faulty_run(made[-1].text)
    report = report_of(text, retrieval.FAULTY_TAG, topics, documents)
    assert [error.line for error in report.errors] == [
        fault.line for fault in retrieval.FAULTS
    ]
    assert report.n_errors == len(retrieval.FAULTS)
