"""Which grades a version of the qrels can have: the official ones, and others."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from accounts.access import Invalid, Refused
from accounts.models import User
from assess.core.records import Basis, Given
from assess.core.rules import CORRECTION
from campaigns.models.campaign import Campaign
from cleverdon.agreement.dawid_skene import Estimated, estimate
from cleverdon.trec.arrays import Floats
from qrels.from_above import Estimate, VersionBasis
from qrels.labels import of_programs
from qrels.rows import OFFICIAL

NOTHING_TWICE = (
    "No document has two independent judgments, so how often assessors err cannot be estimated: "
    "publish the official grades."
)
Pair = tuple[str, str]


def official(_: Campaign, judged: Basis) -> Estimate:
    """Return the grades that count in the campaign."""
    return Estimate(judged.official, counts=judged.counts)


def dawid_skene(campaign: Campaign, judged: Basis) -> Estimate:
    """Return the likeliest grades by all independent judgments, all topics together.

    A duplicate has that of its original, and what nobody judged here its official grade. Refused
    if no document was judged twice.
    """
    by_pair: dict[Pair, list[Given]] = defaultdict(list)
    for each in judged.given:
        by_pair[each.topic, each.docno].append(each)
    if all(len(each) == 1 for each in by_pair.values()):
        raise Refused(NOTHING_TWICE)
    scale = [each.value for each in campaign.scale.grades]
    names = sorted({each.assessor for each in judged.given})
    numbers = {name: n for n, name in enumerate(names)}
    rows = [
        (item, numbers[each.assessor], scale.index(each.grade))
        for item, given in enumerate(by_pair.values())
        for each in given
    ]
    item, rater, place = np.array(rows, dtype=np.int64).T
    found = estimate(item, rater, place, len(scale))
    likeliest = [scale[place] for place in found.grades.tolist()]
    its = dict(zip(by_pair, likeliest, strict=True))
    told = {"grades": scale, **_facts(by_pair, its, judged, found), **_told(found, names, rows)}
    return Estimate(_all(its, judged), told, _counts(by_pair, its, judged))


def _all(its: Mapping[Pair, int], judged: Basis) -> dict[str, dict[str, int]]:
    """Return these grades, with those of duplicates and of what nobody judged here."""
    grades = judged.official
    for (topic, docno), grade in its.items():
        grades.setdefault(topic, {})[docno] = grade
    for (topic, docno), same in judged.carried.items():
        if (topic, same) in its:
            grades[topic][docno] = its[topic, same]
    return grades


def _counts(
    by_pair: Mapping[Pair, Sequence[Given]], its: Mapping[Pair, int], judged: Basis
) -> dict[str, int]:
    earlier = sum(any(each.is_earlier for each in given) for given in by_pair.values())
    return {"n_earlier": earlier, "n_corrected": len(judged.settled[CORRECTION] - its.keys())}


def _facts(
    by_pair: Mapping[Pair, Sequence[Given]],
    its: Mapping[Pair, int],
    judged: Basis,
    found: Estimated,
) -> dict[str, Any]:
    """Return what it was estimated of, how it went, and how it compares with other rules."""
    twice = {pair: given for pair, given in by_pair.items() if len(given) > 1}
    official = judged.official
    both = [pair for pair in its if pair[1] in official.get(pair[0], ())]
    return {
        "documents": len(its),
        "judgments": len(judged.given),
        "judged_twice": len(twice),
        "by_majority": sum(its[pair] in _commonest(given) for pair, given in twice.items()),
        "by_nobody": sum(
            all(each.grade != its[pair] for each in given) for pair, given in by_pair.items()
        ),
        "with_official": len(both),
        "unlike_official": sum(its[pair] != official[pair[0]][pair[1]] for pair in both),
        "steps": found.n_steps,
        "converged": found.is_converged,
        "log_likelihood": found.log_likelihood,
        "prior": found.prior.tolist(),
    }


def _commonest(given: Sequence[Given]) -> set[int]:
    counts = Counter(each.grade for each in given)
    return {grade for grade, n in counts.items() if n == max(counts.values())}


def _told(
    found: Estimated, names: Sequence[str], rows: Sequence[tuple[int, int, int]]
) -> dict[str, Any]:
    """Return of each assessor, by id, how many judgments they gave and how often they err."""
    ids = dict(User.objects.filter(username__in=names).values_list("username", "pk"))
    n_given = Counter(rater for _, rater, _ in rows)
    assessors = [
        {
            "assessor": ids[name],
            "judgments": n_given[n],
            "right": float(found.right[n]),
            "errors": _rates(found.errors[n]),
        }
        for n, name in enumerate(names)
    ]
    return {"assessors": sorted(assessors, key=lambda each: -each["judgments"])}


def _rates(errors: Floats) -> list[list[float] | None]:
    """Return the rows of error rates, None where nothing of theirs can have that grade."""
    return [None if np.isnan(row).any() else row.tolist() for row in errors]


DAWID_SKENE = "dawid-skene"
OURS = (
    VersionBasis(OFFICIAL, "the official grades", "", official),
    VersionBasis(
        DAWID_SKENE,
        "estimated of all judgments (Dawid and Skene)",
        "the likeliest grade by all independent judgments and by how often each assessor errs "
        "(Dawid and Skene 1979), of equally likely ones the lowest",
        dawid_skene,
    ),
)


def bases_of(campaign: Campaign) -> dict[str, VersionBasis]:
    """Return by key which grades a version of the campaign can have."""
    return {each.key: each for each in (*OURS, *of_programs(campaign))}


def basis_of(campaign: Campaign, key: str) -> VersionBasis:
    """Return the basis of this key; Invalid if the campaign has none."""
    bases = bases_of(campaign)
    if key not in bases:
        raise Invalid("grades", f"Choose one of {', '.join(bases)}.")
    return bases[key]
