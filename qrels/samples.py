"""Qrels of a sample: the population that it was drawn from, and at which rates."""

from collections.abc import Iterable, Iterator, Mapping

from cleverdon.measures.inputs.universe import NOT_JUDGED
from cleverdon.pools.strategy.sampling import SAMPLE
from pooling.models.populations import Member, population
from qrels.models import Qrels

# How a document of the population is written for infAP, and for xinfAP and infNDCG.
SAMPLE_LINE, STRATA_LINE = "{0} 0 {1} {3}\n", "{0} 0 {1} {2} {3}\n"


def population_of(qrels: Qrels) -> Iterator[tuple[str, str, str, int]]:
    """Yield topic, docno, stratum and grade of all that its batches have or could have drawn."""
    return with_grades(population(qrels.batches), qrels.grades())


def with_grades(
    members: Iterable[Member], grades: Mapping[str, Mapping[str, int]]
) -> Iterator[tuple[str, str, str, int]]:
    """Yield members of a population with their grades, NOT_JUDGED where there is none."""
    for topic, docno, stratum in members:
        yield topic, docno, stratum, grades.get(topic, {}).get(docno, NOT_JUDGED)


def rates(qrels: Qrels) -> list[int]:
    """Return the rates at which documents were drawn in percent, the highest first.

    100 is of those that batches without chance have.
    """
    batches = list(qrels.batches)
    sampled = [each.parameters["strata"] for each in batches if each.strategy == SAMPLE.name]
    found = {percent for strata in sampled for _, percent in strata}
    return sorted(found | ({100} if len(sampled) < len(batches) else set()), reverse=True)


def has_one_rate(qrels: Qrels) -> bool:
    """Whether all of the population had the same chance to be judged, as infAP assumes."""
    return len(qrels.batches) == 1 and len(rates(qrels)) == 1
