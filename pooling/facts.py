"""What the pool says of each run, on the pages of the apps below."""

from campaigns.insights import Overlap
from campaigns.models import Campaign
from pooling.core.pictures import overlap_strip
from pooling.core.statistics import percent_of_others
from pooling.models import Contributor, Pool


def overlaps(campaign: Campaign) -> dict[int, Overlap]:
    """Return how much of what each run brought to the pool other runs brought too, by the run's id."""
    pool = Pool.objects.current_of(campaign)
    rows = Contributor.objects.filter(pool=pool, n_contributed__gt=0)
    found = list(rows.values_list("run", "run__tag", "n_contributed", "n_unique", "shared"))  # fmt: skip
    tags = {str(run): tag for run, tag, *_ in found}
    return {
        run: Overlap(
            percent_of_others(n, n_unique),
            overlap_strip(n, n_unique, {tags[key]: n_shared for key, n_shared in shared.items() if key in tags}),
        )
        for run, _, n, n_unique, shared in found
    }  # fmt: skip
