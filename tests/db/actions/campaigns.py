"""What people do in a campaign before judging, and to their accounts."""

from collections.abc import Callable
from datetime import UTC, datetime

from django.core.files.base import ContentFile

from accounts import services as accounts
from campaigns.models.campaign import Campaign
from campaigns.models.people import Membership, Role, Team
from campaigns.models.resets import PasswordReset
from campaigns.services import campaign as campaign_services
from campaigns.services import ending, leaving, people, resets
from collection.services import collection, imports
from jobs import work
from overview.services import copying
from pooling.tasks import build_pool
from runs.services import runs, teams
from tests import make
from tests.db.actions.doing import (
    NOTHING,
    ORGANIZERS,
    STRANGERS,
    Action,
    Do,
    partial_user,
    person,
    plainly,
    run,
)

NO_RUNS = "Runs are shown to organizers and to the teams that submitted them."
TEAM = {**STRANGERS, "ada": NO_RUNS, "quinn": NOTHING}
ONLY_PARTICIPANTS = "Only participants of Test campaign may submit runs."


def restore_campaign(campaign: Campaign) -> Do:
    ending.archive_campaign(user=person("olga"), campaign=campaign)
    return partial_user(ending.restore_campaign, campaign=campaign)


def request_import(campaign: Campaign) -> Do:
    file = ContentFile(b"", name="documents.jsonl")
    return partial_user(imports.request_import, campaign=campaign, kind="documents", file=file)


def confirm_import(kind: str) -> Callable[[Campaign], Do]:
    def ready(campaign: Campaign) -> Do:
        row = make.uploaded(campaign, kind, b"9\tnine")
        return lambda user: imports.confirm_import(user=user, row=row)

    return ready


def discard_import(campaign: Campaign) -> Do:
    row = make.uploaded(campaign, "topics", b"9\tnine")
    return lambda user: imports.discard_import(user=user, row=row)


def undo_import(campaign: Campaign) -> Do:
    row = make.imported(campaign, "topics", b"9\tnine")
    return lambda user: imports.undo_import(user=user, row=row)


def delete_topic(campaign: Campaign) -> Do:
    return partial_user(collection.delete_topic, topic=campaign.topic_set.get(number="1"))


def delete_document(campaign: Campaign) -> Do:
    document = campaign.document_set.get(docno="d1")
    return partial_user(collection.delete_document, document=document)


def submit_run(campaign: Campaign) -> Do:
    return lambda user: make.submitted(campaign, user, "x", "one")


def reinstate_run(campaign: Campaign) -> Do:
    withdrawn = run(campaign)
    runs.withdraw_run(user=person("pat"), run=withdrawn)
    withdrawn.refresh_from_db()
    return partial_user(runs.reinstate_run, run=withdrawn)


def recheck_runs(campaign: Campaign) -> Do:
    run(campaign)
    return partial_user(runs.recheck_runs, campaign=campaign)


def submit_archive(campaign: Campaign) -> Do:
    file = ContentFile(b"x", name="runs.zip")
    return partial_user(runs.submit_archive, campaign=campaign, file=file)


def extend_deadline(campaign: Campaign) -> Do:
    campaign.submission_closes_at = datetime(2099, 1, 1, tzinfo=UTC)
    campaign.save()
    later = datetime(2100, 5, 1, tzinfo=UTC)
    team = campaign.team_set.get(name="Aldgate")
    return partial_user(teams.extend_deadline, team=team, closes_at=later)


def invitation(campaign: Campaign):
    return people.invite(user=person("olga"), campaign=campaign, role=Role.ASSESSOR)


def team(campaign: Campaign) -> Team:
    return campaign.team_set.get(name="Aldgate")


def empty_team(campaign: Campaign) -> Team:
    return Team.objects.create(campaign=campaign, name="Zoe")


def reset(campaign: Campaign) -> PasswordReset:
    resets.make_reset(user=person("olga"), campaign=campaign, person=person("ada"))
    return PasswordReset.objects.get()


def remove_member(campaign: Campaign) -> Do:
    pat = Membership.objects.get(campaign=campaign, user__username="pat")
    return lambda user: leaving.remove_member(user=user, membership=pat)


def retry_job(campaign: Campaign) -> Do:
    job = work.request(campaign=campaign, kind=build_pool, subject_id=1, user=person("olga"))
    work.fail(work.claim(job.pk), "no")
    return lambda user: campaign_services.retry_job(user=user, job=job)


CAMPAIGNS = {
    "create_campaign": Action(
        lambda _: partial_user(campaign_services.create_campaign, name="Mine"),
        ("campaign.created", "Mine"),
        "sam",
        {},
    ),
    "copy_campaign": Action(
        plainly(copying.copy_campaign, name="Next year", taking=["topics"]),
        ("campaign.copied", "Test campaign to Next year"),
    ),
    "change_campaign": Action(
        plainly(campaign_services.change_campaign, changes={"level": 2}),
        ("campaign.changed", "relevant from"),
    ),
    "archive_campaign": Action(
        plainly(ending.archive_campaign), ("campaign.archived", "Test campaign")
    ),
    "restore_campaign": Action(restore_campaign, ("campaign.restored", "Test campaign")),
    "delete_campaign": Action(
        plainly(ending.delete_campaign), ("campaign.deleted", "Test campaign")
    ),
    "request_import": Action(request_import, ("documents.uploaded", "documents.jsonl")),
    "confirm_import": Action(
        confirm_import("topics"), ("topics.imported", "topics.txt: 1 new, 0 changed")
    ),
    "confirm_import of documents": Action(
        confirm_import("documents"), ("documents.imported", "documents.txt: 1 new, 0 changed")
    ),
    "request_import of topics": Action(
        plainly(imports.request_import, kind="topics", file=ContentFile(b"x", name="t")),
        ("topics.uploaded", "t"),
    ),
    "discard_import": Action(discard_import, ("import.discarded", "topics.txt")),
    "undo_import": Action(undo_import, ("import.undone", "topics.txt")),
    "delete_topic": Action(delete_topic, ("topics.deleted", "1")),
    "delete_topics": Action(plainly(collection.delete_topics), ("topics.deleted", "all 2")),
    "delete_document": Action(delete_document, ("documents.deleted", "d1")),
    "delete_documents": Action(
        plainly(collection.delete_documents), ("documents.deleted", "all 6")
    ),
    "declare_collection": Action(
        plainly(collection.declare_collection, is_whole=True),
        ("collection.declared", "the whole collection"),
    ),
    "invite": Action(plainly(people.invite, role=Role.ASSESSOR), ("invitation.made", "assessor")),
    "withdraw_invitation": Action(
        lambda campaign: partial_user(people.withdraw_invitation, invitation=invitation(campaign)),
        ("invitation.withdrawn", "assessor"),
    ),
    "accept_invitation": Action(
        lambda campaign: partial_user(people.accept_invitation, invitation=invitation(campaign)),
        ("member.joined", "as assessor"),
        "sam",
        {},
    ),
    "remove_member": Action(remove_member, ("member.removed", "Pat, participant")),
    "create_team": Action(plainly(teams.create_team, name="Zoe"), ("team.created", "Zoe")),
    "rename_team": Action(
        lambda campaign: partial_user(teams.rename_team, team=team(campaign), name="Zoe"),
        ("team.renamed", "Aldgate to Zoe"),
    ),
    "merge_teams": Action(
        lambda campaign: partial_user(
            teams.merge_teams, team=team(campaign), into=empty_team(campaign)
        ),
        ("team.merged", "Aldgate into Zoe"),
    ),
    "delete_team": Action(
        lambda campaign: partial_user(teams.delete_team, team=empty_team(campaign)),
        ("team.deleted", "Zoe"),
    ),
    "leave_team": Action(
        lambda campaign: partial_user(teams.leave_team, team=team(campaign)),
        ("team.left", "Aldgate"),
        "pat",
        {**STRANGERS, "ada": NOTHING, "quinn": NOTHING, "olga": "You are not in team Aldgate."},
    ),
    "make_reset": Action(
        lambda campaign: partial_user(resets.make_reset, campaign=campaign, person=person("ada")),
        ("reset.made", "Ada"),
    ),
    "withdraw_reset": Action(
        lambda campaign: partial_user(resets.withdraw_reset, reset=reset(campaign)),
        ("reset.withdrawn", "Ada"),
    ),
    "use_reset": Action(
        lambda campaign: partial_user(
            resets.use_reset, reset=reset(campaign), password="tralala-17x"
        ),
        ("reset.used", "ada"),
        "ada",
        {"sam": NOTHING, "olga": NOTHING},
    ),
    "change_account": Action(
        lambda _: partial_user(accounts.change_account, changes={"email": "a@b.example"}),
        None,
        "ada",
        {},
    ),
    "change_reading": Action(
        lambda _: partial_user(accounts.change_reading, changes={"reading_size": 2}),
        None,
        "ada",
        {},
    ),
    "change_password": Action(
        lambda _: partial_user(accounts.change_password, password="tralala-17x"), None, "ada", {}
    ),
    "submit_run": Action(
        submit_run, ("run.submitted", "one"), "pat", {**STRANGERS, "ada": ONLY_PARTICIPANTS}
    ),
    "withdraw_run": Action(
        lambda campaign: partial_user(runs.withdraw_run, run=run(campaign)),
        ("run.withdrawn", "one"),
        "pat",
        TEAM,
    ),
    "disqualify_run": Action(
        lambda campaign: partial_user(runs.disqualify_run, run=run(campaign), reason="no"),
        ("run.disqualified", "one"),
    ),
    "reinstate_run": Action(reinstate_run, ("run.reinstated", "one"), "pat", TEAM),
    "recheck_run": Action(
        lambda campaign: partial_user(runs.recheck_run, run=run(campaign)),
        ("run.rechecked", "one"),
        "pat",
        TEAM,
    ),
    "recheck_runs": Action(recheck_runs, ("run.rechecked", "all")),
    "describe_run": Action(
        lambda campaign: partial_user(
            runs.describe_run, run=run(campaign), changes={"description": "BM25", "is_manual": True}
        ),
        ("run.described", "one"),
        "pat",
        TEAM,
    ),
    "move_run": Action(
        lambda campaign: partial_user(runs.move_run, run=run(campaign), team=empty_team(campaign)),
        ("run.moved", "one from Aldgate to Zoe"),
    ),
    "submit_archive": Action(
        submit_archive,
        ("runs.uploaded", "runs.zip"),
        "pat",
        {**STRANGERS, "ada": ONLY_PARTICIPANTS},
    ),
    "submit_archive of folders": Action(
        plainly(runs.submit_archive, by_folder=True, file=ContentFile(b"x", name="runs.zip")),
        ("runs.uploaded", "runs.zip"),
        "olga",
        {**ORGANIZERS, "ada": ONLY_PARTICIPANTS},
    ),
    "extend_deadline": Action(
        extend_deadline, ("deadline.extended", "Aldgate until 1 May 2100, 00:00 (UTC)")
    ),
    "download_run": Action(
        lambda campaign: partial_user(runs.download_run, run=run(campaign)),
        ("run.downloaded", "one"),
        "pat",
        TEAM,
    ),
    "retry_job": Action(retry_job, ("job.retried", "build the pool")),
}
