"""What the files of judgments come to, computed from the files alone, as docs/formats.md says."""

import csv
import gzip
import hashlib
import io
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import partial
from itertools import permutations
from statistics import median_low, mode, multimode
from typing import NamedTuple

Rows = list[dict[str, str]]
Given = tuple[str, int]  # an assessor and their grade


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


def by_rule(one_of: Callable[[list[int]], int | None], rows: Rows) -> bytes:
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
        is_settled = max(len(given), n_impossible[pair]) >= wanted[pair]
        if is_settled and (grade := one_of(given)) is not None:
            found[pair] = str(grade)
    return written(found, rows)


# Each rule of the qrels.
RULES: dict[str, Callable[[Rows], bytes]] = {
    "primary": by_primary,
    "median": partial(by_rule, median_low),
    "majority": partial(by_rule, lambda given: mode(sorted(given))),
    "majority-highest": partial(by_rule, lambda given: max(multimode(given))),
    "majority-adjudicated": partial(
        by_rule, lambda given: min(multimode(given)) if len(multimode(given)) == 1 else None
    ),
    "maximum": partial(by_rule, max),
}


def judged_by_several(rows: Rows) -> dict[tuple[str, str], list[Given]]:
    """Who gave which grade to each document that several have graded, the official one first."""
    found: dict[tuple[str, str], Rows] = defaultdict(list)
    for row in counting(rows):
        if row["kind"] in {"primary", "second", "shared"}:
            found[row["topic"], row["docno"]].append(row)
    for given in found.values():
        given.sort(key=lambda row: (row["kind"] != "primary", int(row["judgment"])))
    return {
        key: [(row["assessor"], int(row["grade"])) for row in given]
        for key, given in found.items()
        if len(given) > 1
    }


def relevant(items: Iterable[list[Given]], level: int) -> list[list[Given]]:
    """The same items, relevant (1) or not (0)."""
    return [[(name, int(grade >= level)) for name, grade in given] for given in items]


class Agreed(NamedTuple):
    """How many items, the share of equal pairs of grades, each item once, and two coefficients.

    Of two people these are Cohen's kappa, plain and with quadratic weights, of several
    Krippendorff's alpha, nominal and ordinal; None where they are undefined.
    """

    n: int
    equal: Fraction | None
    plain: float | None
    weighted: float | None


def agreed(items: Iterable[list[Given]], scale: Sequence[int]) -> Agreed:
    """Agreement by its definitions: all pairs one by one, in fractions."""
    found = [[(name, scale.index(grade)) for name, grade in given] for given in items]
    if not found:
        return Agreed(0, None, None, None)
    of_two = len({name for given in found for name, _ in given}) == 2
    pairs: list[tuple[int, int, Fraction]] = []  # each with its weight among coincidences
    equal = Fraction(0)
    for given in found:
        # Of two people the first by name is the first.
        places = [place for _, place in (sorted(given) if of_two else given)]
        own = [(places[i], places[j]) for i, j in permutations(range(len(places)), 2)]
        equal += Fraction(sum(i == j for i, j in own), len(own))
        if of_two:
            pairs.append((*own[0], Fraction(1)))
        else:
            pairs += [(i, j, Fraction(1, len(places) - 1)) for i, j in own]
    plain = _coefficient(pairs, lambda i, j: Fraction(i != j), of_two=of_two)
    counts = Counter[int]()
    for i, _, weight in pairs:
        counts[i] += weight

    def ordinal(i: int, j: int) -> Fraction:
        low, high = sorted((i, j))
        between = sum(counts[place] for place in range(low, high + 1))
        return (between - Fraction(counts[low] + counts[high]) / 2) ** 2

    apart = (lambda i, j: Fraction((i - j) ** 2)) if of_two else ordinal
    weighted = _coefficient(pairs, apart, of_two=of_two)
    return Agreed(len(found), equal / len(found), plain, weighted)


def _coefficient(
    pairs: list[tuple[int, int, Fraction]], apart: Callable[[int, int], Fraction], *, of_two: bool
) -> float | None:
    firsts, seconds = Counter[int](), Counter[int]()
    for i, j, weight in pairs:
        firsts[i] += weight
        seconds[j] += weight
    n = sum(weight for *_, weight in pairs)
    observed = sum(weight * apart(i, j) for i, j, weight in pairs) / n
    expected = sum(firsts[i] * seconds[j] * apart(i, j) for i in firsts for j in seconds)
    expected /= n * n if of_two else n * (n - 1)
    return None if expected == 0 else float(1 - observed / expected)
