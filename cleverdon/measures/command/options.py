"""The options of the command: trec_eval's, in getopt's syntax, and a few more."""

import getopt
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

STDIN = "-"
# The most digits of a number in an option: a double holds all such whole numbers.
MOST_DIGITS = 15
# More draws change no digit that is read, and fill the memory.
MOST_DRAWS = 1_000_000
# Named here, as what knows them is slow to import.
NO_CUTOFF = sys.maxsize
ALPHA, LEAST_ALPHA, N_SAMPLES, N_DRAWS, SEED = 0.05, 0.0001, 1000, 100_000, 1
TESTS = ("randomization", "t", "wilcoxon", "sign", "bootstrap")
CORRECTIONS = {name: name for name in ("holm", "bonferroni", "bh", "none")}
RULE_SETS = {version: f"trec_eval-{version}" for version in ("9", "10", "11")}
DEFAULT_RULES = RULE_SETS["9"]
_BY_SUBTOPIC = [
    f"{name}@{k}" for name in ("alpha_nDCG", "ERR_IA", "P_IA", "StRecall") for k in (5, 10, 20)
]
# The measures when no -m is given, by the format of the judgments.
USUAL = {
    "qrels": ["official"],
    "qrels_jg": ["qrels_jg"],
    "qrels_strata": ["num_q", "xinfAP", "infNDCG"],
    "qrels_subtopics": ["num_q", *_BY_SUBTOPIC, "nNRBP", "AP_IA"],
    "prefs": ["prefs"],
    "qrels_prefs": ["prefs"],
}


class UsageError(ValueError):
    """An error in the command line, in one sentence."""


class Options(NamedTuple):
    """The options given. `n_processes` 0 means one for each usable core."""

    measures: Sequence[str] = ()
    by_topic: bool = False
    complete: bool = False
    summary: bool = True
    judged_only: bool = False
    level: int = 1
    depth: int = NO_CUTOFF
    n_documents: int = 0
    judgments: str = "qrels"
    zscores: str = ""
    rules: str = DEFAULT_RULES
    layout: str = "trec_eval"
    n_processes: int = 0
    has_intervals: bool = False
    alpha: float = ALPHA
    n_samples: int = N_SAMPLES
    seed: int = SEED
    compare: str = ""
    sides: int = 2
    n_draws: int = N_DRAWS
    correction: str = "holm"
    least: float = 0.0
    wants: str = "scores"
    files: Sequence[str] = ()
    ignored: str = ""
    program: str = "cleverdon evaluate"

    @classmethod
    def read(cls, arguments: Sequence[str], program: str) -> "Options":
        """Read the command line of a program; UsageError for a malformed one."""
        try:
            given, files = getopt.gnu_getopt(list(arguments), *GETOPT)
        except getopt.GetoptError as error:
            raise UsageError(f"{error.msg[0].upper()}{error.msg[1:]}.") from error
        changes: dict[str, Any] = {"measures": []}
        for name, value in given:
            target, content = _FIELDS[name]
            if target == "measures":
                changes[target].append(value)
            else:
                changes[target] = content(value) if callable(content) else content
        options = cls(files=files, program=program, **changes)
        options.check()
        return options

    def check(self) -> None:
        """Raise UsageError when scores are wanted and the files cannot be read."""
        if self.wants != "scores":
            return
        if len(self.files) < 2:
            raise UsageError(
                "Name a file of judgments and at least one run: "
                f"{self.program} [options] qrels run…"
            )
        if self.zscores and (self.has_intervals or self.compare):
            raise UsageError("-Z prints z-scores, of which there are no intervals or comparisons.")
        if self.compare and (self.has_intervals or self.by_topic or not self.summary):
            raise UsageError("--compare prints comparisons alone: leave -C, -q and -n out.")
        if self.compare and len(self.files) < 3:
            raise UsageError("--compare needs at least two runs: the first is the baseline.")
        if [*self.files, self.zscores].count(STDIN) > 1:
            raise UsageError(
                f"Standard input, {STDIN}, can be read only once: name a file for all but one."
            )

    @property
    def comments(self) -> bool:
        """Whether files may have comments."""
        return self.rules != DEFAULT_RULES

    @property
    def topic_set(self) -> str:
        """The topic set of the summary, as `Scores.aggregate` names it."""
        return "judged" if self.complete else "retrieved"

    @property
    def requests(self) -> Sequence[str]:
        """The measures named, or the usual ones."""
        return self.measures or USUAL[self.judgments]


def _number(
    letter: str, lowest: int, highest: int = 10**MOST_DIGITS - 1
) -> Callable[[str], object]:
    def read(value: str) -> int:
        if re.fullmatch(r"\s*\+?[0-9]+\s*", value):
            digits = value.strip().lstrip("+0") or "0"
            if len(digits) > MOST_DIGITS or int(digits) > highest:
                most = f"{highest:,}"
                raise UsageError(f"-{letter} {value}: it is too large: at most {most}.")
            if int(digits) >= lowest:
                return int(digits)
        raise UsageError(f"-{letter} {value}: it must be a whole number from {lowest}.")

    return read


def _decimal(option: str, below: float, *, takes_zero: bool = False) -> Callable[[str], object]:
    def read(value: str) -> float:
        is_number = re.fullmatch(r"\s*[0-9]*\.?[0-9]+\s*", value)
        if is_number and (0 if takes_zero else LEAST_ALPHA) <= float(value) < below:
            return float(value)
        lowest = "from 0" if takes_zero else f"from {LEAST_ALPHA:g}"
        raise UsageError(f"{option} {value}: it must be a number {lowest} to below {below:g}.")

    return read


def _choice(option: str, choices: Mapping[str, object]) -> Callable[[str], object]:
    def read(value: str) -> object:
        if value in choices:
            return choices[value]
        raise UsageError(f"{option} {value}: it must be one of {', '.join(choices)}.")

    return read


# Each option in getopt's syntax, short and long; the field it sets, and the content or its reader.
OPTIONS: Sequence[tuple[str, str, str, object]] = (
    ("h", "help", "wants", "help"),
    ("v", "version", "wants", "version"),
    ("q", "query_eval_wanted", "by_topic", True),
    ("m:", "measure=", "measures", str),
    ("c", "complete_rel_info_wanted", "complete", True),
    ("l:", "level_for_rel=", "level", _number("l", 1)),
    ("n", "nosummary", "summary", False),
    ("J", "Judged_docs_only", "judged_only", True),
    ("N:", "Number_docs_in_coll=", "n_documents", _number("N", 0)),
    ("M:", "Max_retrieved_per_topic=", "depth", _number("M", 1)),
    ("R:", "Rel_info_format=", "judgments", _choice("-R", {name: name for name in USUAL})),
    ("T:", "Results_format=", "wants", _choice("-T", {"trec_results": "scores"})),
    ("Z:", "Zscore=", "zscores", str),
    ("j:", "processes=", "n_processes", _number("j", 1)),
    ("", "rules=", "rules", _choice("--rules", RULE_SETS)),
    ("C", "ci", "has_intervals", True),
    ("", "ci-alpha=", "alpha", _decimal("--ci-alpha", 1)),
    ("", "ci-samples=", "n_samples", _number("-ci-samples", 1, MOST_DRAWS)),
    ("", "seed=", "seed", _number("-seed", 0)),
    ("", "compare=", "compare", _choice("--compare", {name: name for name in TESTS})),
    ("", "sides=", "sides", _choice("--sides", {"1": 1, "2": 2})),
    ("", "draws=", "n_draws", _number("-draws", 1, MOST_DRAWS)),
    ("", "correction=", "correction", _choice("--correction", CORRECTIONS)),
    ("", "least=", "least", _decimal("--least", 1e6, takes_zero=True)),
    ("", "json", "layout", "json"),
    ("", "csv", "layout", "csv"),
    # trec_eval accepts these two, and they change nothing.
    ("D:", "Debug_level=", "ignored", str),
    ("o", "Output_old_results_format=", "ignored", ""),
)
GETOPT = "".join(row[0] for row in OPTIONS), [row[1] for row in OPTIONS]
_FIELDS = {
    name: (field, content)
    for short, long, field, content in OPTIONS
    for name in (f"-{short.rstrip(':')}", f"--{long.rstrip('=')}")
}
