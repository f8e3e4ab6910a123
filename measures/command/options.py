"""The options of the command: trec_eval's, in getopt's syntax, and a few more."""

import getopt
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from measures.inputs.evidence import NO_CUTOFF

SHORT = "hvqm:cl:nD:JN:M:R:T:oZ:j:"
LONG = {
    "help": "h",
    "version": "v",
    "query_eval_wanted": "q",
    "measure=": "m",
    "complete_rel_info_wanted": "c",
    "level_for_rel=": "l",
    "nosummary": "n",
    "Debug_level=": "D",
    "Judged_docs_only": "J",
    "Number_docs_in_coll=": "N",
    "Max_retrieved_per_topic=": "M",
    "Rel_info_format=": "R",
    "Results_format=": "T",
    "Output_old_results_format=": "o",
    "Zscore=": "Z",
    "processes=": "j",
    "rules=": "rules",
    "json": "json",
    "csv": "csv",
}
STDIN = "-"
# Digits of a number in an option: a double holds every whole number with fewer.
MOST_DIGITS = 15
RULE_SETS = {"9": "trec_eval-9", "10": "trec_eval-10"}
# The measures when no -m is given, by the format of the judgments.
USUAL = {
    "qrels": ["official"],
    "qrels_jg": ["qrels_jg"],
    "qrels_strata": ["num_q", "xinfAP", "infNDCG"],
    "qrels_subtopics": [
        "num_q",
        *(
            f"{name}@{cutoff}"
            for name in ("alpha_nDCG", "ERR_IA", "P_IA", "StRecall")
            for cutoff in (5, 10, 20)
        ),
        "nNRBP",
        "AP_IA",
    ],
    "prefs": ["prefs"],
    "qrels_prefs": ["prefs"],
}


class UsageError(ValueError):
    """An error in the command line, in one sentence."""


@dataclass(frozen=True)
class Options:
    """The options given. `n_processes` 0 means one for each usable core."""

    measures: list[str] = field(default_factory=list)
    by_topic: bool = False
    complete: bool = False
    summary: bool = True
    judged_only: bool = False
    level: int = 1
    depth: int = NO_CUTOFF
    n_documents: int = 0
    judgments: str = "qrels"
    zscores: str = ""
    rules: str = RULE_SETS["9"]
    layout: str = "trec_eval"
    n_processes: int = 0
    wants: str = "scores"
    files: list[str] = field(default_factory=list)
    ignored: str = ""

    @classmethod
    def read(cls, arguments: Sequence[str]) -> "Options":
        """Read a command line; UsageError for a malformed one."""
        try:
            given, files = getopt.gnu_getopt(list(arguments), SHORT, list(LONG))
        except getopt.GetoptError as error:
            raise UsageError(f"{error.msg[0].upper()}{error.msg[1:]}.") from error
        changes: dict[str, Any] = {"measures": []}
        for name, value in given:
            target, read = _FIELDS[_short(name)]
            if target == "measures":
                changes[target].append(value)
            else:
                changes[target] = read(value)
        options = cls(files=files, **changes)
        options.check()
        return options

    def check(self) -> None:
        """Raise UsageError when scores are wanted and the files cannot be read."""
        if self.wants != "scores":
            return
        if len(self.files) < 2:
            raise UsageError(
                "Name a file of judgments and at least one run: evaluation [options] qrels run…"
            )
        if [*self.files, self.zscores].count(STDIN) > 1:
            raise UsageError(
                f"Standard input, {STDIN}, can be read only once: name a file for all but one."
            )

    @property
    def comments(self) -> bool:
        """Whether files may have comments."""
        return self.rules == "trec_eval-10"

    @property
    def topic_set(self) -> str:
        """The topic set of the summary, as `Scores.aggregate` names it."""
        return "judged" if self.complete else "retrieved"

    @property
    def requests(self) -> list[str]:
        """The measures named, or the usual ones."""
        return self.measures or USUAL[self.judgments]


def _short(name: str) -> str:
    name = name.lstrip("-")
    return LONG.get(name) or LONG.get(f"{name}=") or name


def _always(value: object) -> Callable[[str], object]:
    return lambda _: value


def _number(letter: str, lowest: int) -> Callable[[str], object]:
    def read(value: str) -> int:
        if re.fullmatch(r"\s*\+?[0-9]+\s*", value):
            digits = value.strip().lstrip("+0") or "0"
            if len(digits) > MOST_DIGITS:
                most = f"{10**MOST_DIGITS - 1:,}"
                raise UsageError(f"-{letter} {value}: it is too large: at most {most}.")
            if int(digits) >= lowest:
                return int(digits)
        raise UsageError(f"-{letter} {value}: it must be a whole number from {lowest}.")

    return read


def _choice(option: str, choices: Mapping[str, str]) -> Callable[[str], object]:
    def read(value: str) -> str:
        if value in choices:
            return choices[value]
        raise UsageError(f"{option} {value}: it must be one of {', '.join(choices)}.")

    return read


# By option: the field it sets, and to what.
_FIELDS: Mapping[str, tuple[str, Callable[[str], object]]] = {
    "h": ("wants", _always("help")),
    "v": ("wants", _always("version")),
    "q": ("by_topic", _always(value=True)),
    "m": ("measures", str),
    "c": ("complete", _always(value=True)),
    "l": ("level", _number("l", 1)),
    "n": ("summary", _always(value=False)),
    "J": ("judged_only", _always(value=True)),
    "N": ("n_documents", _number("N", 0)),
    "M": ("depth", _number("M", 1)),
    "R": ("judgments", _choice("-R", {name: name for name in USUAL})),
    "T": ("wants", _choice("-T", {"trec_results": "scores"})),
    "Z": ("zscores", str),
    "j": ("n_processes", _number("j", 1)),
    "rules": ("rules", _choice("--rules", RULE_SETS)),
    "json": ("layout", _always("json")),
    "csv": ("layout", _always("csv")),
    # trec_eval accepts these two, and they change nothing.
    "D": ("ignored", str),
    "o": ("ignored", str),
}
