import gzip
import tracemalloc
from io import BytesIO

import pytest

from campaigns.core.formats import FormatError, opened


def test_plain_and_gzip_streams_give_the_same():
    assert opened(BytesIO(b"hello"), limit=5).read() == b"hello"
    assert opened(BytesIO(gzip.compress(b"hello")), limit=5).read() == b"hello"
    assert opened(BytesIO(b""), limit=5).read() == b""
    assert opened(BytesIO(b"h"), limit=5).read() == b"h"


def test_all_members_of_a_gzip_file_are_read():
    packed = gzip.compress(b"one ") + gzip.compress(b"two")
    assert opened(BytesIO(packed), limit=100).read() == b"one two"


def test_a_file_made_to_expand_is_refused_while_it_expands():
    bomb = gzip.compress(b"0" * 200_000_000, compresslevel=9)
    tracemalloc.start()
    stream = opened(BytesIO(bomb), limit=5_000_000)
    with pytest.raises(
        FormatError, match="expands to more than 5,000,000 bytes, which is the limit"
    ):
        while stream.read(1 << 16):
            pass
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 20_000_000


def test_a_gzip_file_cut_short_says_so():
    packed = gzip.compress(b"hello" * 1000)
    with pytest.raises(FormatError, match="cut short"):
        opened(BytesIO(packed[:-9]), limit=10_000).read()


def test_a_damaged_gzip_file_says_so():
    packed = bytearray(gzip.compress(bytes(range(256)) * 40))
    packed[len(packed) // 2] ^= 0xFF
    with pytest.raises(FormatError, match=r"damaged|cut short"):
        opened(BytesIO(bytes(packed)), limit=100_000).read()


def test_an_error_prints_its_line():
    assert str(FormatError(12, "It is odd.")) == "Line 12: It is odd."
    assert str(FormatError(None, "It is odd.")) == "It is odd."
