"""Topics in several formats, and faults with their lines."""

import json
import re
from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cleverdon.trec import topics
from cleverdon.trec.streams import FormatError
from cleverdon.trec.topics import TopicRecord, parse_topics, read_topics

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


COVID = """<?xml version="1.0" encoding="UTF-8"?>
<!-- <topic number="0"> was
left out -->
<topics task="COVIDSearch">
  <topic number="1">
    <query>coronavirus origin &amp; spread</query>
    <question>what is the origin of <b>COVID-19</b></question>
    <narrative>seeking range of information
about the virus &lt;SARS-CoV-2&gt;

and its animals</narrative>
  </topic>
  <topic number='2'><query><![CDATA[drugs]]></query></topic>
</topics>
"""


def test_the_xml_of_trec_covid_is_read():
    found = parse_topics(COVID)
    narrative = "seeking range of information about the virus <SARS-CoV-2>\nand its animals"
    question = "what is the origin of COVID-19"
    assert found == [
        TopicRecord("1", "coronavirus origin & spread", question, narrative),
        TopicRecord("2", "drugs"),
    ]


FACETED = """<topic number="51" type="faceted"><query>horse hooves</query>
<description>Find it.</description><subtopic number="1">Other words.</subtopic></topic>"""


@pytest.mark.parametrize(
    ("text", "record"),
    [
        (FACETED, ("51", "horse hooves", "Find it.")),
        (
            '<topics><topic id="7">A 58-year-old woman with\n<i>pain</i>.</topic></topics>',
            ("7", "A 58-year-old woman with pain ."),
        ),
        (
            "<topic><number>8</number><title>words</title><narr>why</narr></topic>",
            ("8", "words", "", "why"),
        ),
        ('<topic number="9"><query>first</query><query>second</query>', ("9", "first")),
        # A label is dropped only where the field begins.
        (
            "<top><num>1<title>Topic: a topic: b<desc>c Description: d",
            ("1", "a topic: b", "c Description: d"),
        ),
        ('{"qid": "q2", "query": "two"}', ("q2", "two")),
        (r'{"number": "1", "title": "a\u0000b\ud800"}', ("1", "a\ufffdb\ufffd")),
    ],
)
def test_a_topic_is_read_as_it_is_meant(text, record):
    assert parse_topics(text) == [TopicRecord(*record)]


ONE = '<topic number="1"><query>a</query></topic>'


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('<!-- \n\n -->\n<topic number="1"></topic>', "Line 4: Topic 1 has no title: none of"),
        (f"<topics>\n{ONE}\n{ONE}", "Line 3: Topic 1 comes again; it was on line 2."),
        (
            "<topics><topic><query>a</query></topic></topics>",
            "Line 1: The topic has no number: none of",
        ),
    ],
)
def test_faults_in_xml_have_their_lines(text, sentence):
    with pytest.raises(FormatError, match=re.escape(sentence)):
        parse_topics(text)


def words():
    letters = st.characters(exclude_categories=["C", "Z"], exclude_characters="<>{")
    return st.lists(st.text(letters, min_size=1), min_size=1, max_size=4).map(" ".join)


def records(*splits: str):
    numbers = st.from_regex(r"[0-9A-Za-z.-]{1,9}", fullmatch=True)
    splits = st.sampled_from(splits)
    record = st.builds(TopicRecord, numbers, words(), words(), words(), splits)
    return st.lists(record, min_size=1, unique_by=lambda topic: topic.number)


@given(records("public", "hidden"))
def test_json_lines_give_back_what_was_written(written):
    text = "\n".join(json.dumps(topic._asdict()) for topic in written)
    assert parse_topics(text) == written


@given(records("public"))
def test_tab_separated_values_give_back_what_was_written(written):
    text = "number\ttitle\tdescription\tnarrative\n"
    lines = ("\t".join(topic[:4]) for topic in written)
    assert parse_topics(text + "\n".join(lines)) == written


@pytest.mark.parametrize("name", ["number", "num", "id", "qid"])
def test_json_fields_go_by_several_names(name):
    text = json.dumps({name: 7, "title": "a", "desc": "b", "narr": "c"})
    assert parse_topics(text) == [TopicRecord("7", "a", "b", "c")]


@pytest.mark.parametrize(("split", "read"), [('""', "public"), ('" hidden"', "hidden")])
def test_the_split_of_a_topic_is_read(split, read):
    [topic] = parse_topics(f'{{"number": "1", "title": "a", "split": {split}}}')
    assert topic.split == read
    with pytest.raises(FormatError, match="Line 1: The split is 'Hidden'; it is public"):
        parse_topics('{"number": "1", "title": "a", "split": "Hidden"}')


def test_tab_separated_values_need_no_header_and_no_description():
    assert parse_topics("1\tone\n\n2\ttwo\tmore\n") == [
        TopicRecord("1", "one"),
        TopicRecord("2", "two", "more"),
    ]


@pytest.mark.parametrize("end", ["\r", "\r\n"])
@pytest.mark.parametrize(
    "text",
    [
        CLASSIC,
        CLOSED,
        "301\tone\n302\ttwo\n",
        '{"num": 1, "title": "a"}\n\n{"num": 2, "title": "b"}',
    ],
)
def test_lines_may_end_as_on_any_system(text, end):
    expected = parse_topics(text)
    assert len(expected) == 2
    assert parse_topics(text.replace("\n", end)) == expected
    assert read_topics(BytesIO(text.replace("\n", end).encode())) == expected


def test_the_line_of_bytes_that_are_not_utf8_is_named():
    with pytest.raises(FormatError, match="Line 3: It is not UTF-8: byte 3 of the"):
        read_topics(BytesIO("1\tone\r\r2\té\r3\tx".encode("latin-1")))


def test_there_is_a_limit_to_the_number_of_topics(monkeypatch):
    monkeypatch.setattr(topics, "MAX_TOPICS", 3)
    assert len(parse_topics("1\ta\n2\ta\n3\ta")) == 3
    with pytest.raises(FormatError, match="Line 4: There are more than 3 topics"):
        parse_topics("1\ta\n2\ta\n3\ta\n4\ta")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1\tone\n1\tagain", "Line 2: Topic 1 comes again; it was on line 1."),
        ("1\tone\n2\t", "Line 2: Topic 2 has no title: none of title, query, text"),
        ("1\tone\n2", "Line 2: It has 1 tab-separated column;"),
        ("1\ta\tb\tc\td", "Line 1: It has 5 tab-separated columns"),
        ("\tone", "Line 1: The topic has no number: none of number, num"),
        ("1 2\tone", "Line 1: A topic's number is one word, not '1 2'."),
        ("x" * 256 + "\tone", "Line 1: The topic's number is longer than 255"),
        ("1\t" + "x" * 10_001, "Line 1: The topic's title is longer than 10,000 characters."),
        ("1\tone\t" + "x" * 100_001, "Line 1: The topic's description is longer than 100,000"),
        ("1\tone\t\t" + "x" * 100_001, "Line 1: The topic's narrative is longer than 100,000"),
        ('{"number": 1, "title": "a"}\n{"title"', "Line 2: It is not JSON"),
        ('{"number": 1, "title": "a"}\n[1]', "Line 2: It is not a JSON object"),
        ('{"title": "a"}', "Line 1: The topic has no number: none of number"),
        ('{"number": "1\\u0000", "title": "a"}', "Line 1: A topic's number is one word"),
        ("1\x01\tone", "Line 1: A topic's number holds no control characters, as '1\\x01' does."),
        ('{"number": 1, "title": null}', "Line 1: Topic 1 has no title: none of"),
        ('{"number": 1, "title": {"a": 1}}', "Line 1: The title is a list or an object"),
        ("\ufeff\ufeff1\tone", "Line 1: It begins with a byte order mark"),
        ("1\tone\n\ufeff2\ttwo", "Line 2: A topic's number is one word, not '\\ufeff2'."),
        ("\n<top>\n<title> a\n</top>", "Line 2: The topic has no number: none of"),
        ("<top><num> 1\n</top>", "Line 1: Topic 1 has no title: none of"),
        ("<top><num>1<title>a</top>\n<top><num>1<title>b", "Line 2: Topic 1 comes again"),
        ("All\tevery bridge", "Line 1: A topic cannot have the number All: so trec_eval calls"),
        ('{"number": "all", "title": "a"}', "Line 1: A topic cannot have the number all"),
        ("", "There is no topic in it."),
        ("number\ttitle\n", "There is no topic in it."),
    ],
)
def test_a_fault_is_named_with_its_line(text, message):
    with pytest.raises(FormatError) as caught:
        parse_topics(text)
    assert str(caught.value).startswith(message)
