"""The compiled and the plain reader say the same of everything, and of each other's worst."""

import io
from functools import partial

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from cleverdon.trec import engine, table
from cleverdon.trec.docnos import Docnos, Lookup
from cleverdon.trec.engine import compiled, plain
from cleverdon.trec.engine.fields import BLANK_LINES, COMMENTS, MORE_COLUMNS, LineBlock, Wanted
from cleverdon.trec.qrels import GROUPED, STRICT, read_qrels
from cleverdon.trec.runs.check import Checked, check_run
from cleverdon.trec.runs.read import read_run
from cleverdon.trec.runs.run import RankedRun
from cleverdon.trec.streams import FormatError
from cleverdon.trec.table import Layout
from tests import strategies

needs_both = pytest.mark.skipif(compiled.LIBRARY is None, reason="there is no compiler")
ALLOWED = st.sets(st.sampled_from((BLANK_LINES, MORE_COLUMNS, COMMENTS))).map(sum)
PIECES = (
    "a",
    "1",
    "#",
    " ",
    "\t",
    "\r",
    "\n",
    "\v",
    "\f",
    "\0",
    "\x01",
    "\x1f",
    "é",
    "\x7f",
    " b c",
)
TEXTS = st.lists(st.sampled_from(PIECES), max_size=40).map("".join).map(str.encode)
LONGEST = 12


def block_of(text: bytes) -> LineBlock:
    whole = b"x\n" + (text if text.endswith(b"\n") else text + b"\n")
    content = np.frombuffer(whole, np.uint8)
    return LineBlock(7, whole.count(b"\n") - 1, content, 2, len(whole))


def split_by(reader, text, layout, *, comments):
    """What is in the columns, of which lines, and what is said of others."""
    said = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engine, "reader", reader)
        patch.setattr(table, "MAX_LINE", LONGEST)
        block, complain = block_of(text), lambda *fault: said.append(fault)
        found = table.rows(block, layout, complain, comments=comments)
    if found is None:
        return [], [], said
    columns = [found.column(number).tolist() for number in range(layout.n_columns)]
    return columns, found.line_numbers.tolist(), said


class Slow:
    """A reader that leaves each block to the one that says what is wrong with a line."""

    split = staticmethod(lambda block, wanted: None)


@needs_both
@example(b"\xef\xbb\xbfa b", 2, 0)
@example(b"a b\n\xef\xbb\xbfa b", 2, 0)
@example(b"\xef\xbb", 1, 0)
@example(b"a " * 40, 2, MORE_COLUMNS)
@given(TEXTS, st.integers(1, 4), ALLOWED)
def test_lines_are_split_alike(text, n, allowed):
    layout = Layout(
        tuple("abcd"[:n]),
        "there must be some",
        may_have_blank_lines=bool(allowed & BLANK_LINES),
        may_have_more_columns=bool(allowed & MORE_COLUMNS),
        must_be_utf8=True,
    )
    found, *others = (
        split_by(reader, text, layout, comments=bool(allowed & COMMENTS))
        for reader in (compiled, plain, Slow)
    )
    assert all(each == found for each in others)


@needs_both
@given(st.lists(st.lists(st.sampled_from(["a", "1", "é", "#"]), min_size=2, max_size=2)))
def test_no_line_that_everybody_reads_alike_is_left_to_the_slow_reader(rows):
    text = "".join(" ".join(row) + "\n" for row in rows).encode() or b"a b\n"
    for reader in (compiled, plain):
        assert reader.split(block_of(text), Wanted(2, 0, LONGEST)) is not None


@needs_both
def test_each_character_separates_alike():
    for byte in range(256):
        text = b"a" + bytes([byte]) + b"b\n"
        layout = Layout(("a", "b"), "there must be two")
        found, *others = (
            split_by(reader, text, layout, comments=False) for reader in (compiled, plain, Slow)
        )
        assert all(each == found for each in others), byte


WORDS = st.lists(st.binary(min_size=1, max_size=20).filter(lambda word: b"\0" not in word))
NUMBERS = st.lists(
    st.text("0123456789.-+eE_", min_size=1, max_size=30).map(str.encode)
    | st.floats(allow_nan=False).map(repr).map(str.encode)
    | st.from_regex(rb"[0-9]{1,24}\.[0-9]{1,28}(e-?[0-9]{1,3})?", fullmatch=True)
)


@needs_both
@given(NUMBERS)
def test_numbers_are_read_alike(words):
    fields = Docnos.of(words)
    (found, are_read), (expected, wanted) = compiled.scores(fields), plain.scores(fields)
    assert are_read.tolist() == wanted.tolist()
    assert list(map(repr, found.tolist())) == list(map(repr, expected.tolist()))
    for below in (10, 10**9, 10**18):
        pairs = compiled.whole(fields, below), plain.whole(fields, below)
        assert [each.tolist() for each in pairs[0]] == [each.tolist() for each in pairs[1]]


@needs_both
@given(WORDS)
def test_words_are_hashed_compared_and_grouped_alike(words):
    fields = Docnos.of(words)
    assert compiled.hashes(fields).tolist() == plain.hashes(fields).tolist()
    assert compiled.spans(fields).tolist() == plain.spans(fields).tolist()
    hashed = Docnos.of(words).hashed()
    distinct = [reader.distinct(hashed) for reader in (compiled, plain)]
    assert [each.tolist() for each in distinct[0]] == [each.tolist() for each in distinct[1]]
    contents = np.zeros((2, sum(map(len, words)) + len(words)), np.uint8)
    for reader, into in zip((compiled, plain), contents, strict=True):
        reader.compact(fields, into)
    assert contents[0].tobytes() == contents[1].tobytes() == b"".join(w + b"\n" for w in words)


TOPICS = st.lists(
    st.lists(
        st.tuples(st.sampled_from(strategies.DOCNOS), st.sampled_from(strategies.SCORES)),
        max_size=8,
    ),
    min_size=1,
    max_size=4,
)


SCORED = st.tuples(st.sampled_from(strategies.DOCNOS), st.sampled_from(strategies.SCORES))
TOPICS = st.lists(st.lists(SCORED, max_size=8), min_size=1, max_size=4)


@needs_both
@given(TOPICS, st.booleans(), st.booleans(), st.randoms())
def test_topics_are_ranked_searched_and_looked_up_alike(topics, single, ascending, random):
    rows = [row for topic in topics for row in topic]
    docnos = Docnos.of(docno.encode() for docno, _ in rows)
    values = np.array([score for _, score in rows], np.float64)
    offsets = np.cumsum([0, *map(len, topics)])
    orders = [np.arange(len(rows)), np.arange(len(rows))]
    how = {"single": single, "ascending": ascending}
    moved = [
        reader.rank(docnos, values, offsets, order, **how)
        for reader, order in zip((compiled, plain), orders, strict=True)
    ]
    assert moved[0] == moved[1]
    assert orders[0].tolist() == orders[1].tolist()
    fields = docnos.hashed()
    repeats = [reader.may_repeat(fields, offsets, orders[0]) for reader in (compiled, plain)]
    assert repeats[0] == repeats[1]
    once = {topic: dict.fromkeys(docno for docno, _ in rows) for topic, rows in enumerate(topics)}
    entries = Docnos.of(docno.encode() for names in once.values() for docno in names).hashed()
    of_entries = np.cumsum([0, *(len(names) for names in once.values())])
    of_topics = np.array([random.randint(-1, len(topics) - 1) for _ in topics])
    found = [
        reader.find(entries, reader.index(entries, of_entries), fields, offsets, of_topics)
        for reader in (compiled, plain)
    ]
    assert [each.tolist() for each in found[0]] == [each.tolist() for each in found[1]]


@needs_both
def test_docnos_made_to_have_one_hash_are_told_to_be_looked_at_slowly():
    words = Docnos.of(f"d{number}".encode() for number in range(3000))
    alike = Docnos(words.content, words.starts, words.ends, np.zeros(3000, np.uint32))
    assert compiled.may_repeat(alike, np.array([0, 3000]), np.arange(3000))
    assert compiled.distinct(alike) is None
    offsets, topics = np.array([0, 3000]), np.array([0])
    assert compiled.index(alike, offsets) is None
    every = Docnos(alike.content, alike.starts, alike.ends, alike.hashes)
    few, of_few = every.take(slice(100)), np.array([0, 100])
    index = compiled.index(few.hashed(), of_few)
    assert index is not None
    assert compiled.find(few.hashed(), index, alike, offsets, topics) is None
    for entries, of_entries in ((every, offsets), (few, of_few)):
        found = Lookup(entries, of_entries).find(every, offsets, topics)
        assert [each.tolist() for each in found] == [list(range(len(entries)))] * 2
    assert not compiled.may_repeat(words.hashed(), np.array([0, 3000]), np.arange(3000))


def outcome(reader, read, text):
    """What is read by one reader, or the fault with its line."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engine, "reader", reader)
        try:
            found = read(io.BytesIO(text))
        except FormatError as error:
            return error.line, error.message
    if isinstance(found, Checked):
        return found.report, found.run and content(found.run)
    return content(found)


def content(found):
    values = found.scores if isinstance(found, RankedRun) else found.grades
    return found.topics, found.offsets.tolist(), found.docnos.tolist(), values.tolist()


READERS_OF = {
    "runs": read_run,
    "runs with comments": partial(read_run, comments=True, rules="trec_eval-10"),
    "uploads": partial(check_run, tag="made", topics=strategies.TOPICS),
    "qrels": read_qrels,
    "strict qrels": partial(read_qrels, layout=STRICT),
    "groups": partial(read_qrels, layout=GROUPED),
}
QRELS = strategies.qrels().map(
    lambda qrels: "".join(
        f"{topic} 0 {docno} {grade}\n"
        for topic, pairs in qrels.items()
        for docno, grade in pairs.items()
    )
)


@needs_both
@pytest.mark.parametrize("read", READERS_OF.values(), ids=READERS_OF)
@given(text=strategies.run_texts() | QRELS, at=st.integers(0, 400), odd=st.binary(max_size=4))
def test_a_file_and_a_damaged_one_are_the_same_to_both(read, text, at, odd):
    text = text.encode()
    for each in (text, text[:at] + odd + text[at + len(odd) :]):
        assert outcome(compiled, read, each) == outcome(plain, read, each)
