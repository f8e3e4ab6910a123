"""The files of a run's scores: trec_eval's lines, and what all runs reached."""

import csv
import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.files.base import ContentFile

from evaluation.core.columns import NOTHING
from evaluation.models.scores import Evaluation, Score
from evaluation.services import release, request_evaluation
from evaluation.tables import run_table
from evaluation.tasks import score_runs
from evaluation.web import by_topic
from jobs.models import Job
from measures.command.program import main
from measures.exports import to_csv, to_json, to_latex, to_trec_eval
from qrels.services import importing
from qrels.tasks import read_uploaded_qrels
from runs.models import Run
from tests import make
from tests.db.scoring import ONE, score

CASES = Path(__file__).resolve().parents[1] / "vectors" / "trec_eval"
MEASURES = {"map": "AP", "P_10": "P@10", "num_ret": "NumRet", "gm_map": "GMAP"}
OPTIONS = {"judged": ["-q", "-c", "-m", "all_trec"], "retrieved": ["-q", "-m", "official"]}


def imported(olga, campaign, content: bytes):
    file = ContentFile(content, name="qrels.txt")
    upload = importing.upload_qrels(user=olga, campaign=campaign, file=file, source="TREC")
    read_uploaded_qrels(Job.objects.about("read_uploaded_qrels", upload.pk).pk)
    upload.refresh_from_db()
    return importing.import_qrels(user=olga, upload=upload, level=1)


def scored(qrels, olga, sent, **asked) -> Evaluation:
    evaluation = request_evaluation(user=olga, qrels=qrels, **asked)
    score_runs(Job.objects.about("score_runs", evaluation.pk).pk)
    while sent:
        task, arguments = sent.pop(0)
        task(*arguments)
    evaluation.refresh_from_db()
    return evaluation


def commanded(case: Path, rules: str, options: list[str]) -> str:
    """What our command prints where trec_eval's output is not on record."""
    out, err = StringIO(), StringIO()
    files = str(case / "qrels.txt"), str(case / "run.txt")
    assert main([*options, "--rules", rules, *files], out, err) == 0, err
    return out.getvalue()


def lines(text: str) -> list[str]:
    """The lines of the measures, by topic."""
    found = [
        line for line in text.splitlines() if line.split("\t")[0].strip() in {*MEASURES, "num_q"}
    ]
    return sorted(found)


@pytest.mark.parametrize("case", ["000009", "000018", "000030", "000038"])
def test_the_lines_of_topics_are_those_that_trec_eval_prints(olga, pat, sent, case):
    """The run lacks topics of the qrels, and has others."""
    qrels, run = ((CASES / case / f"{name}.txt").read_bytes() for name in ("qrels", "run"))
    topics = {line.split()[0].decode() for line in (qrels + run).splitlines() if line.split()}
    campaign = make.campaign(olga, participants={"Aldgate": [pat]}, topics=sorted(topics))
    tag = run.split()[5].decode()
    made = make.submitted(campaign, pat, run, tag)
    make.worked("check_run", made.pk)
    assert Run.objects.get(pk=made.pk).state == Run.State.VALID, Run.objects.get(pk=made.pk).report
    version = imported(olga, campaign, qrels)
    expected = json.loads((CASES / case / "expected.json").read_text())
    recorded = {(each["rules"], *each["options"]): each["printed"] for each in expected}
    for rules in ("9", "10"):
        for topic_set, options in OPTIONS.items():
            printed = recorded.get((rules, *options)) or commanded(CASES / case, rules, options)
            scored(
                version,
                olga,
                sent,
                rules=f"trec_eval-{rules}",
                topic_set=topic_set,
                measures=list(MEASURES.values()),
            )
            mine = to_trec_eval(run_table(Score.objects.latest("pk"), sees_all_runs=True))
            assert lines(mine) == lines(printed), (rules, topic_set)


@pytest.fixture
def lacking(olga, campaign, judged, sent) -> Score:
    """A run that lacks the second topic, whose means do not count it."""
    score(olga, campaign, sent, measures=["AP", "NumRet"], topic_set="retrieved")
    return Score.objects.get(run=judged[1])


def test_a_topic_that_does_not_count_has_no_value(lacking):
    table = run_table(lacking, sees_all_runs=True)
    rows = {row["topic"]: row for row in csv.DictReader(StringIO(to_csv(table)))}
    assert (rows["2"]["AP"], rows["2"]["NumRet"], rows["1"]["NumRet"]) == ("", "", "3.0")
    assert json.loads(to_json(table))["rows"][1]["scores"] == {"AP": None, "NumRet": None}
    assert r"2 & -- & -- \\" in to_latex(table)


def test_nor_is_it_0_on_the_page(lacking):
    evaluation = lacking.evaluation
    first, other = sorted(evaluation.scores.all(), key=lambda each: each.pk != lacking.pk)
    for mine, theirs in ((first, other), (other, first)):
        shown = by_topic.RunScores(mine, [first, other], "AP", sees_all_runs=True)
        rows = by_topic.topic_rows(shown, {})
        assert [row.among.median for row in rows][1] == other.by_topic()[1, 0] > 0
        pair = by_topic.run_pair(shown, theirs)
        assert pair.n_higher + pair.n_lower + pair.n_equal == 1
    rows = by_topic.topic_rows(
        by_topic.RunScores(first, [first, other], "AP", sees_all_runs=True), {}
    )
    assert (rows[1].text, rows[1].to_median, rows[1].among.place) == (NOTHING, NOTHING, None)
    assert by_topic.topic_counts(rows)["n_topics"] == 1
    assert rows[1] not in by_topic.ordered(rows, "below", 1)
    alone = by_topic.topic_rows(by_topic.RunScores(first, [first], "AP", sees_all_runs=False), {})
    assert by_topic.ordered(alone, "hardest", 1)[-1].number == "2"


def test_one_that_counts_0_has_the_value_0(olga, campaign, judged, sent):
    score(olga, campaign, sent, measures=["AP", "NumRet"])
    table = run_table(Score.objects.get(run=judged[1]), sees_all_runs=True)
    assert [row.values for row in table.rows][1] == [0.0, 0.0]


def test_topics_without_a_relevant_document_have_no_value_where_they_do_not_count(olga, pat, sent):
    campaign = make.campaign(olga, participants={"Aldgate": [pat]})
    make.run(campaign, pat, ONE)
    version = imported(olga, campaign, b"1 0 d1 1\n2 0 d4 0\n")
    scored(version, olga, sent, topic_set="relevant", measures=["P@5"])
    table = run_table(Score.objects.get(), sees_all_runs=True)
    assert [row.values for row in table.rows] == [[0.2], [None], [0.2]]


def test_best_median_and_worst_are_over_the_runs_for_which_a_topic_counts(lacking):
    everybody = list(lacking.evaluation.scores.all())
    table = run_table(lacking, sees_all_runs=True, everybody=everybody)
    ap = [each.by_topic()[:, 0].tolist() for each in everybody]
    rows = [{name: values[0] for name, values in row.spread.items()} for row in table.rows]
    first, means = (
        sorted(values[0] for values in ap),
        sorted(each.aggregates[0] for each in everybody),
    )
    assert rows[0] == {"best": first[1], "median": sum(first) / 2, "worst": first[0]}
    [other] = {values[1] for values in ap} - {0.0}
    assert rows[1] == {"best": other, "median": other, "worst": other}
    assert rows[2] == {"best": means[1], "median": sum(means) / 2, "worst": means[0]}


def test_the_best_is_the_lowest_where_less_is_better(olga, campaign, judged, sent):
    evaluation = score(olga, campaign, sent, measures=["Fallout@10"])
    everybody = list(evaluation.scores.all())
    spread = run_table(everybody[0], sees_all_runs=True, everybody=everybody).rows[-1].spread
    means = [each.aggregates for each in everybody]
    assert (spread["best"], spread["worst"]) == (min(means), max(means))
    assert means[0] != means[1]


@pytest.mark.parametrize("kind", ["csv", "json"])
def test_what_all_runs_reached_is_in_the_files_of_those_who_may_know(
    olga, campaign, judged, pat, sent, sign_in, kind
):
    evaluation = score(olga, campaign, sent)
    release(
        user=olga,
        campaign=campaign,
        what="scores",
        audience="participants",
        subject_id=evaluation.pk,
    )
    address = f"/campaigns/{campaign.slug}/leaderboard/runs/{Score.objects.first().pk}.{kind}"
    for person, is_told in ((olga, True), (pat, False)):
        response = sign_in(person).get(address)
        assert response.status_code == 200
        assert ("median" in response.content.decode()) == is_told
