"""Topics in three formats, and faults with their lines."""

import json
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trec.streams import FormatError
from trec.topics import TopicRecord, parse_topics

CLASSIC = """
<top>

<num> Number: 301
<title> International Organized Crime

<desc> Description:
Identify organizations that participate in international
criminal activity.

<narr> Narrative:
A relevant document must name one.

Others are not relevant.
</top>

<top>
<num> Number: 302
<title> Topic: Poliomyelitis
<desc> Description: Is it under control?
"""
CLOSED = """<topics><top><num>301</num>
<title>International Organized Crime</title>
<desc>Identify organizations that participate in international criminal activity.</desc>
<narr>A relevant document must name one.

Others are not relevant.</narr></top>
<top><num>302</num><title>Poliomyelitis</title><desc>Is it under control?</desc></top></topics>
"""
TWO = [
    TopicRecord(
        "301",
        "International Organized Crime",
        "Identify organizations that participate in international criminal activity.",
        "A relevant document must name one.\nOthers are not relevant.",
    ),
    TopicRecord("302", "Poliomyelitis", "Is it under control?"),
]


@pytest.mark.parametrize("text", [CLASSIC, CLOSED, CLASSIC.replace("\n", "\r\n")])
def test_trec_topics_are_read_with_and_without_closing_tags(text):
    assert parse_topics(text) == TWO


def test_a_label_is_dropped_only_where_the_field_begins():
    found = parse_topics("<top><num>1<title>Topic: a topic: b<desc>c Description: d")
    assert found == [TopicRecord("1", "a topic: b", "c Description: d")]


@pytest.mark.parametrize(
    "unit",
    ["<top><num>{}<title>a</top>" + "\n" * 999, "<num ", "<top ", "  \n"],
)
def test_sixteen_times_the_text_takes_about_sixteen_times_as_long(unit):
    def seconds(n):
        text = "<top><num>x<title>a" + "".join(unit.format(i) for i in range(n))
        start = process_time()
        parse_topics(text)
        return process_time() - start

    # Quadratic would be 256 times.
    assert min(seconds(4000) for _ in range(2)) < 80 * max(seconds(250), 1e-3)


def words():
    letters = st.characters(exclude_categories=["C", "Z"], exclude_characters="<>{")
    return st.lists(st.text(letters, min_size=1), min_size=1, max_size=4).map(" ".join)


def records():
    numbers = st.from_regex(r"[0-9A-Za-z.-]{1,9}", fullmatch=True)
    record = st.builds(TopicRecord, numbers, words(), words(), words())
    return st.lists(record, min_size=1, unique_by=lambda topic: topic.number)


@given(records())
def test_json_lines_give_back_what_was_written(topics):
    text = "\n".join(json.dumps(topic._asdict()) for topic in topics)
    assert parse_topics(text) == topics


@given(records())
def test_tab_separated_values_give_back_what_was_written(topics):
    text = "number\ttitle\tdescription\tnarrative\n"
    assert parse_topics(text + "\n".join(map("\t".join, topics))) == topics


@pytest.mark.parametrize("name", ["number", "num", "id", "qid"])
def test_json_fields_go_by_several_names(name):
    text = json.dumps({name: 7, "title": "a", "desc": "b", "narr": "c"})
    assert parse_topics(text) == [TopicRecord("7", "a", "b", "c")]


def test_a_query_may_stand_for_a_title():
    assert parse_topics('{"qid": "q2", "query": "two"}') == [TopicRecord("q2", "two")]


def test_tab_separated_values_need_no_header_and_no_description():
    assert parse_topics("1\tone\n\n2\ttwo\tmore\n") == [
        TopicRecord("1", "one"),
        TopicRecord("2", "two", "more"),
    ]


def test_a_byte_order_mark_is_dropped():
    assert parse_topics("\ufeff1\tone") == [TopicRecord("1", "one")]


def test_what_cannot_be_stored_is_replaced():
    text = json.dumps({"number": "1", "title": "a\x00b\ud800"})
    assert parse_topics(text) == [TopicRecord("1", "a\ufffdb\ufffd")]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1\tone\n1\tagain", "Line 2: Topic 1 comes again; it was on line 1."),
        ("1\tone\n2\t", "Line 2: Topic 2 has no title."),
        ("1\tone\n2", "Line 2: It has 1 tab-separated columns"),
        ("1\ta\tb\tc\td", "Line 1: It has 5 tab-separated columns"),
        ("\tone", "Line 1: The topic has no number."),
        ("1 2\tone", "Line 1: A topic's number is one word, not '1 2'."),
        ("x" * 61 + "\tone", "Line 1: The topic's number is longer than 60"),
        ('{"number": 1, "title": "a"}\n{"title"', "Line 2: It is not JSON"),
        ('{"number": 1, "title": "a"}\n[1]', "Line 2: It is not a JSON object"),
        ('{"title": "a"}', "Line 1: The topic has no number."),
        ('{"number": "1\\u0000", "title": "a"}', "Line 1: A topic's number is one word"),
        ('{"number": 1, "title": null}', "Line 1: Topic 1 has no title."),
        ('{"a":' * 100_000, "Line 1: It is not JSON"),
        ('{"number": ' + "9" * 5000 + "}", "Line 1: It is not JSON that can be read"),
        ("\n<top>\n<title> a\n</top>", "Line 2: The topic has no number."),
        ("<top><num> 1\n</top>", "Line 1: Topic 1 has no title."),
        ("<top><num>1<title>a</top>\n<top><num>1<title>b", "Line 2: Topic 1 comes again"),
        ("", "There is no topic in it."),
        ("number\ttitle\n", "There is no topic in it."),
    ],
)  # fmt: skip
def test_a_fault_is_named_with_its_line(text, message):
    with pytest.raises(FormatError) as caught:
        parse_topics(text)
    assert str(caught.value).startswith(message)
