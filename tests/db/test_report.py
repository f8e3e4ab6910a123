"""The report on an evaluation: what it says, in every format, and who makes it."""

import hashlib
import io
import json
import re
import zipfile
from datetime import date

import pytest
from django.core.management import CommandError, call_command

from campaigns.models.people import Team
from evaluation import access
from evaluation.models.scores import Evaluation
from jobs.models import Job
from overview.core.report import Report, Section, Table
from overview.core.report_files import html_of, latex_of, zipped
from overview.core.report_pdf import pdf_of
from overview.sections import report_of
from overview.services.reports import request_report
from overview.sheets import files_of, numbers_of, sheets_of
from overview.subject import Subject
from pooling.building import lines_of_batch
from pooling.models.contributors import Contributor
from pooling.models.entries import PoolEntry
from qrels.models import Qrels
from runs.models import Run
from tests import make, records
from tests.db.scoring import score, scored, trec_evals
from tests.releasing import TEAMS, show_to


def table(report: Report, name: str) -> list[dict[str, str]]:
    [found] = [each for each in report.tables if each.name == name]
    return [dict(zip(found.heads, row, strict=True)) for row in found.rows]


def test_every_value_is_among_the_numbers_and_is_that_of_trec_eval(compared):
    rows = records.read(numbers_of(Subject(compared)))
    assert len(rows) == 5 * 8 * len(compared.measures)
    qrels = compared.qrels.pairs().by_topic()
    for run in compared.runs.all():
        expected = trec_evals(run, qrels, "map", "P_10")
        for name, theirs_is in (("AP", "map"), ("P@10", "P_10")):
            own = {
                row["topic"]: float(row["value"])
                for row in rows
                if (row["run"], row["measure"]) == (run.tag, name)
            }
            mean = own.pop("all")
            values = {topic: expected[topic][theirs_is] for topic in expected}
            assert own == pytest.approx(dict.fromkeys(qrels, 0.0) | values, abs=1e-12)
            assert mean == pytest.approx(sum(values.values()) / len(qrels), abs=1e-12)


def test_the_report_says_what_was_done_and_found(compared):
    report = report_of(Subject(compared))
    titles = ["Topics", "Runs", "Pool", "Judging", "Leaderboard", "Significance"]
    assert [each.title for each in report.sections] == [*titles, "By topic"]
    qrels = compared.qrels.pairs().by_topic()
    for row in table(report, "topics"):
        grades = qrels[row["topic"]]
        assert row["title"] == f"topic {row['topic']}"
        assert int(row["judged"]) == len(grades)
        assert int(row["relevant"]) == sum(grade >= 1 for grade in grades.values())
        values = sorted(
            trec_evals(run, qrels, "map").get(row["topic"], {"map": 0.0})["map"]
            for run in compared.runs.all()
        )
        expected = (values[-1], values[2], values[0])
        assert [row[name] for name in ("best", "median", "worst")] == [f"{v:.3f}" for v in expected]
    board = table(report, "leaderboard")
    means = {
        run.tag: sum(each["map"] for each in trec_evals(run, qrels, "map").values()) / len(qrels)
        for run in compared.runs.all()
    }
    assert [row["run"] for row in board] == sorted(means, key=lambda tag: -means[tag])
    assert [row["AP"] for row in board] == [f"{means[row['run']]:.3f}" for row in board]
    counts = {row["grade"]: int(row["judgments"]) for row in table(report, "grades")}
    assert sum(counts.values()) == compared.qrels.n_judgments
    pool = next(each for each in report.sections if each.title == "Pool")
    batch = compared.qrels.pool.last_batch
    said = (
        f"Batch 1 brought {batch.n_entries} documents: every document that a contributing run ranks"
    )
    assert pool.paragraphs == [f"{said} 3rd or higher. Its SHA-256 is {batch.sha256}."]
    for part in (*report.tables, *report.figures):
        if part.name not in {"runs", "descriptions", "pool", "grades"}:
            assert "qrels v1" in part.caption, part.name
            assert "trec_eval-9" in part.caption


EARLIER = b"1 0 d1 2\n1 0 d9 1\n1 0 d2 0\n2 0 d4 1\n"


@pytest.fixture
def grown(olga, ada, pat, quinn, campaign, sent):
    """Scores on a pool that took existing judgments and grew by depth and by hand."""
    make.documents(campaign, ["d8"])
    earlier = make.imported_qrels(campaign, EARLIER)
    one = make.run(campaign, pat, {"1": "d1 d2 d3 d5", "2": "d4 d6"}, "one")
    other = make.run(campaign, quinn, {"1": "d3 d2 d6 d4"}, "other")
    Team.objects.filter(pk=other.team_id).update(is_baseline=True)
    Run.objects.filter(pk=one.pk).update(description="BM25,\nthen a person", is_manual=True)
    runs, counts = [one, other], {"existing_sha256": earlier.sha256}
    make.frozen(make.batch(campaign, runs, 2, **counts))
    documents = [["1", "d8", "known item"], ["1", "d3", "again"]]
    by_hand = {"strategy": "by-hand", "parameters": {"documents": documents}}
    for choice in ({"depth": 4}, by_hand):
        make.frozen(make.batch(campaign, **{"runs": runs, **counts, **choice}))
    for topic in campaign.topic_set.all():
        assignment = make.assignment(topic, ada)
        for entry in PoolEntry.objects.pooled().filter(topic=topic).select_related("item"):
            make.judgment(assignment, entry.item.key, 1)
    return score(olga, campaign, sent)


def section(report: Report, title: str) -> Section:
    return next(each for each in report.sections if each.title == title)


def test_the_report_tells_what_each_batch_and_run_brought(grown):
    report = report_of(Subject(grown))
    brought = {(row["run"], row["batch"]): row for row in table(report, "pool")}
    batches = list(grown.qrels.batches.order_by("version"))
    for batch in batches:
        _, *lines = map(json.loads, lines_of_batch(batch))
        new = [[place for place, _ in each[4]] for each in lines if each[3] == "new"]
        for place, contributor in enumerate(sorted(batch.contributors.all(), key=_by_hash)):
            row = brought[contributor.run.tag, str(batch.version)]
            assert int(row["new"]) == sum(place in each for each in new) <= batch.n_entries
            assert int(row["unique"]) == new.count([place])
    first, second, third, existing = section(report, "Pool").paragraphs
    rule = "every document that a contributing run ranks"
    judged = "documents that existing judgments have"
    hashes = [f"Its SHA-256 is {each.sha256}." for each in batches]
    assert (
        first
        == f"Batch 1 brought 2 documents: {rule} 2nd or higher. Left out: 3 {judged}. {hashes[0]}"
    )
    assert second == (
        f"Batch 2 brought 3 documents: {rule} 4th or higher. Left out: 5 documents that the pool "
        f"had already. {hashes[1]}"
    )
    assert third == (
        "Batch 3 brought 1 document: documents that an organizer named. Left out: 1 document that "
        f"the pool had already. {hashes[2]}"
    )
    sha256 = hashlib.sha256(EARLIER).hexdigest()
    assert existing == f"4 existing judgments count: qrels v1: NIST, SHA-256 {sha256}."


def _by_hash(contributor: Contributor) -> str:
    return contributor.run_sha256


def test_the_report_tells_which_judgments_were_not_given_here(grown):
    report = report_of(Subject(grown))
    said = section(report, "Judging").paragraphs
    graded = grown.qrels.pairs().by_topic()
    own = {(t, d): g for t, of_it in graded.items() for d, g in of_it.items()}
    before = {tuple(line.split()[::2][:2]): 1 for line in EARLIER.decode().splitlines()}
    n, n_relevant = len(own), sum(grade >= 1 for grade in own.values())
    assert said == [
        f"The qrels v2 have {n} judgments, {n_relevant} relevant.",
        f"Of the judgments {n - 4} were given here, 4 existed before.",
        *section(report, "Pool").paragraphs[3:],
    ]
    [gain] = [each for each in report.figures if each.name == "gain"]
    n_here = sum(pair not in before for pair in own)
    assert gain.caption.startswith(f"{n_here} relevant documents in {n_here} judged")
    assert gain.caption.endswith(
        "Not in it: 4 documents, 3 relevant, whose grades were not given here."
    )


def test_the_report_tells_how_many_grades_were_settled(grown):
    Qrels.objects.filter(pk=grown.qrels_id).update(n_adjudicated=2, n_corrected=1)
    said = section(report_of(Subject(Evaluation.objects.get(pk=grown.pk))), "Judging").paragraphs
    assert "An adjudicator decided 2 grades and organizers corrected 1 grade." in said


def test_scores_on_a_part_of_the_judgments_say_so(olga, grown, sent):
    made = scored(olga, grown.qrels, sent, without=1)
    [said, *_] = section(report_of(Subject(made)), "Judging").paragraphs
    n = grown.qrels.n_judgments
    assert said == (
        f"The qrels v2 have {n} judgments, {n - 1} relevant. The scores rest on {n - 4} of them, "
        f"{n - 4} relevant: those of the 2 topics of this report, {Subject(made).against}."
    )


def test_the_report_counts_baselines_apart_and_has_what_teams_say_of_their_runs(grown):
    report = report_of(Subject(grown))
    assert section(report, "Runs").paragraphs == ["Scored: 1 run of 1 team and 1 baseline."]
    assert table(report, "descriptions") == [
        {"run": "one", "team": "Aldgate", "type": "manual", "description": "BM25, then a person"},
        {"run": "other", "team": "Barbican", "type": "not stated", "description": "\N{EN DASH}"},
    ]


def test_a_picture_of_pairs_names_a_difference_only_where_there_is_one(compared):
    figure = next(each for each in report_of(Subject(compared)).figures if each.name == "pairs")
    rows = [float(row[2]) for row in figure.picture.rows]
    said = "the strongest differ" if min(rows) < 0.05 else "no two differ"
    assert said in figure.caption


def test_a_column_of_long_texts_breaks_its_lines_in_latex():
    made = latex_of(
        Table("t", "c", ["run", "description", "n"], [["a", "x " * 40, "1"]], n_texts=2)
    )
    assert r"\begin{longtable}{lp{0.5\linewidth}r}" in made


def test_a_sheet_tells_a_team_of_its_own_runs_and_how_all_spread(compared, monkeypatch):
    monkeypatch.setattr(access, "FEWEST_OTHERS", 2)
    sheets = {name.rpartition("-")[0]: each for name, each in sheets_of(Subject(compared))}
    assert set(sheets) == {"aldgate", "barbican", "bow-sons"}
    whole = table(report_of(Subject(compared)), "topics")
    for name, tags in (("aldgate", {"a", "b"}), ("bow-sons", {"d", "e"})):
        sheet = sheets[name]
        assert {row["run"] for row in table(sheet, "runs")} == tags
        for own, row in zip(table(sheet, "topics"), whole, strict=True):
            assert [own[each] for each in ("topic", "best", "median", "worst")] == [
                row[each] for each in ("topic", "best", "median", "worst")
            ]
        said = html_of(sheet)
        for tag in set("abcde") - tags:
            assert not re.search(rf">{tag}[<:,]", said), tag


def test_among_few_other_teams_a_sheet_has_the_values_of_its_own_runs_alone(compared):
    for _, sheet in sheets_of(Subject(compared)):
        [row, *_] = table(sheet, "topics")
        assert len(row) == 2
        assert not sheet.figures
        # A mean over all runs would tell two teams of each other.
        assert not [each for each in sheet.tables if "Judged@10 " in each.caption]


def test_scores_without_any_value_have_a_report_too(compared):
    for each in compared.scores.all():
        each.aggregates = [float("nan")] * len(compared.measures)
        each.uncounted_topics, each.standings = compared.topics, []
        each.save()
    files = files_of(compared)
    assert files["overview.pdf"].startswith(b"%PDF")
    assert not [path for path, content in files.items() if b'"nan"' in content]


def test_equal_reports_are_equal_byte_for_byte_and_whole(compared):
    one, two = files_of(compared), files_of(compared)
    assert one == two
    assert zipped(one) == zipped(two)
    names = sorted({path.partition("/")[0] for path in one})
    assert " ".join(names) == "figures numbers.csv overview.html overview.pdf tables teams"
    assert all(content.startswith(b"%PDF") for path, content in one.items() if "pdf" in path)
    page = one["overview.html"].decode()
    assert not re.search(r"(?:src|href)=|@import|url\(", page)
    report = report_of(Subject(compared))
    assert page.count("<figure>") == len(report.figures) + len(report.tables) > 10


def test_what_people_wrote_is_text_in_every_format():
    odd = 'a "b" \\ #c $d_e {f} <g> & % ~ ^ @h *i*'
    section = Section(odd, [odd], [Table("t", odd, [odd, "n"], [[odd, "1"]])])
    report = Report(odd, odd, date(2026, 1, 2), [section])
    assert pdf_of(report).startswith(b"%PDF")
    assert "&lt;g&gt; &amp;" in html_of(report)
    assert "<g>" not in html_of(report)
    written = latex_of(report.tables[0])
    assert r"\#c \$d\_e \{f\} <g> \& \% \textasciitilde{}" in written


def test_an_organizer_has_it_made_once_at_a_time_and_downloads_it(client, compared, olga):
    client.force_login(olga)
    address = f"/campaigns/{compared.campaign.slug}/report/"
    page = client.get(address).content.decode()
    assert "What it will have" in page
    assert 'role="alert"' not in page
    assert client.get(f"{address}{compared.pk}.zip").status_code == 404
    assert client.post(address, {"evaluation": compared.pk}).status_code == 302
    again = client.post(address, {"evaluation": compared.pk})
    assert (again.status_code, Job.objects.filter(kind="write_report").count()) == (422, 1)
    assert "This report is being made already." in again.content.decode()
    job = make.worked("write_report", compared.pk)
    files = files_of(compared)
    assert job.outcome == f"The report has {len(files)} files."
    got = client.get(f"{address}{compared.pk}.zip")
    with zipfile.ZipFile(io.BytesIO(got.content)) as archive:
        assert {name: archive.read(name) for name in archive.namelist()} == files
    assert got["Content-Disposition"].endswith(
        '-report-draft-preliminary-qrels-v1-trec_eval-9-judged.zip"'
    )
    assert client.get(f"{address}{compared.pk}.pdf").content == files["overview.pdf"]
    assert client.get(f"{address}{compared.pk}.csv").status_code == 404
    assert client.post(address, {"evaluation": 0}).status_code == 422
    assert "Choose scores." in client.post(address, {}).content.decode()


def test_a_report_is_named_by_what_the_scores_were_and_replaces_the_one_before(
    client, compared, olga
):
    address = f"/campaigns/{compared.campaign.slug}/report/"
    client.force_login(olga)
    for _ in range(2):
        request_report(user=olga, evaluation=compared)
        make.worked("write_report", compared.pk)
    assert Job.objects.filter(kind="write_report").exclude(file="").count() == 1
    show_to(compared.campaign, TEAMS)
    assert Evaluation.objects.get(pk=compared.pk).is_seen
    got = client.get(f"{address}{compared.pk}.pdf")
    assert "-report-draft-preliminary-" in got["Content-Disposition"]
    page = " ".join(client.get(address).content.decode().split())
    assert "make it again" in page
    assert "draft-preliminary-qrels-v1" in page


def test_the_command_writes_the_same_files(compared, tmp_path, capsys):
    slug = compared.campaign.slug
    folder = tmp_path / "report"
    call_command("report", slug, str(folder), qrels=1)
    paths = [path for path in folder.rglob("*") if path.is_file()]
    written = {str(path.relative_to(folder)): path.read_bytes() for path in paths}
    assert written == files_of(compared)
    assert f"{len(written)} files in" in capsys.readouterr().out
    (tmp_path / "file").write_text("")
    with pytest.raises(CommandError, match="The report cannot be written there"):
        call_command("report", slug, str(tmp_path / "file"))
    with pytest.raises(CommandError, match="There are no such scores"):
        call_command("report", slug, str(tmp_path), qrels=2)
