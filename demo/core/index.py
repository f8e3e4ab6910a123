"""An inverted index: how often each term occurs in each document."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from trec.arrays import Floats

Terms = Sequence[str]


@dataclass(frozen=True)
class Index:
    """Term counts of a collection.

    `terms` are the documents' terms in order; `columns` numbers the vocabulary; `counts` is
    [documents x vocabulary]; `lengths` [documents] counts a document's terms.
    """

    terms: Sequence[Terms]
    columns: dict[str, int]
    counts: sparse.csc_array
    lengths: Floats

    def columns_of(self, query: Terms) -> NDArray[np.int64]:
        """Return the column of each query term in the collection, repeated as in the query."""
        columns = [self.columns[term] for term in query if term in self.columns]
        return np.array(columns, dtype=np.int64)

    def counts_of(self, query: Terms) -> Floats:
        """Return the counts of the query's terms, dense: [documents x terms]."""
        return self.counts[:, self.columns_of(query)].toarray()

    def matches(self, query: Terms) -> NDArray[np.bool_]:
        """Tell which documents have any term of the query: [documents]."""
        return np.asarray(self.counts_of(query).any(axis=1), dtype=np.bool_)


def build_index(terms: Sequence[Terms]) -> Index:
    columns: dict[str, int] = {}
    indices = [columns.setdefault(term, len(columns)) for document in terms for term in document]
    lengths = np.array([len(document) for document in terms], dtype=np.int64)
    starts = np.concatenate(([0], np.cumsum(lengths)))
    shape = (len(terms), len(columns))
    counts = sparse.csr_array((np.ones(len(indices)), indices, starts), shape=shape).tocsc()
    counts.sum_duplicates()
    return Index(terms, columns, counts, lengths.astype(np.float64))
