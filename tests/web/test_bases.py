"""What pages, files and the API say of a version with other grades than the official ones."""

import pytest

from accounts.models import User
from assess.models.assigning import Assignment
from evaluation.models.scores import Evaluation
from evaluation.services import release
from qrels.from_above import Estimate, VersionBasis
from qrels.models import Qrels
from qrels.services.publishing import publish_qrels
from tests import make
from tests.db.scoring import scored
from tests.web.html import words

WORDS = "grade 2 for all that was judged"


@pytest.fixture
def other(monkeypatch):
    """A basis of an app above."""

    def grades(_, judged):
        found: dict[str, dict[str, int]] = {}
        for each in judged.given:
            found.setdefault(each.topic, {})[each.docno] = 2
        return Estimate(found)

    row = VersionBasis("all-two", "grade 2 for all", WORDS, grades)
    monkeypatch.setattr("qrels.bases.of_programs", lambda _: [row])


def test_another_basis_is_chosen_on_the_page_and_told_wherever_the_version_is(
    client, played, olga, other, queued
):
    client.force_login(olga)
    base = f"/campaigns/{played.slug}"
    page = client.get(f"{base}/qrels/")
    assert "(Dawid and Skene) grade 2 for all" in words(page)
    client.post(f"{base}/qrels/publish/", {"level": 1, "grades": "all-two"})
    [made] = Qrels.objects.filter(basis="all-two")
    assert "v2 all-two preliminary" in words(client.get(f"{base}/qrels/"))
    page = words(client.get(f"{base}/qrels/{made.number}/"))
    assert f"with other grades than the official: {WORDS}; relevant" in page
    assert f"Rule {WORDS}" in page
    assert "The first version published here with these grades" in page
    record = client.get(f"/api/v1/campaigns/{played.slug}/qrels/2/").json()
    assert (record["grades"], record["rule"], record["rule_in_words"], record["marks"]) == (
        "all-two",
        "",
        WORDS,
        ["preliminary", "all-two"],
    )
    evaluation = scored(olga, made, queued, measures=["AP"])
    assert "all-two" in evaluation.marks
    page = words(client.get(f"{base}/leaderboard/evaluations/{evaluation.pk}/"))
    assert "All-two" in page
    assert WORDS in page
    page = words(client.get(f"{base}/leaderboard/score/?qrels=2"))
    assert "The valid runs, against qrels v2 (all-two)" in page
    file = client.get(f"{base}/qrels/{made.number}.txt")
    assert b"".join(file.streaming_content).endswith(b" 2\n")
    file.close()
    assert f"{played.slug}-qrels-v2-preliminary-all-two.txt" in file["Content-Disposition"]


def test_what_is_scored_by_default_has_official_grades(client, played, olga, other, queued):
    client.force_login(olga)
    base = f"/campaigns/{played.slug}"
    client.post(f"{base}/qrels/publish/", {"level": 1, "grades": "all-two"})
    made = Qrels.objects.get(basis="all-two")
    assert "against qrels v1 (" in words(client.get(f"{base}/leaderboard/score/"))
    assert "Score against v1" in words(client.get(f"{base}/qrels/"))
    official, by_two = (
        scored(olga, each, queued, measures=["AP"]) for each in (Qrels.objects.get(number=1), made)
    )
    drafts = Evaluation.objects.front_first(played).filter(is_released=False)
    assert [each.pk for each in drafts] == [official.pk, by_two.pk]
    page = words(client.get(f"{base}/leaderboard/evaluations/{by_two.pk}/"))
    assert "since qrels v1" not in page, "places are compared with those by the same grades"
    assert "Newer qrels exist" not in words(client.get(f"{base}/leaderboard/"))


def test_a_program_says_which_grades(client, played, olga, other):
    client.force_login(olga)
    address = f"/api/v1/campaigns/{played.slug}/qrels/"
    sent = {"content_type": "application/json"}
    wrong = client.post(address, {"grades": "best"}, **sent)
    assert (wrong.status_code, list(wrong.json()["fields"])) == (422, ["grades"])
    made = client.post(address, {"grades": "all-two"}, **sent).json()
    assert (made["number"], made["grades"], made["by_grade"].keys()) == (2, "all-two", {"2"})


@pytest.fixture
def estimated(played, olga, ben):
    """A version of estimated grades, and one of an earlier reader, to whom it is released."""
    topic = played.topic_set.get(number="1")
    primary = Assignment.objects.get(topic=topic, kind="primary")
    second = Assignment.objects.filter(topic=topic, kind="second").first()
    second = second or make.assignment(topic, ben, "second")
    for docno in ("d1", "d2"):
        make.judgment(primary, docno, 2)
        make.judgment(second, docno, 2)
    return publish_qrels(user=olga, campaign=played, grades="dawid-skene")


def test_error_rates_have_names_for_organizers_alone(client, played, olga, pat, estimated):
    release(
        user=olga, campaign=played, what="qrels", audience="participants", subject_id=estimated.pk
    )
    at = f"/campaigns/{played.slug}/qrels/{estimated.number}/"
    names = {User.objects.get(pk=each["assessor"]) for each in estimated.estimated["assessors"]}
    assert len(names) > 1
    client.force_login(olga)
    page, record = client.get(at).text, client.get(f"/api/v1{at}").json()
    assert "How its grades were estimated" in page
    assert all(str(each) in page or each.username in page for each in names)
    told = record["estimated"]["assessors"]
    assert {each["assessor"] for each in told} == {each.username for each in names}
    client.force_login(pat)
    page, record = client.get(at).text, client.get(f"/api/v1{at}").json()
    assert "Assessor 1" in page
    assert not [each for each in names if each.username in page or str(each) in page]
    assert {each["assessor"] for each in record["estimated"]["assessors"]} == {None}
    assert record["estimated"]["converged"]


def test_the_page_warns_of_an_estimate_that_turned_grades_round(client, played, olga, estimated):
    client.force_login(olga)
    at = f"/campaigns/{played.slug}/qrels/{estimated.number}/"
    warnings = "take the grades with care", "do not use it"
    page = words(client.get(at))
    assert not [each for each in warnings if each in page]
    assert f"A grade that nobody gave 0 of {estimated.estimated['documents']}" in page
    estimated.estimated |= {"converged": False, "by_majority": 0}
    estimated.save()
    page = words(client.get(at))
    assert all(each in page for each in warnings)
