"""Upgrade the site of a release, in a process of its own, and look at it.

What was stored is shown, what was scored is scored anew to the same bit, and judging goes on.
"""

import re
import subprocess
import sys

import django
import numpy as np
from celery import current_app

django.setup()
assert "scipy" not in sys.modules, "every process of the site would import it, for a second"

from django.conf import settings  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.db import connection  # noqa: E402
from django.test import Client  # noqa: E402

from accounts.models import User  # noqa: E402
from assess.models.assigning import Assignment  # noqa: E402
from campaigns.models.campaign import Campaign  # noqa: E402
from docs.release import DUMP  # noqa: E402
from evaluation.models.scores import Evaluation  # noqa: E402
from evaluation.services import request_evaluation  # noqa: E402
from jobs.models import Job  # noqa: E402
from tests import make  # noqa: E402

settings.ALLOWED_HOSTS = ["testserver"]
current_app.conf.task_always_eager = True  # no worker is needed
PAGES = (
    "",
    "topics/",
    "documents/",
    "people/",
    "runs/",
    "pool/",
    "judging/",
    "agreement/",
    "qrels/",
    "leaderboard/",
    "settings/grades/",
    "activity/",
)


def signed_in(username: str) -> Client:
    client = Client()
    assert client.login(username=username, password="cleverdon")
    return client


def everything_is_shown(campaign: Campaign) -> None:
    olga, seen = signed_in("olga"), set[str]()
    for page in PAGES:
        at = f"/campaigns/{campaign.slug}/{page}"
        shown = olga.get(at)
        assert shown.status_code == 200, (at, shown.status_code)
        # And the first of each kind of page that it leads to.
        for href in re.findall(rf'href="({re.escape(at)}[^"?#]+)"', shown.content.decode()):
            kind = re.sub(r"\d+", "1", href)
            if kind not in seen and "/documents/" not in kind:
                seen.add(kind)
                assert olga.get(href).status_code == 200, href
    assert len(seen) > 10


def runs_are_scored_to_the_same_bit(campaign: Campaign) -> None:
    before = Evaluation.objects.of(campaign).latest("pk")
    again = request_evaluation(
        user=User.objects.get(username="olga"),
        campaign=campaign,
        scope=before.scope,
        measures=[*before.measures, "P@7"],
        rules=before.rules,
    )
    make.worked("score_runs", again.pk)
    old, new = ({each.run_id: each for each in one.scores.all()} for one in (before, again))
    assert len(old) > 5
    assert old.keys() == new.keys()
    width = len(before.measures)
    for run, score in old.items():
        assert np.array_equal(new[run].counted()[:, :width], score.counted(), equal_nan=True)


def judging_goes_on(campaign: Campaign) -> None:
    open_ = Assignment.objects.in_campaign(campaign).live().unfinished().first()
    assert open_ is not None
    entry = open_.entries.next_open()
    assert entry is not None
    before = open_.n_judged
    make.judgment(open_, entry.docno, 1)
    open_.refresh_from_db()
    assert open_.n_judged == before + 1


def restored() -> None:
    """Restore the database as the handbook says."""
    postgres = settings.EMBEDDED.postgres
    command = [postgres.program("pg_restore"), "--no-owner", "--exit-on-error"]
    whole = ["--single-transaction", "--dbname", postgres.url, settings.VAR_DIR / DUMP]
    subprocess.run([*command, *whole], check=True)


def an_audit_is_asked_for() -> None:
    """Ask for an audit of the pool, which 0.1.0 could make, and have no worker make it."""
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO jobs_job (campaign_id, kind, subject_id, about, options, file, state,"
            " progress, total, attempts, token, is_divided, n_silent, outcome, created_by_id,"
            " created_at) SELECT campaign_id, 'audit_pool', id, '', '{}', '', 'waiting',"
            " 0, 0, 0, 0, false, 0, '', published_by_id, now() FROM qrels_qrels LIMIT 1"
        )


if __name__ == "__main__":
    settings.EMBEDDED.hold()
    restored()
    an_audit_is_asked_for()
    call_command("migrate", verbosity=0)
    assert not Job.objects.filter(kind="audit_pool").exists(), "no worker knows it"
    assert "qrels_poolaudit" not in connection.introspection.table_names()
    campaign = Campaign.objects.get()
    everything_is_shown(campaign)
    runs_are_scored_to_the_same_bit(campaign)
    judging_goes_on(campaign)
