"""Scores and downloads over HTTP."""

import csv
import io
import re

import pytest
from django.urls import reverse

from cleverdon.trec import cells
from evaluation import services as scoring
from evaluation import tasks
from evaluation.models.scores import Evaluation
from jobs.models import Job
from qrels.services.publishing import publish_qrels
from tests import make
from tests.web.html import content
from tests.worlds import once


def test_downloads_hold_what_they_name(as_olga, played, monkeypatch):
    base, run = f"/campaigns/{played.slug}", played.run_set.get()
    assert content(as_olga.get(f"{base}/qrels/1.txt")) == "1 0 d1 2\n1 0 d2 0\n"
    assert content(as_olga.get(f"{base}/pool/docnos.txt?missing")) == ""
    assert content(as_olga.get(f"{base}/pool/pool.tsv")).splitlines()[1] == (
        f"1\td1\tsecret-run\t1\t{run.pk}\t{run.sha256}\tvalid\t1\trank 3 or higher\tnew"
    )
    # A piece that is sent is many lines, but not all that there are.
    monkeypatch.setattr(cells, "BLOCK", 9)
    pieces = list(as_olga.get(f"{base}/pool/docnos.txt").streaming_content)
    assert pieces == [b"d1\nd2\nd3\n", b"d4\n"]
    [row] = csv.DictReader(io.StringIO(content(as_olga.get(f"{base}/leaderboard/leaderboard.csv"))))
    shown = ("run", "team", "pooled", "qrels", "rules", "topic_set", "AP", "P@10")
    expected = ["secret-run", "Aldgate", "1", "1", "trec_eval-9", "judged", "1.0", "0.1"]
    assert [row[name] for name in shown] == expected


def test_measures_are_picked_named_as_on_the_command_line_or_refused(as_olga, played):
    address = f"/campaigns/{played.slug}/leaderboard/score/"
    asked = {"qrels": 1, "rules": "trec_eval-9", "topic_set": "relevant"}
    for name, sentence in {
        "": "Choose at least one measure",
        "MAPP": "&#x27;MAPP&#x27; is not a measure",
        "runid": "runid is a text, not a measure.",
        "all_trec": "measures; at most 40 can be shown.",
        "P.9999999999": "9999999999 is too large: at most 999,999,999.",
        "map_avgjg": "APavg reads grades by assessor",
        "prefs": "prefs_num_prefs_poss reads preferences",
    }.items():
        assert sentence in content(as_olga.post(address, {**asked, "others": name}))
    for sent, measures in (
        ({"picked": ["P@10"], "others": "map AP ndcg_cut_5"}, "P@10 AP nDCG@5"),
        (
            {"others": "rbp.p=0.5 ndcg_cut.23.4 P.5,10 11pt_avg..25,.5 ERR@20"},
            "RBP(p=0.5,graded=True) nDCG@23 P@5 P@10 IAP(recalls='.25,.5') ERR@20",
        ),
        (
            {"others": "MAP, NDCG@10,MRR@10 RBP(p=0.5, graded=True), Hits@10"},
            "AP nDCG@10 RR@10 RBP(p=0.5,graded=True) Success@10",
        ),
    ):
        as_olga.post(address, {**asked, **sent})
        evaluation = Evaluation.objects.latest("pk")
        assert (evaluation.measures, evaluation.scope.topic_set) == (measures.split(), "relevant")


def test_the_form_of_scoring_has_boxes_for_a_few_measures_and_names_the_others(as_olga, played):
    address = f"/campaigns/{played.slug}/leaderboard/score/"
    form = as_olga.get(address).context["form"]
    assert form["picked"].value() == ["AP", "nDCG@10", "P@10", "RR", "Rprec"]
    assert form["others"].value() == "Bpref R@1000 Judged@10"
    Evaluation.objects.update(measures=["P@10", "nDCG@5", "xinfAP"])
    form = as_olga.get(address).context["form"]
    assert (form["picked"].value(), form["others"].value()) == (["P@10"], "nDCG@5")


def test_the_scores_so_far_are_sent_only_when_they_are_new(as_olga, played):
    address = f"/campaigns/{played.slug}/leaderboard/preliminary/"
    assert "Nothing has been judged yet" in content(as_olga.get(address))
    tasks.refresh_preliminary(played.pk)
    headers = {"HX-Request": "true"}
    page = as_olga.get(address, {"version": 0}, headers=headers)
    assert "secret-run" in content(page)
    assert "<html" not in content(page)
    assert as_olga.get(address, {"version": 1}, headers=headers).status_code == 204


@pytest.fixture
@once
def scored(olga, ada, pat) -> Evaluation:
    """Two runs on two topics, each with two relevant documents."""
    campaign = make.campaign(olga, assessors=[ada], participants={"T": [pat]})
    ranked = {"1": "d1 d2", "2": "d2 d1"}
    runs = [make.run(campaign, pat, ranked, tag) for tag in ("one", "two")]
    make.frozen_pool(campaign, runs)
    for topic in campaign.topic_set.all():
        mine = make.assignment(topic, ada)
        for docno in ("d1", "d2"):
            make.judgment(mine, docno, 2)
    qrels = publish_qrels(user=olga, campaign=campaign)
    evaluation = scoring.request_evaluation(user=olga, **make.scope(qrels))
    job = Job.objects.about("score_runs", evaluation.pk)
    tasks.score_runs(job.pk)
    if not evaluation.scores.exists():
        tasks.score_batch(job.pk, 1, [run.pk for run in runs])
    make.worked("place_runs", evaluation.pk)
    return evaluation


def test_topics_of_a_run_and_runs_of_a_topic_come_in_pages(as_olga, scored, monkeypatch):
    monkeypatch.setattr("campaigns.web.frame.PER_PAGE", 1)
    monkeypatch.setattr("evaluation.web.runs.PER_PAGE", 1)
    score, slug = scored.scores.first(), scored.campaign.slug
    page = reverse("evaluation:run_scores", args=[slug, score.pk])

    def shown(table: str, query: str) -> list[str]:
        text = content(as_olga.get(f"{page}?{query}"))
        assert "data-filter" not in text
        [part] = re.findall(rf'<table[^>]* id="{table}".*?<tbody>(.*?)</tbody>', text, re.DOTALL)
        return re.findall(r'<th scope="row"[^>]*>(?:<span[^>]*>)?(\w+)', part)

    for table in ("topics", "values"):
        assert [shown(table, f"order=number&{table}-page={n}") for n in (1, 2)] == [["1"], ["2"]]
    assert shown("values", "values-sort=-Topic&values-page=1") == ["2"]
    text = content(as_olga.get(f"{page}?values-sort=Topic&values-page=2"))
    assert "values-sort=-Topic" in text
    assert "values-sort=-Topic&amp;values-page" not in text  # another order begins anew
    assert "values-page=2&amp;values-sort=-Topic" not in text
    at = reverse("evaluation:topic_scores", args=[slug, scored.pk, "1"])
    pages = [as_olga.get(f"{at}?runs-page={n}&found-page={n}").context for n in (1, 2)]
    assert [each["runs"][0][1].run.tag for each in pages] == ["one", "two"]
    assert [each["found"][0][0].docno for each in pages] == ["d1", "d2"]
    assert [(each["n_found"], len(each["found"])) for each in pages] == [(2, 1)] * 2
