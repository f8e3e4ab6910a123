from io import BytesIO

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from campaigns.core import checking
from campaigns.core.checking import check_run
from campaigns.core.formats import opened
from campaigns.core.runs import Report
from tests import strategies

TOPICS = ("1", "2", "10", "é3")


def check(content: bytes | str, **options):
    data = content.encode() if isinstance(content, str) else content
    return check_run(BytesIO(data), **{"tag": "made", "topics": TOPICS, **options})


def errors(content: bytes | str, **options) -> list[tuple[int | None, str]]:
    return [tuple(error) for error in check(content, **options).report.errors]


GOOD = "1 Q0 d1 1 2.5 made\n1 Q0 d2 2 1.5 made\n"


def test_a_good_run_is_valid_and_ranked():
    checked = check(GOOD)
    assert checked.report.is_valid
    assert checked.run.topics == ("1",)
    assert checked.run.docnos_of(0).tolist() == [b"d1", b"d2"]
    assert checked.run.scores_of(0).tolist() == [2.5, 1.5]
    assert checked.run.top(0, 1).tolist() == [b"d1"]
    assert checked.run.n_documents == 2


def test_tabs_carriage_returns_blank_lines_and_a_missing_last_line_end_are_accepted():
    checked = check("1\tQ0\td1\t1\t2.5\tmade\r\n\n  \n1 Q0  d2 2 1.5 made")
    assert checked.report.is_valid
    assert checked.run.n_documents == 2


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            "1 Q0 d3 3 0.5",
            "It has 5 columns; a run has six: topic, Q0, docno, rank, score, tag.",
        ),
        (
            "1 Q0 d3 3 0.5 made more",
            "It has 7 columns; a run has six: topic, Q0, docno, rank, score, tag.",
        ),
        ("1 Q0 d3 3 0.5 other", "The tag is 'other'; the run was declared as 'made'."),
        ("9 Q0 d3 3 0.5 made", "There is no topic '9' in this campaign."),
        ("1 Q0 d3 3.0 0.5 made", "The rank '3.0' is not a whole number."),
        ("1 Q0 d3 1_0 0.5 made", "The rank '1_0' is not a whole number."),
        (
            "1 Q0 d3 3 nan made",
            "The score 'nan' of document 'd3' is not a finite number.",
        ),
        (
            "1 Q0 d3 3 -inf made",
            "The score '-inf' of document 'd3' is not a finite number.",
        ),
        (
            "1 Q0 d3 3 1e999 made",
            "The score '1e999' of document 'd3' is not a finite number.",
        ),
        (
            "1 Q0 d3 3 0x1p3 made",
            "The score '0x1p3' of document 'd3' is not a finite number.",
        ),
        (
            "1 Q0 d3 3 1_0.5 made",
            "The score '1_0.5' of document 'd3' is not a finite number.",
        ),
        (
            "1 Q0 d3 3 high made",
            "The score 'high' of document 'd3' is not a finite number.",
        ),
        (
            "1 Q0 d1 3 0.5 made",
            "Document 'd1' comes again in topic 1; it was on line 1.",
        ),
        (
            "1 Q0 " + "d" * 256 + " 3 0.5 made",
            "The docno is 256 bytes long; 255 are allowed.",
        ),
    ],
)
def test_each_fault_is_found_on_its_line_and_hides_no_later_one(line, message):
    found = errors(GOOD + line + "\n" + "2 Q0 d9 x 0.1 made\n")
    assert found == [(3, message), (4, "The rank 'x' is not a whole number.")]


def test_bytes_that_are_not_utf_8_are_found_on_their_line():
    assert errors(GOOD.encode() + b"1 Q0 d\xff 3 0.5 made\n") == [
        (3, "It is not UTF-8: byte 7 of the line cannot be read.")
    ]


def test_a_nul_byte_is_found():
    assert errors(GOOD.encode() + b"1 Q0 d\x00 3 0.5 made\n") == [
        (3, "It holds a NUL byte: this is not a text file.")
    ]


def test_one_document_too_many_is_named_where_it_stands():
    lines = "".join(f"1 Q0 d{n} {n} {-n} made\n" for n in range(5))
    assert errors(lines, depth=3) == [
        (4, "Topic 1 has 5 documents; at most 3 are allowed.")
    ]
    assert check(lines, depth=5).report.is_valid


def test_an_empty_file_is_an_error():
    assert errors("") == errors("\n\n") == [(None, "The file is empty.")]


@pytest.mark.parametrize("tag", ["", ".dot", "a b", "x" * 21, "ü"])
def test_a_tag_that_is_none_is_an_error_of_the_whole_file(tag):
    [(line, message)] = errors("", tag=tag)
    assert line is None
    assert message.startswith("The tag ")


def test_a_line_without_end_stops_the_reading():
    [(line, message)] = errors(GOOD.encode() + b"x" * 3_000_000)
    assert (line, message) == (
        3,
        "The line is longer than 65,536 bytes; the rest was not read.",
    )


def test_the_first_25_errors_are_kept_in_order_and_all_are_counted():
    lines = "".join(f"1 Q0 d{n} {n} bad made\n" for n in range(100))
    report = check(GOOD + lines + "1 Q0 d1 1 1 made\n").report
    assert report.n_errors == 101
    assert [error.line for error in report.errors] == list(range(3, 28))


def test_a_duplicate_comes_before_a_later_bad_line():
    text = "1 Q0 d1 1 2 made\n1 Q0 d1 2 1 made\n1 Q0 d3 3 bad made\n"
    assert [line for line, _ in errors(text)] == [2, 3]


def test_warnings_name_missing_topics_contradicting_ranks_ties_and_unknown_documents():
    text = "1 Q0 d1 2 1.0 made\n1 Q0 d2 1 0.5 made\n1 Q0 d3 3 0.5 made\n"
    report = check(text, docnos=["d1", "d2"]).report
    assert report.is_valid
    assert report.warnings == [
        "3 topics of the campaign missing from the run: 10, 2, é3.",
        "In 1 topic the rank column contradicts the scores, first on line 1 (topic 1). Scores decide, as in trec_eval; the rank column is ignored.",
        "2 documents in 1 topic share a score with another (first in topic 1); ties are ranked by docno descending, as in trec_eval.",
        "1 document not in the collection: d3.",
    ]


def test_interleaved_topics_give_the_same_run():
    lines = strategies.run_lines(
        {"1": {"d1": 2.0, "d2": 1.0}, "2": {"d1": 1.0, "d3": 3.0}}
    )
    plain, mixed = (
        check(b"".join(lines)),
        check(b"".join(lines[i] for i in (2, 0, 3, 1))),
    )
    assert same(plain.run, mixed.run)


def same(one, other) -> bool:
    if one is None or other is None:
        return one is other
    names = ("offsets", "scores", "docno_offsets", "docnos")
    return one.topics == other.topics and all(
        np.array_equal(getattr(one, n), getattr(other, n)) for n in names
    )


BAD_LINES = st.sampled_from(
    [
        b"\n",
        b"1 Q0 d1\n",
        b"1 Q0 x 1 nan made\n",
        b"9 Q0 x 1 1 made\n",
        b"1 Q0 d\xff 1 1 made\n",
        b"1 Q0 d1 +1 1e0 made\r\n",
    ]
)


@given(
    strategies.runs(),
    st.lists(BAD_LINES, max_size=3),
    st.randoms(use_true_random=False),
    st.integers(20, 200),
)
def test_block_by_block_and_line_by_line_give_the_same(run, bad, random, block):
    lines = strategies.run_lines(run) + bad
    random.shuffle(lines)
    content = b"".join(lines)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(checking, "BLOCK", block)
        fast = check(content)
        patch.setattr(checking, "_read_regular", lambda *_: False)
        slow = check(content)
    assert fast.report == slow.report
    assert same(fast.run, slow.run)


@given(strategies.runs())
def test_a_report_comes_back_from_json(run):
    report = check(b"".join(strategies.run_lines(run)) + b"bad\n").report
    assert Report.from_json(report.to_json()) == report


def test_scores_are_the_nearest_doubles():
    texts = ["0.1", "1e-3", "123456789.123456789", "-7", "+5.5", ".5", "17e2"]
    lines = "".join(f"1 Q0 d{n} {n} {text} made\n" for n, text in enumerate(texts))
    assert sorted(check(lines).run.scores.tolist()) == sorted(map(float, texts))


def test_progress_is_told_in_bytes():
    told = []
    check(GOOD, on_progress=told.append)
    assert told == [len(GOOD)]


def test_a_damaged_stream_is_an_error_of_the_report():
    stream = opened(BytesIO(b"\x1f\x8b\x08\x00" + b"garbage" * 9), limit=1000)
    report = check_run(stream, tag="made", topics=TOPICS).report
    assert (
        report.errors[0].message
        == "The gzip data is damaged: it cannot be unpacked to its end."
    )
