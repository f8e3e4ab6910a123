"""Preferences in both of trec_eval's formats: read, numbered, and faults with their lines."""

import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cleverdon.trec.preferences import FORMATS, Preferences, read_preferences
from cleverdon.trec.streams import FormatError

NAMES = st.sampled_from(["a", "b", "10", "9", "é1", "a-name-longer-than-eight-bytes"])
LEVELS = st.sampled_from(["0", "1", "2.5", "3", "1e3", "2"])


def lines_of(kind: str) -> st.SearchStrategy[list[list[str]]]:
    """Fields of lines without a fault: each group has a document once."""
    documents = st.dictionaries(NAMES, LEVELS, min_size=1)
    groups = st.dictionaries(st.tuples(NAMES, NAMES), documents, min_size=1)
    after = ["s"] if kind == "prefs" else []
    return groups.map(
        lambda found: [
            [topic, group, *after, docno, level]
            for (topic, group), levels in found.items()
            for docno, level in levels.items()
        ]
    )


def read(content: str | bytes, kind: str = "prefs", **options) -> Preferences:
    content = content.encode() if isinstance(content, str) else content
    return read_preferences(io.BytesIO(content), kind, **options)


def text_of(lines: list[list[str]]) -> str:
    return "".join(" ".join(line) + "\n" for line in lines)


def told(found: Preferences) -> list[tuple]:
    """Everything that was read, by number of the group and of the chain."""
    names = [name.decode() for name in found.docnos.tolist()]
    rows = []
    for line, document in enumerate(found.documents.tolist()):
        chain = np.searchsorted(found.line_offsets, line, side="right") - 1
        group = np.searchsorted(found.chain_offsets, chain, side="right") - 1
        topic = np.searchsorted(found.group_offsets, group, side="right") - 1
        assert found.offsets[topic] <= document < found.offsets[topic + 1]
        place = int(group - found.group_offsets[topic])
        rows.append((found.topics[topic], place, names[document], float(found.levels[line])))
    return rows


@given(st.data(), st.sampled_from(sorted(FORMATS)))
def test_reading_tells_what_the_lines_say(data, kind):
    lines = data.draw(lines_of(kind))
    found = read(text_of(lines), kind)
    by_topic: dict[str, set[str]] = {}
    for topic, group, *_ in lines:
        by_topic.setdefault(topic, set()).add(group)
    places = {
        (topic, group): sorted(groups, key=str.encode).index(group)
        for topic, groups in by_topic.items()
        for group in groups
    }
    expected = [
        (topic, places[topic, group], rest[-2], float(rest[-1])) for topic, group, *rest in lines
    ]
    assert sorted(told(found)) == sorted(expected)
    assert list(found.topics) == sorted(by_topic, key=str.encode)


@given(st.data(), st.sampled_from(sorted(FORMATS)), st.randoms())
def test_the_order_of_the_lines_and_the_white_space_do_not_matter(data, kind, chance):
    lines = data.draw(lines_of(kind))
    shuffled = chance.sample(lines, len(lines))
    spaced = "".join("  " + "\t ".join(line) + " \r\n" for line in shuffled)
    first, second = read(text_of(lines), kind), read(spaced, kind)
    assert sorted(told(first)) == sorted(told(second))
    assert first.docnos.tolist() == second.docnos.tolist()


def test_documents_stand_once_for_a_topic_and_levels_fall_within_a_chain():
    found = read("1 g s b 1\n1 g s a 2\n1 h s a 0\n1 h s b 3\n2 g s a 1\n")
    assert found.docnos.tolist() == [b"a", b"b", b"a"]
    assert found.offsets.tolist() == [0, 2, 3]
    assert found.group_offsets.tolist() == [0, 2, 3]
    assert found.chain_offsets.tolist() == [0, 1, 2, 3]
    assert found.line_offsets.tolist() == [0, 2, 4, 5]
    assert found.documents.tolist() == [0, 1, 1, 0, 2]
    assert found.levels.tolist() == [2, 1, 3, 0, 1]


def test_a_group_may_have_several_chains_in_which_documents_tie_or_not():
    found = read("1 g s2 b 1\n1 g s1 a 2\n1 g s1 b 1\n")
    assert found.chain_offsets.tolist() == [0, 2]
    assert found.line_offsets.tolist() == [0, 2, 3]
    assert len(read("1 g s a 1\n1 g s b 1\n1 g t a 2\n1 g t b 1\n").levels) == 4


def test_lines_over_several_blocks_are_read_as_in_one(monkeypatch):
    lines = [["1", f"g{i % 3}", "s", f"d{i}", str(i % 4)] for i in range(50)]
    whole = told(read(text_of(lines)))
    monkeypatch.setattr("cleverdon.trec.text.BLOCK", 64)
    assert told(read(text_of(lines))) == whole


def test_levels_are_compared_in_the_precision_of_the_rules():
    content = "1 g s a 0.1\n1 g s b 0.10000000001\n"
    assert len(set(read(content).levels.tolist())) == 1
    assert len(set(read(content, rules="trec_eval-10").levels.tolist())) == 2


def test_a_level_may_be_below_zero():
    assert read("1 0 a -1\n1 0 b 0\n", "qrels_prefs").levels.tolist() == [0, -1]


@pytest.mark.parametrize(
    ("content", "line", "message"),
    [
        ("1 g s a\n", 1, "It has 4 columns; there must be 5: topic, group, subgroup"),
        ("1 g s a 1 x\n", 1, "It has 6 columns"),
        ("1 g s a 1\n\n1 g s b 0\n", 2, "It has 0 columns"),
        ("1\n", 1, "It has 1 column;"),
        ("1 g s a 1\n1 g s b high\n", 2, "The level 'high' is not a finite number"),
        ("1 g s a nan\n", 1, "The level 'nan' is not a finite number"),
        ("1 g s a inf\n", 1, "The level 'inf' is not a finite number"),
        ("1 g s a 1\n1 g s \x00 0\n", 2, "NUL byte"),
        ("1 g s a 1\n1 g s b\x01 0\n", 2, "holds control characters"),
        (
            "1 g s a 1\n1 g t a 1\n1 g s b 0\n1 g s a 0\n",
            4,
            "Document 'a' of topic 1 is judged twice in a subgroup; it was on line 1",
        ),
        (
            "1 g s a 0\n1 g s b 1\n1 g t c 2\n1 g t a 1\n",
            4,
            "Document 'a' of topic 1 is on level 0 and above it in one group",
        ),
        (
            "1 g s a 2\n1 g s b 1\n1 g t b 2\n1 g t a 1\n",
            4,
            "Document 'a' of topic 1 is preferred to itself through others of its group",
        ),
    ],
)
def test_a_fault_is_told_with_its_line(content, line, message):
    with pytest.raises(FormatError, match=message) as caught:
        read(content)
    assert caught.value.line == line


def test_a_circle_over_many_chains_is_found():
    circle = [
        [f"1 g s{i} d{i} 2", f"1 g s{i} x{i} 1.5", f"1 g s{i} d{(i + 1) % 9} 1"] for i in range(9)
    ]
    content = "\n".join(line for lines in circle for line in lines)
    with pytest.raises(FormatError, match=r"Line 27: Document 'd0'.* preferred to it"):
        read(content)
    read("\n".join(content.splitlines()[:-1]))


def test_groups_may_contradict_each_other():
    found = read("1 g s a 2\n1 g s b 1\n1 h s a 0\n1 h s b 2\n")
    assert found.group_offsets.tolist() == [0, 2]


def test_qrels_as_preferences_have_a_chain_for_each_iteration():
    found = read("1 0 a 1\n1 1 a 0\n1 0 b 0\n", "qrels_prefs")
    assert found.chain_offsets.tolist() == [0, 1, 2]
    with pytest.raises(FormatError, match=r"Line 2: .* judged twice in a group"):
        read("1 0 a 1\n1 0 a 1\n", "qrels_prefs")
