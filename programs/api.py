"""The addresses of programs and their labels."""

from typing import Any

from rest_framework import serializers

from accounts.models import User
from api.acting import Act, of_page, reads_as
from api.doors import doors
from api.files import Download, FileOf
from campaigns.models.campaign import Campaign
from programs import services
from programs.access import Programs
from programs.core import MOST_VERDICT, Verdict
from programs.models import Program
from programs.nouns import LABELS, PROGRAMS, UNLABELLED
from programs.web.forms import LabelsForm, ProgramForm

MOST_AT_ONCE = 10_000


class Said(serializers.Serializer[Any]):
    """One label; what it says may be a grade as a number, or any other words."""

    topic = serializers.CharField(max_length=100)
    docno = serializers.CharField(max_length=255)
    grade = serializers.CharField(max_length=MOST_VERDICT)
    confidence = serializers.FloatField(required=False, allow_null=True, default=None)


def label(*, user: User, program: Program, labels: list[dict[str, Any]]) -> Program:
    """Take labels: all of them, or none where one cannot be taken. They never change."""
    said = [
        Verdict(
            n, each["topic"], each["docno"], " ".join(each["grade"].split()), each["confidence"]
        )
        for n, each in enumerate(labels, 1)
    ]
    return services.take_labels(user=user, program=program, labels=said)


def import_labels(*, user: User, program: Program, file: list[Verdict]) -> Program:
    """Take a file of labels: topic, docno, grade and, if there is one, confidence."""
    return services.take_labels(user=user, program=program, labels=file)


@reads_as(ProgramForm)
def program_form(values: Any, files: Any, campaign: Campaign, **_: Any) -> ProgramForm:
    return ProgramForm(values, files, campaign=campaign)


def send_labels(user: User, program: Program) -> Download:
    name = f"{program.campaign.slug}-labels-{program}.csv"
    return Download(services.download_labels(user=user, program=program), name)


LISTED = serializers.ListField(child=Said(), max_length=MOST_AT_ONCE, allow_empty=False)
urlpatterns = [
    *doors(LABELS, of=PROGRAMS),
    *doors(UNLABELLED, of=PROGRAMS),
    *doors(
        PROGRAMS,
        Act(PROGRAMS, "", services.register_program, form=program_form),
        Act(PROGRAMS, "label", label, Programs.label, scope="judge", fields={"labels": LISTED}),
        Act(
            PROGRAMS,
            "import-labels",
            import_labels,
            Programs.label,
            scope="judge",
            form=of_page(LabelsForm),
        ),
        Act(PROGRAMS, "remove", services.remove_program),
        FileOf(PROGRAMS, "labels.csv", Programs.see_labels, send_labels, kind="text/csv"),
    ),
]
