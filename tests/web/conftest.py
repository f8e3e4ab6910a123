"""A campaign at its end, for pages that show what has been done, and its addresses."""

from uuid import uuid4

import numpy as np
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from api.uploads import begin_upload
from assess.models.assigning import Assignment
from assess.models.history import JudgmentEvent
from assess.models.sharing import SharedQueue
from campaigns.models.campaign import Campaign
from campaigns.models.people import Role, Team
from campaigns.models.resets import PasswordReset
from campaigns.models.rounds import Round
from campaigns.services import people, resets
from campaigns.services.campaign import change_campaign
from collection.models.imports import Import
from evaluation import services as scoring
from evaluation import tasks
from evaluation.models.scores import Evaluation, Score, packed
from jobs.models import Job
from pooling.models.batches import Batch
from pooling.models.pools import Pool
from programs.services import register_program, take_labels
from qrels.models import QrelsImport
from qrels.services.importing import upload_qrels
from qrels.services.publishing import publish_qrels
from qrels.tasks import read_uploaded_qrels
from questions.models import Question
from questions.services import ask
from runs.services import teams
from tests import make
from tests.db.actions.programs import CARD, LABELS
from tests.releasing import TEAMS, show_to
from tests.tokens import made as token_of
from tests.tokens import row
from tests.web.doors import ADDRESSES
from tests.web.growth import again, contribute_like
from tests.web.posting import posted
from tests.worlds import once


@pytest.fixture(autouse=True)
def _played(request, monkeypatch) -> None:
    """Play the campaign of `played` before anything else is made."""
    if "played" not in request.fixturenames:
        return
    monkeypatch.setattr(tasks.score_batch, "apply_async", lambda sent: tasks.score_batch(*sent))
    for first in ("db", "_own_files"):
        request.getfixturevalue(first)
    play()


@once
def play() -> None:
    """Pool, judge twice, publish, score."""
    olga, ada, ben, pat = map(make.known, ("olga", "ada", "ben", "pat"))
    campaign = make.campaign(olga, assessors=[ada, ben], participants={"Aldgate": [pat]})
    change_campaign(user=olga, campaign=campaign, changes={"guidelines": "Judge **strictly**."})
    run = make.run(campaign, pat, {"1": "d1 d2 d3", "2": "d4"}, "secret-run")
    make.frozen_pool(campaign, [run], depth=3)
    topic = campaign.topic_set.get(number="1")
    first = make.assignment(topic, ada)
    second = make.assignment(topic, ben, Assignment.Kind.SECOND)
    for assignment, grades in ((first, (2, 0)), (second, (3, 0))):
        make.judgment(assignment, "d1", grades[0])
        make.judgment(assignment, "d2", grades[1])
    evaluation = scoring.request_evaluation(
        user=olga, **make.scope(publish_qrels(user=olga, campaign=campaign))
    )
    tasks.score_runs(Job.objects.get(kind="score_runs", subject_id=evaluation.pk).pk)
    make.worked("place_runs", evaluation.pk)
    show_to(campaign, TEAMS)


@pytest.fixture
def played(campaign):
    """Pooled, judged twice, published, scored."""
    return campaign


@pytest.fixture
def campaign(request):
    """The one that has been played, in a test of that; otherwise a new one."""
    if "played" in request.fixturenames:
        return Campaign.objects.get()
    cast = ("olga", "ada", "ben", "pat")
    return new_campaign(**{name: request.getfixturevalue(name) for name in cast})


@once
def new_campaign(olga, ada, ben, pat) -> Campaign:
    return make.campaign(olga, assessors=[ada, ben], participants={"Aldgate": [pat]})


@pytest.fixture
def cast(olga, ada, ben, pat):
    return olga, ada, ben, pat


@pytest.fixture
def as_olga(client, olga):
    client.force_login(olga)
    return client


@pytest.fixture
@once
def doors(played, olga, otto) -> dict[str, tuple[str, dict]]:
    """Each address of the campaign, with what is posted to it."""
    run, ada = played.run_set.get(), Assignment.objects.get(assessor__username="ada")
    pat = played.membership_set.get(role=Role.PARTICIPANT)
    invitation = people.invite(user=olga, campaign=played, role=Role.ASSESSOR)
    team, empty = pat.team, teams.create_team(user=olga, campaign=played, name="Zoe")
    reset = resets.make_reset(user=olga, campaign=played, person=pat.user)
    job, score = Job.objects.filter(campaign=played).first(), Score.objects.get()
    topic = played.topic_set.get(number="1")
    given, done = (make.uploaded(played, "topics", b"9\tnine") for _ in range(2))
    make.confirmed(done)
    make.worked("recheck_runs", played.pk)
    upload = read_upload(olga, played)
    make.known_grade(topic, "d6", 2)
    question = ask(user=ada.assessor, assignment=ada, client_id=uuid4(), text="Bats?")
    make.practice(played, "d6\t2\tIt names the bridge.")
    program = register_program(user=olga, campaign=played, **{**CARD, "name": "assessors"})
    take_labels(user=olga, program=program, labels=LABELS)
    pool, nine = Pool.objects.get(), played.topic_set.get(number="9")
    queue = SharedQueue.objects.create(
        topic=nine, pool=pool, seed=1, n_wanted=2, lease_minutes=30, created_by=olga
    )
    rows = (
        (topic, "topic topic_versions agreement:grades"),
        (given, "import discard_import"),
        (done, "undo_import"),
        (run, "run run_file run_errors withdraw_run move_run disqualify_run reinstate_run"),
        (run, "recheck_run describe_run move_to_round"),
        (job, "job retry_job"),
        (pat, "remove_member member make_reset"),
        (PasswordReset.objects.get(), "withdraw_reset"),
        (team, "team rename_team merge_team leave_team"),
        (empty, "delete_team"),
        (upload, "qrels_import discard_qrels"),
        (score.evaluation, "evaluation:evaluation evaluation:evaluation_file evaluation:replace"),
        (score.evaluation, "evaluation:pictures evaluation:study evaluation:efficiency"),
        (
            score.evaluation,
            "evaluation:reusability evaluation:disagreement evaluation:topic_scores report_file",
        ),
        (score.evaluation, "evaluation:evaluation_run_file evaluation:pairs_file"),
        (row(token_of(olga, "read")), "revoke_token"),
        (begin_upload(user=olga, campaign=played, n_bytes=1), "delete_upload"),
        (invitation, "withdraw_invitation"),
        (queue, "shared"),
        (pool.last_batch, "pooling:build_again"),
        (pool.last_batch, "pooling:batch delete freeze take_back batch_contributions batch_lines"),
        (ada, "judge_page assignment queue document words document_words judge undo note"),
        (ada, "ask entries lend"),
        (question, "question withdraw_question"),
        (score, "evaluation:run_scores evaluation:two_runs"),
        (score, "evaluation:ranking"),
    )
    subjects = {name: row for row, names in rows for name in names.split()}
    values = {
        "slug": played.slug,
        "docno": "d1",
        "number": 1,
        "run": score.run_id,
        "kind": "csv",
        "token": invitation.token,
        "section": "dates",
        "name": "assessors",
    }
    made, data = {}, posted(played)
    for name, names in ADDRESSES.items():
        subject = subjects.get(name) or subjects.get(name.rpartition(":")[2])
        pk = {"pk": subject.pk} if subject else {}
        arguments = {**values, **pk}
        if name == "collection:topics_file":
            arguments["kind"] = "tsv"
        if name == "reset":
            arguments["token"] = reset
        made[name] = (
            reverse(name, kwargs={each: arguments[each] for each in names}),
            data.get(name, {}),
        )
    return made


def read_upload(olga, campaign) -> QrelsImport:
    """Qrels of somebody else, uploaded and read."""
    file = SimpleUploadedFile("official.txt", b"1 0 d1 2\n")
    upload = upload_qrels(user=olga, campaign=campaign, file=file, source="NIST")
    read_uploaded_qrels(Job.objects.get(kind="read_uploaded_qrels").pk)
    upload.refresh_from_db()
    return upload


@pytest.fixture
def assignment(assigned, ada, client):
    client.force_login(ada)
    return assigned


@pytest.fixture
@once
def assigned(campaign, pat, ada):
    make.frozen_pool(campaign, [make.run(campaign, pat, {"1": "d1 d2 d3"})], depth=3)
    return make.assignment(campaign.topic_set.get(number="1"), ada)


@pytest.fixture
@once
def busy(campaign, pat, ada, olga):
    """Ada has two topics of thirty documents, and has judged 25 of the second, 30 seconds each."""
    docnos = [f"x{n:02}" for n in range(30)]
    make.documents(campaign, docnos)
    ranking = " ".join(docnos)
    make.frozen_pool(campaign, [make.run(campaign, pat, {"1": ranking, "2": ranking})], depth=30)
    _, second = (make.assignment(topic, ada) for topic in campaign.topic_set.order_by("number"))
    make.judgments(second, dict.fromkeys(docnos[:25], 1))
    make.rewrite(JudgmentEvent.objects.all(), active_ms=30_000)
    return second


@pytest.fixture
def board(played) -> str:
    """The address of a board with three runs of two teams, by everybody's AP: other-run,
    secret-run, third-run.
    """
    first, score = played.run_set.get(), Score.objects.get()
    team = Team.objects.create(campaign=played, name="Bexley")
    at = score.evaluation.measures.index("AP")
    for tag, ap, is_pooled in (("other-run", 2.0, True), ("third-run", 0.25, False)):
        run = again(first, tag=tag, team=team, is_pooled=is_pooled, is_late=True)
        if is_pooled:
            contribute_like(first, run)
        values = np.array(score.by_topic())
        values[:, at] = ap
        aggregates = [*score.aggregates[:at], ap, *score.aggregates[at + 1 :]]
        again(score, run=run, aggregates=aggregates, content=packed(values))
        score.evaluation.runs.add(run)
    return f"/campaigns/{played.slug}/leaderboard/"


@pytest.fixture
def keys(doors, played) -> dict[str, object]:
    """What names a row of each noun in the addresses."""
    queue = SharedQueue.objects.select_related("topic").first()
    Round.objects.create(campaign=played, number=1, topics=["1"])
    return {
        "batches": Batch.objects.first().public_id,
        "assignments": Assignment.objects.get(assessor__username="ada").public_id,
        "work": Assignment.objects.get(assessor__username="ada").public_id,
        "shared-topics": queue.topic.number,
        "evaluations": Evaluation.objects.first().public_id,
        "uploads": begin_upload(
            user=make.known("pat"), campaign=played, n_bytes=7, file_name="bm25.txt"
        ).public_id,
        "imports": Import.objects.first().public_id,
        "qrels-imports": QrelsImport.objects.first().public_id,
        "questions": Question.objects.first().client_id,
        "jobs": Job.objects.filter(created_by__username="pat").first().public_id,
        "invitations": played.invitation_set.first().public_id,
        "runs": "secret-run",
        "released-runs": "secret-run",
        "topics": "1",
        "documents": "d1",
        "teams": "Aldgate",
        "people": "ada",
        "qrels": 1,
        "programs": "assessors",
        "rounds": 1,
        "served": 1,
    }
