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
from runs.nouns import RELEASED_RUNS, REPORTS, RUNS
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
    """Change what is said of a run: its description, type, priority and costs."""
    said = {name: changes[name] for name in ("description", "is_manual", "priority", *EFFICIENCY)}
    runs.describe_run(user=user, run=run, changes=said)


def send_file(user: User, run: Run) -> Download:
    return Download(runs.download_run(user=user, run=run), run.file_name)


def send_errors(_: User, run: Run) -> Download:
    return Download(checking.errors_csv(run), f"{run.tag}-errors.csv")


urlpatterns = [
    *doors(
        TEAMS,
        Act(TEAMS, "", teams.create_team, fields=NAMED),
        Act(TEAMS, "rename", teams.rename_team, fields=NAMED),
        Act(TEAMS, "merge", teams.merge_teams),
        Act(TEAMS, "delete", teams.delete_team, Teams.delete),
        Act(TEAMS, "leave", teams.leave_team, scope="submit"),
        Act(TEAMS, "extend-deadline", teams.extend_deadline),
    ),
    *doors(
        RUNS,
        Act(RUNS, "", runs.submit_run, scope="submit", form=run_form),
        Act(RUNS, "archives", runs.submit_archive, Runs.submit, of_all=True, scope="submit"),
        Act(RUNS, "withdraw", runs.withdraw_run, scope="submit", form=of_page(OutForm)),
        Act(RUNS, "describe", describe, Runs.describe, scope="submit", form=description_form),
        Act(RUNS, "check", runs.recheck_run, scope="submit"),
        Act(RUNS, "disqualify", runs.disqualify_run, form=of_page(DisqualifyForm)),
        Act(RUNS, "reinstate", runs.reinstate_run, scope="submit"),
        Act(RUNS, "move", runs.move_run, verb=Runs.move_to_team),
        Act(RUNS, "move-to-round", runs.move_to_round, verb=Runs.move_to_round),
        FileOf(RUNS, "file", Runs.download, send_file),
        FileOf(RUNS, "errors.csv", Runs.see_report, send_errors, kind="text/csv"),
    ),
    *doors(REPORTS, of=RUNS),
    *doors(RELEASED_RUNS, FileOf(RELEASED_RUNS, "file", Runs.download, send_file)),
]
