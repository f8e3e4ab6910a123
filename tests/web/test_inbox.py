"""An assessor's own page: the topic to go on with, and dates only where they can be said."""

import re

from django.utils import timezone

from assess.models.assigning import Assignment
from assess.models.history import JudgmentEvent
from assess.models.judging import Judgment
from campaigns.models.campaign import Campaign
from tests import make
from tests.web.judging import DAY, shown


def test_the_topic_judged_last_is_the_one_to_go_on_with(client, campaign, busy, ada):
    html = shown(client, campaign, ada)
    card = re.search(r'<section class="card going-on".*?</section>', html)[0]
    assert f'data-key="Enter" href="/campaigns/{campaign.slug}/judging/{busy.pk}/"' in card
    assert "Continue" in card
    assert "<b>5 left</b>, about 2 min" in card
    assert card.count("<title>Document ") == 30
    make.judgments(busy, {f"x{n}": 0 for n in range(25, 30)})
    html = shown(client, campaign, ada)
    card = re.search(r'<section class="card going-on".*?</section>', html)[0]
    assert "Start" in card
    assert "<b>30 left</b>" in card
    assert "Look again" in html


def test_minutes_are_said_from_twenty_timed_judgments_on(client, campaign, busy, ada):
    assert "35 documents left, about 18 min</h1>" in shown(client, campaign, ada)
    assert "You take about 30 s a document, 120 an hour." in shown(client, campaign, ada)
    some = JudgmentEvent.objects.order_by("pk").values("pk")[:6]
    make.rewrite(JudgmentEvent.objects.filter(pk__in=some), active_ms=0)
    html = shown(client, campaign, ada)
    assert "35 documents left</h1>" in html
    assert not re.search(r"\d (min|h)\b", html)


def test_a_date_is_said_where_it_follows_from_the_last_week(client, campaign, busy, ada):
    """24 documents in a week leave 35 for eleven days more."""
    now = timezone.now()
    first = JudgmentEvent.objects.earliest("pk").pk

    def said(days: float, last: float = 0) -> str:
        make.rewrite(JudgmentEvent.objects.all(), at=now - last * DAY, pressed_at=now - last * DAY)
        make.rewrite(
            JudgmentEvent.objects.filter(pk=first), at=now - 20 * DAY, pressed_at=now - 20 * DAY
        )
        Campaign.objects.update(judging_closes_at=now + days * DAY)
        return shown(client, campaign, ada)

    assert "You will finish" in said(20)
    assert "Days to spare</span> <strong>9<" in said(20)
    assert "Days to spare</span> <strong>0<" in said(11)
    assert "Too late by</span> <strong>1 day<" in said(10)
    assert "You will finish" not in said(20, last=8)
    make.rewrite(JudgmentEvent.objects.all(), at=now, pressed_at=now)
    assert "You will finish" not in shown(client, campaign, ada)  # one day is no pace


def test_who_took_a_topic_over_is_not_shown_the_grades_before(client, campaign, busy, ben):
    assert 'class="grade-1"' in shown(client, campaign, busy.assessor)
    Assignment.objects.filter(pk=busy.pk).update(assessor=ben)
    html = shown(client, campaign, ben)
    assert "judged before</span> <b>25</b>" in html
    assert 'class="grade-1"' not in html


def test_whoever_has_no_topic_left_reads_that_judgments_are_kept(client, campaign, busy, ada, ben):
    Assignment.objects.filter(assessor=ada).update(assessor=ben)
    html = shown(client, campaign, ada)
    assert "The 25 judgments that you gave are kept." in html
    assert "assigned to you yet" not in html
    Judgment.objects.update(assessor=ben)
    assert "No topic has been assigned to you yet." in shown(client, campaign, ada)


def test_nothing_is_to_go_on_with_once_judging_has_closed(client, campaign, busy, ada, olga):
    Campaign.objects.update(judging_closes_at=timezone.now() + DAY)
    html = shown(client, campaign, ada)
    assert re.findall("Judging (closed|closes) on", html) == ["closes"]
    assert "Judging closes on" in shown(client, campaign, olga)
    Campaign.objects.update(judging_closes_at=timezone.now())
    html = shown(client, campaign, ada)
    assert re.findall("Judging (closed|closes) on", html) == ["closed"]
    assert "35 documents unjudged</h1>" in html
    assert "going-on" not in html
    assert html.count("Look again") == 2
    assert "You will finish" not in html
    assert "Judging closes on" not in shown(client, campaign, olga)


def test_before_judging_opens_nothing_leads_to_a_topic(client, campaign, busy, ada):
    Campaign.objects.update(judging_opens_at=timezone.now() + DAY)
    html = shown(client, campaign, ada)
    assert busy.topic.title in html
    assert f"/judging/{busy.pk}/" not in html
