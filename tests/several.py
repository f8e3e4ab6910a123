"""What several people have judged, as rows of each two grades."""

from agreement.nouns import differences
from campaigns.models.campaign import Campaign

Twice = tuple[str, str, str, int, str, int]


def twice_judged(campaign: Campaign, criterion: str = "") -> list[Twice]:
    """Topic and docno, then the name and the grade of each of two, the official one first."""
    found = differences(campaign, criterion=criterion, at_least=0)
    return sorted(tuple(each[:6]) for each in found)
