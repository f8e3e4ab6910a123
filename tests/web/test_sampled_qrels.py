"""Qrels of a sample: what inferred measures read, and what is said of the others."""

import io
from urllib.parse import quote

import numpy as np
import pytest

from cleverdon.measures.interface import evaluate
from evaluation import tasks
from evaluation.figures.board import BoardFigures
from evaluation.models.scores import Evaluation
from jobs.models import Job
from overview.sections import Subject, report_of
from qrels.services.publishing import publish_qrels
from tests import make
from tests.db.computing import words
from tests.web.html import content

DOCNOS = [f"d{n:02}" for n in range(40)]
STRATA = {"strata": [[5, 100], [40, 50]]}


@pytest.fixture
def sampled(campaign, pat, ada, olga, client):
    """Qrels of a sample of two runs, and the organizer's client."""
    make.documents(campaign, DOCNOS)
    rng = np.random.default_rng(4)
    runs = [make.run(campaign, pat, {"1": " ".join(rng.permutation(DOCNOS))}, tag) for tag in "ab"]
    make.frozen(make.batch(campaign, runs, strategy="sample", parameters=STRATA))
    assignment = make.assignment(campaign.topic_set.get(number="1"), ada)
    entries = assignment.entries.select_related("item").order_by("item__key")
    make.judgments(assignment, {each.docno: n % 3 for n, each in enumerate(entries)})
    client.force_login(olga)
    return publish_qrels(user=olga, campaign=campaign), client


def test_the_file_of_strata_has_the_whole_population_with_what_was_judged(sampled, campaign):
    qrels, client = sampled
    base = f"/campaigns/{campaign.slug}/qrels/1"
    says = words(client.get(f"{base}/"))
    assert f"{qrels.n_undrawn} documents of its population were not drawn" in says
    assert "infAP assumes one rate" in says
    assert "?sample" not in says
    strata = [line.split() for line in content(client.get(f"{base}.txt?strata")).splitlines()]
    assert [line[2] for line in strata] == DOCNOS
    by_stratum = {name: [int(line[4]) for line in strata if line[3] == name] for name in "12"}
    assert min(by_stratum["1"]) >= 0
    n_drawn = sum(grade >= 0 for grade in by_stratum["2"])
    assert n_drawn == (len(by_stratum["2"]) * 50 + 50) // 100
    judged = [[*line[:3], line[4]] for line in strata if line[4] != "-1"]
    assert judged == [line.split() for line in make.content(qrels.file).decode().splitlines()]
    assert client.get(f"{base}.txt?sample").status_code == 404


def test_the_file_for_infap_is_of_a_sample_at_one_rate(client, campaign, olga, pat, ada):
    make.documents(campaign, DOCNOS)
    run = make.run(campaign, pat, {"1": " ".join(DOCNOS)}, "a")
    make.frozen(make.batch(campaign, [run], strategy="sample", parameters={"strata": [[30, 50]]}))
    first = make.assignment(campaign.topic_set.get(number="1"), ada)
    make.judgments(first, {each.docno: 1 for each in first.entries.select_related("item")})
    publish_qrels(user=olga, campaign=campaign)
    client.force_login(olga)
    base = f"/campaigns/{campaign.slug}/qrels/1"
    assert "It was drawn at one rate" in words(client.get(f"{base}/"))
    files = (content(client.get(f"{base}.txt?{name}")) for name in ("sample", "strata"))
    sample, strata = ([line.split() for line in text.splitlines()] for text in files)
    assert sample == [[topic, zero, docno, grade] for topic, zero, docno, _, grade in strata]
    assert [line[3] for line in sample].count("-1") == 15


def test_inferred_measures_read_them_as_they_are(sampled, campaign):
    _, client = sampled
    text = content(client.get(f"/campaigns/{campaign.slug}/qrels/1.txt?strata")).encode()
    run = make.content(campaign.run_set.get(tag="a").file)
    for name in ("xinfAP", "infNDCG"):
        scored = evaluate(io.BytesIO(text), io.BytesIO(run), [name])
        assert 0.1 < scored.values[0, 0, 0] < 1, name


def test_qrels_without_a_sample_have_no_such_file(client, campaign, olga, pat, ada):
    run = make.run(campaign, pat, {"1": "d1 d2 d3"}, "a")
    make.frozen_pool(campaign, [run])
    make.judgment(make.assignment(campaign.topic_set.get(number="1"), ada), "d1", 1)
    publish_qrels(user=olga, campaign=campaign)
    client.force_login(olga)
    for file in ("sample", "strata"):
        assert client.get(f"/campaigns/{campaign.slug}/qrels/1.txt?{file}").status_code == 404


def test_more_than_nine_strata_keep_their_numbers(campaign, pat, ada, olga, client):
    make.documents(campaign, DOCNOS)
    run = make.run(campaign, pat, {"1": " ".join(DOCNOS)}, "a")
    strata = {"strata": [*([n, 100] for n in range(1, 13)), [20, 50]]}
    make.frozen(make.batch(campaign, [run], strategy="sample", parameters=strata))
    make.judgment(make.assignment(campaign.topic_set.get(number="1"), ada), "d00", 1)
    publish_qrels(user=olga, campaign=campaign)
    client.force_login(olga)
    text = content(client.get(f"/campaigns/{campaign.slug}/qrels/1.txt?strata"))
    assert [line.split()[2:4] for line in text.splitlines()][:12] == [
        [f"d{n:02}", str(n + 1)] for n in range(12)
    ]


def test_a_board_of_a_sample_marks_what_does_not_estimate(sampled, campaign, monkeypatch):
    _, client = sampled
    base = f"/campaigns/{campaign.slug}/leaderboard"
    form = words(client.get(f"{base}/score/"))
    assert 'value="xinfAP" checked' in form
    assert 'value="infAP"' not in form
    refused = client.post(f"{base}/score/", {"qrels": 1, "others": "infAP", "rules": "trec_eval-9"})
    assert refused.status_code == 422
    sent = {"qrels": 1, "picked": ["xinfAP", "AP"], "others": "Judged@100", "rules": "trec_eval-9"}
    assert client.post(f"{base}/score/", {**sent, "topic_set": "judged"}).status_code == 302
    evaluation = Evaluation.objects.get()
    at_once = tasks.score_batch.run
    monkeypatch.setattr(tasks.score_batch, "apply_async", lambda arguments: at_once(*arguments))
    tasks.score_runs(Job.objects.about("score_runs", evaluation.pk).pk)
    page = client.get(f"{base}/")
    heads = {
        name: "not draw" in head
        for head in page.text.split("<thead>")[1].split("</thead>")[0].split("</th>")
        for name in evaluation.measures
        if f"?by={quote(name)}" in head
    }
    assert heads == {"xinfAP": False, "AP": True, "Judged@100": True}
    says = "Of these measures only xinfAP may be read as an estimate for the whole pool."
    assert says in words(page)
    assert "first was not drawn, or is not judged" in words(page)
    evaluation.refresh_from_db()
    figures = BoardFigures.of(evaluation, "AP")
    assert ", draft, sample," in figures.caption
    report = report_of(Subject(evaluation))
    [board] = [each for each in report.sections if each.title == "Leaderboard"]
    assert says in " ".join(board.paragraphs)


def test_scores_so_far_of_a_sample_say_so(sampled, campaign):
    _, client = sampled
    tasks.refresh_preliminary(campaign.pk)
    page = words(client.get(f"/campaigns/{campaign.slug}/leaderboard/preliminary/"))
    assert "The pool is a sample: documents that were not drawn are unjudged." in page
    assert "None of these measures is an estimate for the whole pool; xinfAP" in page
