"""Files that every reader of lines must refuse with a sentence, whatever the file is."""

import io
from functools import partial

import pytest

from cleverdon.trec.means import read_zscores
from cleverdon.trec.preferences import FORMATS, read_preferences
from cleverdon.trec.qrels import GROUPED, STRATIFIED, TREC, read_qrels
from cleverdon.trec.runs.check import check_run
from cleverdon.trec.runs.read import read_run
from cleverdon.trec.streams import FormatError

MARK = b"\xef\xbb\xbf"


def means(stream, *, comments=False):
    """Read means for z-scores, which have no comments."""
    return read_zscores(stream)


def upload(stream, *, comments=False):
    """Check a run as it is uploaded; raise its first error."""
    checked = check_run(stream, tag="tag", topics=["1"])
    for error in checked.report.errors:
        raise FormatError(error.line, error.message)
    return checked.run


# A reader, and two lines that it reads.
READERS = {
    "qrels": (partial(read_qrels, layout=TREC), b"1 0 a 1", b"1 0 b 0"),
    "qrels_jg": (partial(read_qrels, layout=GROUPED), b"1 x a 1", b"1 y a 0"),
    "qrels_strata": (partial(read_qrels, layout=STRATIFIED), b"1 0 a 1 1", b"1 0 b 1 0"),
    **{
        kind: (partial(read_preferences, kind=kind), *lines)
        for kind, lines in {
            "prefs": (b"1 g s a 2", b"1 g s b 1"),
            "qrels_prefs": (b"1 g a 2", b"1 g b 1"),
        }.items()
    },
    "means": (means, b"1 map 0.5 0.1", b"1 P_5 0.5 0.1"),
    "run": (read_run, b"1 Q0 a 1 2 tag", b"1 Q0 b 2 1 tag"),
    "upload": (upload, b"1 Q0 a 1 2 tag", b"1 Q0 b 2 1 tag"),
}
COMMENTS = [name for name in READERS if name not in {"upload", "means"}]
JUDGMENTS = [name for name in COMMENTS if name != "run"]


def refused(name: str, text: bytes, *, comments: bool = False) -> str:
    with pytest.raises(FormatError) as error:
        READERS[name][0](io.BytesIO(text), comments=comments)
    return str(error.value)


def test_every_format_of_judgments_is_tried():
    assert set(FORMATS) < set(JUDGMENTS)


@pytest.mark.parametrize("name", READERS)
@pytest.mark.parametrize("number", [1, 2])
def test_a_byte_order_mark_is_refused_on_any_line(name, number):
    if (name, number) == ("upload", 1):
        pytest.skip("there it is passed over, with a warning")
    _, *lines = READERS[name]
    lines[number - 1] = MARK + lines[number - 1]
    for comments in {False, name in COMMENTS}:
        sentence = refused(name, b"\n".join(lines), comments=comments)
        assert sentence.startswith(f"Line {number}: It begins with a byte order mark")


@pytest.mark.parametrize("name", READERS)
def test_lines_that_end_with_cr_alone_are_never_taken_for_one(name):
    _, first, second = READERS[name]
    both = first + b"\r" + second
    for text in (both + b"\r", both, (first + b"\r") * 9000, both + b"\n"):
        assert refused(name, text).startswith("Line 1: It holds a carriage return")
    mixed = first + b"\r\n" + second + b"\r" + second + b"\n"
    assert refused(name, mixed).startswith("Line 2: It holds a carriage return")


@pytest.mark.parametrize("name", COMMENTS)
def test_a_comment_does_not_hide_the_lines_after_a_cr(name):
    _, first, second = READERS[name]
    text = b"# a comment\r" + first + b"\r" + second + b"\r"
    assert refused(name, text, comments=True).startswith("Line 1: It holds a carriage return")


@pytest.mark.parametrize("name", COMMENTS)
def test_comments_are_passed_over_where_they_are_allowed(name):
    reader, first, second = READERS[name]
    second = second.replace(b" b ", b" b#7 ")
    text = b"# one\n" + first + b"\n\n  # two\n" + second + b"\n# end"
    lines = first + b"\n" + second
    found, plain = (reader(io.BytesIO(each), comments=each is text) for each in (text, lines))
    assert found.docnos.tolist() == plain.docnos.tolist()
    assert refused(name, text).startswith("Line 1: It has 2 columns")


@pytest.mark.parametrize("name", READERS)
def test_returns_that_stand_at_the_end_of_a_line_are_accepted(name):
    reader, first, second = READERS[name]
    for end in (b"\r\n", b"\r\r\n"):
        assert reader(io.BytesIO(first + end + second + end)) is not None


@pytest.mark.parametrize("comments", [False, True])
@pytest.mark.parametrize("text", [b"", b"\n", b" \n\t\n", b"\r\n\r\n", b"# nothing\n"])
@pytest.mark.parametrize("name", JUDGMENTS)
def test_a_file_without_a_judgment_is_refused(name, text, comments):
    sentence = refused(name, text, comments=comments)
    if comments or not text:
        assert sentence == "The file is empty."
    else:
        assert sentence.startswith("Line 1: It has ")


@pytest.mark.parametrize("sign", ["", "-", "+"])
@pytest.mark.parametrize("digits", [10, 25, 5000])
def test_a_whole_number_beyond_the_bound_is_not_said_to_be_none(sign, digits):
    number = sign + "9" * digits
    bound = "small: at least -" if sign == "-" else "large: at most "
    assert f"is too {bound}999,999,999." in refused("qrels", f"1 0 a {number}\n".encode())
    assert read_qrels(io.BytesIO(f"1 0 a {sign}999999999".encode())).grades.size == 1


@pytest.mark.parametrize(
    ("rank", "bound"), [("1" + "0" * 18, "large: at most"), ("-" + "9" * 99, "small: at least -")]
)
def test_a_rank_beyond_the_bound_is_not_said_to_be_no_number(rank, bound):
    sentence = refused("upload", f"1 Q0 a {rank} 1 tag\n".encode())
    assert f"is too {bound}" in sentence
    assert "999,999,999,999,999,999." in sentence
