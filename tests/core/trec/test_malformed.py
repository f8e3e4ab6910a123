"""Five hundred malformed files: each is refused with one sentence, soon and in little memory."""

import gc
import gzip
import io
import random
import tracemalloc
import zipfile
from collections.abc import Callable
from time import process_time

import pytest

from cleverdon.trec.documents import read_documents
from cleverdon.trec.engine import plain, reader
from cleverdon.trec.streams import FormatError, opened
from cleverdon.trec.topics import read_topics
from tests.core.trec.test_odd_files import READERS

LIMIT = 1 << 18  # of a file unpacked, in bytes
# What a reader may take for a file of that limit, in bytes, more where nothing is compiled, and in
# processor seconds, on a machine that is busy.
MOST_MEMORY, MOST_SECONDS = (12 if reader is plain else 6) << 20, 1.0
N_SEEDS = 3

Reader = Callable[[io.BytesIO], object]


def documents(stream: io.BytesIO) -> object:
    return list(read_documents(stream))


TREC_TOPICS = (
    "<top>\n<num> Number: {n}\n<title> wing {n}\n<desc>\nOf wings.\n<narr>\nAny.\n</top>\n"
)
TREC_DOCUMENT = "<DOC>\n<DOCNO>d{n}</DOCNO>\n<TEXT>\nwing {n}\n</TEXT>\n</DOC>\n"
JSON_TOPIC = '{{"number": "{n}", "title": "wing {n}"}}\n'
XML_TOPIC = '<topic number="{n}"><query>wing {n}</query></topic>\n'
JSON_DOCUMENT = '{{"docno": "d{n}", "title": "wing", "text": "lift {n}"}}\n'
# A reader, and a text of which any number of copies, numbered, makes a file that it reads.
IMPORTERS: dict[str, tuple[Reader, str]] = {
    **{
        name: (reader, lines[0].decode().replace(" a ", " a{n} "))
        for name, (reader, *lines) in READERS.items()
        if name != "means"
    },
    "means": (READERS["means"][0], "{n} map 0.5 0.1"),
    "topics as TREC text": (read_topics, TREC_TOPICS),
    "topics as XML": (read_topics, XML_TOPIC),
    "topics as TSV": (read_topics, "{n}\twing {n}"),
    "topics as JSON lines": (read_topics, JSON_TOPIC),
    "documents as TREC text": (documents, TREC_DOCUMENT),
    "documents as TSV": (documents, "d{n}\twing\tlift {n}"),
    "documents as JSON lines": (documents, JSON_DOCUMENT),
}


def copies(text: str, n: int) -> bytes:
    """Return so many copies, each with its number and at the end of a line."""
    texts = (text.format(n=number).rstrip("\n") + "\n" for number in range(1, n + 1))
    return "".join(texts).encode()


def cut(packed: bytes, dice: random.Random) -> bytes:
    return packed[: dice.randrange(12, len(packed) - 1)]


def flipped(packed: bytes, dice: random.Random) -> bytes:
    """Change a byte of the check sum at the end, which no reader of gzip passes over."""
    place = len(packed) - dice.randrange(5, 9)
    return packed[:place] + bytes([packed[place] ^ 0xFF]) + packed[place + 1 :]


def archive(text: bytes) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as file:
        file.writestr("file.txt", text)
    return packed.getvalue()


# What is wrong with a file, given a good text and dice.
FAULTS: dict[str, Callable[[bytes, random.Random], bytes]] = {
    "empty": lambda text, dice: b"",
    "blank": lambda text, dice: b" \t\n" * dice.randrange(1, 99),
    "UTF-16": lambda text, dice: text.decode().encode("utf-16"),
    "random bytes": lambda text, dice: b"\x00" + dice.randbytes(dice.randrange(9, 9999)),
    "a zip archive": lambda text, dice: archive(text),
    "gzip cut off": lambda text, dice: cut(gzip.compress(text, mtime=0), dice),
    "gzip with a wrong sum": lambda text, dice: flipped(gzip.compress(text, mtime=0), dice),
    "gzip in gzip": lambda text, dice: gzip.compress(gzip.compress(text, mtime=0), mtime=0),
    "zeros in gzip": lambda text, dice: gzip.compress(bytes(dice.randrange(1, 4) * LIMIT), mtime=0),
    "longer than the limit": lambda text, dice: text * (LIMIT // len(text) + 1),
    "a page of HTML": lambda text, dice: (
        b"<!DOCTYPE html>\n<html><head><title>404</title></head>\n<body>\n"
        + b"<p>No.\n" * dice.randrange(9)
    ),
    "a PDF": lambda text, dice: (
        b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n" + dice.randbytes(99) + b"\nendobj\n"
    ),
}


def refusal(read: Reader, content: bytes) -> str:
    """Return the sentence with which a reader refuses a file."""
    with pytest.raises(FormatError) as error:
        read(opened(io.BytesIO(content), limit=LIMIT, max_expansion=100))  # type: ignore[arg-type]
    return str(error.value)


@pytest.mark.parametrize("name", IMPORTERS)
def test_a_good_file_is_read(name):
    read, text = IMPORTERS[name]
    assert read(io.BytesIO(copies(text, 9)))


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("name", IMPORTERS)
def test_a_malformed_file_is_soon_refused_with_a_sentence(name, fault):
    read, text = IMPORTERS[name]
    for seed in range(N_SEEDS):
        dice = random.Random(f"{name} {fault} {seed}")
        content = FAULTS[fault](copies(text, dice.randrange(3, 99)), dice)
        begun = process_time()
        sentence = refusal(read, content)
        assert process_time() - begun < MOST_SECONDS, seed
        assert sentence.endswith("."), (seed, sentence)
        assert len(sentence) < 300, (seed, sentence)
        assert sentence.isprintable(), (seed, sentence)


@pytest.mark.slow
def test_a_malformed_file_takes_little_memory():
    tracemalloc.start()
    try:
        for name, (read, text) in IMPORTERS.items():
            for fault, spoil in FAULTS.items():
                content = spoil(copies(text, 50), random.Random(name + fault))
                gc.collect(1)  # the frames of the refusal before
                before, _ = tracemalloc.get_traced_memory()
                tracemalloc.reset_peak()
                refusal(read, content)
                _, peak = tracemalloc.get_traced_memory()
                assert peak - before < MOST_MEMORY, (name, fault, peak)
    finally:
        tracemalloc.stop()


def test_there_are_five_hundred():
    assert len(IMPORTERS) * len(FAULTS) * N_SEEDS >= 500
