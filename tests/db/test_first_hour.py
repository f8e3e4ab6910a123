"""docs/first-hour.md: its files make the campaign, the qrels and the scores that it shows."""

import re
from io import StringIO
from pathlib import Path

import pytest

from assess.models.assigning import Assignment
from cleverdon.measures.command.program import main
from evaluation import services as scoring
from evaluation import tasks
from evaluation.models.scores import Score
from qrels.services.publishing import publish_qrels
from runs.models import Run
from tests import make

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "first-hour.md").read_text(encoding="utf-8")
TOPICS, DOCUMENTS, BM25, DENSE, QRELS, COMMAND, LINES = re.findall(
    r"```\w+\n(.*?)```", PAGE, re.DOTALL
)
GRADES = {"1": {"d1": 3, "d2": 1, "d3": 0}, "2": {"d4": 3, "d5": 0}}


@pytest.fixture
def judged(olga, pat):
    made = make.campaign(olga, assessors=[olga], participants={"A": [pat]}, topics=[], docnos=[])
    make.imported(made, "topics", TOPICS.encode())
    make.imported(made, "documents", DOCUMENTS.encode())
    for tag, content in (("bm25", BM25), ("dense", DENSE)):
        run = make.submitted(made, pat, content, tag)
        make.worked("check_run", run.pk)
    make.frozen_pool(made, list(Run.objects.all()), depth=20)
    for topic in made.topic_set.all():
        assignment = make.assignment(topic, olga)
        for docno, grade in GRADES[topic.number].items():
            make.judgment(assignment, docno, grade)
    assert {each.n_entries for each in Assignment.objects.all()} == {3, 2}
    return made


def test_the_files_come_to_the_qrels_and_the_scores_of_the_page(judged, olga, monkeypatch):
    qrels = publish_qrels(user=olga, campaign=judged)
    assert make.content(qrels.file).decode() == QRELS
    score = tasks.score_batch
    monkeypatch.setattr(score, "apply_async", lambda sent: score(*sent))
    evaluation = scoring.request_evaluation(
        user=olga, **make.scope(qrels), measures=["AP", "nDCG@10"]
    )
    make.worked("score_runs", evaluation.pk)
    found = [
        f"{value:.4f}" for score in Score.objects.order_by("run__tag") for value in score.aggregates
    ]
    assert found == re.findall(r"\d\.\d{4}", LINES)


def test_the_command_prints_what_the_page_shows(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    files = {"first-hour-qrels-v1.txt": QRELS, "bm25.txt": BM25, "dense.txt": DENSE}
    for name, content in files.items():
        Path(name).write_text(content)
    out, arguments = StringIO(), COMMAND.split()[3:]
    assert main(arguments, out, StringIO()) == 0
    assert out.getvalue() == LINES
