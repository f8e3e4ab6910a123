"""What a campaign has, as tables, files, JSON and CSV; and whatever else there is."""

import csv
import io

import pytest

from jobs.models import Job
from qrels.services.publishing import publish_qrels
from tests import make
from tests.client.asking import run


@pytest.fixture
def scored(campaign, olga, pat, ada, site):
    """A campaign with a pool, judgments, qrels and scores."""
    from evaluation import services as scoring
    from evaluation import tasks

    runs = [
        make.run(campaign, pat, {"1": "d1 d2 d3", "2": "d4"}, tag="alpha"),
        make.run(campaign, pat, {"1": "d3 d1", "2": "d5 d4"}, tag="beta"),
    ]
    make.frozen_pool(campaign, runs)
    for topic in campaign.topic_set.all():
        assignment = make.assignment(topic, ada)
        docnos = assignment.entries.values_list("item__key", flat=True)
        make.judgments(assignment, {docno: int(docno[1]) % 2 for docno in docnos})
    qrels = publish_qrels(user=olga, campaign=campaign)
    evaluation = scoring.request_evaluation(user=olga, **make.scope(qrels))
    tasks.score_runs(Job.objects.get(kind="score_runs", subject_id=evaluation.pk).pk)
    return campaign


def test_a_list_is_a_table_in_80_columns_without_a_terminal(olgas):
    said = olgas("get", "documents", TERM="xterm-256color", COLUMNS="300")
    lines = said.out.splitlines()
    assert (said.status, said.err) == (0, "")
    assert lines[0].split()[:2] == ["docno", "title"]
    assert [line.split()[0] for line in lines[1:7]] == ["d1", "d2", "d3", "d4", "d5", "d6"]
    assert max(map(len, lines)) <= 80
    assert "\x1b" not in said.out


def test_fields_that_have_no_room_are_named_below(olgas, pat, campaign):
    make.run(campaign, pat, {"1": "d1"}, tag="alpha")
    *table, _, left = olgas("runs", "list").out.splitlines()
    assert " ".join(table[0].split()) == "tag team state topics errors warnings submitted_at run_id"
    assert left.startswith("Not shown, but by --fields or --json: round, ")
    said = olgas("runs", "list", "--fields", "tag,round")
    assert said.out.split()[:2] == ["tag", "round"]


def test_settings_are_one_record_and_times_are_short(olgas, campaign):
    said = olgas("get", "settings")
    assert said.out.startswith("slug ")
    assert "\nrun_depth " in said.out
    made_at = campaign.created_at
    assert f"{made_at:%Y-%m-%d %H:%M}Z" in said.out
    assert olgas("get", "settings", "--json").json["run_depth"] == campaign.run_depth


def test_a_list_is_json_and_csv_for_programs(olgas):
    records = olgas.campaign.topics.list()
    assert olgas("get", "topics", "--json").json == records
    rows = list(csv.DictReader(io.StringIO(olgas("get", "topics", "--csv").out)))
    assert rows == [{name: str(value) for name, value in each.items()} for each in records]
    assert olgas("get", "invitations").out == "There are none.\n"
    assert olgas("get", "invitations", "--json").json == []


def test_fields_filters_and_sorting_are_the_sites(olgas, campaign):
    campaign.topic_set.filter(number="2").update(title="bats")
    fields = ("--fields", "number,title", "--json")
    assert olgas("get", "topics", "--where", "q=bats", *fields).json == [
        {"number": "2", "title": "bats"}
    ]
    said = olgas("get", "topics", "--sort=-title", *fields)
    assert [each["number"] for each in said.json] == ["1", "2"]
    said = olgas("get", "topics", "--where", "color=red")
    assert (said.status, said.out) == (1, "")
    assert said.err.startswith("color: There is no such parameter. There are: q, ")
    said = olgas("get", "topics", "--where", "bats")
    assert said == (1, "", "--where bats: write NAME=VALUE.\n")


def test_one_record_is_got_by_its_key(olgas):
    assert olgas("get", "teams", "Aldgate", "--json").json["members"] == 1
    assert "members " in olgas("get", "teams", "aldgate").out
    assert olgas("get", "teams", "Aldgate", "--csv").out.startswith("name,members,")
    assert olgas("get", "teams", "Nobody").status == 1
    assert olgas("get", "teams", "--json", "Aldgate").json["members"] == 1
    for words in (["get", "nonsense"], ["runs", "report", "no where"]):
        assert olgas(*words).err.startswith("There is nothing here.\nCheck the names")


def test_texts_of_others_do_nothing_to_a_terminal(olgas, campaign):
    campaign.document_set.filter(docno="d1").update(title="\x1b]0;x\x07 [bold]red[/bold]")
    out = olgas("get", "documents").out
    assert "\x1b" not in out
    assert "[bold]red[/bold]" in out
    assert "\x1b" not in olgas("get", "documents", "d1").out


def test_the_board_and_the_scores_are_those_of_the_page(olgas, scored, olga, client):
    client.force_login(olga)
    page = client.get(f"/campaigns/{scored.slug}/leaderboard/leaderboard.csv")
    rows = list(csv.DictReader(io.StringIO(page.getvalue().decode())))
    board = list(csv.DictReader(io.StringIO(olgas("get", "board", "--csv").out)))
    measures = list(board[0])[3:]
    assert [each["run"] for each in board] == [each["run"] for each in rows]
    assert measures
    for ours, pages in zip(board, rows, strict=True):
        assert {n: ours[n] for n in measures} == {n: pages[n] for n in measures}
    by_measure = olgas("get", "scores", "--json").json
    assert len(by_measure) == len(board) * len(measures)
    by_topic = olgas("get", "scores", "--by-topic", "--json").json
    assert {each["topic"] for each in by_topic} == {"1", "2"}
    [one] = olgas("get", "evaluations", "--json").json
    assert olgas("get", "board", one["id"]).out == olgas("get", "board").out
    assert olgas("get", "board", "--json").json[0]["values"].keys() == set(measures)


def test_a_board_and_scores_are_chosen_from_or_it_is_said_that_they_are_not(olgas, scored):
    said = olgas("get", "scores", "--fields", "run,value", "--csv")
    assert said.out.splitlines()[0] == "run,value"
    said = olgas("get", "board", "--fields", "color")
    assert said.err.startswith("--fields: There is no color. There are: run, team, topics, ")
    for what in ("board", "scores"):
        for words in (["--where", "color=red"], ["--sort", "color"]):
            said = olgas("get", what, *words)
            assert (said.status, said.out) == (1, ""), words
    sentence = "gives a file as it is, without choosing from it.\n"
    for words in (["run", "alpha", "--json"], ["pool", "--where", "q=x"], ["docnos", "--csv"]):
        assert olgas("get", *words) == (1, "", f"get {words[0]} {sentence}")


def test_the_qrels_the_pool_and_a_run_are_files_for_other_programs(olgas, scored):
    qrels = olgas("get", "qrels").out
    assert qrels.splitlines()[0] == "1 0 d1 1"
    assert olgas("get", "qrels", "1").out == qrels
    assert olgas("get", "qrels", "-o", "q.txt").out == ""
    assert (olgas.folder / "q.txt").read_text() == qrels
    assert [each["number"] for each in olgas("get", "qrels", "--list", "--json").json] == [1]
    assert olgas("get", "qrels", "--list").out.startswith("number ")
    assert olgas("get", "docnos").out.split() == ["d1", "d2", "d3", "d4", "d5"]
    assert "d1" in olgas("get", "pool").out
    alpha = olgas("get", "run", "alpha").out
    assert alpha.startswith("1 Q0 d1 1 ")
    assert olgas("get", "run") == (1, "", "Name the run: cleverdon get run TAG.\n")
    olgas.file("alpha.txt", alpha)
    assert olgas.process("evaluate", "-m", "map", "q.txt", "alpha.txt").status == 0


def test_a_version_that_was_withdrawn_is_not_the_usual_one(olgas, scored):
    olgas.campaign.qrels.withdraw(1, reason="wrong")
    assert olgas("get", "qrels") == (1, "", "There are no qrels that you may see.\n")
    assert olgas("get", "qrels", "1").status == 0


def test_there_may_be_no_scores_yet(olgas):
    assert olgas("get", "board") == (1, "", "There are no scores that you may see.\n")


def test_a_file_that_cannot_be_got_leaves_none_behind(olgas):
    assert olgas("get", "nonsense", "-o", "file").status == 1
    assert olgas("get", "nonsense", "--csv", "-o", "file").status == 1
    assert not (olgas.folder / "file").exists()
    for words in (["topics"], ["topics", "--csv"], ["docnos"]):
        for path, why in (("no/file", "No such file or directory"), (".", "Is a directory")):
            sentence = f"{path} cannot be written: {why}.\n"
            assert olgas("get", "-o", path, *words) == (1, "", sentence)
    assert olgas("get", "topics", "--csv", "-o", "file").out == ""
    content = (olgas.folder / "file").read_bytes()
    assert content.decode() == olgas("get", "topics", "--csv").out


def test_a_campaign_has_to_be_named(asking, olga):
    olgas = asking(olga)
    sentence = "Name the campaign: --campaign SLUG, or the variable CLEVERDON_CAMPAIGN.\n"
    for words in (["get", "topics"], ["watch", "x"], ["runs", "report", "x"]):
        assert olgas(*words) == (1, "", sentence)


def test_campaigns_are_listed(pats, campaign):
    assert pats("campaigns", "list", "--json").json[0]["slug"] == campaign.slug


def test_a_job_is_watched_to_its_end(pats):
    pats.file("alpha.txt", run("alpha", {"1": "d1", "2": "d2"}))
    pats("runs", "submit", "alpha.txt")
    [job] = pats("get", "jobs", "--json").json
    assert pats("watch", job["id"]) == (0, "Run alpha is valid.\n", "")
    Job.objects.update(state="failed", outcome="The disk is full.")
    assert pats("watch") == (1, "", "The disk is full.\n")


def test_there_may_be_no_job(pats):
    assert pats("watch") == (1, "", "There is no job.\n")


def test_whatever_else_there_is_is_asked_by_its_address(olgas, campaign):
    at = f"campaigns/{campaign.slug}"
    assert olgas("api", "GET", f"{at}/").json["slug"] == campaign.slug
    assert len(olgas("api", "get", f"/api/v1/{at}/documents/").json) == 6
    assert len(olgas("api", "GET", f"{at}/documents/", "per_page=2").json) == 2
    assert len(olgas("api", "GET", f"{at}/documents/?per_page=2&docno=d").json) == 2
    assert len(olgas("api", "GET", f"{at}/documents/?docno=d1").json) == 1
    csv_of = olgas("api", "GET", f"{at}/documents/", "format=csv").out
    assert csv_of == olgas("api", "GET", f"{at}/documents/?format=csv").out
    assert csv_of == olgas("get", "documents", "--csv").out
    assert olgas("api", "GET", f"{at}/pool/docnos.txt").out == ""
    assert '"openapi":' in olgas("api", "GET", "openapi.json").out
    assert olgas("api", "POST", f"{at}/teams/", "name=Barbican").json["name"] == "Barbican"
    assert olgas("api", "POST", f"{at}/change/", "run_depth:=100").json["run_depth"] == 100
    olgas.file("topics.txt", "3\tbats\twhat of bats\n")
    told = olgas("api", "POST", f"{at}/topics/import/", "file@topics.txt").json
    assert (told["kind"], told["state"], told["file"]) == ("topics", "ready", "topics.txt")
    assert olgas("api", "POST", f"{at}/imports/{told['id']}/discard/").status == 0


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["run_depth"], "run_depth: write name=text, name:=JSON or name@FILE."),
        (["run_depth:=x"], "run_depth: the JSON cannot be read."),
        (["file@nothing"], "There is no file nothing."),
        (["run_depth:=0"], "run_depth: Ensure this value is greater than or equal to 1."),
        (["color=red"], "color: There is no such value. It takes: "),
    ],
)
def test_what_cannot_be_sent_is_said(olgas, campaign, words, sentence):
    said = olgas("api", "POST", f"campaigns/{campaign.slug}/change/", *words)
    assert (said.status, said.out) == (1, "")
    assert said.err.startswith(sentence)


def test_wrong_usage_has_another_status(pats):
    for words in (["runs"], ["get"], ["runs", "submit"], ["get", "topics", "--json", "--csv"]):
        said = pats(*words)
        assert (said.status, said.out) == (2, "")
        assert said.err.startswith("usage: cleverdon ")
