"""The measures, topics and rules of an evaluation or of the preliminary board."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib.postgres.fields import ArrayField
from django.db import models

from cleverdon.measures.inferred import estimates
from cleverdon.measures.names import LEADERBOARD, parse
from cleverdon.trec.ranking import DEFAULT_RULES
from cleverdon.trec.topics import MAX_NUMBER

if TYPE_CHECKING:
    from cleverdon.measures.family import Measure


class RuleSet(models.TextChoices):
    """The version of trec_eval whose rules apply; stored as written here."""

    NINE = "trec_eval-9", "trec_eval 9: scores compared in single precision"
    TEN = "trec_eval-10", "trec_eval 10: scores compared in double precision"


def usual_measures() -> list[str]:
    return [str(measure) for measure in LEADERBOARD]


class Measured(models.Model):
    """The measures, topics and rules that are stamped on every table and file."""

    rules = models.CharField(
        "rule set", max_length=20, choices=RuleSet.choices, default=DEFAULT_RULES
    )
    measures = ArrayField(models.CharField(max_length=80), default=usual_measures)
    topics = ArrayField(models.CharField(max_length=MAX_NUMBER), default=list)

    class Meta:
        abstract = True

    @property
    def parsed(self) -> list[Measure]:
        return [parse(name) for name in self.measures]

    @property
    def is_sample(self) -> bool:
        """Whether the pool is a sample, of which some of the population was not drawn."""
        raise NotImplementedError

    @property
    def unestimated(self) -> list[str]:
        """The measures, of a sample, that take what was not drawn as not relevant."""
        return [str(each) for each in self.parsed if self.is_sample and not estimates(each)]

    @property
    def sampling(self) -> str:
        """What its measures make of documents that a sample did not draw; "" without a sample."""
        if not self.is_sample:
            return ""
        known = " and ".join(str(each) for each in self.parsed if estimates(each))
        which = (
            f"Of these measures only {known} may be read as an estimate for the whole pool."
            if known
            else "None of these measures is an estimate for the whole pool; xinfAP and infNDCG are."
        )
        return f"The pool is a sample: documents that were not drawn are unjudged. {which}"

    def definitions(self) -> list[tuple[str, str]]:
        """Return the name and the definition of each measure."""
        return [(name, parse(name).family.definition) for name in self.measures]
