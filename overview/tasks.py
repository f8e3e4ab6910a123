"""Reports made in workers."""

from django.core.files.base import ContentFile

from evaluation.models.scores import Evaluation
from jobs import work
from jobs.models import Job
from overview.core.report_files import zipped
from overview.sheets import files_of
from trec.words import counted


@work.kind("make the report")
def write_report(job: Job) -> str:
    """Make the report on an evaluation, and keep it with the job as one archive."""
    rows = Evaluation.objects.select_related("campaign", "qrels__pool", "without")
    files = files_of(rows.get(pk=job.subject_id))
    with work.writing(job):
        job.file.save("report.zip", ContentFile(zipped(files)), save=False)
        Job.objects.filter(pk=job.pk).update(file=job.file.name)
    return f"The report has {counted(len(files), 'file')}."
