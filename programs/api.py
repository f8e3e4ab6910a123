"""The addresses of programs and their labels."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.core.files import File
from rest_framework import serializers

from accounts.access import Invalid
from accounts.models import User
from api.acting import Act, reads_as
from api.arguments import Sent
from api.doors import doors
from api.files import Download, FileOf
from campaigns.models.campaign import Campaign
from cleverdon.trec.names import tidy
from programs import services
from programs.access import Programs, labels_of
from programs.core import MOST_VERDICT, Verdict
from programs.models import Program
from programs.nouns import LABELS, PROGRAMS, UNLABELLED
from programs.web.forms import ProgramForm

MOST_AT_ONCE = 5_000


class Said(Sent):
    """One label; what it says may be a grade as a number, or any other words."""

    topic = serializers.CharField(max_length=100)
    docno = serializers.CharField(max_length=255)
    grade = serializers.CharField(max_length=MOST_VERDICT)
    confidence = serializers.FloatField(required=False, allow_null=True, default=None)


def label(
    *,
    user: User,
    program: Program,
    labels: Sequence[Mapping[str, Any]] = (),
    file: File[bytes] | None = None,
) -> Program:
    """Take labels, as a list or as a file: all of them, or none where one cannot be taken.

    They never change. A file has topic, docno, grade and, if there is one, confidence in a line.
    """
    if bool(labels) == bool(file):
        raise Invalid("labels", "Send labels, or a file of labels.")
    said = labels_of(file) if file else [_verdict(n, each) for n, each in enumerate(labels, 1)]
    return services.take_labels(user=user, program=program, labels=said)


def _verdict(n: int, said: Mapping[str, Any]) -> Verdict:
    return Verdict(n, said["topic"], said["docno"], tidy(said["grade"]), said["confidence"])


@reads_as(ProgramForm)
def program_form(values: Any, files: Any, campaign: Campaign, **_: Any) -> ProgramForm:
    return ProgramForm(values, files, campaign=campaign)


def send_labels(user: User, program: Program) -> Download:
    name = f"{program.campaign.slug}-labels-{program}.csv"
    return Download(services.download_labels(user=user, program=program), name)


LABELS_SENT: dict[str, serializers.Field[Any, Any, Any, Any]] = {
    "labels": serializers.ListField(child=Said(), max_length=MOST_AT_ONCE, required=False),
    "file": serializers.FileField(required=False),
}
urlpatterns = [
    *doors(LABELS, of=PROGRAMS),
    *doors(UNLABELLED, of=PROGRAMS),
    *doors(
        PROGRAMS,
        Act(PROGRAMS, "", services.register_program, form=program_form),
        Act(PROGRAMS, "label", label, Programs.label, scope="judge", fields=LABELS_SENT),
        Act(PROGRAMS, "remove", services.remove_program),
        FileOf(PROGRAMS, "labels.csv", Programs.see_labels, send_labels, kind="text/csv"),
    ),
]
