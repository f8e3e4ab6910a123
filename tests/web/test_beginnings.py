"""Every page at every stage of a campaign: what is not there yet breaks no page."""

import pytest
from django.test import Client
from django.urls import reverse

from campaigns.services import campaign as campaign_services
from qrels.services.publishing import publish_qrels
from tests import make
from tests.web.doors import ADDRESSES, DOORS, NO_METHOD, ORGANIZER
from tests.web.html import at

PAGES = [
    name for name, given in ADDRESSES.items() if given == ["slug"] and DOORS[name][0] != NO_METHOD
]
# Pages for organizers alone refuse everybody else alike: one of them stands for all.
ORGANIZERS = [name for name in PAGES if DOORS[name][0] == ORGANIZER]
OF_OTHERS = [name for name in PAGES if name not in ORGANIZERS[1:]]
STAGES = ("nothing", "topics", "runs", "pool", "frozen", "assigned", "judged", "published")


def at_stage(stage: str, olga, ada, pat):
    """A campaign that has come as far as that."""
    n = STAGES.index(stage)
    if not n:
        return campaign_services.create_campaign(user=olga, name="Test campaign")
    campaign = make.campaign(olga, assessors=[ada], participants={"T": [pat]})
    runs = [make.run(campaign, pat, {"1": "d1 d2"})] if n > 1 else []
    if stage == "pool":
        make.batch(campaign, runs)
    if n > STAGES.index("pool"):
        make.frozen_pool(campaign, runs, depth=2)
    if n >= STAGES.index("assigned"):
        assignment = make.assignment(campaign.topic_set.get(number="1"), ada)
    if n >= STAGES.index("judged"):
        make.judgment(assignment, "d1", 1)
    if n >= STAGES.index("published"):
        publish_qrels(user=olga, campaign=campaign)
    return campaign


FEW = {
    "nothing",
    "pool",
}  # of the others `make test-deep` tells, and every page after the end: test_doors


@pytest.mark.parametrize(
    "stage",
    [each if each in FEW else pytest.param(each, marks=pytest.mark.deep) for each in STAGES],
)
def test_every_page_is_answered_at_every_stage(stage, olga, ada, pat):
    campaign = at_stage(stage, olga, ada, pat)
    assert len(PAGES) > 20
    for person in (olga, ada, pat):
        client = Client()
        client.force_login(person)
        overview = client.get(at(campaign, "overview")).context
        tabs = {tab.view for tab in overview["tabs"]} if "tabs" in overview else set()
        for name in PAGES if person == olga else OF_OTHERS:
            # An exception in a view is one here.
            answer = client.get(reverse(name, kwargs={"slug": campaign.slug}))
            may_be = {200} if name in tabs else {200, 302, 403, 404, 405, 409}
            assert answer.status_code in may_be, (name, str(person))
