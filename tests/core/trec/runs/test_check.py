"""The check of a run: each fault with its line, the same by both ways of reading."""

import gzip
import io
import random

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from cleverdon.trec.docnos import Docnos
from cleverdon.trec.ranking import compared, rank
from cleverdon.trec.runs.check import check_run
from cleverdon.trec.runs.run import CheckReport
from cleverdon.trec.streams import opened
from cleverdon.trec.table import MAX_LINE
from tests.strategies import TOPICS, faulty_run_texts, run_lines, run_texts, runs

KNOWN = ("1", "2")
SIX = "It has {}; a run has six: topic, Q0, docno, rank, score, tag."
UTF16 = "It is text in UTF-16: save the file as UTF-8."
run_text = "".join(f"1 Q0 d{n} {n} {-n} made\n" for n in range(1, 99))


def checked(text, *, topics=KNOWN, tag="made", **options):
    content = text if isinstance(text, bytes) else text.encode()
    return check_run(io.BytesIO(content), tag=tag, topics=topics, **options)


def errors(text, **options):
    report = checked(text, **options).report
    return [(error.line, error.message) for error in report.errors]


def table(text, **options):
    """The errors as the page shows them: which lines, and what is wrong."""
    return checked(text, **options).report.rows


def content(run):
    """Everything a ranked run holds, comparable."""
    return [
        (topic, run.docnos_of(i).tolist(), run.scores_of(i).tolist())
        for i, topic in enumerate(run.topics)
    ]


# What comes out of a valid run


@given(runs())
def test_a_run_comes_out_ranked_with_exact_scores(run):
    found = checked("\n".join(run_lines(run)), topics=set(run)).run
    assert found is not None
    assert found.topics == tuple(sorted(run, key=str.encode))
    for i, topic in enumerate(found.topics):
        docnos = [docno.encode() for docno in run[topic]]
        scores = np.array(list(run[topic].values()))
        order = rank(Docnos.of(docnos), scores)
        assert found.docnos_of(i).tolist() == [docnos[j] for j in order]
        assert found.scores_of(i).tolist() == scores[order].tolist()
        assert found.top(i, 2).tolist() == found.docnos_of(i).tolist()[:2]
    assert found.n_documents == sum(map(len, run.values()))


@given(run_texts())
def test_the_layout_of_the_lines_does_not_matter(text):
    plain = sorted(" ".join(line.split()) for line in text.splitlines() if line.strip())
    ours, theirs = (checked(t, topics=(*TOPICS, "unknown")).run for t in (text, "\n".join(plain)))
    assert content(ours) == content(theirs)


@given(st.floats(allow_nan=False, allow_infinity=False), st.integers(0, 17))
def test_a_score_is_the_double_nearest_to_what_is_written(score, digits):
    for written in (repr(score), f"{score:.{digits}e}"):
        run = checked(f"1 Q0 d1 1 {written} made").run
        assert run is None or run.scores.tolist() == [float(written)]


def test_blank_lines_count_but_are_passed_over():
    report = checked("\n1 Q0 d1 1 2 made\n \n1 Q0 d2 x 1 made\n").report
    assert (report.n_lines, [error.line for error in report.errors]) == (4, [4])


def test_progress_is_told_in_bytes():
    told = []
    checked("1 Q0 d1 1 2 made\n" * 3, on_progress=told.append)
    assert told == [51]


# Both ways of reading


@given(faulty_run_texts() | run_texts())
def test_both_ways_of_reading_find_the_same(text):
    """A blank line at the end sends the whole block line by line."""
    assume(text)  # nothing but blank lines has a sentence of its own
    fast, slow = checked(text), checked(f"{text}\n\n")
    assert fast.report.errors == slow.report.errors
    assert fast.report.n_errors == slow.report.n_errors
    assert fast.report.warnings == slow.report.warnings
    assert fast.report.n_documents == slow.report.n_documents
    assert (fast.run is None) == (slow.run is None)
    assert fast.run is None or content(fast.run) == content(slow.run)


@given(faulty_run_texts() | run_texts(), st.sampled_from([1, 40, 150]))
def test_where_blocks_end_does_not_matter(text, size):
    whole = checked(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("cleverdon.trec.text.BLOCK", size)
        pieces = checked(text)
    assert pieces.report == whole.report
    assert whole.run is None or content(pieces.run) == content(whole.run)


@given(faulty_run_texts())
def test_a_report_says_the_line_of_every_fault_in_order(text):
    report = checked(text).report
    places = [error.line for error in report.errors if error.line]
    assert places == sorted(places)
    assert sum(error.n for error in report.errors) == report.n_errors
    assert all(error.lines == sorted(error.lines) for error in report.errors)
    assert report.is_valid == (checked(text).run is not None)


@given(faulty_run_texts())
def test_a_report_survives_its_storage(text):
    report = checked(text).report
    assert CheckReport.from_json(report.to_json()) == report


# Errors


@pytest.mark.parametrize(
    ("topic", "meant"),
    [("01", "1"), ("MB1", "1"), ("qb02", "b2"), ("3", ""), ("b7", ""), ("x", ""), ("-", "")],
)
def test_a_topic_written_otherwise_is_asked_about(topic, meant):
    text = f"{topic} Q0 d1 1 2 made\n".encode()
    report = check_run(io.BytesIO(text), tag="made", topics=["1", "b2", "a7", "b07", "x3y"]).report
    asked = f" Did you mean '{meant}'?" if meant else ""
    said = f"There is no topic '{topic}' in this campaign.{asked}"
    assert [each.message for each in report.errors] == [said]


def test_a_byte_order_mark_at_the_beginning_is_passed_over_with_a_warning():
    checked_run = checked("\ufeff1 Q0 d1 1 2 made\n")
    assert (checked_run.report.is_valid, checked_run.run.topics) == (True, ("1",))
    assert "begins with a byte order mark" in checked_run.report.warnings[0]
    header = checked("\ufefftopic Q0 docno rank score tag\n1 Q0 d1 1 2 made\n").report
    assert [each.message for each in header.errors] == ["Line 1 is a header: remove it."]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("1 Q0 d1 1 2", SIX.format("5 columns")),
        ("1", SIX.format("1 column")),
        ("1 Q0 d1 1 2 made x", SIX.format("7 columns")),
        ("1 Q0 d1 1 2 other", "The tag is 'other', not 'made'."),
        ("9 Q0 d1 1 2 made", "There is no topic '9' in this campaign."),
        ("1 Q0 d1 1.0 2 made", "The rank '1.0' is not a whole number."),
        (
            f"1 Q0 d1 {10**18} 2 made",
            f"The rank '{10**18}' is too large: at most 999,999,999,999,999,999.",
        ),
        ("1 Q0 d1 1 abc made", "The score 'abc' is not a finite number."),
        ("1 Q0 d1 1 nan made", "The score 'nan' is not a finite number."),
        (
            f"1 Q0 {'x' * 256} 1 2 made",
            f"The docno '{'x' * 60}…' is 256 bytes long; 255 are allowed.",
        ),
        ("1 Q0 d\x001 1 2 made", "It holds a NUL byte: this is not a text file."),
        (
            "\ufeff1 Q0 d1 1 2 made",
            "It begins with a byte order mark: save the file as UTF-8 without one.",
        ),
        ("1 Q0 " + "x" * MAX_LINE, "It is longer than 65,535 bytes."),
    ],
)
def test_a_faulty_line_is_named_and_hides_no_later_one(line, message):
    good = "1 Q0 d{} 1 2 made"
    text = "\n".join([good.format(2), line, good.format(3), "1 Q0 d4 1 2 else"])
    assert errors(text)[0] == (2, message)
    assert errors(text)[1][0] == 4
    assert checked(text).run is None


def test_bytes_that_are_not_utf8_are_found_in_their_line():
    text = b"1 Q0 d1 1 2 made\n1 Q0 d\xff 2 1 made\n"
    said = "It is not UTF-8: byte 7 of the line cannot be read. Save the file as UTF-8."
    assert errors(text) == [(2, said)]


def test_a_line_may_have_several_faults():
    assert [line for line, _ in errors("9 Q0 d1 x nan other")] == [1] * 4


def test_a_document_twice_in_a_topic_names_the_first_line_too():
    text = "1 Q0 d1 1 3 made\n2 Q0 d1 1 3 made\n1 Q0 d1 2 2 made\n1 Q0 d1 3 1 made\n"
    said = "Document 'd1' comes again in topic 1; it was on line 1."
    assert table(text) == [("3, 4", said)]
    text = "1 Q0 d1 1 2 made\n1 Q0 d1 2 1 made\n1 Q0 d3 3 bad made\n"
    assert [line for line, _ in errors(text)] == [2, 3]


def test_documents_beyond_the_depth_are_refused_at_the_first_of_them():
    text = "\n".join(run_lines({"1": {f"d{i}": -i for i in range(4)}}))
    assert errors(text, depth=4) == []
    assert errors(text, depth=3) == [(4, "Topic 1 has 4 documents; at most 3 are allowed.")]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [("", "The file is empty."), ("\n \n\n", "The file holds only blank lines.")],
)
def test_a_file_without_a_line_is_refused(text, sentence):
    assert errors(text) == [(None, sentence)]


@pytest.mark.parametrize(
    ("content", "part", "said"),
    [
        (b"x" * (1 << 22), slice(None), "more than 1,048,576 bytes"),
        (b"1 Q0 d1 1 2 made\n" * 1000, slice(-20), "The gzip file is cut short"),
    ],
    ids=["long", "cut"],
)
def test_what_is_wrong_with_the_stream_is_an_error_of_the_report(content, part, said):
    stream = opened(io.BytesIO(gzip.compress(content)[part]), limit=1 << 20)
    report = check_run(stream, tag="made", topics=KNOWN).report
    assert said in report.errors[0].message


def test_a_line_without_end_is_one_error():
    text = "1 Q0 d1 1 2 made\n" + "x" * (3 << 20)
    assert errors(text) == [(2, "It is longer than 65,535 bytes.")]
    assert [line for line, _ in errors(text + "\n1 Q0 d2 2 1 other\n")] == [2, 3]


@pytest.mark.parametrize("rest", ["", "\n\n"])
def test_six_columns_do_not_excuse_a_line_that_is_too_long(rest):
    text = "1 Q0 d1 1 2" + " " * MAX_LINE + "made\n1 Q0 d2 2 1 made\n"
    assert errors(text + rest) == [(1, "It is longer than 65,535 bytes.")]


def test_an_impossible_tag_is_an_error_of_the_report():
    assert errors("1 Q0 d1 1 2 .x", tag=".x")[0][0] is None


# Errors together


def test_an_error_on_every_line_is_said_once():
    text = "".join(f"1 Q0 d{n} {n} {-n} other\n" for n in range(1, 1001))
    said = "The tag is 'other', not 'made'."
    assert table(text) == [("all 1,000", said)]
    assert checked(text).report.n_errors == 1000


def test_equal_errors_are_one_and_name_their_first_lines():
    text = "1 Q0 d1 1 2 made\n" + "9 Q0 d1 1 2 made\n" * 2 + "1 Q0 d2\n" * 3000
    assert table(text) == [
        ("2, 3", "There is no topic '9' in this campaign."),
        ("4, 5, 6, 7, 8 and 2,995 more", SIX.format("3 columns")),
    ]


@pytest.mark.parametrize("kind", ["topic", "rank", "score", "tag"])
def test_of_each_kind_the_first_five_are_named_and_the_others_counted(kind):
    """However often one kind of error comes, the others are seen."""
    lines = [
        {"topic": "1", "rank": 1, "score": -n, "tag": "made"} | {kind: f"x{n}"}
        for n in range(1, 101)
    ]
    text = "".join(
        "{topic} Q0 d{n} {rank} {score} {tag}\n".format(n=n, **line) for n, line in enumerate(lines)
    )
    found = table(text + "1 Q0 last\n")
    assert len(found) == 5 + 1 + 1
    assert all(f"'x{n}'" in found[n - 1][1] for n in range(1, 6))
    which, sentence = found[5]
    assert which == "6, 7, 8, 9, 10 and 90 more"
    assert kind in sentence
    assert "x" not in sentence.replace("x6", "")
    assert found[6] == ("101", SIX.format("3 columns"))


def test_topics_that_have_too_many_documents_are_named_in_the_order_of_the_lines():
    text = "\n".join(run_lines({t: {"a": 2, "b": 1} for t in ("2", "1")}))
    assert errors(text, depth=1) == [
        (2, "Topic 2 has 2 documents; at most 1 are allowed."),
        (4, "Topic 1 has 2 documents; at most 1 are allowed."),
    ]


# Files that are no text


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (run_text.encode("utf-16"), UTF16),
        (run_text.encode("utf-16-le"), UTF16),
        (run_text.encode("utf-16-be"), UTF16),
        (run_text.encode("utf-32"), "It is text in UTF-32: save the file as UTF-8."),
        (
            gzip.compress(run_text.encode()),
            "It is gzip data within gzip data: compress the file once.",
        ),
        (random.Random(1).randbytes(100_000), "It is not text but binary data."),
        (
            bytes(5000),
            "It holds nothing but NUL bytes: it was not written, or not copied, to its end.",
        ),
        (
            b"PK\x03\x04" + bytes(60),
            "It is a zip archive or a workbook, not text: unpack it, or save it as CSV.",
        ),
        (b"%PDF-1.7\n1 0 obj\n", "It is a PDF document, not text."),
    ],
    ids=["UTF-16", "little", "big", "UTF-32", "gzip", "random", "zeros", "zip", "PDF"],
)
def test_a_file_that_is_no_text_gets_one_sentence(content, said):
    stream = opened(io.BytesIO(gzip.compress(content)))
    report = check_run(stream, tag="made", topics=KNOWN).report
    assert [(error.line, error.message) for error in report.errors] == [(None, said)]
    assert (report.n_lines, report.is_cut) == (0, False)


def test_a_report_of_a_file_that_was_not_read_to_its_end_says_so():
    whole = "9 Q0 d1 1 2 made\n" * 70_000
    stream = opened(io.BytesIO(whole.encode()), max_lines=65_000)
    report = check_run(stream, tag="made", topics=KNOWN).report
    [unknown, cut] = report.rows
    assert report.is_cut
    assert report.n_lines < 65_000
    assert unknown[0] == f"all {report.n_lines:,} read"
    assert cut == ("65,001", "The file has more than 65,000 lines, which is the limit.")
    assert not checked(whole).report.is_cut


@given(runs(), st.randoms())
def test_a_run_keeps_its_rank_column_and_can_be_read_by_it(run, random):
    ranks = {topic: {docno: random.randint(-9, 10**12) for docno in run[topic]} for topic in run}
    text = "".join(
        f"{topic} Q0 {docno} {ranks[topic][docno]} {score!r} made\n"
        for topic, documents in run.items()
        for docno, score in documents.items()
    )
    found = checked(text, topics=set(run)).run
    assert found is not None
    for i, topic in enumerate(found.topics):
        own = [docno.decode() for docno in found.docnos_of(i).tolist()]
        assert found.of_topic(topic).ranks.tolist() == [ranks[topic][docno] for docno in own]
        by_rank = sorted(own, key=ranks[topic].__getitem__)
        assert found.top(i, 3, "file-rank").tolist() == [d.encode() for d in by_rank[:3]]
        keys = dict(zip(own, compared(found.scores_of(i)).tolist(), strict=True))
        by_docno = sorted(own, key=lambda d: (-keys[d], d.encode()))
        assert found.top(i, 3, "docno-ascending").tolist() == [d.encode() for d in by_docno[:3]]
