"""Jobs and pages of a large campaign: `python -m benchmarks.pool_site`.

Made runs of 100 documents a topic stand in a campaign on a private PostgreSQL and Redis. Their pool
is judged by hundreds of assessors, two fifths of the topics twice, published as qrels and scored.
Printed: how long the jobs take, and for each page that an organizer, an assessor and a participant
open, the processor time of the web process and of the database, and the bytes that are sent. Pages
above 300 ms are marked. With `--in FOLDER` the site stays, and is only opened the next time.
"""

import argparse
import hashlib
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

from benchmarks import site
from benchmarks.boards import MEASURES, worked
from benchmarks.pools import store_large

if TYPE_CHECKING:
    from campaigns.models.campaign import Campaign
    from pooling.models.batches import Batch

RUNS_OF_A_TEAM, DEPTH, DRAFT_DEPTH = 10, 100, 5


def campaign_of(n_runs: int, n_topics: int) -> "Campaign":
    """Return a campaign with valid runs, as if they had been uploaded and checked."""
    from django.core.files import File

    from accounts.models import User
    from campaigns.models.people import Membership, Role, Team
    from campaigns.services.campaign import create_campaign
    from cleverdon.trec.runs.run import CheckReport
    from collection.models.texts import Topic
    from runs.models import Run

    olga = User.objects.create(username="olga", is_active=True)
    campaign = create_campaign(user=olga, name="Large")
    Topic.objects.bulk_create(
        Topic(campaign=campaign, number=str(n), title=f"topic {n}") for n in range(n_topics)
    )
    with tempfile.TemporaryDirectory() as folder:
        store_large(Path(folder), n_runs, n_topics, DEPTH)
        for n, path in enumerate(sorted(Path(folder).glob("*.columns"))):
            name = f"Team {n // RUNS_OF_A_TEAM + 1}"
            team, _ = Team.objects.get_or_create(campaign=campaign, name=name)
            run = Run(campaign=campaign, team=team, submitted_by=olga, tag=path.stem, n_bytes=1)
            run.sha256 = hashlib.sha256(path.stem.encode()).hexdigest()
            run.state, run.priority = Run.State.VALID, n % RUNS_OF_A_TEAM + 1
            run.report = CheckReport(n_topics * DEPTH, n_topics).to_json()
            with path.open("rb") as file:
                run.columns.save("columns", File(file), save=False)
            run.save()
            path.unlink()
    pat = User.objects.create(username="pat", is_active=True)
    own = Run.objects.filter(campaign=campaign).earliest("pk").team
    Membership.objects.create(campaign=campaign, user=pat, role=Role.PARTICIPANT, team=own)
    return campaign


def pooled(campaign: "Campaign", depth: int) -> "Batch":
    """Return the frozen batch of the campaign's pool, with a draft beside it and a forecast."""
    from benchmarks.site_pages import timed
    from pooling import services
    from pooling.models.forecasts import Forecast
    from runs.models import Run

    olga = campaign.membership_set.earliest("pk").user
    services.request_forecast(user=olga, campaign=campaign)
    forecast = Forecast.objects.get(campaign=campaign)
    timed("forecast", lambda: worked("forecast_pool", forecast.pk))
    runs = list(Run.objects.filter(campaign=campaign))
    how: dict[str, Any] = {"strategy": "depth", "parameters": {"depth": depth}}
    batch = services.request_batch(user=olga, campaign=campaign, runs=runs, **how)
    timed(f"batch of depth {depth}", lambda: worked("build_batch", batch.pk))
    batch.refresh_from_db()
    print(f"  {batch.n_entries:,} documents")
    freezing: dict[str, Any] = {"user": olga, "batch": batch, "sha256": batch.sha256}
    timed("freezing", lambda: services.freeze_batch(**freezing))
    small: dict[str, Any] = {"strategy": "depth", "parameters": {"depth": DRAFT_DEPTH}}
    draft = services.request_batch(user=olga, campaign=campaign, runs=runs[1:], **small)
    timed(f"draft of depth {DRAFT_DEPTH}", lambda: worked("build_batch", draft.pk))
    forecast.refresh_from_db()
    services.request_forecast(user=olga, campaign=campaign)
    worked("forecast_pool", forecast.pk)
    return batch


def score(campaign: "Campaign") -> None:
    """Publish the judgments as qrels, score all runs against them, and release the scores."""
    from benchmarks.site_pages import timed
    from campaigns.models.releases import Release
    from evaluation import tasks
    from evaluation.core.scope import Scope
    from evaluation.services import release, request_evaluation
    from qrels.models import Qrels
    from qrels.services.publishing import publish_qrels

    olga = campaign.membership_set.earliest("pk").user
    timed("publishing", lambda: publish_qrels(user=olga, campaign=campaign))
    qrels = Qrels.objects.get(campaign=campaign)
    pk = request_evaluation(
        user=olga, campaign=campaign, scope=Scope(qrels.number), measures=MEASURES
    ).pk
    with patch.object(tasks.score_batch, "apply_async", lambda given: tasks.score_batch(*given)):
        timed("scoring", lambda: worked("score_runs", pk))
    timed("comparing the runs", lambda: worked("place_runs", pk))
    to_teams = Release.Audience.PARTICIPANTS
    for what, subject in ((Release.What.QRELS, qrels.pk), (Release.What.SCORES, pk)):
        release(user=olga, campaign=campaign, what=what, audience=to_teams, subject_id=subject)
    timed("scores so far", lambda: tasks.refresh_preliminary(campaign.pk))


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--runs", type=int, default=500)
    options.add_argument("--topics", type=int, default=1000)
    options.add_argument("--depth", type=int, default=50, help="of the pool")
    options.add_argument("--assessors", type=int, default=300)
    options.add_argument("--judged", type=float, default=0.9, help="share of the pool")
    options.add_argument("--twice", type=float, default=0.4, help="share of the topics")
    options.add_argument("--in", dest="folder", type=Path, help="where the site stays")
    options.add_argument("--only", default="", help="part of the addresses to open")
    chosen = options.parse_args()
    site.start(chosen.folder)
    from benchmarks import judged, site_pages
    from campaigns.models.campaign import Campaign

    campaign = Campaign.objects.first()
    if campaign is None:
        print(f"{chosen.runs} runs of {chosen.topics:,} topics x {DEPTH}")
        campaign = campaign_of(chosen.runs, chosen.topics)
        batch = pooled(campaign, chosen.depth)
        n = judged.judge(batch, chosen.assessors, chosen.judged, chosen.twice)
        print(f"  {n:,} judgments of {chosen.assessors} assessors")
        score(campaign)
    site_pages.print_pages(campaign, chosen.only)


if __name__ == "__main__":
    main()
