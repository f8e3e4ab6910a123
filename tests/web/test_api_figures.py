"""What programs read of scores and agreement is what the pages' files have."""

import csv
from io import BytesIO, StringIO
from zipfile import ZipFile

import pytest

from evaluation.models.scores import Evaluation
from tests import make
from tests.api.addresses import of
from tests.releasing import ALL, TEAMS, show_to
from tests.web.boards import own

pytestmark = pytest.mark.django_db


def table(client, address: str, **query) -> list[dict[str, str]]:
    answer = client.get(address, query)
    text = b"".join(answer) if answer.streaming else answer.content
    return list(csv.DictReader(StringIO(text.decode())))


@pytest.fixture
def evaluation(board) -> Evaluation:
    return own().evaluation


def same(text: str, value: float | None) -> bool:
    return text == "" if value is None else float(text) == value


def test_a_board(as_olga, evaluation):
    at = f"/campaigns/{evaluation.campaign.slug}/leaderboard/evaluations/{evaluation.pk}.csv"
    file = table(as_olga, at)
    rows = as_olga.get(
        of(evaluation.campaign, f"evaluations/{evaluation.public_id}/scores/")
    ).json()
    assert [each["run"] for each in rows] == [each["run"] for each in file]
    for told, line in zip(rows, file, strict=True):
        for measure in evaluation.measures:
            assert same(line[measure], told["values"][measure])
            assert same(line[f"{measure} low"], told["low"][measure])
            assert same(line[f"{measure} first place"], told["first_place"][measure])


def test_values_by_topic(as_olga, evaluation):
    base = f"/campaigns/{evaluation.campaign.slug}/leaderboard/evaluations/{evaluation.pk}"
    at = of(evaluation.campaign, f"evaluations/{evaluation.public_id}/values/?per_page=1000")
    told = {(e["run"], e["topic"], e["measure"]): e["value"] for e in as_olga.get(at).json()}
    for score in evaluation.scores.select_related("run"):
        for line in table(as_olga, f"{base}/runs/{score.run_id}.csv"):
            if line["topic"] == "all":
                continue
            for measure in evaluation.measures:
                value = told.pop((score.run.tag, line["topic"], measure))
                assert same(line[measure], value)
    assert not told


def test_pairs(as_olga, evaluation):
    base = f"/campaigns/{evaluation.campaign.slug}/leaderboard/evaluations/{evaluation.pk}"
    for measure in evaluation.measures:
        at = of(evaluation.campaign, f"evaluations/{evaluation.public_id}/pairs/")
        told = as_olga.get(at, {"measure": measure}).json()
        file = table(as_olga, f"{base}/pairs.csv", by=measure)
        assert len(told) == len(file)
        for pair, line in zip(told, file, strict=True):
            assert (pair["run"], pair["other"]) == (line["run"], line["other"])
            assert same(line["difference"], pair["difference"])
            assert same(line["p"], pair["p"])
            assert same(line["p_corrected"], pair["p_corrected"])


def test_a_team_reads_of_others_what_its_board_shows(client, evaluation, pat, board):
    client.force_login(pat)
    base = of(evaluation.campaign, f"evaluations/{evaluation.public_id}/")
    mine = set(evaluation.campaign.run_set.filter(team__membership__user=pat).values_list("tag"))
    rows = client.get(f"{base}scores/").json()
    assert {(each["run"],) for each in rows} == mine
    assert {(each["run"],) for each in client.get(f"{base}values/").json()} == mine
    assert all(not each["first_place"] for each in rows)
    others = {each[key] for each in client.get(f"{base}pairs/").json() for key in ("run", "other")}
    assert {(tag,) for tag in others} <= mine


def test_agreement(as_olga, played, client, pat):
    at = of(played, "agreement/?per_page=1000")
    rows = as_olga.get(at).json()
    raw = [each for each in rows if each["coefficient"] == "raw" and each["on"] == "grades"]
    assert [(each["topic"], each["assessor"]) for each in raw] == [
        (None, None),
        ("1", None),
        (None, "ada"),
    ]
    assert (raw[0]["documents"], raw[0]["value"], raw[0]["left_out"]) == (2, 0.5, "2 documents")
    kappa = next(each for each in rows if each["coefficient"] == "cohen")
    assert (kappa["on"], kappa["value"], kappa["low"]) == ("relevance", 1.0, None)
    assert kappa["why_undefined"].startswith(
        "No interval: it is undefined without one of the documents"
    )
    file = table(as_olga, f"/campaigns/{played.slug}/agreement.csv", topic="1")
    asked = as_olga.get(at, {"topic": "1", "per_page": 1000}).json()
    assert len(file) == len(asked) == 60
    for line, told in zip(file, asked, strict=True):
        assert line["coefficient"] == told["coefficient"]
        assert all(same(line[name], told[name]) for name in ("value", "low", "high"))
    assert as_olga.get(at, {"assessor": "sam", "per_page": 1000}).json()[0]["documents"] == 0
    client.force_login(make.known("pat"))
    assert client.get(of(played, "agreement/")).status_code == 403


def test_disagreements_are_filtered_by_people_grades_and_relevance(as_olga, played):
    def docnos(**asked) -> list[str]:
        rows = as_olga.get(of(played, "disagreements/"), asked).json()
        file = table(as_olga, f"/campaigns/{played.slug}/agreement/documents.csv", **asked)
        assert [each["docno"] for each in rows] == [each["docno"] for each in file]
        return [each["docno"] for each in rows]

    [far] = as_olga.get(of(played, "disagreements/")).json()
    assert (far["docno"], far["grade"], far["other_grade"], far["steps"]) == ("d1", 2, 3, 1)
    [turned] = as_olga.get(of(played, "disagreements/"), {"assessor": "ben"}).json()
    assert (turned["name"], turned["grade"], turned["other_grade"]) == ("ben", 3, 2)
    assert docnos(at_least=0) == ["d1", *(set(docnos(at_least=0)) - {"d1"})]
    assert docnos(at_least=2) == docnos(topic="2") == docnos(other="olga") == []
    assert docnos(grade=2, other_grade=3) == docnos(steps=1) == docnos(topic="1") == ["d1"]
    assert docnos(assessor="ben", grade=2, other_grade=3) == []
    assert docnos(relevant="one") == docnos(relevant="first") == []
    assert docnos(relevant="one", level=3) == docnos(relevant="second", level=3) == ["d1"]
    assert docnos(relevant="neither", level=3) != ["d1"] != docnos(relevant="both", level=3)


def test_pictures(as_olga, evaluation):
    board = f"/campaigns/{evaluation.campaign.slug}/leaderboard/evaluations/{evaluation.pk}/"
    at = of(evaluation.campaign, f"evaluations/{evaluation.public_id}/pictures.zip")
    answer = as_olga.get(at)
    assert answer["Content-Disposition"] == 'attachment; filename="test-campaign-pictures.zip"'
    with ZipFile(BytesIO(b"".join(answer))) as archive:
        names = archive.namelist()
        assert {"intervals.svg", "gain.csv"} <= set(names)
        for name in names:
            page = as_olga.get(f"{board}pictures/", {"picture": name})
            assert archive.read(name) == page.content
    Evaluation.objects.update(pictured=None)  # as before workers have compared the runs
    assert as_olga.get(at).status_code == 404


def test_pictures_are_those_that_a_person_may_see(client, as_olga, evaluation, pat):
    """What judging found is the organizers', and all is for who sees all runs."""
    at = of(evaluation.campaign, f"evaluations/{evaluation.public_id}/pictures.zip")
    client.force_login(pat)
    assert client.get(at).status_code in {403, 404}
    show_to(evaluation.campaign, TEAMS)  # each its own runs
    assert client.get(at).status_code == 404
    show_to(evaluation.campaign, ALL, TEAMS)
    answer = client.get(at)
    assert answer.status_code == 200, answer.content
    with ZipFile(BytesIO(b"".join(answer))) as archive:
        assert "gain.svg" not in archive.namelist()
        assert "intervals.svg" in archive.namelist()
