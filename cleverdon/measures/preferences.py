"""Measures of preferences: a run fulfills one when it ranks the better document higher."""

from functools import partial
from typing import Any

import numpy as np

from cleverdon.measures.family import Aggregation, Family, Formula, Input, Spelling
from cleverdon.measures.inputs.evidence import Evidence
from cleverdon.measures.inputs.preferences.tally import Tally, tally
from cleverdon.trec.arrays import Floats, Integers, ratio, totals

# Preferences that count, by how many of their two documents must be retrieved.
ALL, IMPLIED, RETRIEVED = range(3)


def possible(evidence: Evidence) -> Integers:
    counted = tally(evidence)
    counts = _count(counted, counted.counts.sum(axis=(2, 3)))
    # With -c trec_eval 10 also evaluates topics that are missing from the run; 9 only counts them
    # in the mean.
    if evidence.rules == "trec_eval-9":
        return np.where(evidence.n_retrieved > 0, counts, 0)
    return counts


def fulfilled(evidence: Evidence, among: int) -> Integers:
    counted = tally(evidence)
    return _count(counted, counted.counts[:, :, among:, 1].sum(axis=2))


def simple(evidence: Evidence, among: int) -> Floats:
    counted = tally(evidence)
    n_preferences = _count(counted, counted.counts[:, :, among:].sum(axis=(2, 3)))
    return ratio(fulfilled(evidence, among), n_preferences)


def pair(evidence: Evidence, among: int) -> Floats:
    counted = tally(evidence)
    n_pairs = counted.pairs[:, :, among:].sum(axis=2)
    return ratio(counted.shares[:, :, among], n_pairs).ravel()


def by_group(evidence: Evidence, among: int) -> Floats:
    """prefs_avgjg: mean share fulfilled over groups; 0 for a group without a preference."""
    counted = tally(evidence)
    counts = counted.counts[:, :, among:]
    shares = ratio(counts[:, :, :, 1].sum(axis=2), counts.sum(axis=(2, 3)))
    return _mean(counted, shares)


def limited_by_group(evidence: Evidence, *, retrieved_only: bool) -> Floats:
    """prefs_avgjg_Rnonrel: the same, with as many nonrelevant documents as relevant ones.

    0 when a group of the topic then has no preference, as in trec_eval.
    """
    counted = tally(evidence)
    counts = counted.limited[:, :, int(retrieved_only)]
    with np.errstate(invalid="ignore"):
        return np.nan_to_num(_mean(counted, counts[:, :, 0] / counts[:, :, 1]))


def _sum(counted: Tally, by_group: Integers | Floats) -> Floats:
    """Add up values of groups, [runs x groups], per ranking, one by one as trec_eval does."""
    n_topics = counted.pairs.shape[1]
    sums = [totals(counted.topic_of, values, n_topics) for values in by_group]
    return np.concatenate([np.empty(0), *sums])


def _count(counted: Tally, by_group: Integers) -> Integers:
    return _sum(counted, by_group).astype(np.int64)


def _mean(counted: Tally, by_group: Floats) -> Floats:
    """Average over groups, per ranking."""
    n_runs, n_topics = counted.pairs.shape[:2]
    n_groups = np.bincount(counted.topic_of, minlength=n_topics)
    return _sum(counted, by_group) / np.tile(n_groups, n_runs)


def _family(name: str, formula: Formula, definition: str, **counted: Any) -> Family:
    """Make a family under trec_eval's name; `counted` chooses which preferences count."""
    is_count = name.startswith("prefs_num_")
    return Family(
        name,
        partial(formula, **counted),
        definition,
        f"trec_eval m_{name}.c",
        spellings=(Spelling(name),),
        reads_level=False,
        unit="count" if is_count else "0 to 1",
        aggregation=Aggregation.SUM if is_count else Aggregation.MEAN,
        reads=Input.PREFERENCES,
    )


def _shares(ending: str, among: int, clause: str) -> list[Family]:
    """Make the three shares of the preferences that count."""
    between = "Mean, over pairs of documents, of the share of the preferences between the two"
    shares = (
        ("simp", simple, "Share of the preferences of all groups"),
        ("pair", pair, between),
        ("avgjg", by_group, "Mean, over groups, of the share of their preferences"),
    )
    return [
        _family(
            f"prefs_{name}{ending}", formula, f"{share} that are fulfilled{clause}", among=among
        )
        for name, formula, share in shares
    ]


def _limited(ending: str, documents: str, *, retrieved_only: bool) -> Family:
    return _family(
        f"prefs_avgjg_Rnonrel{ending}",
        limited_by_group,
        f"prefs_avgjg{ending} as if each group had as many {documents} on level 0 as above it: "
        "lacking ones count as ranked below all others, of too many only the first in the ranking "
        "count (in a group of one chain against each other, too, as in trec_eval); 0 when a group "
        "then has no preference.",
        retrieved_only=retrieved_only,
    )


PREFERENCES = (
    _family(
        "prefs_num_prefs_poss",
        possible,
        "Preferences of all groups, those included that follow from others of their group, "
        "whatever is retrieved.",
    ),
    _family(
        "prefs_num_prefs_ful",
        fulfilled,
        "Preferences fulfilled: the better document is retrieved, and the worse one below it or "
        "not at all. Of documents with the same score the lower docno is ranked first, as in "
        "trec_eval for preferences alone.",
        among=ALL,
    ),
    _family(
        "prefs_num_prefs_ful_ret",
        fulfilled,
        "Preferences fulfilled whose two documents are both retrieved.",
        among=RETRIEVED,
    ),
    *_shares("", ALL, "; those with neither document retrieved are not."),
    _limited("", "documents", retrieved_only=False),
    *_shares("_ret", RETRIEVED, ", among those with both documents retrieved."),
    _limited("_ret", "retrieved documents", retrieved_only=True),
    *_shares("_imp", IMPLIED, ", among those with a document retrieved."),
)
