import math
from collections import Counter
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from demo.core import rankers
from demo.core.rankers import build_index

term = st.sampled_from("abcdef")
collections = st.lists(st.lists(term, max_size=8), min_size=1, max_size=8).filter(any)
queries = st.lists(st.sampled_from("abcdefz"), max_size=4)


def model(documents):
    """Term counts and collection shares, without arrays."""
    totals = Counter(term for document in documents for term in document)
    size = sum(totals.values())
    return [Counter(d) for d in documents], {t: n / size for t, n in totals.items()}


@given(collections, queries)
def test_counts_and_matches_equal_counting_by_hand(documents, query):
    index = build_index(documents)
    known = [term for term in query if any(term in d for d in documents)]
    expected = [[document.count(term) for term in known] for document in documents]
    assert index.counts_of(query).tolist() == expected
    assert index.matches(query).tolist() == [
        bool(set(query) & set(document)) for document in documents
    ]


@given(collections, queries, st.sampled_from([0.1, 0.5, 0.9]))
def test_jelinek_mercer_is_the_mixture_over_the_collection_alone(documents, query, mix):
    counts, share = model(documents)

    def score(document, count):
        return sum(
            math.log(
                ((1 - mix) * count[term] / max(len(document), 1) + mix * share[term])
                / (mix * share[term])
            )
            for term in query
            if term in share
        )

    expected = [score(d, c) for d, c in zip(documents, counts, strict=True)]
    scores = rankers.jelinek_mercer(build_index(documents), mix)(query)
    np.testing.assert_allclose(scores, expected, atol=1e-12)


@given(collections, queries, st.sampled_from([1, 100]))
def test_dirichlet_is_the_likelihood_up_to_a_constant_of_the_query(documents, query, prior):
    counts, share = model(documents)
    known = [term for term in query if term in share]
    constant = sum(math.log(share[term]) for term in known)

    def score(document, count):
        size = len(document) + prior
        return sum(math.log((count[t] + prior * share[t]) / size) for t in known)

    expected = [score(d, c) - constant for d, c in zip(documents, counts, strict=True)]
    scores = rankers.dirichlet(build_index(documents), prior)(query)
    np.testing.assert_allclose(scores, expected, atol=1e-12)


@given(collections, queries)
def test_cosine_equals_the_cosine_of_whole_vectors(documents, query):
    terms = sorted({term for document in documents for term in document})

    def vector(words):
        counts = Counter(words)
        return np.array(
            [
                (1 + math.log(counts[term]))
                * math.log(len(documents) / sum(term in d for d in documents))
                if counts[term]
                else 0
                for term in terms
            ]
        )

    def cosine(first, second):
        size = np.linalg.norm(first) * np.linalg.norm(second)
        return first @ second / size if size else 0

    expected = [cosine(vector(document), vector(query)) for document in documents]
    scores = rankers.cosine(build_index(documents))(query)
    np.testing.assert_allclose(scores, expected, atol=1e-12)


@given(collections, queries)
def test_lucene_bm25_equals_its_formula(documents, query):
    counts, _ = model(documents)
    mean = sum(map(len, documents)) / len(documents)

    def weight(term, count, length):
        n = sum(term in document for document in documents)
        idf = math.log(1 + (len(documents) - n + 0.5) / (n + 0.5))
        return idf * count / (count + 0.9 * (1 - 0.4 + 0.4 * length / mean))

    expected = [
        sum(weight(term, c[term], len(d)) for term in query if c[term])
        for d, c in zip(documents, counts, strict=True)
    ]
    scores = rankers.bm25(build_index(documents), "lucene", k1=0.9, b=0.4)(query)
    np.testing.assert_allclose(scores, expected, rtol=1e-5, atol=1e-6)


def test_overlap_prefers_more_words_then_the_shorter_document():
    index = build_index([["a"], ["a", "b", "c"], ["a", "x"], ["x"]])
    scores = rankers.overlap(index)(["a", "b", "a"])
    assert scores.tolist() == pytest.approx([1 + 1 / 3, 2 + 1 / 5, 1 + 1 / 4, 1 / 3])


@pytest.mark.parametrize("query", [[], ["unknown"]])
@pytest.mark.parametrize(
    "ranker",
    [
        partial(rankers.bm25, method="bm25l", k1=1.5, b=0.75),
        rankers.cosine,
        partial(rankers.jelinek_mercer, smoothing=0.1),
        partial(rankers.dirichlet, prior=100),
    ],
)
def test_a_query_without_a_known_term_tells_no_document_from_another(ranker, query):
    scores = ranker(build_index([["a", "b"], ["b", "c"]]))(query)
    assert scores.tolist() == [0, 0]
