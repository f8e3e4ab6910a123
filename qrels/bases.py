"""Which grades a version of the qrels can have: the official ones, and others."""

from itertools import chain

from accounts.access import Invalid
from assess.core.records import Basis
from campaigns.models.campaign import Campaign
from qrels.from_above import BASES, Estimate, VersionBasis
from qrels.labels import of_programs
from qrels.rows import OFFICIAL


def official(_: Campaign, judged: Basis) -> Estimate:
    """Return the grades that count in the campaign."""
    return Estimate(judged.official, counts=judged.counts)


OURS = (VersionBasis(OFFICIAL, "the official grades", "", official),)


def bases_of(campaign: Campaign) -> dict[str, VersionBasis]:
    """Return by key which grades a version of the campaign can have."""
    return {each.key: each for each in chain(OURS, of_programs(campaign), *BASES(campaign))}


def basis_of(campaign: Campaign, key: str) -> VersionBasis:
    """Return the basis of this key; Invalid if the campaign has none."""
    bases = bases_of(campaign)
    if key not in bases:
        raise Invalid("grades", f"Choose one of {', '.join(bases)}.")
    return bases[key]
