"""The addresses of runs and teams."""

from typing import Any

from accounts.access import can
from accounts.models import User
from api.acting import Act, of_page, reads_as
from api.arguments import of_model
from api.doors import doors
from api.files import Download, FileOf
from campaigns.access.campaign import Campaigns
from campaigns.models.campaign import Campaign
from campaigns.models.people import Team
from campaigns.nouns import TEAMS
from runs import checking
from runs.access.runs import Runs
from runs.access.teams import Teams
from runs.core.efficiency import EFFICIENCY
from runs.models import Run
from runs.nouns import RELEASED_RUNS, REPORTS, RUNS, sees_report
from runs.services import runs, teams
from runs.web.run_forms import DescriptionForm, DisqualifyForm, OutForm
from runs.web.upload_forms import BASELINE, RunForm

NAMED = of_model(Team, "name")


@reads_as(RunForm, "team")
def run_form(values: Any, files: Any, user: User, campaign: Campaign, **_: Any) -> RunForm:
    """Read an upload; organizers name its team, and nobody's is a baseline."""
    organizes = can(Campaigns.organize, user, campaign)
    if organizes:
        named = values.get("team", "")
        team = Team.objects.named(campaign, named) if named else None
        values["team"] = str(team.pk) if team else named or BASELINE
    return RunForm(values, files, for_team=campaign if organizes else None)


@reads_as(DescriptionForm)
def description_form(values: Any, files: Any, thing: Run, **_: Any) -> DescriptionForm:
    return DescriptionForm(values, files, instance=thing)


def describe(*, user: User, run: Run, **changes: Any) -> None:
    said = {name: changes[name] for name in ("description", "is_manual", "priority", *EFFICIENCY)}
    runs.describe_run(user=user, run=run, changes=said)


def send_file(user: User, run: Run) -> Download:
    return Download(runs.download_run(user=user, run=run), run.file_name)


def send_errors(_: User, run: Run) -> Download:
    return Download(checking.errors_csv(run), f"{run.tag}-errors.csv")


def organizing(name: str, service: Any, **how: Any) -> Act:
    return Act(noun=RUNS, name=name, service=service, scope="organize", **how)


urlpatterns = [
    *doors(
        TEAMS,
        Act(noun=TEAMS, service=teams.create_team, scope="organize", fields=NAMED),
        Act(noun=TEAMS, name="rename", service=teams.rename_team, scope="organize", fields=NAMED),
        Act(noun=TEAMS, name="merge", service=teams.merge_teams, scope="organize"),
        Act(
            noun=TEAMS,
            name="delete",
            service=teams.delete_team,
            scope="organize",
            verb=Teams.delete,
        ),
        Act(noun=TEAMS, name="leave", service=teams.leave_team, scope="submit"),
        Act(noun=TEAMS, name="extend-deadline", service=teams.extend_deadline, scope="organize"),
    ),
    *doors(
        RUNS,
        Act(noun=RUNS, service=runs.submit_run, scope="submit", form=run_form),
        Act(
            noun=RUNS,
            name="archives",
            of_all=True,
            service=runs.submit_archive,
            scope="submit",
            verb=Runs.submit,
        ),
        Act(
            noun=RUNS,
            name="withdraw",
            service=runs.withdraw_run,
            scope="submit",
            form=of_page(OutForm),
        ),
        Act(
            noun=RUNS,
            name="describe",
            service=describe,
            scope="submit",
            verb=Runs.describe,
            form=description_form,
        ),
        Act(noun=RUNS, name="check", service=runs.recheck_run, scope="submit"),
        organizing("disqualify", runs.disqualify_run, form=of_page(DisqualifyForm)),
        Act(noun=RUNS, name="reinstate", service=runs.reinstate_run, scope="submit"),
        organizing("move", runs.move_run, verb=Runs.move_to_team),
        organizing("move-to-round", runs.move_to_round, verb=Runs.move_to_round),
        FileOf(noun=RUNS, name="file", verb=Runs.download, read=send_file),
        FileOf(noun=RUNS, name="errors.csv", verb=sees_report, read=send_errors, kind="text/csv"),
    ),
    *doors(REPORTS, of=RUNS),
    *doors(RELEASED_RUNS),
]
