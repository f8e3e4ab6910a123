"""Look docnos up among those of each topic, millions at once."""

from dataclasses import dataclass
from typing import Any

from cleverdon.trec import engine
from cleverdon.trec.arrays import Integers
from cleverdon.trec.docnos import Docnos
from cleverdon.trec.engine import plain
from cleverdon.trec.lazy import lazy


@dataclass(frozen=True, eq=False)
class Lookup:
    """Finds entries, of which those of topic t are `offsets[t]:offsets[t + 1]`, each once."""

    entries: Docnos
    offsets: Integers

    @lazy
    def index(self) -> Any:
        """The reader's own; None if it has none, as the hashes have been made alike."""
        return engine.reader.index(self.entries.hashed(), self.offsets)

    @lazy
    def plain_index(self) -> Any:
        """Python's own dictionaries, whose hashes nobody can foresee."""
        return plain.index(self.entries, self.offsets)

    def find(
        self, docnos: Docnos, offsets: Integers, topics: Integers
    ) -> tuple[Integers, Integers]:
        """Return the entries that some docnos are, and their rows, rising; both int64.

        Rows `offsets[g]:offsets[g + 1]` are of topic `topics[g]`, of none if it is -1.
        """
        entries, rows = self.entries.hashed(), (docnos.hashed(), offsets, topics)
        found = self.index and engine.reader.find(entries, self.index, *rows)
        at_entries, at_rows = found or plain.find(entries, self.plain_index, *rows)
        return at_entries, at_rows
