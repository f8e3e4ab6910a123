"""What the command prints, byte for byte against trec_eval's own program, where there is one."""

import random
import re
import shutil
import subprocess

import pytest

from tests.core.measures.commands import run as command

PROGRAM = shutil.which("trec_eval")
N_COLLECTIONS = 100
TOPICS = ("1", "10", "2", "301", "é", "t-7", "003")
DOCNOS = ("d%d", "D%d", "é%d", "文書%d", "#%d", "clueweb12-0001wb-02-%05d")
GRADES = ("0", "1", "2", "3", "-1", "-2", "+1", "007", "-0", "4")
# Shortest and longest, subnormal, beyond single precision, and equal only in that.
NUMBERS = (
    *("0.5", "5.", ".5", "-0", "+1", "1e0", "-1e-3", "0.10000000001", "0.1000000001", "7"),
    *("5e-324", "1e-400", "1.4e-45", "7e-46", "3.4028236e38", "1e39", "-1e308", "0e999"),
    *("16777216", "16777217", "9007199254740993.00000001", "0." + 40 * "1234567890"),
)
BLANKS = ("\t", " ", "  ", "\t \t", "\x0b", "\x0c")
ENDS = ("\n", "\n", "\r\n", " \n", "\t\r\n")
OPTIONS = (
    "-q -c -m all_trec",
    "-q -m all_trec",
    "-c",
    "-q -c -l 2 -m all_trec",
    "-q -M 3 -m all_trec",
    "-q -c -N 1000 -m official -m infAP",
    "-n -q -m map -m relstring.5 -m runid",
    "-q -m ndcg.1=1,2=3,3=7 -m ndcg_cut.1,2,7 -m P.1,3 -m relative_P.2 -m gm_bpref",
    "-q -c -J -m num_ret -m map -m bpref -m P",
)


def _version() -> str:
    if not PROGRAM:
        return ""
    told = subprocess.run([PROGRAM, "--version"], capture_output=True, text=True, check=False)
    return "".join(re.findall(r"version (\d+)", told.stdout + told.stderr))


pytestmark = pytest.mark.skipif(_version() != "9", reason="trec_eval 9 is not on this machine")


def _lines(chance: random.Random, rows: list[tuple[str, ...]]) -> bytes:
    """Lines with odd white space or without, in their order or not."""
    is_odd = chance.random() < 0.6
    if chance.random() < 0.6:
        chance.shuffle(rows)
    text = "".join(
        "".join(word + (chance.choice(BLANKS) if is_odd else " ") for word in row[:-1])
        + row[-1]
        + (chance.choice(ENDS) if is_odd else "\n")
        for row in rows
    )
    return text.encode()


def _number(chance: random.Random) -> str:
    return chance.choice((chance.choice(NUMBERS), repr(chance.gauss(0, 10)), f"{chance.random()}"))


def _collection(chance: random.Random) -> tuple[bytes, bytes]:
    """Qrels and a run that share a topic, each without some of the other's."""
    first, *others = chance.sample(TOPICS, chance.randint(1, 5))
    docnos = [chance.choice(DOCNOS) % number for number in range(chance.randint(2, 25))]
    tied = [_number(chance) for _ in range(3)]

    def some() -> list[tuple[str, str]]:
        topics = [first, *(topic for topic in others if chance.random() < 0.8)]
        size = chance.randint(1, len(docnos))
        return [(topic, docno) for topic in topics for docno in chance.sample(docnos, size)]

    # trec_eval stops at a topic of which nothing is judged 0 or more.
    judged = [(first, "0", "judged", "0"), *((topic, "0", "judged", "0") for topic in others)]
    judged += [(topic, "0", docno, chance.choice(GRADES)) for topic, docno in some()]
    run = [
        (topic, "Q0", docno, "1", chance.choice((*tied, _number(chance))), "tag")
        for topic, docno in some()
    ]
    return _lines(chance, judged), _lines(chance, run)


@pytest.mark.parametrize("options", OPTIONS)
def test_every_byte_is_that_of_the_program(options, tmp_path):
    files = tmp_path / "qrels", tmp_path / "run"
    for seed in range(N_COLLECTIONS):
        for file, content in zip(files, _collection(random.Random(seed)), strict=True):
            file.write_bytes(content)
        printed = subprocess.run(
            [PROGRAM, *options.split(), *files], capture_output=True, check=True
        ).stdout.decode()
        assert command(*options.split(), *files) == (0, printed, ""), seed
