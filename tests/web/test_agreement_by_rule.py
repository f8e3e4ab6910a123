"""Agreement on documents whose official grade comes by a rule, now and as of a version."""

import pytest

from agreement.tallies import by_rule
from assess.models.assigning import Assignment
from assess.services.adjudicating import adjudicate
from assess.services.correcting import correct
from campaigns.models.releases import Release
from qrels.services.publishing import publish_qrels
from tests.db.judging import answer
from tests.db.sharing import judge_all, of, one_topic, shared
from tests.releasing import TEAMS, show_to
from tests.web.html import words


@pytest.fixture
def otto_decides(olga, ada, ben, otto, pat):
    """Six documents of a shared topic on which two differ; one is decided, one corrected."""
    campaign = one_topic(olga, pat, [ada, ben, otto], 6)
    queue = shared(campaign, [ada, ben], n_wanted=2)
    for person, grade in ((ada, 1), (ben, 2)):
        judge_all(of(queue, person), grade)
    adjudicate(user=olga, campaign=campaign, assessor=otto)
    answer(Assignment.objects.get(kind="adjudication"), "d01", grade=2)
    [topic] = campaign.topic_set.all()
    correct(user=olga, topic=topic, docno="d02", grade=0, reason="Another one.")
    return campaign


N = {"": 6, "median": 4, "adjudication": 1, "correction": 1, "primary": 0}


def test_figures_and_documents_are_of_what_a_rule_decided(client, otto_decides, olga):
    campaign = otto_decides
    client.force_login(olga)
    base = f"/campaigns/{campaign.slug}/agreement"
    for rule, n in N.items():
        page = client.get(f"{base}/", {"rule": rule})
        of_n = f"on {n} document{'s' * (n != 1)} judged twice"
        assert (of_n if n else "No document of these is judged twice") in words(page), rule
        if rule:
            assert f'<option value="{rule}" selected>' in page.text
        rows = client.get(f"/api/v1/campaigns/{campaign.slug}/disagreements/", {"rule": rule})
        assert len(rows.json()) == n
        figures = client.get(f"/api/v1/campaigns/{campaign.slug}/agreement/", {"rule": rule})
        assert {each["documents"] for each in figures.json() if not each["topic"]} == {n}
        documents = client.get(f"{base}/documents/", {"rule": rule})
        assert documents.context["rows"].paginator.count == n
    page = client.get(f"{base}/", {"rule": "adjudication"})
    assert "rule=adjudication" in page.text, "its figures lead to the same documents"
    odd = client.get(f"/api/v1/campaigns/{campaign.slug}/agreement/", {"rule": "odd"})
    assert (odd.status_code, list(odd.json()["fields"])) == (422, ["rule"])


def test_as_of_a_version_it_is_what_was_official_then(client, otto_decides, olga, pat):
    campaign = otto_decides
    qrels = publish_qrels(user=olga, campaign=campaign)
    [topic] = campaign.topic_set.all()
    correct(user=olga, topic=topic, docno="d03", grade=0, reason="This one too.")
    criteria = campaign.every_criterion
    now, then = (
        {rule: by_rule(campaign, criteria, rule, its).grades.n_items for rule in N if rule}
        for its in (None, qrels)
    )
    assert then == {rule: n for rule, n in N.items() if rule}
    assert now == then | {"median": 3, "correction": 2}
    show_to(campaign, TEAMS, what="agreement")
    client.force_login(pat)
    page = words(client.get(f"/campaigns/{campaign.slug}/agreement/", {"rule": "correction"}))
    assert "on 1 document judged twice" in page
    assert "As of qrels v1." in page


def test_a_version_of_other_grades_says_what_it_does_not_know(client, otto_decides, olga, pat):
    campaign = otto_decides
    other = publish_qrels(user=olga, campaign=campaign, grades="dawid-skene")
    show_to(campaign, TEAMS, what="agreement")
    assert Release.objects.get(what="agreement").subject_id == other.pk
    client.force_login(pat)
    base = f"/campaigns/{campaign.slug}/agreement/"
    unknown = "do not say by which rule documents of shared topics had theirs"
    page = words(client.get(base, {"rule": "median"}))
    assert unknown in page
    assert page.count("It is not known which documents these are") == 1
    assert "No document of these is judged twice" not in page
    page = words(client.get(base, {"rule": "adjudication"}))
    assert unknown not in page
    assert "on 1 document judged twice" in page
