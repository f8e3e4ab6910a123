"""The page of two versions of the qrels: their documents, and what they do to the board."""

import csv
from io import StringIO

import pytest

from assess.models.assigning import Assignment
from evaluation.models.scores import Evaluation
from evaluation.web import versions
from qrels.models import Qrels
from qrels.nouns import compared
from qrels.services.publishing import publish_qrels
from tests import make
from tests.db.scoring import scored
from tests.web.html import words


@pytest.fixture
def second(played, olga, ada) -> Qrels:
    """Version 2: d1 went from grade 2 to 0, and d3 was added."""
    adas = Assignment.objects.get(assessor=ada)
    for docno, grade in (("d1", 0), ("d3", 1)):
        make.judgment(adas, docno, grade)
    return publish_qrels(user=olga, campaign=played)


def test_two_versions_document_by_document(as_olga, played, second):
    base = f"/campaigns/{played.slug}"
    page = as_olga.get(f"{base}/qrels/{second.number}/")
    assert f"{base}/qrels/compare/?before=1&amp;after=2" in page.text
    page = as_olga.get(f"{base}/qrels/compare/?before=1&after=2")
    said = words(page)
    assert "v1 and v2 differ on 2 documents" in said
    assert "added (1) removed (0) changed (1) flipped (1)" in said
    assert "v1 : primary assessor; relevant from grade 1. v2 : primary assessor;" in said
    topic = played.topic_set.get(number="1").pk
    assert f"{base}/agreement/topics/{topic}/documents/d1/" in page.text
    assert "d1 1 2 primary 0 primary changed flipped" in said
    assert "d3 1 no grade 1 primary added" in said
    only = words(as_olga.get(f"{base}/qrels/compare/?before=1&after=2&kind=added"))
    assert "differ on 2 documents" in only
    assert "d3 1 no grade" in only
    assert "d1 1 2 primary" not in only
    assert "No document differs in this way" in words(
        as_olga.get(f"{base}/qrels/compare/?kind=removed")
    )
    other = words(as_olga.get(f"{base}/qrels/compare/?topic=2"))
    assert "No grade differs" in other
    assert "v1 and v2 have the same grades on topic 2" in other
    first = words(as_olga.get(f"{base}/qrels/compare/?topic=1"))
    assert "v1 and v2 differ on 2 documents of topic 1" in first
    assert "These are counted among the changed too. The" in first
    assert as_olga.get(f"{base}/qrels/compare/?before=9").status_code == 404


def test_the_usual_two_versions_are_in_the_order_of_their_numbers(played, second):
    Qrels.objects.filter(pk=second.pk).update(basis="odd", rule="", basis_words="others")
    assert [each.number for each in compared(played)] == [1, 2]
    assert [each.number for each in compared(played, after=1)] == [2, 1]


def test_file_and_api_have_what_the_page_has(as_olga, played, second):
    asked = {"before": 2, "after": 1, "kind": "flipped"}
    base = f"/campaigns/{played.slug}"
    file = b"".join(as_olga.get(f"{base}/qrels/compare.csv", asked).streaming_content)
    [line] = csv.DictReader(StringIO(file.decode()))
    [row] = as_olga.get(f"/api/v1{base}/qrels-differences/", asked).json()
    assert row == {
        "topic": "1",
        "docno": "d1",
        "kind": "changed",
        "grade_before": 0,
        "rule_before": "primary",
        "grade_after": 2,
        "rule_after": "primary",
        "flipped": True,
    }
    assert line == {name: str(value) for name, value in row.items()} | {"flipped": "yes"}
    wrong = as_olga.get(f"{base}/qrels/compare.csv", {"before": 2, "after": 7})
    assert wrong.status_code == 404
    wrong = as_olga.get(f"/api/v1{base}/qrels-differences/", {"kind": "odd"})
    assert (wrong.status_code, list(wrong.json()["fields"])) == (422, ["kind"])
    assert as_olga.get(f"/api/v1{base}/qrels-differences/", {"after": 7}).status_code == 404


def test_large_versions_are_a_file_alone(as_olga, played, second, monkeypatch):
    monkeypatch.setattr(versions, "MOST_COMPARED", 2)
    page = words(as_olga.get(f"/campaigns/{played.slug}/qrels/compare/"))
    assert "too many judgments to compare on a page. The download has all." in page


def test_the_board_by_each_version(client, played, olga, pat, second, queued):
    client.force_login(olga)
    address = f"/campaigns/{played.slug}/qrels/compare/?before=1&after=2"
    page = client.get(address)
    assert "No runs have been scored against qrels v2" in words(page)
    assert "leaderboard/score/?qrels=2" in page.text
    make.run(played, pat, {"1": "d3 d1"}, "other")
    first = Qrels.objects.get(number=1)
    before = scored(olga, first, queued, measures=["P@5", "AP"])
    after = scored(olga, second, queued, measures=["AP", "P@5"])
    Evaluation.objects.exclude(pk__in=[before.pk, after.pk]).update(finished_at=None)
    page = client.get(address)
    said = words(page)
    assert "By AP" in said, "as the board in front is ordered"
    assert f"before={before.pk}&amp;after={after.pk}&amp;by=AP" in page.text
    assert "2 of 2 runs change place By AP, tau-b between the two orders" in said
    assert "other 0.500 1.000 2 → 1 ▲1 secret-run 1.000 0.333 1 → 2 ▼1" in said
    Evaluation.objects.filter(pk=after.pk).update(rules="other")
    assert "but none that were computed alike" in words(client.get(address))


def test_one_version_has_nothing_to_compare_with(as_olga, played):
    page = words(as_olga.get(f"/campaigns/{played.slug}/qrels/compare/"))
    assert "Nothing to compare yet" in page
