"""An inverted index, and the retrieval models: each returns a function that scores a query."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import bm25s
import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from cleverdon.trec.arrays import Floats

logging.getLogger("bm25s").setLevel(logging.WARNING)  # it sets itself to DEBUG

Terms = Sequence[str]
Scorer = Callable[[Terms], Floats]


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


def bm25(index: Index, method: str, k1: float, b: float) -> Scorer:
    """BM25 in a variant of bm25s (Kamphuis et al. 2020, "Which BM25 do you mean?"; Lù 2024)."""
    model = bm25s.BM25(method=method, k1=k1, b=b)
    model.index([list(document) for document in index.terms], show_progress=False)

    def scores(query: Terms) -> Floats:
        known = [term for term in query if term in index.columns]
        if not known:
            return np.zeros(len(index.terms))
        return np.asarray(model.get_scores(known), dtype=np.float64)

    return scores


def cosine(index: Index) -> Scorer:
    """Cosine of tf-idf vectors, SMART's "ltc.ltc" (Manning et al. 2008, figure 6.15)."""
    weights = index.counts.copy()
    n_documents, n_with_term = weights.shape[0], np.diff(weights.indptr)
    rarity = np.log(n_documents / n_with_term)
    weights.data = (1 + np.log(weights.data)) * np.repeat(rarity, n_with_term)
    norms = np.sqrt(weights.multiply(weights).sum(axis=1))
    norms[norms == 0] = 1

    def scores(query: Terms) -> Floats:
        columns, counts = np.unique(index.columns_of(query), return_counts=True)
        vector = (1 + np.log(counts)) * rarity[columns]
        dots = weights[:, columns] @ vector
        return np.asarray(dots / norms / (np.linalg.norm(vector) or 1))

    return scores


def jelinek_mercer(index: Index, smoothing: float) -> Scorer:
    """Query likelihood, mixed with the collection's model by `smoothing` (Zhai & Lafferty 2004).

    The score is the likelihood over that of a document with no query term, so 0 means no match.
    """
    share, lengths = shares(index), np.maximum(index.lengths, 1)[:, None]

    def scores(query: Terms) -> Floats:
        seen = index.counts_of(query) / lengths / share[index.columns_of(query)]
        gains = np.log1p((1 - smoothing) / smoothing * seen)
        return np.asarray(gains.sum(axis=1), dtype=np.float64)

    return scores


def dirichlet(index: Index, prior: float) -> Scorer:
    """Query likelihood with `prior` pseudo-terms of the collection's model (Zhai & Lafferty 2004).

    Up to a constant of the query; a long document with few query terms may score below 0.
    """
    share, length_cost = shares(index), np.log(prior / (index.lengths + prior))

    def scores(query: Terms) -> Floats:
        columns = index.columns_of(query)
        gains = np.log1p(index.counts_of(query) / (prior * share[columns]))
        return np.asarray(gains.sum(axis=1) + len(columns) * length_cost)

    return scores


def shares(index: Index) -> Floats:
    """Return the collection's language model: each term's share of all terms."""
    totals = np.asarray(index.counts.sum(axis=0), dtype=np.float64).ravel()
    return np.asarray(totals / index.lengths.sum())


def overlap(index: Index) -> Scorer:
    """Coordination level: distinct query terms in the document, shorter documents first."""

    def scores(query: Terms) -> Floats:
        n_terms = np.count_nonzero(index.counts_of(sorted(set(query))), axis=1)
        return np.asarray(n_terms + 1 / (2 + index.lengths))

    return scores
