"""The faults of a run, collected: equal ones become one, and a few of each kind are kept."""

import re
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from cleverdon.trec.arrays import Mask
from cleverdon.trec.docnos import Docnos
from cleverdon.trec.runs.read import RunLines
from cleverdon.trec.runs.run import CheckReport, Problem
from cleverdon.trec.table import TableRows

# Different faults kept of each kind, and lines named of each fault.
MAX_FAULTS = 5
MAX_LINES = 5
# Called with the line of an error, None for the whole file, and its sentence.
Told = Callable[[int | None, str], None]
MARKED = (
    "The file begins with a byte order mark, which is passed over here. trec_eval would read it as "
    "part of the first topic."
)
_NUMBER = re.compile(r"(?<![\w-])\d[\d,]*")


@dataclass
class _LinesAtFault:
    """The lines with one and the same fault: how many, and the first few."""

    message: str
    n: int = 0
    lines: list[int] = field(default_factory=list)

    def add(self, lines: Sequence[int], n: int) -> None:
        """Count `n` more lines, of which these are the first, in order."""
        self.n += n
        if len(self.lines) < MAX_LINES or lines[0] < self.lines[-1]:
            self.lines = sorted([*self.lines, *lines[:MAX_LINES]])[:MAX_LINES]


@dataclass
class _Kind:
    """The faults of one kind: the first few different ones by key, and the rest together."""

    rest: _LinesAtFault
    faults: dict[Hashable, _LinesAtFault] = field(default_factory=dict)

    def fault(self, key: Hashable, sentence: Callable[[], str]) -> _LinesAtFault:
        if key not in self.faults:
            if len(self.faults) == MAX_FAULTS:
                return self.rest
            self.faults[key] = _LinesAtFault(sentence())
        return self.faults[key]


@dataclass
class Complaints:
    """All faults, grouped and counted; `is_cut` if reading ended before the file did.

    `is_marked` if the file begins with a byte order mark.
    """

    kinds: dict[str, _Kind] = field(default_factory=dict)
    count: int = 0
    n_lines: int = 0
    is_cut: bool = False
    is_marked: bool = False
    on_error: Told | None = None

    def add(self, line: int | None, sentence: str, kind: str = "") -> None:
        """Complain about a line, or the whole file; `kind` is a sentence for all such faults."""
        of_kind = self._kind(kind or _NUMBER.sub("…", sentence))
        fault = of_kind.fault(sentence, lambda: sentence)
        fault.add([] if line is None else [line], 1)
        self.count += 1
        if self.on_error:
            self.on_error(line, sentence)

    def add_rows(
        self,
        rows: TableRows,
        wrong: Mask,
        words: Docnos,
        sentence: Callable[[bytes], str],
        kind: str,
    ) -> None:
        """Complain about each row that is wrong; `sentence` says why, given its word."""
        indices = np.flatnonzero(wrong)
        if not len(indices):
            return
        self.count += len(indices)
        of_kind, lines, start = self._kind(kind), rows.line_numbers[indices], 0
        names, sizes = words.take(indices).spans()
        for word, n in zip(names, sizes.tolist(), strict=True):
            fault = of_kind.fault(word, lambda word=word: sentence(word))  # type: ignore[misc]
            fault.add(lines[start : start + min(n, MAX_LINES)].tolist(), n)
            if self.on_error:
                text = sentence(word)
                for line in lines[start : start + n].tolist():
                    self.on_error(line, text)
            start += n

    def _kind(self, sentence: str) -> _Kind:
        return self.kinds.setdefault(sentence, _Kind(_LinesAtFault(sentence)))

    def report(self, lines: RunLines | None = None, sentences: Iterable[str] = ()) -> CheckReport:
        problems = sorted(
            self._problems(), key=lambda each: (each.line or 0, -each.n, each.message)
        )
        return CheckReport(
            n_lines=self.n_lines,
            n_topics=len(lines.names) if lines else 0,
            n_errors=self.count,
            errors=problems,
            warnings=[*[MARKED] * self.is_marked, *sentences],
            is_cut=self.is_cut,
        )

    def _problems(self) -> Iterable[Problem]:
        for kind in self.kinds.values():
            for fault in (*kind.faults.values(), kind.rest):
                if fault.n:
                    yield Problem(fault.message, fault.lines, fault.n)
