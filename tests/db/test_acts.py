"""Whatever people do: it is refused to others, refused in an archive, undone when its event cannot
be stored, and else on record once.
"""

from collections.abc import Callable

import pytest
from django.db import transaction

from accounts.access import NotThere, NotYours, Refused, Verb
from accounts.models import User
from campaigns.events import CampaignEvent
from campaigns.models.campaign import Campaign
from campaigns.models.trail import ALLOWED_IN_ARCHIVE, AuditEvent, event_kinds
from campaigns.services import ending
from evaluation import tasks
from jobs import work
from jobs.models import Job
from pooling.events import PoolEvent
from qrels.events import QrelsEvent
from tests.db.actions import ACTIONS, doing, snapshot
from tests.db.actions.doing import Action
from tests.db.actions.verbs import VERBS
from tests.db.locks import check_order, locked, locks_of

Do = Callable[[User], object]
# The tables of which rows are locked meanwhile (a double click, two publishers, an acceptance while
# the link is withdrawn), and by which acts.
LOCKED = {
    "campaigns_campaign": (
        "change_campaign, begin_round, take_back_round, change_round, "
        "archive_campaign, restore_campaign, delete_campaign, import_known, "
        "remove_known, confirm_known, copy_campaign, create_team, "
        "throw_away_rehearsal, request_batch, change_practice, publish_qrels, import_qrels, "
        "request_publishing, request_evaluation, request_study, request_reusability, "
        "request_disagreement, request_review, withdraw_qrels, "
        "release, replace_scores, take_back_release, import_batch, request_duplicates, "
        "register_program"
    ),
    "evaluation_evaluation": "request_report",
    "collection_import": "confirm_import, confirm_import of documents, discard_import, undo_import",
    "collection_topic": "delete_topic",
    "collection_topic campaigns_campaign": "hide_topics",
    "collection_document": "delete_document",
    "campaigns_invitation": "accept_invitation",
    "campaigns_invitation campaigns_membership api_accesstoken": "remove_member",
    "api_accesstoken": "revoke_token, leave_team",
    "programs_program api_accesstoken": "make_program_token",
    "campaigns_campaign api_accesstoken": "remove_program",
    "programs_program": "take_labels",
    "accounts_user campaigns_membership": "make_token",
    "campaigns_campaign campaigns_team": "rename_team, submit_run",
    "campaigns_invitation jobs_job campaigns_membership campaigns_team": "merge_teams",
    "campaigns_team": "delete_team, submit_archive, extend_deadline",
    "accounts_user": "make_reset",
    "accounts_user campaigns_passwordreset api_accesstoken": "use_reset",
    "accounts_user api_accesstoken": "change_password",
    "runs_run": "withdraw_run, disqualify_run, describe_run",
    "runs_run campaigns_team": "move_run",
    "campaigns_campaign runs_run": "move_to_round",
    "campaigns_campaign pooling_batch": "delete_batch, build_again",
    "campaigns_campaign assess_assignment assess_sharedqueue pooling_pool": "freeze_batch",
    "campaigns_campaign assess_assignment assess_sharedqueue pooling_batch pooling_pool": (
        "take_back_batch"
    ),
    "assess_assignment assess_sharedqueue pooling_pool": "join_sharing, unshare",
    "pooling_pool": "distribute, adjudicate",
    "assess_assignment pooling_pool": (
        "assign, assign of a topic taken back, hand_over, take_back, take_back_unbegun, share, "
        "reset, restore, reopen, sample_more, give_up"
    ),
    "assess_shareddocument assess_sharedqueue pooling_pool": "change_sharing",
    "assess_assignment assess_shareddocument": "lend",
    "assess_assignment assess_shareddocument pooling_pool": "reopen_earlier",
    "assess_assignment": "serve_practice, judge, judge_all, undo, save_note, mark_words, ask, "
    "correct, take_back_correction, bring",
    "questions_question": "withdraw_question, answer",
}


# Acts without an event that an archive refuses too.
UNRECORDED = {
    *("judge", "judge_all", "undo", "save_note", "mark_words", "ask", "withdraw_question", "lend"),
    "bring",
    "serve_practice",
}


@pytest.mark.parametrize("name", ACTIONS)
def test_an_act(campaign, sam, otto, quinn, monkeypatch, name):
    action = ACTIONS[name]
    do = action.ready(campaign)
    before = snapshot()
    refused_to_others(action, do)
    if changes_a_campaign(name):
        refused_in_an_archive(action, do, campaign)
    assert snapshot() == before
    if action.event:
        undone_without_its_event(action, do, monkeypatch)
        assert snapshot() == before
    asked = verbs_asked(monkeypatch)
    check_order(name, done_once_and_on_record(action, do, locks_by(name)))
    assert VERBS.get(name) in {*asked, None}
    assert snapshot() != before


def refused_to_others(action: Action, do: Do) -> None:
    for person, sentence in action.refused.items():
        kind = NotThere if sentence == doing.NOTHING else NotYours
        with pytest.raises(kind) as refusal:
            do(doing.person(person))
        assert str(refusal.value) == sentence, person


def changes_a_campaign(name: str) -> bool:
    if not (event := ACTIONS[name].event):
        return name in UNRECORDED
    kind = event.partition(" ")[0]
    return name not in {"create_campaign", "delete_campaign"} and not kind.endswith(
        ALLOWED_IN_ARCHIVE
    )


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


def verbs_asked(monkeypatch) -> list[Verb]:
    """The verbs that are asked from now on."""
    asked, ask = [], Verb.__call__

    def noting(verb: Verb, *about: object) -> None:
        asked.append(verb)
        ask(verb, *about)

    monkeypatch.setattr(Verb, "__call__", noting)
    return asked


def locks_by(name: str) -> set[str]:
    return {
        each
        for tables, names in LOCKED.items()
        if name in names.split(", ")
        for each in tables.split()
    }


def done_once_and_on_record(action: Action, do: Do, tables: set[str]) -> list[str]:
    """Do it, and return what it locks in its order."""
    earlier = list(AuditEvent.objects.values_list("pk", flat=True))
    in_order: list[str] = []
    person = doing.person(action.by)
    assert locked(lambda: in_order.extend(locks_of(lambda: do(person)))) == tables
    events = AuditEvent.objects.exclude(pk__in=earlier)
    # A copy is on record in both campaigns.
    assert {f"{event.kind} {event.subject}" for event in events} == {action.event} - {None}
    assert len(events) == len({event.campaign_id for event in events})
    for event in events:
        assert event.actor.username == action.by
        assert str(event) == f"{event.actor} {event.get_kind_display()} {event.subject}"
    return in_order


# The same, of the work that a worker does for an act.
WORKED = {
    "recheck_run": "jobs_job runs_run",
    "request_batch": "jobs_job",
    "distribute": "assess_assignment jobs_job pooling_pool",
    "copy_campaign": "campaigns_campaign jobs_job",
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
    events = [action.event for action in ACTIONS.values() if action.event]
    by_nobody = {CampaignEvent.REFUSED, PoolEvent.GREW, QrelsEvent.AUDITED}
    by_services = {kind for kind, _ in event_kinds()} - by_nobody
    assert {event.partition(" ")[0] for event in events} == by_services
