import json

import pytest

from campaigns.core.formats import FormatError
from campaigns.core.topics import TopicRecord, parse_topics

CLASSIC = """
<top>

<num> Number: 301
<title> International Organized Crime

<desc> Description:
Identify organizations that participate in
international criminal activity.

<narr> Narrative:
A relevant document must as a minimum identify
the organization.

Another paragraph.

</top>

<top>
<num> Number: 302
<title> Poliomyelitis
<desc> Description:
Is it under control?
</top>
"""


def test_the_classic_files_are_read_without_their_labels():
    first, second = parse_topics(CLASSIC)
    assert first == TopicRecord(
        "301",
        "International Organized Crime",
        "Identify organizations that participate in international criminal activity.",
        "A relevant document must as a minimum identify the organization.\nAnother paragraph.",
    )
    assert second == TopicRecord("302", "Poliomyelitis", "Is it under control?", "")


def test_closing_tags_are_accepted():
    text = "<top><num>1</num><title>a title</title><desc>d</desc><narr>n</narr></top>"
    assert parse_topics(text) == [TopicRecord("1", "a title", "d", "n")]


def test_tab_separated_topics_with_and_without_a_heading():
    assert parse_topics("number\ttitle\n1\tone\n2\ttwo\twhat\twhy\n") == [
        TopicRecord("1", "one"),
        TopicRecord("2", "two", "what", "why"),
    ]


def test_json_lines_under_the_usual_names():
    lines = [
        {"number": 1, "title": "one"},
        {"qid": "q2", "query": "two", "desc": "d", "narr": "n"},
    ]
    assert parse_topics("\n".join(map(json.dumps, lines))) == [
        TopicRecord("1", "one"),
        TopicRecord("q2", "two", "d", "n"),
    ]


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("1\tone\n1\tagain", 2, "Topic 1 comes again; it was on line 1."),
        ("1\tone\n\ttwo", 2, "The topic has no number."),
        ("1\tone\n2 3\ttwo", 2, "A topic's number is one word, not '2 3'."),
        ("1\tone\n2\t", 2, "Topic 2 has no title."),
        (
            "just words",
            1,
            "It has 1 tab-separated columns; 2 to 4 are needed: number, title, description, narrative.",
        ),
        (
            '{"number": 1, "title": "one"}\n{oops',
            2,
            "It is not JSON: Expecting property name enclosed in double quotes at column 2.",
        ),
        ('{"number": 1, "title": "one"}\n[1]', 2, "It is not a JSON object."),
        ("\n<top>\n<num> 1\n<desc> x\n</top>", 2, "Topic 1 has no title."),
        ("x" * 61 + "\tone", 1, "The topic's number is longer than 60 characters."),
        ("\n \n", None, "There is no topic in it."),
    ],
)
def test_bad_topics_are_refused_with_their_line(text, line, message):
    with pytest.raises(FormatError) as caught:
        parse_topics(text)
    assert (caught.value.line, caught.value.message) == (line, message)
