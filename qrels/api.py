"""The addresses of qrels: versions, their files, and files that are to be imported."""

from typing import Any

from accounts.models import User
from api.acting import Act, of_page, reads_as
from api.doors import doors
from api.files import Download, FileOf
from campaigns.models.campaign import Campaign
from qrels.access import QrelsImports, QrelsVersions
from qrels.models import Qrels, QrelsImport
from qrels.nouns import DIFFERENCES, IMPORTS, QRELS
from qrels.services import importing, publishing
from qrels.services.kept_judgments import download_kept_judgments
from qrels.web.forms import ImportForm, PublishForm, UploadForm, WithdrawForm


@reads_as(PublishForm, "level")
def publish_form(values: Any, files: Any, campaign: Campaign, **_: Any) -> PublishForm:
    values.setdefault("level", str(campaign.level))
    return PublishForm(values, files, campaign=campaign)


@reads_as(UploadForm)
def upload_form(values: Any, files: Any, user: User, campaign: Campaign, **_: Any) -> UploadForm:
    return UploadForm(values, files, user=user, campaign=campaign)


@reads_as(ImportForm, "level")
def import_form(values: Any, files: Any, campaign: Campaign, thing: QrelsImport, **_: Any) -> Any:
    highest = max(1, thing.facts.highest) if thing.facts else 1
    values.setdefault("level", str(min(campaign.level, highest)))
    return ImportForm(values, files, highest=highest, usual=campaign.level)


def send_file(user: User, qrels: Qrels) -> Download:
    name = "-".join([f"{qrels.campaign.slug}-qrels-v{qrels.number}", *qrels.marks])
    return Download(publishing.download_qrels(user=user, qrels=qrels), f"{name}.txt")


def send_judgments(user: User, qrels: Qrels) -> Download:
    name = f"{qrels.campaign.slug}-qrels-v{qrels.number}-judgments.csv"
    lines = download_kept_judgments(user=user, qrels=qrels)
    return Download(lines, name)


urlpatterns = [
    *doors(DIFFERENCES),
    *doors(
        QRELS,
        Act(QRELS, "", publishing.request_publishing, QrelsVersions.publish, form=publish_form),
        Act(
            QRELS,
            "withdraw",
            publishing.withdraw_qrels,
            QrelsVersions.withdraw,
            form=of_page(WithdrawForm),
        ),
        Act(QRELS, "reinstate", publishing.reinstate_qrels),
        FileOf(QRELS, "qrels.txt", QrelsVersions.see, send_file),
        FileOf(
            QRELS, "judgments.csv", QrelsVersions.see_judgments, send_judgments, kind="text/csv"
        ),
    ),
    *doors(
        IMPORTS,
        Act(IMPORTS, "", importing.upload_qrels, form=upload_form),
        Act(IMPORTS, "confirm", importing.import_qrels, QrelsImports.confirm, form=import_form),
        Act(IMPORTS, "discard", importing.discard_qrels),
    ),
]
