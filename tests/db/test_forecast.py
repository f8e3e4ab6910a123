"""Forecasts: what any choice of runs would give, prepared once in a worker."""

from jobs.models import Job
from jobs.storage import local_path
from pooling import services, tasks
from pooling.core.forecast import NumberedRuns, forecast
from pooling.models.forecasts import Forecast
from tests import make


def numbered(campaign) -> NumberedRuns:
    row = Forecast.objects.current_of(campaign, [])
    return NumberedRuns.open(local_path(row.file))


def asked(campaign) -> list[str]:
    jobs = Job.objects.filter(campaign=campaign, kind="forecast_pool").order_by("pk")
    return list(jobs.values_list("state", flat=True))


def test_the_forecast_is_the_size_of_the_batch_that_would_be_built(campaign, runs, olga):
    make.frozen_pool(campaign, runs[:1], depth=1)
    make.forecast(campaign)
    for depth in (1, 2, 3):
        found = forecast(numbered(campaign), [0, 1], [1, 1], [depth] * 2)
        assert found.counts.sum() == make.batch(campaign, runs, depth).n_entries


def test_it_is_prepared_once_until_runs_topics_or_pool_change(campaign, runs, olga, pat):
    for _ in range(2):
        services.request_forecast(user=olga, campaign=campaign)
    assert asked(campaign) == ["waiting"]
    make.forecast(campaign)
    services.request_forecast(user=olga, campaign=campaign)
    assert asked(campaign) == ["done"]
    # They are not among what people asked for.
    assert Job.objects.recent(campaign).filter(kind="forecast_pool").exists()
    assert not Job.objects.recent(campaign).listed().filter(kind="forecast_pool").exists()
    changes = (
        lambda: make.run(campaign, pat, {"1": "d9"}, "three"),
        lambda: campaign.topic_set.create(number="7", title="seven"),
        lambda: make.frozen_pool(campaign, runs),
    )
    for change in changes:
        before = Forecast.objects.get().file.name
        change()
        assert Forecast.objects.current_of(campaign, []) is None
        after = make.forecast(campaign).file
        assert after.name != before
        assert not after.storage.exists(before)


def test_a_forecast_that_was_dropped_is_no_error(campaign, runs, olga):
    services.request_forecast(user=olga, campaign=campaign)
    Forecast.objects.all().delete()
    job = Job.objects.get(kind="forecast_pool")
    tasks.forecast_pool(job.pk)
    job.refresh_from_db()
    assert (job.state, job.outcome) == ("done", "Nobody waits for this forecast any more.")
