"""What people do in a campaign before judging, and to their accounts."""

from datetime import UTC, datetime
from uuid import uuid4

from django.core.files.base import ContentFile

from accounts import services as accounts
from api import services as tokens
from campaigns.models.campaign import Campaign
from campaigns.models.people import Role, Team
from campaigns.models.resets import PasswordReset
from campaigns.services import campaign as campaign_services
from campaigns.services import ending, people, resets
from collection.services import collection, imports
from jobs import work
from overview.services import copying, leaving, rounds
from pooling.tasks import build_batch
from runs.services import runs, teams
from tests import make
from tests.db.actions.doing import (
    NOTHING,
    ORGANIZERS,
    STRANGERS,
    Action,
    Given,
    person,
    plainly,
    run,
)
from tests.tokens import made, row

NO_RUNS = "Runs are shown to organizers and to the teams that submitted them."
TEAM = {**STRANGERS, "ada": NO_RUNS, "quinn": NOTHING}
ONLY_PARTICIPANTS = "Only participants of Test campaign may submit runs."
PASSWORD = "tralala-17x"


def a_file(name: str, content: bytes = b"x") -> ContentFile:
    return ContentFile(content, name=name)


def a_round(campaign: Campaign) -> Given:
    rounds.begin_round(user=person("olga"), campaign=campaign)
    return {"campaign": campaign}


def archived(campaign: Campaign) -> Given:
    ending.archive_campaign(user=person("olga"), campaign=campaign)
    return {"campaign": campaign}


def a_run(campaign: Campaign, **values: object) -> Given:
    return {"run": run(campaign), **values}


def a_withdrawn_run(campaign: Campaign) -> Given:
    withdrawn = run(campaign)
    runs.withdraw_run(user=person("pat"), run=withdrawn)
    withdrawn.refresh_from_db()
    return {"run": withdrawn}


def an_extension(campaign: Campaign) -> Given:
    campaign.submission_closes_at = datetime(2099, 1, 1, tzinfo=UTC)
    campaign.save()
    return {"team": team(campaign), "closes_at": datetime(2100, 5, 1, tzinfo=UTC)}


def a_link(campaign: Campaign) -> Given:
    made = people.invite(user=person("olga"), campaign=campaign, role=Role.ASSESSOR)
    return {"invitation": made}


def team(campaign: Campaign) -> Team:
    return campaign.team_set.get(name="Aldgate")


def empty_team(campaign: Campaign) -> Team:
    return Team.objects.create(campaign=campaign, name="Zoe")


def a_reset(campaign: Campaign, **values: object) -> Given:
    resets.make_reset(user=person("olga"), campaign=campaign, person=person("ada"))
    return {"reset": PasswordReset.objects.get(), **values}


def a_token_to_make(campaign: Campaign) -> Given:
    what = {"name": "laptop", "scopes": ["read"], "days": 30, "client_id": uuid4()}
    return {"campaign": campaign, **what}


def a_failed_job(campaign: Campaign) -> Given:
    job = work.request(campaign=campaign, kind=build_batch, subject_id=1, user=person("olga"))
    work.fail(work.claim(job.pk), "no")
    return {"job": job}


OWN_ACCOUNT = [
    (accounts.change_account, {"changes": {"email": "a@b.example"}}),
    (accounts.change_reading, {"changes": {"reading_size": 2}}),
    (accounts.change_password, {"password": PASSWORD}),
]
THE_CAMPAIGN = [
    Action(
        campaign_services.create_campaign,
        "campaign.created Bridges 2027",
        lambda _: {"name": "Bridges 2027"},
        "sam",
        {},
    ),
    Action(
        copying.copy_campaign,
        "campaign.copied Test campaign to Next year",
        plainly(name="Next year", taking=["topics"]),
    ),
    Action(
        campaign_services.change_campaign,
        "campaign.changed documents per topic in a run",
        plainly(changes={"run_depth": 2}),
    ),
    Action(
        rounds.begin_round,
        "campaign.changed round, submission closes at",
        plainly(topics=["2"], submission_closes_at=datetime(2099, 1, 1, tzinfo=UTC)),
    ),
    Action(rounds.take_back_round, "campaign.changed round", a_round),
    Action(
        rounds.change_round,
        "round.changed round 1",
        lambda campaign: {"row": a_round(campaign)["campaign"].rounds.first(), "topics": ["1"]},
    ),
    Action(ending.archive_campaign, "campaign.archived Test campaign"),
    Action(ending.restore_campaign, "campaign.restored Test campaign", archived),
    Action(ending.delete_campaign, "campaign.deleted Test campaign"),
    Action(campaign_services.retry_job, "job.retried build the pool", a_failed_job),
    Action(
        people.view_as,
        "campaign.viewed_as a visitor",
        lambda campaign: {"campaign": campaign, "member": None},
    ),
]
TEXTS = [
    Action(
        imports.request_import,
        "documents.uploaded documents.jsonl",
        plainly(kind="documents", file=a_file("documents.jsonl", b"")),
    ),
    Action(
        imports.request_import,
        "topics.uploaded t",
        plainly(kind="topics", file=a_file("t")),
        of="topics",
    ),
    Action(
        imports.confirm_import,
        "topics.imported topics.txt: 1 new, 0 changed",
        lambda campaign: {"row": make.uploaded(campaign, "topics", b"9\tnine")},
    ),
    Action(
        imports.confirm_import,
        "documents.imported documents.txt: 1 new, 0 changed",
        lambda campaign: {"row": make.uploaded(campaign, "documents", b"9\tnine")},
        of="documents",
    ),
    Action(
        imports.discard_import,
        "import.discarded topics.txt",
        lambda campaign: {"row": make.uploaded(campaign, "topics", b"9\tnine")},
    ),
    Action(
        imports.undo_import,
        "import.undone topics.txt",
        lambda campaign: {"row": make.imported(campaign, "topics", b"9\tnine")},
    ),
    Action(
        collection.delete_topic,
        "topics.deleted 1",
        lambda campaign: {"topic": campaign.topic_set.get(number="1")},
    ),
    Action(collection.delete_topics, "topics.deleted all 2"),
    Action(
        collection.hide_topics,
        "topics.split 2",
        lambda campaign: {"campaign": campaign, "numbers": ["2"]},
    ),
    Action(
        collection.delete_document,
        "documents.deleted d1",
        lambda campaign: {"document": campaign.document_set.get(docno="d1")},
    ),
    Action(collection.delete_documents, "documents.deleted all 6"),
    Action(
        collection.declare_collection,
        "collection.declared the whole collection",
        plainly(is_whole=True),
    ),
]
PEOPLE = [
    Action(people.invite, "invitation.made assessor", plainly(role=Role.ASSESSOR)),
    Action(people.withdraw_invitation, "invitation.withdrawn assessor", a_link),
    Action(people.accept_invitation, "member.joined as assessor", a_link, "sam", {}),
    Action(
        leaving.remove_member,
        "member.removed Pat, participant",
        lambda campaign: {"membership": campaign.membership_set.get(user__username="pat")},
    ),
    Action(teams.create_team, "team.created Zoe", plainly(name="Zoe")),
    Action(
        teams.rename_team,
        "team.renamed Aldgate to Zoe",
        lambda campaign: {"team": team(campaign), "name": "Zoe"},
    ),
    Action(
        teams.merge_teams,
        "team.merged Aldgate into Zoe",
        lambda campaign: {"team": team(campaign), "into": empty_team(campaign)},
    ),
    Action(teams.delete_team, "team.deleted Zoe", lambda campaign: {"team": empty_team(campaign)}),
    Action(
        teams.leave_team,
        "team.left Aldgate",
        lambda campaign: {"team": team(campaign)},
        "pat",
        {**STRANGERS, "ada": NOTHING, "quinn": NOTHING, "olga": "You are not in team Aldgate."},
    ),
    Action(
        resets.make_reset,
        "reset.made Ada",
        lambda campaign: {"campaign": campaign, "person": person("ada")},
    ),
    Action(resets.withdraw_reset, "reset.withdrawn Ada", a_reset),
    Action(
        resets.use_reset,
        "reset.used ada",
        lambda campaign: a_reset(campaign, password=PASSWORD),
        "ada",
        {"sam": NOTHING, "olga": NOTHING},
    ),
    Action(tokens.make_token, None, a_token_to_make, "ada", STRANGERS),
    Action(
        tokens.revoke_token,
        None,
        lambda _: {"token": row(made(person("ada"), "read"))},
        "ada",
        {**STRANGERS, "olga": NOTHING},
    ),
    *(
        Action(service, None, lambda _, given=given: given, "ada", {})
        for service, given in OWN_ACCOUNT
    ),
]
RUNS = [
    Action(
        runs.submit_run,
        "run.submitted one",
        plainly(tag="one", file=a_file("one.txt")),
        "pat",
        {**STRANGERS, "ada": ONLY_PARTICIPANTS},
    ),
    Action(runs.withdraw_run, "run.withdrawn one", a_run, "pat", TEAM),
    Action(
        runs.disqualify_run, "run.disqualified one", lambda campaign: a_run(campaign, reason="no")
    ),
    Action(runs.reinstate_run, "run.reinstated one", a_withdrawn_run, "pat", TEAM),
    Action(runs.recheck_run, "run.rechecked one", a_run, "pat", TEAM),
    Action(
        runs.describe_run,
        "run.described one",
        lambda campaign: a_run(campaign, changes={"description": "BM25", "is_manual": True}),
        "pat",
        TEAM,
    ),
    Action(
        runs.move_run,
        "run.moved one from Aldgate to Zoe",
        lambda campaign: a_run(campaign, team=empty_team(campaign)),
    ),
    Action(
        runs.move_to_round,
        "run.moved one to round 1",
        lambda campaign: a_run(a_round(campaign)["campaign"], number=1),
    ),
    Action(
        runs.submit_archive,
        "runs.uploaded runs.zip",
        plainly(file=a_file("runs.zip", b"PK\3\4")),
        "pat",
        {**STRANGERS, "ada": ONLY_PARTICIPANTS},
    ),
    Action(
        runs.submit_archive,
        "runs.uploaded runs.zip",
        plainly(by_folder=True, file=a_file("runs.zip", b"PK\3\4")),
        refused={**ORGANIZERS, "ada": ONLY_PARTICIPANTS},
        of="folders",
    ),
    Action(
        teams.extend_deadline,
        "deadline.extended Aldgate until 1 May 2100, 00:00 (UTC)",
        an_extension,
    ),
    Action(runs.download_run, "run.downloaded one", a_run, "pat", TEAM),
]
CAMPAIGNS = [*THE_CAMPAIGN, *TEXTS, *PEOPLE, *RUNS]
