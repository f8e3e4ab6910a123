"""Twice the text takes every reader at most 2.3 times the work, whatever the text."""

import gc
import gzip
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from inspect import isfunction, signature
from io import BytesIO
from time import process_time
from typing import Any

import pytest

from assess.core import passages
from campaigns.core.guidelines import rendered
from cleverdon.trec.documents import read_documents
from cleverdon.trec.preferences import read_preferences
from cleverdon.trec.qrels import read_qrels
from cleverdon.trec.runs.check import check_run
from cleverdon.trec.runs.read import read_run
from cleverdon.trec.streams import opened
from cleverdon.trec.topics import parse_topics
from collection.core import readability, reading, text_direction
from collection.core.hypertext import showing
from collection.core.hypertext.page import read_page
from collection.import_previews import excerpts
from collection.models.texts import Document
from collection.templatetags.reading import readable
from desk.core import words

pytestmark = pytest.mark.slow

# Of the work, for each doubling of the text. One text is compared with as many of an eighth of its
# size as are as long: linear work is the same for both, this ratio makes 1.5 times as much,
# quadratic work 8 times, which is far enough apart on any machine.
MOST_RATIO = 2.3
DOUBLINGS = 3
N_SMALL = 2**DOUBLINGS
# Characters of the small text; a quarter is enough to see a reader that goes back for each tag.
SIZE = 6_000 if os.environ.get("HYPOTHESIS_PROFILE") == "deep" else 1_500
# Processor seconds: a large text that takes less is too short to measure, and short enough.
NEGLIGIBLE = 0.05
MAX_ROUNDS = 10

Reader = Callable[[Any], object]


@contextmanager
def without_collection() -> Iterator[None]:
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def seconds(read: Reader, texts: Sequence[str | bytes]) -> float:
    started = process_time()
    for text in texts:
        with suppress(ValueError):  # a refusal is an answer too
            read(text)
    return process_time() - started


def check_linear(
    read: Reader,
    text: Callable[[int], str] | Callable[[int], bytes],
    size: int = SIZE,
    work: Callable[[Reader, Sequence[Any]], float] = seconds,
) -> None:
    """Fail if the work grows faster than the size, from the size to eight times as much.

    What disturbs a measurement only ever adds to it, so the least of several rounds is taken, and
    more rounds where it does not convince.
    """
    small, large = [text(size)] * N_SMALL, [text(size * N_SMALL)]
    many, one = float("inf"), float("inf")
    with without_collection():
        for _ in range(MAX_ROUNDS):
            one = min(one, work(read, large))
            if one <= NEGLIGIBLE:
                return
            many = min(many, work(read, small))
            if one <= (MOST_RATIO / 2) ** DOUBLINGS * many:
                return
    pytest.fail(
        f"{one:.3f} s for {size * N_SMALL:,}, {many:.3f} s in eighths of that: {large[0][:60]!r}"
    )


def repeated(start: str, unit: str) -> Callable[[int], str]:
    """Return texts of so many bytes: a start, and a unit again and again, `{}` in it its number."""

    def text(n_bytes: int) -> str:
        if "{}" in unit:
            width = len(unit) + 4
            return start + "".join(unit.replace("{}", f"{i:06}") for i in range(n_bytes // width))
        return start + unit * (n_bytes // len(unit))

    return text


def bytes_of(text: Callable[[int], str]) -> Callable[[int], bytes]:
    return lambda n_bytes: text(n_bytes).encode()


TOP = "<top><num>x<title>a"

# What each test repeats; side by side, as one a line they would be two hundred.
UNITS = {
    "topics in trec text": [
        "<top>", "<top ", "<num ", "<num>", "</num>", "<title>", "<narr> Narrative:", "<desc\n",
        "<", ">", "\n", " ", " \n", "\r", "\t", "\n\n \n x", "Number: ",
        "<top><num>{}<title>a</top>\n", "<top><num>{}<title>a\n\n\n", "a", "é", "\n <x>a",
        "<a b=", "<b><!--", "<x y", "\n\t<", "<x>a</x>",
    ],
    "topics in xml": [
        "<topic ", "<topic>", "<query>", "</query>", "<!--", "-->", "<![CDATA[", "<a ", "&amp;",
        "\n \n", " ", " number=", ' number="', '<topic number="{}"><query>a</query>\n',
        "<x>", "<x>a</x>", "<x{}>", "</x>", " a=",
    ],
    "topics and documents in columns": [
        ("", "\n"), ("", " "), ("", "\r"), ("", " \n"), ("", "a"), ("1\ta", "\n"), ("1\t", "\t"),
        ("1\t", " "), ("1\ta\n", "\n \t \n"), ("", "{}\ta\n"), ("1\ta\n", "1"), ("1", " "),
        ("id,title\n", "{},a\n"), ("id,title\n", ",\n"), ('id,title\n1,"', "a"),
        ('id,title\n1,"', "a\n"), ('id,title\n1,"', '""'), ("id,title\n1,", ","), ("id,", "a,"),
        ("id\ttitle\n", "{}\ta\n"), ('id\ttitle\n1\t"', '""'), ('"id"\t"title"\n"1"\t"', "a\n"),
        ("id;title\n\n", "\n"), ("id,title\n", "\r\n"), ("", "a,"), ("", ",\n"),
    ],
    "topics and documents in json": [
        ("{", "["), ('{"a":', "["), ("", '{"a":'), ('{"a": [', "[],"), ('{"a": [', "{{}},"),
        ("{", '"k{}": 1,'), ('{"a": ', "9"), ('{"a": 1e', "9"), ('{"a": 0.', "1"),
        ('{"a": "', "a"), ('{"a": "', "\\\\"), ('{"a": "', "\\u0041"), ("{", " "),
        ('{"id": 1, "title": "a"}', "\n"), ("", '{"id": {}, "title": "a"}\n'),
        ('{"a": 1} ', "\r"), ("[", '{"id": {}, "title": "a"},\n'), ("[", "\n"), ("[", "["),
        ("[{", "\n"), ('[{"a":\n"', "a"), ('{\n"id": 1, "title": "a"}', "\n{}"), ("{\n", '"a'),
        ('{\n"id": 1, "title": "', "\\\\"), ('[{"id": 1, "title": "a"}', ","),
        ("{\n", '"k{}": 1,\n'),
        ('{"id": 1, "title": "a", "turn": [', '{"number": {}, "utterance": "b"},'),
    ],
    "documents in trec text": [
        "<TEXT>", "<TEXT>a</TEXT>", "</TEXT>", "<HL>", "<HL></HL>", "<title>", "<URL>",
        "<DOCHDR>", "<DOCNO>", "<DOC>", "<DOC>\n", "</DOC>\n", "<p ", "<p>", "</", "<!", "<",
        "&lt;", "&", "&#1", "&#99999999999", "\n", " ", "a\n", "\r", "<a\n", "x", "<!--", "-->",
        "<!-- -->", "a<x>", "</x>", "<x y=", "<x y z", "<X>", "<LP>", "<HEAD>", "<x>a", "<a b",
    ],
    "pages": [
        "<b>", "<div>", "<div>a", "<table>", "<table><td>", "<tr><td>a", "<td>a",
        "<p><font color={}>a", "<ul><li>a", "<blockquote>a", '<a "', "<a href=x>a", "<a href=",
        "<!--", "<!-- -->", "<!", "</", "<", "<x", "</script", "<script>", "<title>", "&#1", "&",
        "&amp", " a=b", "= ", "a", " ", "\n", "<b><i><u><s>a</b>b</i>c</u>", "<h1>a",
        "<img alt=a>", "<svg><style>", "<template>", "'", '"', ">",
    ],
    "guidelines": [
        "[", "![", "[]", "[](", "[a](", "[a][b]", "[a]: b\n", "![[]()", "[\\", "](", "<", "<a@",
        "*", "*a ", "**a *a ", "_a*", "a**b", "~~a ", "`", "` `` ``` ", "|-\n", "a|b\n-|-\n",
        "> ", ">", "- ", "- x\n", "1. ", "* a\n  ", "&", "&#1", "\\", "\n", " ", "\t-", "```\n",
        "    a\n", "***\n", "# a\n", "a\n=\n", "a\n", '"', "a",
    ],
    "stored documents": [
        "=(", "=(;", "= ;", "(", ")", "{", "[", "a", "a ", " ", "\t", "\n", "\r", "\u2028", ":",
        ": ", ". ", "- ", "*", "`", "```\n", ">>> ", "1. ", "--", "_", "\ufffd", "\u0301",
        "\u05d0", "\u6f22", "\u0e01 ", "<", "<a ", "&", "a b", "a  b\n", "a:\n    b\n",
        "a.\n  b\n", "a -- b\n    c\n", "a = b\n", "    a\n", "\n \n", "return ", "def :",
        "x" * 59 + "\n", "# a\n", "a = b\n\n", "</li></ul>\n<ul>", "</li></ul>", '<a title="{}">',
        "<td", "[x](",
    ],
    "lines of columns": [
        "1 Q0 d{} 1 1.5 tag\n", "1 Q0 d 1 1.5 tag\n", "t{} Q0 d 1 1.5 tag\n",
        "1 Q0 d{} 1 1.5 tag more\n", "1  Q0\td{} 1 1.5 tag\r\n", "x\n", "x\r", "\n", " \n", " ",
        "x", "\0", "9", "1 0 d{} 1\n", "1 0 d 1\n", "t{} 0 d 1\n", "1 0 d{} 99999999999\n",
        "1 1 1 d{} 1\n", "1 g{} s d 1\n", "1 g s{} d 1\n", "1 g s{} d{} 1\n", "1 g d{} 1\n",
        "# {}\n", "é ", "\x80",
    ],
}  # fmt: skip


@pytest.mark.parametrize("end", ["", "<desc>b</top>"])
def test_topics_in_trec_text(end):
    for unit in UNITS["topics in trec text"]:
        text = repeated(TOP, unit)
        check_linear(parse_topics, lambda n_bytes, text=text: text(n_bytes) + end)


@pytest.mark.parametrize("start", ['<topic number="x"><query>a', "<topic"])
def test_topics_in_xml(start):
    for unit in UNITS["topics in xml"]:
        check_linear(parse_topics, repeated(start, unit))


@pytest.mark.parametrize("form", ["columns", "json"])
def test_topics_and_documents(form):
    for start, unit in UNITS[f"topics and documents in {form}"]:
        text = repeated(start, unit)
        check_linear(parse_topics, text)
        check_linear(read_all_documents, bytes_of(text))


def read_all_documents(content: bytes) -> None:
    for _ in read_documents(BytesIO(content)):
        pass


@pytest.mark.parametrize("end", [b"", b"\n</DOC>\n"])
def test_documents_in_trec_text(end):
    for unit in UNITS["documents in trec text"]:
        text = bytes_of(repeated("<DOC><DOCNO>1</DOCNO>", unit))
        check_linear(lambda content: read_all_documents(content + end), text)


@pytest.mark.parametrize("start", ["", "<table><tr><td>", "<pre>"])
def test_pages(start):
    for unit in UNITS["pages"]:
        check_linear(read_page, repeated(start, unit))


# What reads the text of a document once it is stored: every function of these modules that takes a
# string, with those of a few characters, a word or the code of a language, named apart.
READING = [text_direction, readability, passages, reading, showing, words]
OF_A_FEW_CHARACTERS = {"is_from_right", "language_of", "terms"}
READERS: dict[str, Reader] = {
    "addresses": lambda text: list(showing.addresses(text)),
    "bare": passages.bare,
    "blocks": lambda text: list(reading.blocks(text)),
    "direction": lambda text: [
        text_direction.direction(text, from_right=way) for way in (False, True)
    ],
    "excerpts": lambda text: excerpts(text + "a", text + "b"),
    "fault_of": readability.fault_of,
    "forms": lambda text: words.forms(words.terms("street trees", "", "en"), [text], "en"),
    "is_mostly_from_right": text_direction.is_mostly_from_right,
    "located": lambda text: passages.located(
        text, [passages.Quoted(len(passages.bare(text)) - 1, passages.bare(text)[-1:])]
    ),
    "part": lambda text: reading.part(text, len(text) - 1),
    "readable": lambda text: [
        readable(shown_document(text, is_html=is_html)) for is_html in (False, True)
    ],
    "runs": words.runs,
    "shown": lambda text: [
        showing.shown(text.split("\n"), from_right=is_from_right) for is_from_right in (False, True)
    ],
    "weights": lambda text: words.weights(
        words.terms("street trees", "", "en"), [([text], "en")] * words.FEWEST, "en"
    ),
    "words_only": showing.words_only,
    "words": lambda text: list(words.words(text)),
}


def shown_document(text: str, *, is_html: bool) -> Document:
    found = Document(language="he")
    found.window, found.is_html, found.start, found.size = text, is_html, 0, len(text)
    return found


def test_every_function_that_reads_documents_is_here():
    found = {
        name
        for module in READING
        for name, each in vars(module).items()
        if isfunction(each)
        and each.__module__ == module.__name__
        and not name.startswith("_")
        and "str" in str(signature(each).parameters.values())
    }
    assert found - OF_A_FEW_CHARACTERS == READERS.keys() - {"excerpts", "readable"}


@pytest.mark.parametrize("name", READERS)
def test_stored_documents(name):
    for unit in UNITS["stored documents"]:
        check_linear(READERS[name], repeated("a", unit))


def test_many_documents():
    text = repeated("", "<DOC>\n<DOCNO>{}</DOCNO>\n<TEXT>a</TEXT>\n</DOC>\n")
    check_linear(read_all_documents, bytes_of(text))


@pytest.mark.parametrize(
    "read",
    [
        pytest.param(lambda stream: check_run(stream, tag="tag", topics={"1"}), id="check"),
        pytest.param(read_run, id="run"),
        pytest.param(read_qrels, id="qrels"),
        pytest.param(lambda stream: read_preferences(stream, "prefs"), id="prefs"),
        pytest.param(lambda stream: read_preferences(stream, "qrels_prefs"), id="qrels_prefs"),
    ],
)
def test_lines_of_columns(read):
    for unit in UNITS["lines of columns"]:
        text = bytes_of(repeated("", unit))
        check_linear(lambda content: read(BytesIO(content)), text)


@pytest.mark.parametrize("after", [b"", bytes(1000)])
def test_gzip(after):
    def unpack(content: bytes) -> None:
        opened(BytesIO(content), max_lines=1 << 30, max_line_bytes=1 << 30).read()

    for unit in ("\0", "a", "a\n", "{}\n"):
        text = repeated("", unit)

        def packed(n_bytes: int, text=text) -> bytes:
            return gzip.compress(text(n_bytes).encode()) + after * (n_bytes // 1000)

        check_linear(unpack, packed, 100_000)


def test_gzip_of_many_members():
    member = gzip.compress(b"a")
    check_linear(lambda content: opened(BytesIO(content)).read(), lambda n: member * n, 2000)


def test_guidelines():
    for unit in UNITS["guidelines"]:
        check_linear(rendered, repeated("", unit), 600)


@pytest.mark.parametrize(("power", "is_found"), [(1, False), (1.15, False), (1.5, True), (2, True)])
def test_what_is_not_linear_is_found(power, is_found):
    def work(_: Reader, texts: Sequence[str]) -> float:
        return sum(len(text) ** power for text in texts)

    refused = pytest.raises(pytest.fail.Exception, match="s for 32,000")
    with refused if is_found else nullcontext():
        check_linear(len, repeated("", "ab"), 4_000, work=work)
