"""The past of an example is stretched: everything in its order, nothing that lies ahead."""

from datetime import timedelta

import pytest
from django.utils import timezone

from campaigns.models.campaign import Campaign
from campaigns.models.people import Invitation
from campaigns.models.trail import AuditEvent
from demo.steps import stretch
from tests import make


@pytest.mark.django_db
def test_the_past_is_stretched_in_its_order_and_what_lies_ahead_stays(olga, ada, pat):
    campaign = make.campaign(olga, assessors=[ada], participants={"T": [pat]}, docnos=["d1", "d2"])
    make.frozen_pool(campaign, [make.run(campaign, pat, {"1": "d1 d2"})], depth=2)
    assignment = make.assignment(campaign.topic_set.get(number="1"), ada)
    judgments = [make.judgment(assignment, docno, 1) for docno in ("d1", "d2")]
    later = timezone.now() + timedelta(days=3)
    Invitation.objects.update(expires_at=later)
    before = list(AuditEvent.objects.order_by("at", "pk").values_list("pk", flat=True))
    stretch(campaign, days=12)
    campaign.refresh_from_db()
    ago = timezone.now() - campaign.created_at
    assert timedelta(days=11.9) < ago < timedelta(days=12.1)
    assert list(AuditEvent.objects.order_by("at", "pk").values_list("pk", flat=True)) == before
    first, second = (each.__class__.objects.get(pk=each.pk) for each in judgments)
    assert campaign.created_at < first.changed_at < second.changed_at <= timezone.now()
    assert second.changed_at - first.changed_at > timedelta(minutes=1)
    assert first.events.get().at == pytest.approx(first.changed_at, abs=timedelta(hours=6))
    assert all(each.expires_at == later for each in Invitation.objects.all())


@pytest.mark.django_db
def test_another_campaign_s_past_is_left_alone(olga, ada):
    other = make.campaign(olga)
    created = other.created_at
    stretch(make.campaign(ada), days=12)
    assert Campaign.objects.get(pk=other.pk).created_at == created
