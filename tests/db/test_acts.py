"""Whatever people do: it is refused to others, refused in an archive, undone when its event cannot be stored, and else on record once."""

import re

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from accounts.access import NotThere, NotYours, Refused
from campaigns import services
from campaigns.models import AuditEvent, Campaign, Job
from campaigns.models.work import ALLOWED_IN_ARCHIVE, event_kinds
from evaluation import tasks
from tests.db import actions
from tests.db.actions import ACTIONS, Action, Do, snapshot

AUDITED = [name for name, action in ACTIONS.items() if action.event]
# What may be done at the same time, and the table of which a row is locked meanwhile: a double click, two publishers, an
# acceptance while the link is withdrawn.
LOCKED = {
    "accept_invitation": "campaigns_invitation",
    "assign": "pooling_pool",
    "distribute": "pooling_pool",
    "remove_member": "campaigns_membership",
    "hand_over": "assess_assignment",
    "take_back": "assess_assignment",
    "take_back_unbegun": "assess_assignment",
    "reopen": "assess_assignment",
    "reset": "assess_assignment",
    "restore": "assess_assignment",
    "rename_team": "campaigns_team",
    "submit_run": "campaigns_team",
    "submit_archive": "campaigns_team",
    "merge_teams": "campaigns_team",
    "delete_team": "campaigns_team",
    "make_reset": "accounts_user",
    "use_reset": "accounts_user",
    "judge": "assess_assignment",
    "undo": "assess_assignment",
    "publish_qrels": "campaigns_campaign",
    "request_pool": "campaigns_campaign",
    "delete_pool": "campaigns_campaign",
    "freeze_pool": "campaigns_campaign",
    "unfreeze_pool": "pooling_pool",
}


@pytest.mark.parametrize("name", ACTIONS)
def test_an_act(campaign, sam, otto, quinn, monkeypatch, name):
    action = ACTIONS[name]
    do = action.ready(campaign)
    before = snapshot()
    refused_to_others(action, do)
    assert snapshot() == before
    if changes_a_campaign(name):
        refused_in_an_archive(action, do, campaign)
        assert snapshot() == before
    if action.event:
        undone_without_its_event(action, do, monkeypatch)
        assert snapshot() == before
    done_once_and_on_record(action, do, LOCKED.get(name))
    assert snapshot() != before


def refused_to_others(action: Action, do: Do) -> None:
    for person, sentence in action.refused.items():
        kind = NotThere if sentence == actions.NOTHING else NotYours
        with pytest.raises(kind) as refusal:
            do(actions.person(person))
        assert str(refusal.value) == sentence, person


def changes_a_campaign(name: str) -> bool:
    kind, _ = ACTIONS[name].event or ("", "")
    return (bool(kind) or name in {"judge", "undo"}) and not (
        name in {"create_campaign", "delete_campaign"}
        or kind.endswith(ALLOWED_IN_ARCHIVE)
    )


def refused_in_an_archive(action: Action, do: Do, campaign: Campaign) -> None:
    mark = transaction.savepoint()
    Job.objects.filter(campaign=campaign).unfinished().update(state="done")
    services.archive_campaign(user=actions.person("olga"), campaign=campaign)
    archived = snapshot()
    with pytest.raises(Refused, match="is archived"):
        do(actions.person(action.by))
    assert snapshot() == archived
    transaction.savepoint_rollback(mark)
    campaign.refresh_from_db()


def undone_without_its_event(action: Action, do: Do, monkeypatch) -> None:
    record = AuditEvent.record

    def fail(*arguments, **detail):
        record(*arguments, **detail)
        raise OSError

    with monkeypatch.context() as patch:
        patch.setattr(AuditEvent, "record", fail)
        with pytest.raises(OSError):  # noqa: PT011 - the one raised above
            do(actions.person(action.by))


def done_once_and_on_record(action: Action, do: Do, table: str | None) -> None:
    earlier = list(AuditEvent.objects.values_list("pk", flat=True))
    tables = locked(lambda: do(actions.person(action.by)))
    assert table is None or table in tables
    events = AuditEvent.objects.exclude(pk__in=earlier)
    if action.event is None:
        assert not events
        return
    [event] = events
    assert (event.kind, event.subject) == action.event
    assert event.actor.username == action.by
    assert str(event) == f"{event.actor} {event.get_kind_display()} {event.subject}"


def locked(do) -> set[str]:
    """The tables of which a row was locked."""
    with CaptureQueriesContext(connection) as captured:
        done = do()
    if hasattr(done, "close"):
        done.close()
    queries = [
        query["sql"]
        for query in captured
        if re.search("FOR (NO KEY )?UPDATE", query["sql"])
    ]
    return {re.search(r'FROM "(\w+)"', query)[1] for query in queries}


def test_the_board_of_the_judging_is_kept_under_a_lock(campaign):
    actions.judged(campaign)
    found = locked(lambda: tasks.refresh_preliminary(campaign.pk))
    assert "evaluation_preliminary" in found


def test_every_kind_of_event_is_in_the_table():
    assert {ACTIONS[name].event[0] for name in AUDITED} == set(dict(event_kinds()))
