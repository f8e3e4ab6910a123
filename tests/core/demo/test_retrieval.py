import io

import pytest

from cleverdon.trec.runs.check import check_run
from cleverdon.trec.topics import TopicRecord
from demo.core import retrieval
from demo.core.collection import Docstring

TOPIC = TopicRecord("1", "priority queue", "Where are entries queued?")
DOCUMENTS = [
    Docstring(
        f"m.d{n}", f"class m.d{n} of the queue", "A priority queue. " * (n + 1) + "Entry. " * n
    )
    for n in range(40)
]
systems = pytest.mark.parametrize(
    "system", retrieval.SYSTEMS, ids=[system.tag for system in retrieval.SYSTEMS]
)


@systems
def test_a_run_is_without_fault_and_the_same_each_time(system):
    run = retrieval.run_of(system, retrieval.Collection(DOCUMENTS), [TOPIC])
    report = check_run(io.BytesIO(run.encode()), tag=system.tag, topics=["1"]).report
    assert report.n_errors == 0
    assert report.n_documents == 40
    assert all("share a score" in warning for warning in report.warnings)
    assert retrieval.run_of(system, retrieval.Collection(DOCUMENTS), [TOPIC]) == run


@systems
def test_a_document_without_a_query_term_is_not_retrieved(system):
    other = Docstring("c.d", "module c.d", "Nothing that any query asks for at all.")
    run = retrieval.run_of(system, retrieval.Collection([*DOCUMENTS[:2], other]), [TOPIC])
    docnos = {line.split()[2] for line in run.splitlines()}
    assert docnos == {"m.d0", "m.d1"}


# The run with planted faults

RUN = "".join(f"1 Q0 d.{n} {n} {50 - n}.0 alpha\n" for n in range(1, 41))


def test_the_check_reports_each_planted_fault_on_its_line_and_nothing_else():
    text = retrieval.faulty_run(RUN)
    checked = check_run(io.BytesIO(text.encode()), tag=retrieval.FAULTY_TAG, topics=["1"])
    lines = list(retrieval.FAULTY_LINES)
    assert [error.line for error in checked.report.errors] == lines
    assert checked.report.n_errors == len(lines)


def test_every_other_line_is_as_it_was_but_for_the_tag():
    now = retrieval.faulty_run(RUN).splitlines()
    for number, (old, new) in enumerate(zip(RUN.splitlines(), now, strict=True), 1):
        if number not in retrieval.FAULTY_LINES:
            assert new == old.replace("alpha", retrieval.FAULTY_TAG)


@pytest.mark.parametrize("topics", [("1",) * 30, ("1",) * 20 + ("2",) * 40])
def test_a_run_too_short_for_the_faults_is_refused(topics):
    text = "".join(f"{topic} Q0 d{n} 1 1.0 t\n" for n, topic in enumerate(topics))
    with pytest.raises(ValueError, match="at least 31 documents"):
        retrieval.faulty_run(text)
