"""Look docnos up among those of each topic, millions at once."""

from dataclasses import dataclass
from typing import Any, Self

from cleverdon.trec import engine
from cleverdon.trec.arrays import Integers
from cleverdon.trec.docnos import Docnos


@dataclass(frozen=True, eq=False)
class Lookup:
    """Where the reader finds the entries of each topic, each of which comes once."""

    entries: Docnos
    index: Any  # the reader's own

    @classmethod
    def of(cls, entries: Docnos, offsets: Integers) -> Self:
        """Take the entries; those of topic t are `offsets[t]:offsets[t + 1]`."""
        return cls(entries, engine.reader.index(entries.hashed_fields, offsets))

    def find(
        self, docnos: Docnos, offsets: Integers, topics: Integers
    ) -> tuple[Integers, Integers]:
        """Return the entries that some docnos are, and their rows, rising; both int64.

        Rows `offsets[g]:offsets[g + 1]` are of topic `topics[g]`, of none if it is -1.
        """
        rows = docnos.hashed_fields, offsets, topics
        found, at = engine.reader.find(self.entries.hashed_fields, self.index, *rows)
        return found, at
