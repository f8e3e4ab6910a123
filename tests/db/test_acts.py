"""Whatever people do: it is refused to others, refused in an archive, undone when its event cannot
be stored, and else on record once.
"""

import pytest
from django.db import transaction

from accounts.access import NotThere, NotYours, Refused
from campaigns.models.campaign import Campaign
from campaigns.models.trail import ALLOWED_IN_ARCHIVE, AuditEvent, event_kinds
from campaigns.services import ending
from evaluation import tasks
from jobs import work
from jobs.models import Job
from tests.db.actions import ACTIONS, doing, snapshot
from tests.db.actions.doing import Action, Do
from tests.db.locks import locked

AUDITED = [name for name, action in ACTIONS.items() if action.event]
# The tables of which rows are locked meanwhile: a double click, two publishers, an acceptance while
# the link is withdrawn.
LOCKED = {
    "change_campaign": "campaigns_campaign",
    "archive_campaign": "campaigns_campaign",
    "restore_campaign": "campaigns_campaign",
    "delete_campaign": "campaigns_campaign",
    "import_known": "campaigns_campaign",
    "remove_known": "campaigns_campaign",
    "confirm_known": "campaigns_campaign",
    "confirm_import": "collection_import",
    "copy_campaign": "campaigns_campaign",
    "confirm_import of documents": "collection_import",
    "discard_import": "collection_import",
    "undo_import": "collection_import",
    "delete_topic": "collection_topic",
    "delete_document": "collection_document",
    "accept_invitation": "campaigns_invitation",
    "remove_member": "campaigns_invitation campaigns_membership",
    "create_team": "campaigns_campaign",
    "rename_team": "campaigns_campaign campaigns_team",
    "merge_teams": "campaigns_invitation jobs_job campaigns_membership campaigns_team",
    "delete_team": "campaigns_team",
    "make_reset": "accounts_user",
    "use_reset": "accounts_user campaigns_passwordreset",
    "submit_run": "campaigns_campaign campaigns_team",
    "withdraw_run": "runs_run",
    "disqualify_run": "runs_run",
    "describe_run": "runs_run",
    "move_run": "runs_run campaigns_team",
    "submit_archive": "campaigns_team",
    "extend_deadline": "campaigns_team",
    "request_pool": "campaigns_campaign pooling_pool",
    "freeze_pool": "campaigns_campaign",
    "unfreeze_pool": "assess_assignment assess_sharedqueue pooling_pool",
    "delete_pool": "campaigns_campaign pooling_pool",
    "assign": "pooling_pool",
    "assign of a topic taken back": "assess_assignment pooling_pool",
    "distribute": "pooling_pool",
    "hand_over": "assess_assignment pooling_pool",
    "take_back": "assess_assignment pooling_pool",
    "take_back_unbegun": "assess_assignment pooling_pool",
    "share": "assess_assignment pooling_pool",
    "change_sharing": "assess_shareddocument assess_sharedqueue pooling_pool",
    "join_sharing": "assess_assignment assess_sharedqueue pooling_pool",
    "unshare": "assess_assignment assess_sharedqueue pooling_pool",
    "lend": "assess_assignment assess_shareddocument",
    "reopen": "assess_assignment assess_judgment pooling_pool",
    "reset": "assess_assignment pooling_pool",
    "restore": "assess_assignment pooling_pool",
    "reopen_earlier": "assess_assignment assess_judgment assess_shareddocument pooling_pool",
    "throw_away_rehearsal": "campaigns_campaign",
    "judge": "assess_assignment",
    "record": "assess_assignment",
    "undo": "assess_assignment",
    "save_note": "assess_assignment",
    "mark_words": "assess_assignment",
    "ask": "assess_assignment",
    "withdraw_question": "questions_question",
    "answer": "questions_question",
    "change_practice": "campaigns_campaign",
    "confirm_practice": "campaigns_campaign",
    "publish_qrels": "campaigns_campaign",
    "import_qrels": "campaigns_campaign",
    "request_evaluation": "campaigns_campaign",
    "withdraw_qrels": "campaigns_campaign",
    "release": "campaigns_campaign",
    "replace_scores": "campaigns_campaign",
    "take_back_release": "campaigns_campaign",
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
    done_once_and_on_record(action, do, LOCKED.get(name, ""))
    assert snapshot() != before


def refused_to_others(action: Action, do: Do) -> None:
    for person, sentence in action.refused.items():
        kind = NotThere if sentence == doing.NOTHING else NotYours
        with pytest.raises(kind) as refusal:
            do(doing.person(person))
        assert str(refusal.value) == sentence, person


def changes_a_campaign(name: str) -> bool:
    kind, _ = ACTIONS[name].event or ("", "")
    return (
        bool(kind)
        or name
        in {
            "judge",
            "record",
            "undo",
            "save_note",
            "mark_words",
            "ask",
            "withdraw_question",
            "lend",
            "answer_practice",
            "skip_practice",
        }
    ) and not (name in {"create_campaign", "delete_campaign"} or kind.endswith(ALLOWED_IN_ARCHIVE))


def refused_in_an_archive(action: Action, do: Do, campaign: Campaign) -> None:
    mark = transaction.savepoint()
    Job.objects.filter(campaign=campaign).unfinished().update(state="done")
    ending.archive_campaign(user=doing.person("olga"), campaign=campaign)
    archived = snapshot()
    with pytest.raises(Refused, match="is archived"):
        do(doing.person(action.by))
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
            do(doing.person(action.by))


def done_once_and_on_record(action: Action, do: Do, tables: str) -> None:
    earlier = list(AuditEvent.objects.values_list("pk", flat=True))
    assert locked(lambda: do(doing.person(action.by))) == set(tables.split())
    events = AuditEvent.objects.exclude(pk__in=earlier)
    if action.event is None:
        assert not events
        return
    # A copy is on record in both campaigns.
    assert {(event.kind, event.subject) for event in events} == {action.event}
    assert len(events) == len({event.campaign_id for event in events})
    event = events[0]
    assert event.actor.username == action.by
    assert str(event) == f"{event.actor} {event.get_kind_display()} {event.subject}"


# The same, of the work that a worker does for an act.
WORKED = {
    "recheck_run": "jobs_job runs_run",
    "request_pool": "jobs_job",
    "distribute": "assess_assignment jobs_job pooling_pool",
    "copy_campaign": "jobs_job",
}


@pytest.mark.parametrize("name", WORKED)
def test_a_worker_locks_what_it_changes(campaign, name):
    action = ACTIONS[name]
    action.ready(campaign)(doing.person(action.by))
    job = Job.objects.latest("pk")
    found = locked(lambda: work.kinds[job.kind](job.pk))
    assert found == set(WORKED[name].split())


def test_the_board_of_the_judging_is_kept_under_a_lock(campaign):
    doing.judged(campaign)
    found = locked(lambda: tasks.refresh_preliminary(campaign.pk))
    assert "evaluation_preliminary" in found


def test_every_kind_of_event_is_in_the_table():
    assert {ACTIONS[name].event[0] for name in AUDITED} == set(dict(event_kinds()))
