"""The forecast of a choice, and its pictures."""

from datetime import timedelta

import pytest
from django.utils import timezone

from campaigns.models.campaign import Campaign
from jobs.models import Job
from jobs.storage import local_path
from pooling import tasks
from tests import make
from tests.web.pool.pages import at, choice, chosen, fragment, text


def test_a_page_asks_for_the_forecast_and_does_not_compute_it(runs, base, client):
    waiting = 'hx-trigger="every 1s"'
    page = text(client.get(f"{base}extend/"))
    assert 'hx-trigger="load"' in page
    assert waiting not in page
    assert not Job.objects.filter(kind="forecast_pool").exists()
    assert waiting in fragment(client, base, runs, method="post")
    assert waiting in fragment(client, base, runs)
    tasks.forecast_pool(Job.objects.get(kind="forecast_pool").pk)
    assert waiting not in fragment(client, base, runs)
    assert "4 documents, all judged by" in fragment(client, base, runs)
    assert "3 documents, all judged by" in fragment(client, base, runs, depth=1)


def test_the_hours_count_whom_they_are_divided_among_and_what_is_judged_twice(
    campaign, runs, base, client
):
    make.forecast(campaign)
    Campaign.objects.update(judging_closes_at=timezone.now() + timedelta(days=10))
    given = {"seconds": 3600, "second_percent": 50}
    shown = fragment(client, base, runs, **given, n_assessors=2, hours_a_week=1)
    for figure in (
        "3,600 s</span> <b>4.0 h<",
        "50 % judged twice</span> <b>+ 2.0 h<",
        "judging; 2 people give 2 h a week</span> <b>6.0 h<",
        "4 documents, judged 11 days late, by",
        ">11 days late<",
    ):
        assert figure in shown
    shown = fragment(client, base, runs, **given, n_assessors=4, hours_a_week=7)
    assert ": 8 days to spare." in shown
    assert "<h1>4 documents, all judged by" in shown
    assert "<b>4 min<" in fragment(client, base, runs, seconds=60, second_percent=0)


def test_what_is_left_of_the_pool_is_judged_first(campaign, runs, base, client):
    make.frozen_pool(campaign, runs, depth=1)
    make.forecast(campaign)
    how = {"seconds": 3600, "second_percent": 0, "n_assessors": 1, "hours_a_week": 1}
    shown = fragment(client, base, runs, **how)
    assert "more judging; 1 person gives 1 h a week</span> <b>1.0 h<" in shown
    assert "7 days after the 3 documents that the pool has left" in shown
    assert "1 more document, all judged by" in shown
    assert 'class="picture timeline"' in shown


@pytest.mark.parametrize(
    ("strategy", "bound"), [("max-mean", "At most 5"), ("sample", "About 5"), ("rrf", "<h1>5")]
)
def test_what_chance_or_judging_decides_is_no_fixed_number(
    campaign, runs, base, client, strategy, bound
):
    make.forecast(campaign)
    shown = fragment(client, base, runs, strategy=strategy)
    assert f"{bound} documents, all judged by" in shown
    assert "<figure" not in shown, "a curve is of depth-k"


def test_a_forecast_that_failed_says_why_and_can_be_asked_for_again(runs, base, client):
    fragment(client, base, runs, method="post")
    jobs = Job.objects.filter(kind="forecast_pool")
    jobs.update(state="failed", outcome="The disk is full.")
    assert "The disk is full." in fragment(client, base, runs)
    assert 'hx-trigger="load"' not in fragment(client, base, runs)
    assert 'hx-trigger="every 1s"' in fragment(client, base, runs, method="post")


def test_without_script_the_choice_is_in_the_address(runs, base, client):
    answer = client.post(f"{base}forecast/", choice(runs[:1], depth=3))
    assert answer.status_code == 302
    page = text(client.get(answer["Location"]))
    assert chosen(page) == [str(runs[0].pk)]
    assert 'hx-trigger="every 1s"' in page


def test_no_choice_is_a_sentence(runs, base, client):
    assert "Choose at least one run." in fragment(client, base, [], method="post")
    page = fragment(client, base, runs, depth=1001)
    assert "Depth k: Ensure this value is less than or equal to 1000" in page
    assert "greater than or equal to 1" in fragment(client, base, runs, n_assessors=0)


def test_a_forecast_whose_file_is_gone_or_damaged_is_prepared_again(campaign, runs, base, client):
    for damage in (
        lambda path: path.unlink(),
        lambda path: path.write_bytes(path.read_bytes()[:-9]),
    ):
        row = make.forecast(campaign)
        damage(local_path(row.file))
        assert 'hx-trigger="load"' in text(client.get(f"{base}extend/"))
        fragment(client, base, runs, method="post")
        tasks.forecast_pool(Job.objects.filter(kind="forecast_pool").latest("pk").pk)
        assert "4 documents, all judged by" in fragment(client, base, runs)


def test_an_archived_campaign_offers_nothing_to_do_with_its_pool(campaign, runs, base, client):
    draft, frozen = make.batch(campaign, runs), make.frozen_pool(campaign, runs).last_batch
    Campaign.objects.update(archived_at=draft.created_at)
    for address in (base, f"{base}extend/", at(base, draft), at(base, frozen)):
        page = text(client.get(address))
        assert "is archived, so nothing in it can be changed" in page
        for act in ("Extend the pool…", "Build a draft", "Freeze this draft", "Take it back"):
            assert act not in page
    assert "is archived" in fragment(client, base, runs, method="post")
    assert not Job.objects.filter(kind="forecast_pool").exists()


def test_the_curve_has_the_chosen_depth_and_what_fits_before_the_deadline(
    campaign, runs, base, client
):
    make.forecast(campaign)
    Campaign.objects.update(judging_closes_at=timezone.now() + timedelta(days=7))
    how = {"seconds": 3600, "second_percent": 0, "n_assessors": 1, "hours_a_week": 4}
    page = fragment(client, base, runs, depth=2, **how)
    assert 'aria-label="Depth 2 gives 4 documents to judge' in page
    assert "<caption>Depth 2 gives 4 documents to judge" in page
    assert "fits before" in page
    assert 'class="dot second hollow"' in page
    assert "picture=" not in page, "pictures of work are no files"


def test_a_choice_of_which_the_pool_has_all_says_so(campaign, runs, base, client):
    make.frozen_pool(campaign, runs, depth=2)
    make.forecast(campaign)
    has_all = "The pool has all of these already: choose more runs, a greater depth or other topics"
    for page in (
        text(client.get(f"{base}extend/")),
        fragment(client, base, runs, strategy="rrf", n=1, reading_depth=2),
    ):
        assert has_all in page
        assert "<h1>Nothing new in this choice</h1>" in page
        assert 'class="sum"' not in page
    assert has_all not in fragment(client, base, runs, depth=3)


def test_runs_without_a_document_for_the_topics_are_no_pool_that_has_all(
    campaign, runs, base, client
):
    make.forecast(campaign)
    assert "None of these runs has a document" in fragment(client, base, runs[1:], topics="2")
