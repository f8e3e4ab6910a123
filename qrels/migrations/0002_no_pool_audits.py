"""Audits of pools are no longer made: their table goes, and the jobs that no worker knows now."""

from django.db import migrations


def forget_jobs(apps, _):
    apps.get_model("jobs", "Job").objects.filter(kind="audit_pool").delete()


class Migration(migrations.Migration):
    dependencies = [("jobs", "0001_initial"), ("qrels", "0001_initial")]
    operations = [
        migrations.RunPython(forget_jobs, migrations.RunPython.noop, elidable=True),
        migrations.DeleteModel("PoolAudit"),
    ]
