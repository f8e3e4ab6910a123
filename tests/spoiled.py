"""Files of every kind that were damaged on their way: by seed, so that each can be made again."""

import gzip
import io
import json
import random
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

VECTORS = Path(__file__).parent / "vectors" / "files_of_tools"
MARKS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff", b"\x00", b"\x1f\x8b", b"PK\x03\x04")
ENDS = (b"\n", b"\r\n", b"\r", b"\n\r", b"\r\r\n", b"\x85", "\u2028".encode(), b"\x0b", b"\n\n")
CODES = ("utf-16", "utf-16-le", "utf-32", "latin-1", "cp437", "utf-7", "shift_jis")
NUMBERS = (b"9" * 400, b"-" + b"9" * 25, b"1e999", b"NaN", b"0x1F", b"1_000", b"\xd9\xa3", b"-0")
OPENS = (b"[", b'{"a":', b"<DOC>", b"<top>", b"<a ", b'"', b"<!--", b"(", b"&", b"\\u", b"\t", b",")
Dice = random.Random
Spoil = Callable[[bytes, Dice], bytes]


def _place(content: bytes, dice: Dice) -> int:
    return dice.randrange(len(content) + 1)


def _cut(content: bytes, dice: Dice) -> bytes:
    return content[: _place(content, dice)]


def _spliced(content: bytes, dice: Dice) -> bytes:
    """Put a piece of the file somewhere else into it."""
    start = _place(content, dice)
    piece, at = content[start : start + dice.randrange(1, 200)], _place(content, dice)
    return content[:at] + piece + content[at + dice.choice((0, len(piece))) :]


def _flipped(content: bytes, dice: Dice) -> bytes:
    changed = bytearray(content)
    for _ in range(dice.randrange(1, 9) if changed else 0):
        changed[dice.randrange(len(changed))] = dice.randrange(256)
    return bytes(changed)


def _repeated(content: bytes, dice: Dice) -> bytes:
    start = _place(content, dice)
    end = start + dice.randrange(1, 80)
    return content[:end] + content[start:end] * dice.choice((1, 9, 2000)) + content[end:]


def _nested(content: bytes, dice: Dice) -> bytes:
    at = _place(content, dice)
    return content[:at] + dice.choice(OPENS) * dice.choice((3, 999, 50_000)) + content[at:]


def _with_a_long_line(content: bytes, dice: Dice) -> bytes:
    at, word = _place(content, dice), dice.choice((b"x", b"x ", b"\xc3\xa9", b"a\t", b"a,"))
    return content[:at] + word * dice.choice((300, 70_000)) + content[at:]


def _marked(content: bytes, dice: Dice) -> bytes:
    at = dice.choice((0, _place(content, dice)))
    return content[:at] + dice.choice(MARKS) * dice.choice((1, 1, 2, 99)) + content[at:]


def _encoded(content: bytes, dice: Dice) -> bytes:
    return content.decode(errors="replace").encode(dice.choice(CODES), "replace")


def _with_other_ends(content: bytes, dice: Dice) -> bytes:
    return b"".join(line + dice.choice(ENDS) for line in content.split(b"\n"))


def _with_numbers(content: bytes, dice: Dice) -> bytes:
    words = content.split(b" ")
    for _ in range(dice.randrange(1, 4)):
        words[dice.randrange(len(words))] = dice.choice(NUMBERS)
    return b" ".join(words)


def _shuffled(content: bytes, dice: Dice) -> bytes:
    lines = content.split(b"\n")
    dice.shuffle(lines)
    return b"\n".join(lines)


def _packed(content: bytes, dice: Dice) -> bytes:
    packed = gzip.compress(content, mtime=0)
    return dice.choice((packed, packed[:-5], packed + b"\0" * 9, packed + content, packed * 2))


SPOILS: tuple[Spoil, ...] = (
    *(_cut, _spliced, _flipped, _repeated, _nested, _with_a_long_line, _marked, _encoded),
    *(_with_other_ends, _with_numbers, _shuffled, _packed),
)


def spoiled(content: bytes, dice: Dice) -> bytes:
    """Return a file that something has happened to, up to three times."""
    for _ in range(dice.randrange(1, 4)):
        content = dice.choice(SPOILS)(content, dice)
    return content


def _vectors(*names: str) -> list[bytes]:
    """Return the files of tools, together with others of their kind."""
    texts = ((VECTORS / f"{name}.jsonl").read_text(encoding="utf-8") for name in names)
    cases = [json.loads(line) for text in texts for line in text.split("\n") if line]
    return [case["file"].encode() for case in cases if "file" in case]


RUN = b"".join(b"%d Q0 d%d %d %d.5 one\n" % (t, n, n, 9 - n) for t in (1, 2) for n in range(1, 6))
QRELS = b"".join(b"%d 0 d%d %d\n" % (t, n, n % 3) for t in (1, 2) for n in range(1, 6))
TABLE = (
    "tag,manual,priority,description,hardware\n"
    'one,yes,1,"By hand; ""fast""",a box\ntwo,no,2,\u00c4 second,\n'
).encode()


def _archives() -> list[bytes]:
    members = {
        "North/one.txt": RUN,
        "S\u00fcd/two.txt": RUN.replace(b"one", b"two"),
        "runs.csv": TABLE,
    }
    zipped = io.BytesIO()
    with zipfile.ZipFile(zipped, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(zipfile.ZipInfo(name), content)
    tarred = io.BytesIO()
    with tarfile.open(fileobj=tarred, mode="w") as tape:
        for name, content in members.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            tape.addfile(member, io.BytesIO(content))
    tar = tarred.getvalue()
    return [zipped.getvalue(), tar, gzip.compress(tar, mtime=0)]


# Whole files of each kind.
WHOLE: dict[str, list[bytes]] = {
    "topics": _vectors("topics", "refused"),
    "documents": _vectors("documents", "refused"),
    "qrels": [QRELS, *_vectors("qrels")],
    "known grades": [QRELS, QRELS.replace(b"\n", b"\r\n")],
    "runs": [RUN, b"1\td1\t1\n1\td2\t2\n", *_vectors("runs")],
    "archives": _archives(),
    "tables": [TABLE, TABLE.replace(b",", b"\t"), TABLE.replace(b",", b";")],
}


def spoiled_file(kind: str, seed: int) -> bytes:
    """Return a damaged file of a kind; the same for the same seed."""
    dice = random.Random(f"{kind} {seed}")
    return spoiled(dice.choice(WHOLE[kind]), dice)
