"""The files of a run's scores: trec_eval's lines, and what all runs reached."""

import csv
import json
from io import StringIO
from pathlib import Path

import pytest

from cleverdon.measures.command.program import main
from cleverdon.measures.exports import to_csv, to_json, to_latex, to_trec_eval
from evaluation.core.columns import NOTHING
from evaluation.models.scores import Score
from evaluation.tables import run_table
from evaluation.web import by_topic
from evaluation.web.pairs import RunPair
from tests import make
from tests.db.scoring import ONE, score, scored
from tests.releasing import TEAMS, show_to

CASES = Path(__file__).resolve().parents[1] / "vectors" / "trec_eval"
MEASURES = {"map": "AP", "P_10": "P@10", "num_ret": "NumRet", "gm_map": "GMAP"}
OPTIONS = {"judged": ["-q", "-c", "-m", "all_trec"], "retrieved": ["-q", "-m", "official"]}


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


@pytest.mark.parametrize("case", ["000009", "000030"])
def test_the_lines_of_topics_are_those_that_trec_eval_prints(olga, pat, sent, case):
    """The run lacks topics of the qrels, and has others."""
    qrels, run = ((CASES / case / f"{name}.txt").read_bytes() for name in ("qrels", "run"))
    topics = {line.split()[0].decode() for line in (qrels + run).splitlines() if line.split()}
    campaign = make.campaign(olga, participants={"Aldgate": [pat]}, topics=sorted(topics))
    tag = run.split()[5].decode()
    made = make.submitted(campaign, pat, run, tag)
    make.worked("check_run", made.pk)
    version = make.imported_qrels(campaign, qrels)
    expected = json.loads((CASES / case / "expected.json").read_text())
    recorded = {(each["rules"], *each["options"]): each["printed"] for each in expected}
    for rules in ("9", "10"):
        for topic_set, options in OPTIONS.items():
            printed = recorded.get((rules, *options)) or commanded(CASES / case, rules, options)
            asked = {"topic_set": topic_set, "measures": list(MEASURES.values())}
            scored(olga, version, sent, rules=f"trec_eval-{rules}", **asked)
            mine = to_trec_eval(run_table(Score.objects.latest("pk"), sees_all_runs=True))
            assert lines(mine) == lines(printed), (rules, topic_set)


@pytest.fixture
def lacking(olga, campaign, judged, sent) -> Score:
    """A run that lacks the second topic, whose means do not count it."""
    score(olga, campaign, sent, measures=["AP", "NumRet"], topic_set="retrieved")
    return Score.objects.get(run=judged[1])


def table_of(found: Score, **given):
    return run_table(found, sees_all_runs=True, **given)


def test_a_topic_that_does_not_count_has_no_value(olga, campaign, lacking, sent):
    table = table_of(lacking)
    rows = {row["topic"]: row for row in csv.DictReader(StringIO(to_csv(table)))}
    assert (rows["2"]["AP"], rows["2"]["NumRet"], rows["1"]["NumRet"]) == ("", "", "3.0")
    assert json.loads(to_json(table))["rows"][1]["scores"] == {"AP": None, "NumRet": None}
    assert r"2 & -- & -- \\" in to_latex(table)
    score(olga, campaign, sent, measures=["AP", "NumRet"])  # where it counts, it counts 0
    table = table_of(Score.objects.filter(run=lacking.run).latest("pk"))
    assert [row.values for row in table.rows][1] == [0.0, 0.0]


def test_nor_is_it_0_on_the_page(lacking):
    first, other = sorted(lacking.evaluation.scores.all(), key=lambda each: each.pk != lacking.pk)

    def shown(mine, *scores):
        return by_topic.RunScores(mine.evaluation, "AP", mine, [first, *scores], bool(scores))

    for mine, another in ((first, other), (other, first)):
        rows = by_topic.topic_rows(shown(mine, other), {}, {})
        assert [row.among.median for row in rows][1] == other.by_topic()[1, 0] > 0
        pair = RunPair(shown(mine, other), another)
        assert sum(pair.size.effect[2:]) == len(pair.topics) == 1
    rows = by_topic.topic_rows(shown(first, other), {}, {})
    assert (rows[1].text, rows[1].to_median, rows[1].among.place) == (NOTHING, NOTHING, None)
    assert by_topic.topic_counts(rows)["n_topics"] == 1
    assert rows[1] not in by_topic.ordered(rows, "below", 1)
    alone = by_topic.topic_rows(shown(first), {}, {})
    assert by_topic.ordered(alone, "hardest", 1)[-1].number == "2"


def test_topics_without_a_relevant_document_have_no_value_where_they_do_not_count(olga, pat, sent):
    campaign = make.campaign(olga, participants={"Aldgate": [pat]})
    make.run(campaign, pat, ONE)
    version = make.imported_qrels(campaign, b"1 0 d1 1\n2 0 d4 0\n")
    scored(olga, version, sent, topic_set="relevant", measures=["P@5"])
    assert [row.values for row in table_of(Score.objects.get()).rows] == [[0.2], [None], [0.2]]


def test_best_median_and_worst_are_over_the_runs_for_which_a_topic_counts(
    olga, campaign, lacking, sent
):
    everybody = list(lacking.evaluation.scores.all())
    table = table_of(lacking, everybody=everybody)
    ap = [each.by_topic()[:, 0].tolist() for each in everybody]
    rows = [{name: values[0] for name, values in row.beside.items()} for row in table.rows]
    first = sorted(values[0] for values in ap)
    means = sorted(each.aggregates[0] for each in everybody)
    assert rows[0] == {"best": first[1], "median": sum(first) / 2, "worst": first[0]}
    [other] = {values[1] for values in ap} - {0.0}
    assert rows[1] == {"best": other, "median": other, "worst": other}
    assert rows[2] == {"best": means[1], "median": sum(means) / 2, "worst": means[0]}
    everybody = list(score(olga, campaign, sent, measures=["Fallout@10"]).scores.all())
    spread = table_of(everybody[0], everybody=everybody).rows[-1].beside
    lower, higher = sorted(each.aggregates for each in everybody)
    assert lower != higher
    assert (spread["best"], spread["worst"]) == (lower, higher), "less is better"


@pytest.mark.parametrize("kind", ["csv", "json"])
def test_what_all_runs_reached_is_in_the_files_of_those_who_may_know(
    olga, campaign, judged, pat, sent, sign_in, kind
):
    score(olga, campaign, sent)
    key = Score.objects.first()
    show_to(campaign, TEAMS, subject=key.evaluation_id)
    address = f"/campaigns/{campaign.slug}/leaderboard/runs/{key.run_id}.{kind}"
    for person, is_told in ((olga, True), (pat, False)):
        response = sign_in(person).get(address)
        assert response.status_code == 200
        assert ("median" in response.content.decode()) == is_told
