"""The audit trail: every action writes its event, and neither is stored without the other."""

import pytest

from campaigns.models import AuditEvent
from campaigns.models.work import event_kinds
from tests.db import actions
from tests.db.actions import ACTIONS, snapshot

AUDITED = [name for name, action in ACTIONS.items() if action.event]


def test_every_kind_of_event_is_in_the_table():
    assert {ACTIONS[name].event[0] for name in AUDITED} == set(dict(event_kinds()))


@pytest.mark.parametrize("name", AUDITED)
def test_what_is_done_is_in_the_trail_once(campaign, sam, name):
    action = ACTIONS[name]
    do = action.ready(campaign)
    earlier = list(AuditEvent.objects.values_list("pk", flat=True))
    done = do(actions.person(action.by))
    if hasattr(done, "close"):
        done.close()
    [event] = AuditEvent.objects.exclude(pk__in=earlier)
    assert (event.kind, event.subject) == action.event
    assert event.actor.username == action.by
    assert str(event) == f"{event.actor} {event.get_kind_display()} {event.subject}"


@pytest.mark.parametrize("name", AUDITED)
def test_what_fails_leaves_neither_change_nor_event(campaign, sam, name, monkeypatch):
    do = ACTIONS[name].ready(campaign)
    before = snapshot()
    record = AuditEvent.record

    def fail(*arguments, **detail):
        record(*arguments, **detail)
        raise OSError

    monkeypatch.setattr(AuditEvent, "record", fail)
    with pytest.raises(OSError):  # noqa: PT011 - the one raised above
        do(actions.person(ACTIONS[name].by))
    assert snapshot() == before


def test_a_kind_is_stored_by_name_and_shown_in_words(campaign, olga, client):
    olga.is_staff = olga.is_superuser = True
    olga.save()
    [event] = AuditEvent.objects.filter(campaign=campaign)
    assert (event.kind, event.get_kind_display()) == ("campaign.created", "created the campaign")  # fmt: skip
    client.force_login(olga)
    pages = ("/admin/campaigns/auditevent/", f"/campaigns/{campaign.slug}/settings/")
    for address in pages:
        assert "created the campaign" in client.get(address).content.decode()
