"""Streams that unpack themselves within bounds."""

import gzip
import io
import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cleverdon.trec import streams
from cleverdon.trec.streams import MOST_TOLD, FormatError, opened, storable, told


def read(content: bytes, limit: int = 1 << 20) -> bytes:
    return opened(io.BytesIO(content), limit=limit).read()


@given(st.binary().filter(lambda content: content[:2] != b"\x1f\x8b"))
def test_what_is_not_gzip_comes_through_as_it_is(content):
    assert read(content) == content


@given(st.lists(st.binary(max_size=300), min_size=1))
def test_gzip_is_unpacked_all_its_members(members):
    assert read(b"".join(map(gzip.compress, members))) == b"".join(members)


@given(st.binary(min_size=1), st.data())
def test_gzip_cut_short_is_refused(content, data):
    packed = gzip.compress(content)
    length = data.draw(st.integers(2, len(packed) - 1))
    with pytest.raises(FormatError, match=r"cut short|damaged"):
        read(packed[:length])


def test_damaged_gzip_and_what_follows_it_is_refused():
    packed = bytearray(gzip.compress(b"some text that is long enough" * 50))
    packed[20] ^= 0xFF
    for content in (bytes(packed), gzip.compress(b"text") + b"more"):
        with pytest.raises(FormatError, match="The gzip data is damaged"):
            read(content)


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_the_limit_itself_is_allowed(pack):
    assert read(pack(b"x" * 1000), limit=1000) == b"x" * 1000
    with pytest.raises(FormatError, match="holds more than 999 bytes"):
        read(pack(b"x" * 1000), limit=999)


@pytest.mark.parametrize("n", [1, 511, 100_000])
def test_nul_bytes_that_fill_a_block_are_passed_over(n):
    members = gzip.compress(b"one "), bytes(n), gzip.compress(b"two"), bytes(n)
    assert read(b"".join(members)) == b"one two"


@given(st.lists(st.binary(max_size=30), max_size=20), st.integers(1, 40))
def test_pieces_of_any_size_give_the_same(members, size):
    class Trickle(io.RawIOBase):
        packed = io.BytesIO(b"".join(map(gzip.compress, members)) or b"x")

        def readable(self):
            return True

        def readinto(self, buffer):
            return self.packed.readinto(memoryview(buffer)[:size])

    stream = io.BufferedReader(Trickle(), buffer_size=size)
    assert opened(stream).read() == (b"".join(members) if members else b"x")


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
@pytest.mark.parametrize("n", [1, 3, 700_000])
def test_lines_are_counted_while_they_are_read(pack, n):
    content = b"x\n" * n
    assert opened(io.BytesIO(pack(content)), max_lines=n).read() == content
    stream = opened(io.BytesIO(pack(content + b"\n" + content)), max_lines=n)
    with pytest.raises(FormatError) as caught:
        stream.read()
    sentence = f"Line {n + 1}: The file has more than {n:,} lines, which is the limit."
    assert str(caught.value) == sentence


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
@pytest.mark.parametrize("before", [0, 1, 500_000])
def test_a_line_ends_within_its_limit(pack, before):
    most = 1 << 21
    content = b"x\n" * before + b"y" * most + b"\nz\n"
    assert opened(io.BytesIO(pack(content)), max_line_bytes=most).read() == content
    packed = io.BytesIO(pack(content.replace(b"yy\n", b"yyy\n")))
    with pytest.raises(FormatError) as caught:
        opened(packed, max_line_bytes=most).read()
    assert str(caught.value) == f"Line {before + 1}: It is longer than {most:,} bytes."


def test_gzip_data_may_expand_only_so_far():
    small, large = bytes(streams.FREE_BYTES), bytes(streams.FREE_BYTES + 1)
    assert opened(io.BytesIO(gzip.compress(small)), max_expansion=10).read() == small
    assert opened(io.BytesIO(large), max_expansion=10).read() == large
    with pytest.raises(FormatError, match="become more than 10 times as long"):
        opened(io.BytesIO(gzip.compress(large)), max_expansion=10).read()


class Counting(io.BytesIO):
    """A stream that counts what was read of it."""

    n_read = 0

    def readinto(self, buffer):
        n_bytes = super().readinto(buffer)
        self.n_read += n_bytes
        return n_bytes


def test_a_file_made_to_expand_is_refused_while_it_expands():
    packed = Counting(gzip.compress(bytes(1 << 22)) * 64)
    with pytest.raises(FormatError, match="holds more than 1,000,000 bytes"):
        opened(packed, limit=1_000_000).read()
    assert 0 < packed.n_read < 100_000


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_the_stream_itself_stays_open(pack):
    source = io.BytesIO(pack(b"text"))
    assert opened(source, limit=100).read() == b"text"
    assert not source.closed


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_a_pipe_is_read(pack):
    readable, writable = os.pipe()
    with os.fdopen(writable, "wb") as sender:
        sender.write(pack(b"text" * 1000))
    with os.fdopen(readable, "rb", buffering=0) as source:
        assert opened(source, limit=10_000).read() == b"text" * 1000


def test_lines_can_be_iterated():
    stream = opened(io.BytesIO(gzip.compress(b"a\nb\n")), limit=100)
    assert list(stream) == [b"a\n", b"b\n"]


def faults_of(lines) -> list[FormatError]:
    return [FormatError(line, "No.") for line in lines]


@given(st.lists(st.integers(1, 99), unique=True, max_size=MOST_TOLD))
def test_faults_are_told_in_the_order_of_their_lines(lines):
    assert told(faults_of(lines)) == [f"Line {line}: No." for line in sorted(lines)]


def test_what_is_wrong_with_the_whole_file_is_told_first():
    assert told(faults_of([2, None, 1])) == ["No.", "Line 1: No.", "Line 2: No."]


@pytest.mark.parametrize(
    ("n", "rest"),
    [(0, []), (1, ["1 more line cannot be taken."]), (1200, ["1,200 more lines cannot be taken."])],
)
def test_of_many_faults_the_first_are_told_and_the_rest_counted(n, rest):
    said = told(faults_of(range(MOST_TOLD + n, 0, -1)))
    assert said[MOST_TOLD - 1 :] == [f"Line {MOST_TOLD}: No.", *rest]


def test_an_error_says_its_line_when_it_has_one():
    assert str(FormatError(12, "It is wrong.")) == "Line 12: It is wrong."
    assert str(FormatError(None, "It is wrong.")) == "It is wrong."


@given(st.text())
def test_ordinary_text_is_stored_as_it_is(text):
    assert storable(text) == text.replace("\x00", "\ufffd")


def test_half_a_character_is_replaced():
    assert storable("a\ud800b") == "a\ufffdb"
