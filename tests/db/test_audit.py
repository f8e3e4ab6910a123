"""The audit trail: what each act leaves in it, and that neither is there without the other."""

import pytest

from campaigns.models import AuditEvent
from campaigns.models.work import event_kinds
from tests.db import acts
from tests.db.acts import ACTS, snapshot

AUDITED = [name for name, act in ACTS.items() if act.event]


def test_every_kind_of_event_is_in_the_table():
    assert {ACTS[name].event[0] for name in AUDITED} == set(dict(event_kinds()))


@pytest.mark.parametrize("name", AUDITED)
def test_what_is_done_stands_in_the_trail_once(campaign, sam, name):
    act = ACTS[name]
    do = act.ready(campaign)
    earlier = list(AuditEvent.objects.values_list("pk", flat=True))
    done = do(acts.person(act.by))
    if hasattr(done, "close"):
        done.close()
    [event] = AuditEvent.objects.exclude(pk__in=earlier)
    assert (event.kind, event.subject) == act.event
    assert event.actor.username == act.by
    assert str(event) == f"{event.actor} {event.get_kind_display()} {event.subject}"


@pytest.mark.parametrize("name", AUDITED)
def test_what_fails_leaves_neither_deed_nor_event(campaign, sam, name, monkeypatch):
    do = ACTS[name].ready(campaign)
    before = snapshot()
    record = AuditEvent.record

    def fail(*arguments, **detail):
        record(*arguments, **detail)
        raise OSError

    monkeypatch.setattr(AuditEvent, "record", fail)
    with pytest.raises(OSError):  # noqa: PT011 - the one raised above
        do(acts.person(ACTS[name].by))
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
