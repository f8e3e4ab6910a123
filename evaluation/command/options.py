"""The options of the command: trec_eval's, written as getopt allows, and a few of our own."""

import getopt
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from evaluation.core.evidence import NO_CUTOFF

SHORT = "hvqm:cl:nD:JN:M:R:T:oZ:j:"
LONG = {
    "help": "h", "version": "v", "query_eval_wanted": "q", "measure=": "m", "complete_rel_info_wanted": "c",
    "level_for_rel=": "l", "nosummary": "n", "Debug_level=": "D", "Judged_docs_only": "J", "Number_docs_in_coll=": "N",
    "Max_retrieved_per_topic=": "M", "Rel_info_format=": "R", "Results_format=": "T", "Output_old_results_format": "o",
    "Zscore=": "Z", "processes=": "j", "rules=": "rules", "json": "json", "csv": "csv",
}  # fmt: skip
RULES = {"9": "trec_eval-9", "10": "trec_eval-10"}
# What is asked for when nothing is, by the format of the judgments.
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
    """One sentence that says what is wrong with the command line."""


@dataclass(frozen=True)
class Options:
    """What was asked for. `n_processes` 0 stands for the number of usable cores."""

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
    rules: str = RULES["9"]
    layout: str = "trec_eval"
    n_processes: int = 0
    wants: str = "scores"
    files: list[str] = field(default_factory=list)

    @classmethod
    def read(cls, arguments: Sequence[str]) -> "Options":
        """Read a command line; UsageError for a malformed one."""
        try:
            given, files = getopt.gnu_getopt(list(arguments), SHORT, list(LONG))
        except getopt.GetoptError as error:
            raise UsageError(f"{error.msg[0].upper()}{error.msg[1:]}.") from error
        options: Options = cls(files=files)
        for name, value in given:
            options = _SETTERS[_short(name)](options, value)
        if options.wants == "scores" and len(files) < 2:
            raise UsageError(
                "Name a file of judgments and at least one run: evaluation [options] qrels run…"
            )
        return options

    @property
    def comments(self) -> bool:
        """Whether files may have comments."""
        return self.rules == "trec_eval-10"

    @property
    def topic_set(self) -> str:
        """The topics that the summary is over, as `Scores.aggregate` names them."""
        return "judged" if self.complete else "retrieved"

    @property
    def requests(self) -> list[str]:
        """The measures asked for, or the usual ones."""
        return self.measures or USUAL[self.judgments]


def _short(name: str) -> str:
    name = name.lstrip("-")
    return LONG.get(name) or LONG.get(f"{name}=") or name


Setter = Callable[[Options, str], Options]


def _flag(**change: Any) -> Setter:
    return lambda options, _: replace(options, **change)


def _number(name: str, letter: str, lowest: int) -> Setter:
    def change(options: Options, value: str) -> Options:
        if not value.strip().isdecimal() or int(value) < lowest:
            raise UsageError(
                f"-{letter} {value}: it must be a whole number from {lowest}."
            )
        change_to: dict[str, Any] = {name: int(value)}
        return replace(options, **change_to)

    return change


def _choice(name: str, option: str, choices: Mapping[str, str]) -> Setter:
    def change(options: Options, value: str) -> Options:
        if value not in choices:
            raise UsageError(
                f"{option} {value}: it must be one of {', '.join(choices)}."
            )
        change_to: dict[str, Any] = {name: choices[value]}
        return replace(options, **change_to)

    return change


_SETTERS: Mapping[str, Setter] = {
    "h": _flag(wants="help"),
    "v": _flag(wants="version"),
    "q": _flag(by_topic=True),
    "m": lambda options, value: replace(options, measures=[*options.measures, value]),
    "c": _flag(complete=True),
    "l": _number("level", "l", 1),
    "n": _flag(summary=False),
    "J": _flag(judged_only=True),
    "N": _number("n_documents", "N", 0),
    "M": _number("depth", "M", 1),
    "R": _choice("judgments", "-R", {name: name for name in USUAL}),
    "T": _choice("wants", "-T", {"trec_results": "scores"}),
    "Z": lambda options, value: replace(options, zscores=value),
    "j": _number("n_processes", "j", 1),
    "rules": _choice("rules", "--rules", RULES),
    "json": _flag(layout="json"),
    "csv": _flag(layout="csv"),
    # trec_eval takes these two, and prints the same with them.
    "D": _flag(),
    "o": _flag(),
}
