"""What the files of judgments come to, computed from the files alone, as docs/formats.md says."""

import csv
import gzip
import hashlib
import io
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from functools import partial
from itertools import combinations
from statistics import median_low, mode

Rows = list[dict[str, str]]
Pair = tuple[str, int, str, int]  # an assessor and their grade, and another's


def read(content: str) -> Rows:
    """The lines of a CSV file by the names of the columns, without apostrophes before formulas."""
    lines = csv.DictReader(io.StringIO(content, newline=""))
    return [{name: _plain(text) for name, text in line.items()} for line in lines]


def _plain(text: str) -> str:
    return text[1:] if re.match(r"'+[=+\-@\t\r]", text) else text


def sha256_of(*texts: str) -> str:
    """The hash of a text, of its fields in their order."""
    return hashlib.sha256(b"".join(text.encode() + b"\0" for text in texts)).hexdigest()


def kept(file) -> str:
    """What the stored file of judgments of a version holds."""
    with file.open("rb") as stream:
        return gzip.decompress(stream.read()).decode()


def counting(rows: Rows) -> Rows:
    return [row for row in rows if not row["set_aside_at"] and row["state"] == "judged"]


def official(rows: Rows) -> Rows:
    return [row for row in counting(rows) if row["kind"] in {"primary", "existing", "duplicate"}]


def settled(rows: Rows) -> Rows:
    """What comes before all other grades: corrections, and before these adjudications."""
    kinds = "adjudication", "correction"
    return sorted(
        (row for row in counting(rows) if row["kind"] in kinds), key=lambda row: row["kind"]
    )


def grounds(rows: Rows) -> Rows:
    """The rows that the official grades of documents are from; shared topics aside."""
    found = [*official(rows), *settled(rows)]
    return [*{(row["topic"], row["docno"]): row for row in found}.values()]


def written(grades: dict[tuple[str, str], str], rows: Rows) -> bytes:
    """The qrels of these grades, but where something was settled."""
    every = grades | {(row["topic"], row["docno"]): row["grade"] for row in settled(rows)}
    ordered = sorted(every.items(), key=lambda item: [part.encode() for part in item[0]])
    return "".join(f"{topic} 0 {docno} {grade}\n" for (topic, docno), grade in ordered).encode()


def by_primary(rows: Rows) -> bytes:
    """The qrels by the rule "primary"."""
    grades = {(row["topic"], row["docno"]): row["grade"] for row in official(rows)}
    return written(grades, rows)


def by_rule(one_of: Callable[[list[int]], int], rows: Rows) -> bytes:
    """The qrels of primary grades, and of shared topics what a rule makes of several."""
    grades: dict[tuple[str, str], list[int]] = defaultdict(list)
    n_impossible, wanted = Counter[tuple[str, str]](), {}
    for row in rows:
        pair = row["topic"], row["docno"]
        if row["kind"] == "shared" and not row["set_aside_at"]:
            wanted[pair] = int(row["wanted"])
            n_impossible[pair] += row["state"] == "cannot_judge"
            if row["state"] == "judged":
                grades[pair].append(int(row["grade"]))
    found = {(row["topic"], row["docno"]): row["grade"] for row in official(rows)}
    for pair, given in grades.items():
        if max(len(given), n_impossible[pair]) >= wanted[pair]:
            found[pair] = str(one_of(given))
    return written(found, rows)


# Each rule of the qrels.
RULES: dict[str, Callable[[Rows], bytes]] = {
    "primary": by_primary,
    "median": partial(by_rule, median_low),
    "majority": partial(by_rule, lambda given: mode(sorted(given))),
    "maximum": partial(by_rule, max),
}


def twice_judged(rows: Rows) -> Iterator[tuple[str, Pair]]:
    """The topic of each document that two have graded, a primary and a second assessor or any two
    of a shared topic, with who gave which grade.
    """
    first = {(row["topic"], row["docno"]): row for row in official(rows)}
    for row in counting(rows):
        other = first.get((row["topic"], row["docno"]))
        if row["kind"] == "second" and other:
            both = sorted((each["assessor"], int(each["grade"])) for each in (other, row))
            yield row["topic"], (*both[0], *both[1])
    shared: dict[tuple[str, str], Rows] = defaultdict(list)
    for row in counting(rows):
        if row["kind"] == "shared":
            shared[row["topic"], row["docno"]].append(row)
    for (topic, _), given in shared.items():
        named = sorted((each["assessor"], int(each["grade"])) for each in given)
        yield from ((topic, (*one, *other)) for one, other in combinations(named, 2))


def agreement(pairs: Iterable[Pair]) -> tuple[int | float | None, ...]:
    """How many documents, the share with equal grades, kappa (Cohen's of two people, Fleiss' of
    more), and Fleiss' in any case.
    """
    found = list(pairs)
    if not found:
        return 0, None, None, None
    n = Fraction(len(found))
    ones, others = Counter(pair[1] for pair in found), Counter(pair[3] for pair in found)
    equal = sum(pair[1] == pair[3] for pair in found) / n
    pooled = {grade: Fraction(ones[grade] + others[grade], 2) for grade in {*ones, *others}}
    chance = sum(ones[grade] * others[grade] for grade in ones) / n**2
    chance_of_all = sum(count**2 for count in pooled.values()) / n**2
    is_one_pair = len({(pair[0], pair[2]) for pair in found}) == 1
    kappa = _kappa(equal, chance if is_one_pair else chance_of_all)
    return len(found), float(equal), kappa, _kappa(equal, chance_of_all)


def _kappa(equal: Fraction, chance: Fraction) -> float | None:
    return None if chance == 1 else float((equal - chance) / (1 - chance))


def by_topic(rows: Rows) -> dict[str, list[Pair]]:
    found: dict[str, list[Pair]] = defaultdict(list)
    for topic, pair in twice_judged(rows):
        found[topic].append(pair)
    return found


def relevant(pairs: Iterable[Pair], level: int) -> Iterator[Pair]:
    """The same pairs, relevant (1) or not (0)."""
    return ((one, int(a >= level), two, int(b >= level)) for one, a, two, b in pairs)
