"""Files made to fill the memory are refused while they are read, within the limits."""

import gzip
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

MIB = 1 << 20
LIMIT, MAX_LINES = 8 * MIB, 40_000
# What docs/deploy.md says that a check needs for its limits, beside what a process needs anyway.
ALLOWED_OF_CHECK = 16 * MIB + 2 * LIMIT + 140 * MAX_LINES
ALLOWED_OF_DOCUMENT = 64 * MIB + 32 * 16 * MIB
# It reads each file in a child, which starts with what the imports need and ends with the file.
PROGRAM = """
import os
import sys
from cleverdon.trec.documents import read_documents
from cleverdon.trec.runs.check import check_run
from cleverdon.trec.streams import FormatError, opened

def peak():
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) << 10 for line in status if line.startswith("VmHWM"))

def read(kind, path, limit, max_lines):
    with open(path, "rb") as file:
        if kind == "run":
            limits = {"max_lines": max_lines, "max_line_bytes": 1 << 20, "max_expansion": 100}
            stream = opened(file, limit=limit, **limits)
            topics = [str(number) for number in range(100)]
            checked = check_run(stream, tag="tag", topics=topics, depth=10_000)
            return checked.report.errors[-1] if checked.report.errors else "valid"
        try:
            for _ in read_documents(opened(file, limit=1 << 31, max_expansion=100)):
                pass
        except FormatError as error:
            return error
        return ""

for line in sys.stdin:
    kind, path, limit, max_lines = line.rstrip("\\n").split("\\t")
    if child := os.fork():
        os.waitpid(child, 0)
        continue
    before = peak()
    said = read(kind, path, int(limit), int(max_lines))
    print(peak() - before, *str(said).splitlines(), flush=True)
    os._exit(0)
"""
LINE = "{topic} Q0 d{number:07} 1 {number}.5 tag\n"


def lines(line: str, n_lines: int, n_topics: int = 0) -> Iterable[bytes]:
    """Yield lines of which 5,000 a topic follow each other, or `n_topics` take turns."""
    for number in range(n_lines):
        topic = number % n_topics if n_topics else number // 5000
        yield line.format(topic=topic, number=number).encode()


def gzip_of(unit: bytes, n_bytes: int) -> Iterable[bytes]:
    yield gzip.compress(unit * (4 * MIB // len(unit))) * (n_bytes // (4 * MIB))


FILES = {
    "a run": (lambda: lines(LINE, MAX_LINES), "valid"),
    "long docnos": (lambda: lines(LINE.replace("d{", 50 * "d" + "{"), MAX_LINES), "valid"),
    "two blanks": (lambda: lines(LINE.replace(" Q0", "  Q0"), MAX_LINES), "valid"),
    "topics that come again": (lambda: lines(LINE, MAX_LINES, 8), "valid"),
    "docnos that come again": (
        lambda: lines(LINE.replace("number:07", "number:.2e"), MAX_LINES),
        "comes again in its topic",
    ),
    "a longer run": (lambda: lines(LINE, 2 * MAX_LINES), "The file has more than 40,000 lines"),
    "longer docnos": (
        lambda: lines(LINE.replace("d{", 220 * "d" + "{"), MAX_LINES),
        "holds more than 8,388,608 bytes",
    ),
    "100 MB in a line": (lambda: [b"x" * 100_000_000], "It is longer than 1,048,576 bytes"),
    "gzip of 600 MB of zeros": (
        lambda: gzip_of(b"\0", 600 * MIB),
        "It is longer than 1,048,576 bytes",
    ),
    "gzip of 300 million line ends": (
        lambda: gzip_of(b"\n", 300 * MIB),
        "The file has more than 40,000 lines",
    ),
    "gzip of 300 MB of tiny lines": (
        lambda: gzip_of(b"x\n", 300 * MIB),
        "The file has more than 40,000 lines",
    ),
    "gzip of 300 MB of long lines": (
        lambda: gzip_of(b"x" * 60_000 + b"\n", 300 * MIB),
        "It has 1 column",
    ),
}
DOCUMENTS = {
    "100 MB in a line": (lambda: [b"x" * 100_000_000], "longer than 16,777,216 bytes"),
    "gzip of 600 MB of zeros": (lambda: gzip_of(b"\0", 600 * MIB), "more than 100 times"),
    "40 million line ends": (lambda: [b"\n" * 40_000_000], "1,000,000 are the limit"),
}


def lists_in_json() -> Iterable[bytes]:
    """Of what 16 MiB may hold, this takes the most memory."""
    yield b'{"id": 1, "a": [' + b"[]," * (5 * MIB) + b"[]]}\n"


@pytest.fixture(scope="module")
def reader() -> Iterator[subprocess.Popen]:
    command = [sys.executable, "-c", PROGRAM]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) as running:
        yield running


def peak_of(
    reader: subprocess.Popen,
    kind: str,
    path: Path,
    pieces: Iterable[bytes],
    max_lines: int = MAX_LINES,
) -> tuple[str, int]:
    """Read a file in a process of its own; return what it said last and the most bytes it took."""
    with path.open("wb") as file:
        file.writelines(pieces)
    limit = LIMIT * max_lines // MAX_LINES
    print(kind, path, limit, max_lines, sep="\t", file=reader.stdin, flush=True)
    peak, _, said = reader.stdout.readline().partition(" ")
    path.unlink()
    return said, int(peak)


@pytest.mark.parametrize("name", FILES)
def test_a_check_needs_no_more_than_its_limits_allow(reader, name, tmp_path):
    pieces, sentence = FILES[name]
    said, peak = peak_of(reader, "run", tmp_path / "run", pieces())
    assert sentence in said
    assert peak < ALLOWED_OF_CHECK


@pytest.mark.parametrize(("n_topics", "most"), [(0, 140), (80, 205)], ids=["in turn", "mixed"])
def test_a_check_needs_so_many_bytes_for_each_line_of_27(reader, n_topics, most, tmp_path):
    few, many = 100_000, 400_000
    taken = []
    for n_lines in (few, many):
        pieces = lines(LINE, n_lines, n_topics)
        said, peak = peak_of(reader, "run", tmp_path / "run", pieces, many)
        assert said == "valid\n"
        taken.append(peak)
    assert (taken[1] - taken[0]) / (many - few) < most


@pytest.mark.parametrize("name", [*DOCUMENTS, "lists in JSON"])
def test_documents_need_no_more_than_the_largest_of_them(reader, name, tmp_path):
    pieces, sentence = DOCUMENTS.get(name, (lists_in_json, ""))
    said, peak = peak_of(reader, "documents", tmp_path / "documents", pieces())
    assert sentence in said
    assert peak < ALLOWED_OF_DOCUMENT
