"""What campaigns contain, by the names of counts, whichever stage they are of."""

from dataclasses import fields, replace
from typing import Any

from overview.core.stages import CampaignFacts


def facts(before: CampaignFacts | None = None, **values: Any) -> CampaignFacts:
    """Return the facts of a campaign, or those before, with these values."""
    found = before or CampaignFacts()
    for stage in ("texts", "runs", "pool", "judging", "qrels", "board"):
        part = getattr(found, stage)
        own = {each.name: values.pop(each.name) for each in fields(part) if each.name in values}
        found = replace(found, **{stage: replace(part, **own)})
    return replace(found, **values)
