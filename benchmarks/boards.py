"""A board of 200 runs, its pictures, and the report of 143: `python -m benchmarks.boards`.

Real runs are submitted, checked, scored and compared on a private PostgreSQL and Redis. Printed:
the processor time of the web process for the board, the time of each picture, and of the report.
"""

import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from unittest.mock import patch

from benchmarks import site, workload

N_RUNS, N_IN_REPORT, N_LIVE, TIMES = 200, 143, 100, 7
SHAPE = workload.Shape(n_topics=50, n_documents=100, n_runs=N_RUNS, pool_depth=20)
MEASURES = ["AP", "nDCG@10", "P@10", "RR", "Rprec", "Bpref", "R@100", "Judged@10"]


def worked(kind: str, subject_id: int) -> None:
    """Do the newest job of a kind as a worker would."""
    from jobs import work
    from jobs.models import Job

    work.kinds[kind](Job.objects.filter(kind=kind, subject_id=subject_id).latest("pk").pk)


def scored(n_runs: int, files: workload.Files) -> int:
    """Score the first runs of the workload in a campaign of their own; return the evaluation."""
    from django.core.files.base import ContentFile

    from accounts.models import User
    from campaigns.models.people import Membership, Role, Team
    from campaigns.services.campaign import create_campaign
    from collection.models.texts import Topic
    from evaluation import tasks
    from evaluation.core.scope import Scope
    from evaluation.services import request_evaluation
    from qrels.services.importing import import_qrels, upload_qrels
    from runs.services.runs import submit_run

    olga, _ = User.objects.get_or_create(username="olga", is_active=True)
    pat, _ = User.objects.get_or_create(username="pat")
    campaign = create_campaign(user=olga, name=f"{n_runs} runs")
    team = Team.objects.create(campaign=campaign, name="Aldgate")
    Membership.objects.create(campaign=campaign, user=pat, role=Role.PARTICIPANT, team=team)
    Topic.objects.bulk_create(
        Topic(campaign=campaign, number=str(n + 1), title=f"topic {n + 1}")
        for n in range(SHAPE.n_topics)
    )
    for path in files.runs[:n_runs]:
        content = path.read_text().replace(f"\t{workload.TAG}\n", f"\t{path.stem}\n")
        file = ContentFile(content.encode(), name=path.name)
        run = submit_run(user=pat, campaign=campaign, tag=path.stem, file=file)
        worked("check_run", run.pk)
    file = ContentFile(files.qrels.read_bytes(), name="qrels.txt")
    upload = upload_qrels(user=olga, campaign=campaign, file=file, source="the benchmark")
    worked("read_uploaded_qrels", upload.pk)
    qrels = import_qrels(user=olga, upload=upload, level=1)
    evaluation = request_evaluation(
        user=olga, campaign=qrels.campaign, scope=Scope(qrels.number), measures=MEASURES
    )
    with patch.object(tasks.score_batch, "apply_async", lambda given: tasks.score_batch(*given)):
        worked("score_runs", evaluation.pk)
    worked("place_runs", evaluation.pk)
    return evaluation.pk


def median(work: Callable[[], object], clock: Callable[[], float]) -> float:
    """Return the median time of some work after a first time, in milliseconds."""
    work()
    times = []
    for _ in range(TIMES):
        start = clock()
        work()
        times.append(1000 * (clock() - start))
    return statistics.median(times)


def main() -> None:
    site.start()
    with tempfile.TemporaryDirectory() as folder:
        files = workload.make(Path(folder), SHAPE)
        board, report, live = (scored(n, files) for n in (N_RUNS, N_IN_REPORT, N_LIVE))
    print_board(board)
    print_pictures(board)
    print_report(report)
    print_live(live)


def print_board(pk: int) -> None:
    from django.test import Client

    from accounts.models import User
    from evaluation.models.scores import Evaluation

    evaluation = Evaluation.objects.get(pk=pk)
    client = Client(headers={"host": "localhost"})
    client.force_login(User.objects.get(username="olga"))
    address = f"/campaigns/{evaluation.campaign.slug}/leaderboard/"

    def asked() -> None:
        answer = client.get(address)
        if answer.content.count(b"<tr") <= N_RUNS:
            raise SystemExit(f"The board does not have its {N_RUNS} runs.")

    whole, own = median(asked, time.perf_counter), median(asked, time.process_time)
    print(f"board of {N_RUNS} runs, {len(MEASURES)} measures: {whole:.0f} ms, web {own:.0f} ms")


def print_pictures(pk: int) -> None:
    from evaluation.figures.board import BoardFigures
    from evaluation.figures.pictured import Pictured, curves
    from evaluation.models.scores import Evaluation
    from evaluation.pictures.gallery import EXHIBITS
    from evaluation.pictures.runs import Gallery

    evaluation = Evaluation.objects.get(pk=pk)
    figures = BoardFigures.of(evaluation, "AP")
    gallery = Gallery(figures, "nDCG@10", figures.scores[:3], Pictured.of(evaluation))
    runs = [each.run for each in gallery.chosen]
    numbers = median(lambda: curves(evaluation, runs), time.perf_counter)
    print(f"numbers of the curves of {len(runs)} runs: {numbers:.0f} ms")
    for name, each in EXHIBITS.items():
        if each.draw(gallery):
            took = median(lambda each=each: each.draw(gallery), time.process_time)  # type: ignore[misc]
            print(f"picture {name}: {took:.0f} ms")


def print_report(pk: int) -> None:
    from evaluation.models.scores import Evaluation
    from overview.sheets import files_of

    evaluation = Evaluation.objects.get(pk=pk)
    start = time.perf_counter()
    files = files_of(evaluation)
    took = time.perf_counter() - start
    size = sum(map(len, files.values())) / 1e6
    print(f"report of {N_IN_REPORT} runs: {took:.1f} s, {len(files)} files, {size:.1f} MB")


def print_live(pk: int) -> None:
    """Print what a judgment costs until it is on the board of the scores so far."""
    from accounts.models import User
    from assess.core.answers import Answer
    from assess.models.judging import Judgment
    from assess.services import assigning, judging
    from campaigns.models.people import Membership, Role
    from collection.models.texts import Document
    from evaluation.models.scores import Evaluation
    from evaluation.tasks import refresh_preliminary
    from pooling import services as pooling
    from pooling.models.entries import PoolEntry
    from runs.models import Run

    campaign, olga = Evaluation.objects.get(pk=pk).campaign, User.objects.get(username="olga")
    ada = User.objects.create(username="ada")
    Membership.objects.create(campaign=campaign, user=ada, role=Role.ASSESSOR)
    runs = list(Run.objects.filter(campaign=campaign))
    depth = {"depth": SHAPE.pool_depth}
    batch = pooling.request_batch(
        user=olga, campaign=campaign, runs=runs, strategy="depth", parameters=depth
    )
    worked("build_batch", batch.pk)
    batch.refresh_from_db()
    pooling.freeze_batch(user=olga, batch=batch, sha256=batch.sha256)
    topic = campaign.topic_set.get(number="1")
    assignment = assigning.assign(user=olga, topic=topic, assessor=ada, kind="primary")
    entries = PoolEntry.objects.pooled().filter(topic=topic).values_list("item__key", flat=True)
    Document.objects.bulk_create(
        Document(campaign=campaign, docno=docno, text="Words.") for docno in entries
    )
    docnos = iter(entries)

    def judged() -> None:
        answer = Answer(next(docnos), Judgment.State.JUDGED, {"grade": 1})
        judging.judge(assessor=ada, assignment=assignment, answer=answer)

    times = []
    for _ in range(TIMES + 1):
        judged()
        start = time.process_time()
        refresh_preliminary(campaign.pk)
        times.append(1000 * (time.process_time() - start))
    print(f"a judgment on the live board of {N_LIVE} runs: {statistics.median(times[1:]):.0f} ms")


if __name__ == "__main__":
    main()
