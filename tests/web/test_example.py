"""What the pages say of an example campaign."""

import pytest
from django.urls import reverse
from django.utils.html import escape

from demo.services import NOTICE

pytestmark = pytest.mark.django_db


def test_every_tab_of_the_example_says_that_its_judgments_are_simulated(campaign, olga, sign_in):
    campaign.notice = NOTICE.format(rates="Ada 8%")
    campaign.save()
    client = sign_in(olga)
    tabs = client.get(reverse("overview", args=[campaign.slug])).context["tabs"]
    assert len(tabs) >= 8
    for tab in tabs:
        page = client.get(reverse(tab.view, args=[campaign.slug]))
        assert escape(campaign.notice) in page.content.decode(), tab.name
