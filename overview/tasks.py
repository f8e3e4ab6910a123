"""Reports made in workers."""

from functools import partial

from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import transaction

from cleverdon.trec.words import counted
from evaluation.models.scores import Evaluation
from evaluation.tables import file_stamp
from jobs import work
from jobs.models import Job
from overview.core.report_files import zipped
from overview.sheets import files_of


@work.kind("make the report", of=Evaluation)
def write_report(job: Job) -> str:
    """Make the report on an evaluation, and keep it with the job in the place of earlier ones.

    What the job is about is the state of the scores, which may change later.
    """
    rows = Evaluation.objects.select_related("campaign", "qrels__pool", "without")
    evaluation = rows.get(pk=job.subject_id)
    stamp, files = file_stamp(evaluation), files_of(evaluation)
    with work.writing(job):
        made = Job.objects.filter(kind=job.kind, subject_id=job.subject_id).exclude(file="")
        earlier = list(made.values_list("file", flat=True))
        made.update(file="")
        job.file.save("report.zip", ContentFile(zipped(files)), save=False)
        Job.objects.filter(pk=job.pk).update(file=job.file.name, about=stamp)
        transaction.on_commit(partial(_delete, earlier))
    return f"The report has {counted(len(files), 'file')}."


def _delete(names: list[str]) -> None:
    for name in names:
        default_storage.delete(name)
