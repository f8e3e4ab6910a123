"""Where a campaign stands, in a sentence, and what needs its organizers."""

from datetime import date

from overview.core.burnup import Forecast
from overview.core.needs import MOST, headline, needs
from overview.core.stages import CampaignFacts, stages

JUDGING = CampaignFacts(n_topics=2, n_documents=9, n_valid=3, pool_state="frozen", pool_depth=5, n_entries=10, n_assigned=10, n_judged=4)  # fmt: skip
DAY = date(2026, 12, 15)


def titles(facts, n_failed=0):
    return [need.title for need in needs(stages(facts), facts, n_failed)]


def said(facts, ahead=None, deadline=None):
    return headline(stages(facts), facts, ahead, deadline)


def test_the_next_stage_is_wanted_first():
    facts = CampaignFacts()
    assert titles(facts) == ["Import the topics"]
    assert said(facts) == "Import the topics"


def test_judging_that_goes_on_needs_nobody_and_says_when_it_is_done():
    assert titles(JUDGING) == []
    assert said(JUDGING) == "4 of 10 documents judged"
    ahead = Forecast(DAY, DAY, DAY)
    assert said(JUDGING, ahead) == "Judging will be done on 15 December"
    assert said(JUDGING, ahead, date(2026, 12, 18)).endswith(", three days early")
    assert said(JUDGING, ahead, date(2026, 12, 1)).endswith(", 14 days late")


def test_topics_without_an_assessor_are_an_act():
    facts = CampaignFacts(**{**vars(JUDGING), "n_assigned": 6})
    [need] = needs(stages(facts), facts, 0)
    assert (need.act, need.is_stage) == ("Assign topics…", True)


def test_judgments_that_no_version_has_are_to_be_published():
    published = {**vars(JUDGING), "qrels_number": 1, "qrels_pool": 1, "n_official": 4, "n_unjudged": 6}  # fmt: skip
    assert titles(CampaignFacts(**published)) == []
    assert titles(CampaignFacts(**{**published, "n_judged": 7})) == ["Qrels v1 are preliminary: 4 of 10 judgments"]  # fmt: skip


def test_what_went_wrong_comes_last_and_no_more_than_five_are_named():
    facts = CampaignFacts(**{**vars(JUDGING), "n_invalid": 1})
    assert titles(facts, n_failed=2) == ["1 run did not pass the check", "2 background jobs failed"]  # fmt: skip
    much = CampaignFacts(n_missing=3, n_valid=1, n_invalid=1, pool_state="built", n_entries=4, n_assigned=1, qrels_number=2, qrels_pool=1, scored_qrels=1, board_is_withdrawn=True)  # fmt: skip
    assert len(titles(much, n_failed=1)) == MOST


def test_a_finished_campaign_says_so():
    done = CampaignFacts(**{**vars(JUDGING), "n_judged": 10, "qrels_number": 1, "qrels_pool": 1, "n_official": 10, "scored_qrels": 1, "n_scored": 3})  # fmt: skip
    assert said(done) == "The campaign is complete"
    assert titles(done) == []
