"""Where a campaign stands, in a sentence, and what needs its organizers."""

from datetime import date

import pytest

from assess.core.pace import Likely
from desk.core.outlook import Outlook, Share
from overview.core.needs import MOST, Need, headline, is_complete, needs
from overview.core.stages import stages
from tests.core.overview import campaigns

POOL = {"strategy": "depth", "parameters": {"depth": 5}}
COUNTS = {"n_topics": 2, "n_documents": 9, "n_valid": 3, "n_entries": 10, "n_assigned": 10}
JUDGING = campaigns.facts(state="frozen", **POOL, **COUNTS, n_judged=4)
BUILT = campaigns.facts(JUDGING, state="built", n_assigned=0, n_judged=0)
DAY = date(2026, 12, 15)


NOBODY = Need("1 topic has no assessor", "", "", "Assign topics…", at="/plan/")


def titles(facts, *of_judging):
    return [need.title for need in needs(stages(facts), facts, of_judging)]


def said(facts, outlook=None):
    chain = stages(facts)
    return headline(chain, needs(chain, facts), facts, outlook)


def ending(deadline=None, *more):
    ada = Share("Ada", 6, 6, has_begun=True, likely=Likely(DAY, DAY, DAY))
    return Outlook([ada, *more], 0, deadline)


def test_the_next_stage_is_wanted_first():
    facts = campaigns.facts()
    assert titles(facts) == ["Import the topics"]
    assert said(facts) == "Import the topics"


def test_judging_that_goes_on_needs_nobody_and_says_when_it_is_done():
    assert titles(JUDGING) == []
    assert said(JUDGING) == "6 documents left to judge"
    assert said(JUDGING, ending()) == "Judging will be done on 15 December"
    assert said(JUDGING, ending(date(2026, 12, 18))).endswith(", three days early")
    assert said(JUDGING, ending(date(2026, 12, 1))).endswith(", 14 days late")
    cleo = Share("Cleo", 2, 2, has_begun=False, likely=None)
    assert said(JUDGING, ending(None, cleo)) == "4 of 10 documents judged"


def test_what_judging_needs_is_what_its_own_page_says():
    facts = campaigns.facts(JUDGING, n_assigned=6)
    assert titles(facts, NOBODY) == [NOBODY.title]
    nothing = campaigns.facts(JUDGING, n_assigned=0, n_judged=0)
    [need] = needs(stages(nothing), nothing, [NOBODY])
    assert (need.act, need.is_stage) == ("Assign topics…", True)


def test_judgments_that_no_version_has_are_to_be_published():
    published = campaigns.facts(JUDGING, number=1, pool=1, n_official=4, n_unjudged=6)
    assert titles(published) == []
    waits = "Qrels v1 are preliminary: 4 of 10 judgments"
    assert titles(campaigns.facts(published, n_judged=7)) == [waits]


def test_what_went_wrong_comes_last_and_a_sixth_is_counted_too():
    facts = campaigns.facts(BUILT, n_invalid=1, n_failed_jobs=2)
    assert titles(facts) == [
        "Check the pool and freeze it",
        "1 run did not pass the check",
        "2 background jobs failed",
    ]
    runs = {"n_missing": 3, "n_valid": 1, "n_invalid": 1, "n_failed_jobs": 1}
    qrels = {"number": 2, "pool": 1, "scope": {"qrels": 1}, "is_withdrawn": True}
    pool = {"state": "built", **POOL, "n_entries": 4, "n_assigned": 1}
    assert len(titles(campaigns.facts(**runs, **pool, **qrels), NOBODY)) > MOST


@pytest.mark.parametrize("ended", [{"state": "frozen"}, {"is_over": True}])
def test_a_run_that_nobody_can_replace_any_more_needs_nobody(ended):
    open_now = campaigns.facts(BUILT, n_invalid=1)
    closed = campaigns.facts(open_now, **ended)
    states = [{each.name: each for each in stages(facts)}["runs"] for facts in (open_now, closed)]
    assert [each.state for each in states] == ["attention", "done"]
    assert [each.detail for each in states] == ["valid, 1 invalid"] * 2
    assert not any(each.is_next for each in states)
    assert "1 run did not pass the check" in titles(open_now)
    assert "1 run did not pass the check" not in titles(closed)


def test_a_campaign_is_complete_once_nothing_waits():
    """Stages that are done are not enough: a topic without documents, a question, and a board that
    stands on nothing wait.
    """
    counts = {"n_judged": 10, "n_official": 10, "n_scored": 3, "n_scored_valid": 3}
    versions = {"number": 1, "pool": 1, "scope": {"qrels": 1}}
    done = campaigns.facts(JUDGING, **counts, **versions, is_released=True)
    assert is_complete(stages(done), needs(stages(done), done))
    assert said(done) == "The campaign is complete"
    asked = needs(
        stages(done), done, [Need("1 question from assessors waits", "", "", "Answer…", at="/q/")]
    )
    assert not is_complete(stages(done), asked)
    assert headline(stages(done), asked, done, None) == "1 question from assessors waits"
    back = campaigns.facts(done, n_scored_valid=2)
    assert not is_complete(stages(back), needs(stages(back), back))
    assert said(back) == "1 valid run is not on the leaderboard"
    out = campaigns.facts(done, n_valid=2, n_scored_valid=2)
    assert not is_complete(stages(out), needs(stages(out), out))
    assert said(out) == "1 run on the leaderboard is not valid any more"
    for n, title in (
        ((2, 0, 0), "2 judgments rest on an earlier text"),
        ((0, 2, 0), "2 known grades wait to be confirmed"),
        ((0, 0, 2), "2 practice grades wait to be confirmed"),
    ):
        changed = campaigns.facts(done, on_earlier=n)
        assert not is_complete(stages(changed), needs(stages(changed), changed))
        assert said(changed) == title
    late = campaigns.facts(done, n_unpooled=2)
    assert not is_complete(stages(late), needs(stages(late), late))
    assert said(late) == "2 topics have no documents to judge yet"
    assert not any(stage.is_next for stage in stages(late))
    planned = {"is_released": False, "is_planned": True}
    assert stages(campaigns.facts(done, **planned))[-1].detail.endswith("from a later date")
    for board in ({"is_withdrawn": True}, {"is_released": False}, planned):
        other = campaigns.facts(done, **board)
        assert not is_complete(stages(other), ())
