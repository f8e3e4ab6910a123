"""Archiving and deleting: an archive does not change, and nothing is left of what is deleted."""

from pathlib import Path

import pytest
from django.apps import apps
from django.conf import settings
from django.db import connection
from django.utils import timezone

from accounts.access import NotThere, Refused, why_not
from campaigns.models.campaign import Campaign
from campaigns.models.trail import AuditEvent
from campaigns.services import ending
from campaigns.services.ending import erase, paths
from cleverdon.trec.versions import version
from pooling.access import Batches
from qrels.services import publishing
from runs.access.runs import Runs
from tests import make
from tests.db.actions import doing, snapshot


def test_what_came_after_the_page_was_opened_is_not_deleted(client, campaign, olga):
    client.force_login(olga)
    address = f"/campaigns/{campaign.slug}/delete/"
    seen = version("2 topics, 6 documents, 0 runs and 4 members")
    assert f'name="seen" value="{seen}"' in client.get(address).content.decode()
    make.documents(campaign, ["d7"])
    response = client.post(address, {"name": campaign.name, "seen": seen})
    assert response.status_code == 422
    assert "now with 2 topics, 7 documents" in response.content.decode()
    assert Campaign.objects.filter(pk=campaign.pk).exists()


def test_nothing_is_left_of_a_deleted_campaign_but_that_it_was(
    campaign, olga, django_capture_on_commit_callbacks
):
    other = snapshot_of_others(campaign)
    doing.run(campaign)
    assert files()
    with django_capture_on_commit_callbacks(execute=True):
        ending.delete_campaign(user=olga, campaign=campaign)
    with pytest.raises(NotThere):
        ending.delete_campaign(user=olga, campaign=campaign)
    [event] = AuditEvent.objects.filter(campaign=None)
    assert (event.actor, event.subject) == (olga, "Test campaign")
    erase(AuditEvent.objects.filter(pk=event.pk))
    assert snapshot_of_others(campaign) == other
    assert left() == {"User": 4}
    assert files() == []


def test_whatever_a_campaign_has_can_be_erased_though_nobody_deletes_it(campaign, olga, otto):
    doing.judged(campaign)
    with pytest.raises(Refused, match="1 answer from assessors: throw the rehearsal away first"):
        ending.delete_campaign(user=olga, campaign=campaign)
    publishing.publish_qrels(user=olga, campaign=campaign)
    with pytest.raises(Refused, match="so it can be archived, not deleted"):
        ending.delete_campaign(user=olga, campaign=campaign)
    before = {name: len(rows) for name, rows in snapshot().items()}
    erase(Campaign.objects.filter(pk=campaign.pk))
    connection.check_constraints()
    assert before["Judgment"]
    other = {"Campaign": 1, "Membership": 1, "AuditEvent": 1, "Topic": 2, "Document": 6}
    assert left() == {"User": 5, **other}


def test_every_table_with_a_link_to_a_campaign_is_found():
    found = set(paths())
    for name in set(settings.OUR_APPS) - {"accounts"}:
        for model in apps.get_app_config(name).get_models(include_auto_created=True):
            assert model in found, model


def left() -> dict[str, int]:
    return {name: len(rows) for name, rows in snapshot().items() if rows}


def snapshot_of_others(campaign) -> list:
    return list(Campaign.objects.exclude(pk=campaign.pk).values())


def files() -> list[Path]:
    return [each for each in Path(settings.MEDIA_ROOT).rglob("*") if each.is_file()]


def test_a_campaign_is_archived_and_restored_once(campaign, olga, pat):
    run = make.submitted(campaign, pat, "1 Q0 d1 1 1 one\n", "one")
    with pytest.raises(Refused, match="still running"):
        ending.archive_campaign(user=olga, campaign=campaign)
    make.worked("check_run", run.pk)
    ending.archive_campaign(user=olga, campaign=campaign)
    with pytest.raises(Refused, match="is archived already"):
        ending.archive_campaign(user=olga, campaign=campaign)
    ending.restore_campaign(user=olga, campaign=campaign)
    with pytest.raises(Refused, match="is not archived"):
        ending.restore_campaign(user=olga, campaign=campaign)


def test_what_an_archived_campaign_refuses_is_not_offered(campaign, pat, olga):
    run = make.run(campaign, pat, {"1": "d1"})
    pool = make.frozen_pool(campaign, [run])
    for row in (run.campaign, pool.campaign, campaign):
        row.archived_at = timezone.now()
    offered = [
        why_not(Runs.describe, pat, run),
        why_not(Batches.build, olga, campaign),
        why_not(Batches.take_back, olga, pool),
    ]
    assert [why for why in offered if "is archived" not in why] == []
