"""Runs out of text: the fast way, the patient way, and Python's."""

import io
from dataclasses import replace
from itertools import groupby

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cleverdon.trec.docnos import Docnos
from cleverdon.trec.runs.read import HEAD, ScatteredTopic, first_tag, read_parts, read_run
from cleverdon.trec.streams import FormatError
from cleverdon.trec.table import repeats
from tests.strategies import run_texts

RULES = {"trec_eval-9": np.float32, "trec_eval-10": np.float64}


def read(text, **options):
    return read_run(io.BytesIO(text if isinstance(text, bytes) else text.encode()), **options)


def content(run):
    return {
        topic: list(zip(run.docnos_of(i).tolist(), run.scores_of(i).tolist(), strict=True))
        for i, topic in enumerate(run.topics)
    }


def by_python(text: str, rules: str):
    """The run as a few plain lines read it."""
    topics: dict[str, list[tuple[bytes, float]]] = {}
    for line in text.splitlines():
        if line.strip():
            topic, _, docno, _, score, *_ = line.split()
            topics.setdefault(topic, []).append((docno.encode(), float(score)))
    with np.errstate(over="ignore"):
        for pairs in topics.values():
            pairs.sort(key=lambda pair: (RULES[rules](pair[1]), pair[0]), reverse=True)
    return topics


@given(run_texts(), st.sampled_from(sorted(RULES)), st.sampled_from([11, 64, 1 << 20]))
def test_a_run_is_read_as_python_reads_it(text, rules, block):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("cleverdon.trec.text.BLOCK", block)
        run = read(text, rules=rules)
    assert content(run) == by_python(text, rules)
    assert run.topics == tuple(sorted(by_python(text, rules), key=str.encode))
    assert (run.tag, run.rules) == ("made", rules)


@given(run_texts())
def test_both_ways_of_reading_give_the_same(text):
    """A column too many sends the whole block line by line."""
    plain = "".join(" ".join(line.split()) + "\n" for line in text.splitlines() if line.strip())
    first, rest = plain.split("\n", 1)
    fast, patient = read(plain), read(f"{first} more\n{rest}")
    assert content(fast) == content(patient)
    assert fast.docnos.hashes.tolist() == patient.docnos.hashes.tolist()


@given(run_texts(), st.sampled_from(sorted(RULES)))
def test_a_run_read_under_one_rule_set_ranks_under_another(text, rules):
    for first in RULES:
        assert content(read(text, rules=first).under(rules)) == by_python(text, rules)


def test_the_tag_is_that_of_the_last_line_and_ids_may_be_any_bytes():
    run = read(b"t\xff Q0 d\xfe 1 2 one\n1 Q0 d 1 2 two\xff")
    assert run.tag == "two\udcff"
    assert run.topics == ("1", "t\udcff")
    assert run.docnos.tolist() == [b"d", b"d\xfe"]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("1 Q0 d2 2 1", "It has 5 columns; a run has six"),
        ("1", "It has 1 column; a run has six"),
        ("1 Q0 d2 2 nan made", "The score 'nan' of document 'd2' is not a finite number"),
        ("1 Q0 d1 2 1 made", "Document 'd1' comes again in topic 1; it was on line 1"),
        ("1 Q0 d\0 2 1 made", "It holds a NUL byte"),
    ],
)
def test_a_line_that_cannot_be_used_is_named(line, message):
    for more in ("", " and more", "\t"):
        if more != " and more" or len(line.split()) == 6:
            with pytest.raises(FormatError, match=f"^Line 3: {message}"):
                read(f"1 Q0 d1 1 9 made\n\n{line}{more}\n2 Q0 d1 1 1 made\n")


def test_the_first_fault_of_a_file_is_named_whichever_its_kind():
    with pytest.raises(FormatError, match="Line 1: It holds control characters"):
        read("1 Q0 d\x01 1 2 made\n1 Q0\n")


@pytest.mark.parametrize("with_ranks", [False, True])
@pytest.mark.parametrize("text", ["", "\n \n"])
def test_an_empty_file_is_refused(text, with_ranks):
    with pytest.raises(FormatError, match="The file is empty"):
        read(text, with_ranks=with_ranks)
    with pytest.raises(FormatError, match="The file is empty"):
        list(read_parts(io.BytesIO(text.encode())))


def test_documents_of_one_hash_are_not_taken_for_one():
    docnos = Docnos.of([b"d1", b"d2", b"d1"])
    alike = replace(docnos, known_hashes=np.zeros(3, dtype=np.uint32))
    assert list(repeats(np.zeros(3, dtype=np.int64), alike)) == [(2, 0)]
    with pytest.raises(FormatError, match="comes again"):
        read("1 Q0 d1 1 2 made\n1 Q0 d2 2 1 made\n1 Q0 d1 3 0 made\n")


COLUMNS = "A run has topic Q0 docno rank score tag."


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("1 Q0 d1 1 9.5\n", f"Its first line has five columns: the tag is missing. {COLUMNS}"),
        ("1 d1 1 9.5 bm25\n", f"Its first line has five columns: Q0 is missing. {COLUMNS}"),
        (
            "1 Q0 d1 1 9.5 bm25 x\n",
            f"Its first line has seven columns: remove what follows the tag. {COLUMNS}",
        ),
        (
            "1 0 d1 2\n",
            "These look like qrels, of four columns: organizers import them on the page Qrels. "
            + COLUMNS,
        ),
        (
            "1\t7067032\t1\n",
            "Its first line has three columns, as MS MARCO's runs: Q0, score and tag are missing. "
            + COLUMNS,
        ),
        ("1 d1 1 9.5\n", f"Its first line has four columns: Q0 and the tag are missing. {COLUMNS}"),
        ('{"1": {"d1": 9.5}}\n', f"It is JSON. {COLUMNS}"),
        (
            "topic,Q0,docno,rank,score,tag\n1,Q0,d1,1,9.5,bm25\n",
            "Its columns are separated by commas: separate them by blanks or tabs.",
        ),
        (
            "1;Q0;d1;1;9.5;bm25\n",
            "Its columns are separated by semicolons: separate them by blanks or tabs.",
        ),
        ("qid docid rank\n" + " " * HEAD, f"Its first line has 3 columns. {COLUMNS}"),
        (" " * HEAD, "No line at its beginning has the six columns of a run."),
    ],
)
def test_a_file_without_a_tag_is_told_by_what_it_has(text, said):
    with pytest.raises(FormatError) as caught:
        first_tag(io.BytesIO(text.encode()))
    assert str(caught.value) == said


def test_the_tag_is_read_behind_a_byte_order_mark():
    assert first_tag(io.BytesIO("\ufeff1 Q0 d1 1 9.5 bm25\n".encode())) == "bm25"


@given(run_texts(), st.sampled_from(sorted(RULES)), st.sampled_from([11, 64, 1 << 20]))
def test_a_run_in_parts_is_the_same_run(text, rules, block):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("cleverdon.trec.text.BLOCK", block)
        try:
            parts = list(read_parts(io.BytesIO(text.encode()), rules=rules))
        except ScatteredTopic:
            topics = [line.split()[0] for line in text.splitlines() if line.strip()]
            assert len([*groupby(topics)]) > len(set(topics))
            return
    whole = content(read(text, rules=rules))
    assert {topic: rows for part in parts for topic, rows in content(part).items()} == whole
    assert sum(len(part.topics) for part in parts) == len(whole)
    assert parts[-1].tag == "made"
