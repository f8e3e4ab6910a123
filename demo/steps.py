"""What both examples do, from creating the campaign to moving it all to the past."""

import gzip
import json
import logging
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from uuid import uuid4

import httpx
import numpy as np
from django.apps import apps
from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.core.files.base import ContentFile
from django.core.wsgi import get_wsgi_application
from django.db import connection, models, transaction
from django.db.models import ExpressionWrapper, F, Value
from django.utils import timezone

from accounts.models import User
from api.models import AccessToken
from api.services import make_token, revoke_token
from assess.core.answers import Answer, Provenance, with_grade
from assess.models.assigning import Assignment
from assess.models.days import recount
from assess.models.judging import Judgment
from assess.services.judging import judge
from campaigns.models.campaign import Campaign
from campaigns.models.resets import hash_of
from campaigns.services import people as people_services
from campaigns.services.ending import erase
from cleverdon.client.campaign_file import CampaignFile, made
from cleverdon.client.site import Client
from demo.core.collection import Docstring
from demo.core.simulation import simulated_grade
from demo.people import FULL_NAMES, PASSWORD
from evaluation.core.scope import Scope
from evaluation.models.scores import Evaluation
from evaluation.services import request_evaluation
from jobs.models import Job
from pooling.models.batches import Batch
from pooling.services import freeze_batch, request_batch
from qrels.services.publishing import publish_qrels
from runs.models import Run
from runs.services import runs as runs_services

DAYS = 12  # since the campaign was created
DAYS_LEFT = 6  # until judging closes
DAYS_OF_SUBMISSION = 20  # before that it opens; it closes a day before judging does
SECONDS = 22.0  # a simulated assessor's median for a document


def person(name: str, full_name: tuple[str, str] | None = None) -> User:
    """Return the account of this name, created with the password that everybody knows."""
    first, last = full_name or FULL_NAMES[name]
    user, is_new = User.objects.get_or_create(
        username=name, defaults={"first_name": first, "last_name": last}
    )
    if is_new:
        user.password = _hashed_password()
        user.save()
    return user


@cache  # hashing takes half a second by design
def _hashed_password() -> str:
    return make_password(PASSWORD)


@contextmanager
def program(user: User) -> Iterator[Client]:
    """Yield a program of somebody's, whose requests are answered in this process."""
    secret = make_token(
        user=user, name="example", scopes=["read", "organize"], days=1, client_id=uuid4()
    )
    logging.getLogger("httpx").setLevel(logging.WARNING)  # it tells of every request
    in_this_process = httpx.WSGITransport(app=get_wsgi_application())
    try:
        yield Client("http://localhost", secret, transport=in_this_process)
    finally:
        revoke_token(user=user, token=AccessToken.objects.get(token_hash=hash_of(secret)))


def begin(
    olga: User, content: Mapping[str, Any], files: Mapping[str, bytes], people: Iterable[User]
) -> Campaign:
    """Make a campaign as its file says, by a program; the people whom it invites by name join."""
    named = {each.get_full_name(): each for each in people}
    with TemporaryDirectory() as folder, program(olga) as client:
        for name, text in files.items():
            (Path(folder) / name).write_bytes(text)
        wanted = CampaignFile({**content, "dates": dates()}, Path(folder))
        for _ in made(client, wanted):
            pass  # what it tells would be lost among the steps of the example
    campaign = Campaign.objects.get(name=wanted.name)
    for invitation in campaign.invitation_set.order_by("pk"):
        people_services.accept_invitation(user=named[invitation.name], invitation=invitation)
    return campaign


def dates() -> dict[str, datetime]:
    """Return the dates of a campaign: judging ends at a full hour some days ahead."""
    at = timezone.now() + timedelta(days=DAYS_LEFT)
    closes_at = at.replace(hour=18, minute=0, second=0, microsecond=0)
    return {
        "submission_opens_at": closes_at - timedelta(days=DAYS_OF_SUBMISSION),
        "submission_closes_at": closes_at - timedelta(days=1),
        "judging_closes_at": closes_at,
    }


def packed(documents: Iterable[Docstring]) -> bytes:
    """Return the whole collection as a file."""
    rows = ({**document._asdict(), "language": "en"} for document in documents)
    lines = "".join(json.dumps(row) + "\n" for row in rows)
    return gzip.compress(lines.encode(), compresslevel=3)


def send(campaign: Campaign, user: User, tag: str, description: str, text: str) -> None:
    file = ContentFile(text.encode(), name=f"{tag}.txt")
    runs_services.submit_run(
        user=user, campaign=campaign, tag=tag, file=file, description=description, is_manual=False
    )


def pool(
    campaign: Campaign,
    olga: User,
    runs: Iterable[Run],
    recipe: Mapping[str, Any],
    wait: Callable[[], None],
) -> None:
    """Pool these runs by the recipe of the campaign's file, and freeze the pool."""
    request_batch(user=olga, campaign=campaign, runs=list(runs), **recipe)
    wait()
    batch = Batch.objects.get(campaign=campaign)
    freeze_batch(user=olga, batch=batch, sha256=batch.sha256)


def publish(campaign: Campaign, olga: User, wait: Callable[[], None]) -> Evaluation:
    """Publish the qrels, and score the runs."""
    qrels = publish_qrels(user=olga, campaign=campaign)
    evaluation = request_evaluation(user=olga, campaign=campaign, scope=Scope(qrels.number))
    wait()
    return evaluation


@transaction.atomic
def simulate(
    assignment: Assignment,
    truth: dict[str, int],
    rate: float,
    share: float,
    rng: np.random.Generator,
) -> None:
    """Judge a share of an assignment, from the first document served."""
    assessor = assignment.assessor
    n_judged = round(share * assignment.n_entries)
    times = np.random.default_rng(assignment.n_entries).lognormal(np.log(SECONDS), 0.7, n_judged)
    served = assignment.entries.counting().select_related("item").order_by("position")[:n_judged]
    for entry, seconds in zip(served, times, strict=True):
        grade = simulated_grade(truth.get(entry.docno, 0), rate, rng)
        answer = Answer(entry.docno, Judgment.State.JUDGED, with_grade(grade))
        spent = Provenance(active_ms=round(1000 * seconds))
        judge(assessor=assessor, assignment=assignment, answer=answer, provenance=spent)


def is_filled(name: str) -> bool:
    scorings = Job.objects.filter(campaign__name=name, kind="score_runs")
    return scorings.filter(state=Job.State.DONE).exists()


def discard_half_filled(name: str) -> None:
    erase(Campaign.objects.filter(name=name))


@transaction.atomic
def stretch(campaign: Campaign, days: int = DAYS) -> None:
    """Move the past of a campaign back in proportion, so that it was created `days` ago.

    The order stays. What is ahead, such as the end of an invitation, does not move.
    """
    with connection.cursor() as cursor:  # events too, which nothing else may change
        cursor.execute("SET LOCAL session_replication_role = replica")
    now, began = timezone.now(), campaign.created_at
    factor = timedelta(days=days) / (now - began)
    moment, time = models.DateTimeField[object, object](), models.DurationField[object, object]()
    ours = [apps.get_app_config(name) for name in settings.OUR_APPS if name != "accounts"]
    for model in (model for app in ours for model in app.get_models()):
        for field in model._meta.fields:
            if isinstance(field, models.DateTimeField):
                past = {f"{field.name}__gte": began, f"{field.name}__lte": now}
                ago = ExpressionWrapper(Value(now) - F(field.name), output_field=time)
                before = ExpressionWrapper(ago * Value(factor), output_field=time)
                at = ExpressionWrapper(Value(now) - before, output_field=moment)
                model._base_manager.filter(**past).update(**{field.name: at})
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = DEFAULT")
    recount(campaign)
