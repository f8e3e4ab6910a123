"""Read damaged lines by a library that ends the program when it leaves an array.

Use: python -m tests.core.trec.engine.fuzzing LIBRARY SECONDS, with the library's sanitizer loaded.
"""

import random
import sys
import time
from pathlib import Path

import numpy as np

from cleverdon.trec.engine import compiled, plain
from cleverdon.trec.engine.fields import Fields, LineBlock, Wanted

LINES = (
    b"301 Q0 clueweb12-0001wb-02-03456 1 9.5 tag\n",
    b"301 0 d1 1\n",
    b"\xef\xbb\xbf301\tQ0\td2\t2\t-0.00000000000000000012345678901234567\ttag\r\n",
    "10 0 文書-7 9223372036854775808\n".encode(),
    b"#\n",
    b"\n",
    b" \r \x0b\x0c 1e-400 5e324 " + b"9" * 30 + b"." + b"0" * 30 + b"\n",
)


def damaged(chance: random.Random) -> bytes:
    text = bytearray(b"".join(chance.choices(LINES, k=chance.randint(0, 20))))
    for _ in range(chance.randint(0, 6)):
        at = chance.randint(0, len(text))
        odd = bytes(chance.choices(range(256), k=chance.randint(0, 9)))
        text[at : at + chance.randint(0, 9)] = odd
    return bytes(text) + b"\n"


def read(chance: random.Random) -> None:
    text = damaged(chance)
    content = np.array(list(text), np.uint8)  # of its own, so that no byte follows it
    block = LineBlock(1, text.count(b"\n"), content, 0, len(text))
    wanted = Wanted(chance.randint(1, 7), chance.randint(0, 7), chance.choice((20, 1 << 16)))
    found = compiled.split(block, wanted)
    if found is None or not len(found.line_numbers):
        return
    of = Fields(content, found.starts[-1].copy(), found.ends[-1].copy())
    assert compiled.hashes(of).tolist() == plain.hashes(of).tolist()
    of = Fields(content, of.starts, of.ends, compiled.hashes(of))
    n = len(of)
    edges = np.array(sorted([0, n, *chance.choices(range(n + 1), k=3)]))
    values, _ = compiled.scores(of)
    compiled.whole(of, 10**9)
    order = np.arange(n)
    how = {"single": chance.random() < 0.5, "ascending": chance.random() < 0.5}
    compiled.rank(of, values, edges, order, **how)
    compiled.may_repeat(of, edges, order)
    compiled.spans(of)
    compiled.distinct(of)
    compiled.compact(of, np.empty(int((of.ends - of.starts).sum()) + n, np.uint8))
    topics = np.array(chance.choices(range(-1, len(edges) - 1), k=len(edges) - 1))
    compiled.find(of, compiled.index(of, edges), of, edges, topics)


if __name__ == "__main__":
    library, seconds = sys.argv[1:]
    compiled.LIBRARY = compiled.load(Path(library))
    assert compiled.LIBRARY is not None
    chance, n, end = random.Random(1), 0, time.monotonic() + float(seconds)
    while time.monotonic() < end:
        read(chance)
        n += 1
    print(n)  # noqa: T201 - to the test
