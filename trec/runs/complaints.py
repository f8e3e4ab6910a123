"""What is wrong with a run, collected: equal faults become one, and so many of each kind are kept that each kind is seen."""

import re
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from trec.arrays import Mask
from trec.docnos import Docnos
from trec.engine.table import Rows
from trec.runs.read import RunLines
from trec.runs.run import CheckReport, Problem

# Different faults that are told of each kind, and lines that are named of each fault.
MAX_FAULTS = 5
MAX_LINES = 5
# Called with the line of an error, None for the file as a whole, and its sentence.
Told = Callable[[int | None, str], None]
_NUMBER = re.compile(r"(?<![\w-])\d[\d,]*")


@dataclass
class _Fault:
    """The lines with one and the same fault: how many, and the first of them."""

    message: str
    n: int = 0
    lines: list[int] = field(default_factory=list)

    def add(self, lines: Sequence[int], n: int) -> None:
        """Count `n` lines more, of which these are the first, in order."""
        self.n += n
        if len(self.lines) < MAX_LINES or lines[0] < self.lines[-1]:
            self.lines = sorted([*self.lines, *lines[:MAX_LINES]])[:MAX_LINES]


@dataclass
class _Kind:
    """The faults of one kind: the first few different ones, each under its key, and the rest together."""

    rest: _Fault
    faults: dict[Hashable, _Fault] = field(default_factory=dict)

    def fault(self, key: Hashable, sentence: Callable[[], str]) -> _Fault:
        found = self.faults.get(key)
        if found is None:
            if len(self.faults) == MAX_FAULTS:
                return self.rest
            found = self.faults[key] = _Fault(sentence())
        return found


@dataclass
class Complaints:
    """Everything that is wrong, grouped; the count of all errors, and of lines; whether reading ended before the file did."""

    kinds: dict[str, _Kind] = field(default_factory=dict)
    count: int = 0
    n_lines: int = 0
    is_cut: bool = False
    told: Told | None = None

    def add(self, line: int | None, sentence: str, kind: str = "") -> None:
        """Complain about a line, or about the file as a whole. `kind` is a sentence for all faults like this one."""
        of_kind = self._kind(kind or _NUMBER.sub("…", sentence))
        fault = of_kind.fault(sentence, lambda: sentence)
        fault.add([] if line is None else [line], 1)
        self.count += 1
        if self.told:
            self.told(line, sentence)

    def add_rows(
        self, rows: Rows, wrong: Mask, words: Docnos, sentence: Callable[[bytes], str], kind: str
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
            if self.told:
                said = sentence(word)
                for line in lines[start : start + n].tolist():
                    self.told(line, said)
            start += n

    def _kind(self, sentence: str) -> _Kind:
        return self.kinds.setdefault(sentence, _Kind(_Fault(sentence)))

    def report(self, lines: RunLines | None = None, sentences: Iterable[str] = ()) -> CheckReport:
        return CheckReport(
            n_lines=self.n_lines,
            n_topics=len(lines.names) if lines else 0,
            n_errors=self.count,
            errors=sorted(
                self._problems(), key=lambda each: (each.line or 0, -each.n, each.message)
            ),
            warnings=list(sentences),
            is_cut=self.is_cut,
        )

    def _problems(self) -> Iterable[Problem]:
        for kind in self.kinds.values():
            for fault in (*kind.faults.values(), kind.rest):
                if fault.n:
                    yield Problem(fault.message, fault.lines, fault.n)
