"""The addresses of what draws on all apps: rounds, copies, removing people, reports."""

from functools import partial
from io import BytesIO
from typing import Any

from rest_framework import serializers

from accounts.access import NotThere
from accounts.models import User
from api.acting import Act, reads_as
from api.arguments import Numbers
from api.doors import doors
from api.files import Download, FileOf
from campaigns.access.people import People
from campaigns.models.campaign import Campaign
from campaigns.models.people import Membership, Role
from campaigns.nouns import CAMPAIGNS, MEMBERS, ROUNDS
from cleverdon.pictures.files import FORMATS
from evaluation.access import Scores, sees_all_runs, teams_of
from evaluation.figures.board import BoardFigures
from evaluation.models.scores import Evaluation
from evaluation.nouns import EVALUATIONS
from evaluation.pictures.gallery import drawn, offered, whole
from overview.access import Rounds, WholeCampaigns
from overview.core.report_files import zipped
from overview.services import copying, leaving, rehearsal, reports, rounds
from overview.web.copying import CopyForm
from overview.web.reports import TYPES, newest_report, report_part


@reads_as(CopyForm)
def copy_form(values: Any, files: Any, campaign: Campaign, **_: Any) -> CopyForm:
    return CopyForm(values, files, campaign=campaign)


def remove(
    *, user: User, membership: Membership, role: str, successor: User | None = None
) -> dict[str, str]:
    """Remove a role of a person."""
    rows = Membership.objects.filter(campaign=membership.campaign, user=membership.user, role=role)
    its = rows.select_related("campaign", "user").first()
    if its is None:
        raise NotThere
    return {"outcome": leaving.remove_member(user=user, membership=its, successor=successor)}


def send_report(kind: str, _: User, evaluation: Evaluation) -> Download:
    """Send the newest report on an evaluation."""
    made = newest_report(evaluation)
    if made is None:
        raise NotThere
    name = f"{evaluation.campaign.slug}-report.{kind}"
    return Download(BytesIO(report_part(made, kind)), name)


def send_pictures(user: User, evaluation: Evaluation) -> Download:
    """Send what the page of pictures draws, each as SVG and as the numbers that it draws."""
    if evaluation.pictured is None or not sees_all_runs(user, evaluation):
        raise NotThere
    figures = BoardFigures.of(evaluation, evaluation.measures[0])
    gallery = whole(figures, frozenset(teams_of(user, evaluation.campaign)))
    files = {
        f"{name}.{kind}": FORMATS[kind][1](picture)
        for name, picture in drawn(gallery, offered(user, evaluation.campaign)).items()
        for kind in ("svg", "csv")
    }
    return Download(BytesIO(zipped(files)), f"{evaluation.campaign.slug}-pictures.zip")


ALL = "Empty for all that there are now."
SOME = Numbers(required=False, help_text=ALL)
TAKING = serializers.ListField(
    child=serializers.ChoiceField([*copying.PARTS]), help_text="What is copied with the settings."
)
of_campaigns = doors(
    CAMPAIGNS,
    Act(
        CAMPAIGNS,
        "copy",
        copying.copy_campaign,
        WholeCampaigns.copy,
        form=copy_form,
        fields={"taking": TAKING},
    ),
    Act(
        CAMPAIGNS,
        "throw-away-rehearsal",
        rehearsal.throw_away_rehearsal,
        WholeCampaigns.throw_away_rehearsal,
    ),
    lists=False,
)
urlpatterns = [
    *doors(
        ROUNDS,
        Act(ROUNDS, "", rounds.begin_round, fields={"topics": SOME}),
        Act(ROUNDS, "take-back", rounds.take_back_round, Rounds.take_back, of_all=True),
        Act(ROUNDS, "change", rounds.change_round, fields={"topics": Numbers(help_text=ALL)}),
    ),
    *doors(
        MEMBERS,
        Act(
            MEMBERS,
            "remove",
            remove,
            People.remove,
            fields={"role": serializers.ChoiceField(Role.choices)},
        ),
        lists=False,
    ),
    *doors(
        EVALUATIONS,
        Act(EVALUATIONS, "report", reports.request_report),
        FileOf(
            EVALUATIONS,
            "pictures.zip",
            Scores.see_evaluation_by_topic,
            send_pictures,
            kind="application/zip",
        ),
        *(
            FileOf(
                EVALUATIONS,
                f"report.{kind}",
                Scores.report,
                partial(send_report, kind),
                kind=TYPES[kind].partition(";")[0],
            )
            for kind in TYPES
        ),
        lists=False,
    ),
]
