"""What a pool would cost is computed by a worker, once for each choice of runs."""

import pytest

from jobs.models import Job
from pooling import services, tasks
from pooling.models.batches import Batch
from pooling.models.forecasts import Forecast
from tests import make
from tests.worlds import once


@pytest.fixture
@once
def runs(campaign, pat):
    one = make.run(campaign, pat, {"1": "d1 d2 d3", "2": "d4"}, "one")
    return [one, make.run(campaign, pat, {"1": "d3 d1 d6"}, "two")]


def test_the_forecast_is_the_size_of_the_pool_that_would_be_built(campaign, runs):
    sizes = make.forecast(campaign, runs).sizes
    for depth in (1, 2, 3):
        assert sizes.at(depth) == make.batch(campaign, runs, depth).n_entries
    Batch.objects.all().delete()
    campaign.topic_set.get(number="2").delete()
    after = make.forecast(campaign, runs).sizes
    assert (sizes.at(3), after.at(3)) == (5, 4), "other topics need another forecast"


def asked(campaign) -> list[str]:
    jobs = Job.objects.filter(campaign=campaign, kind="forecast_pool").order_by("pk")
    return list(jobs.values_list("state", flat=True))


def test_a_choice_is_forecast_once(campaign, runs, olga):
    for _ in range(2):
        services.request_forecast(user=olga, campaign=campaign, runs=runs)
    assert asked(campaign) == ["waiting"]
    make.forecast(campaign, runs)
    services.request_forecast(user=olga, campaign=campaign, runs=runs[::-1])
    assert asked(campaign) == ["done"]
    make.forecast(campaign, runs[:1])
    assert asked(campaign) == ["done", "done"]
    # They are not among what people asked for.
    assert Job.objects.recent(campaign).filter(kind="forecast_pool").exists()
    assert not Job.objects.recent(campaign).listed().filter(kind="forecast_pool").exists()


def test_who_chooses_other_runs_no_longer_waits_for_the_first(campaign, runs, olga):
    for chosen in (runs, runs[:1], runs):
        services.request_forecast(user=olga, campaign=campaign, runs=chosen)
    assert asked(campaign) == ["failed", "failed", "waiting"]


def test_old_forecasts_go_with_their_jobs(campaign, runs, olga, monkeypatch):
    monkeypatch.setattr(services, "MAX_FORECASTS", 1)
    for chosen in (runs, runs[:1], runs[1:]):
        made = make.forecast(campaign, chosen)
    assert list(Forecast.objects.all()) == [made]
    assert asked(campaign) == ["done"]


def test_a_forecast_that_was_dropped_is_no_error(campaign, runs, olga):
    services.request_forecast(user=olga, campaign=campaign, runs=runs)
    Forecast.objects.all().delete()
    job = Job.objects.get(kind="forecast_pool")
    tasks.forecast_pool(job.pk)
    job.refresh_from_db()
    assert (job.state, job.outcome) == ("done", "Nobody waits for this forecast any more.")
