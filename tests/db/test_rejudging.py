"""What was judged on an earlier text is judged again by one act."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.access import Refused
from assess.core.answers import Seen
from assess.models.judging import Judgment
from assess.services.reopening import NONE, reopen_earlier, version_of
from campaigns.models.trail import AuditEvent
from tests import make
from tests.db.judging import answer
from tests.db.races import overtaken
from tests.db.sharing import judge_all, lent, n_judged, of, shared
from tests.web.heads import press_each
from tests.worlds import once


@pytest.fixture
@once
def assignment(campaign, pat, ada):
    make.frozen_pool(campaign, [make.run(campaign, pat, {"1": "d1 d2 d3"})], depth=3)
    return make.assignment(campaign.topic_set.get(number="1"), ada)


def replace(campaign, *docnos: str) -> None:
    lines = "".join(f"{docno}\t\tAnother text.\n" for docno in docnos)
    make.imported(campaign, "documents", lines.encode(), takes_versions=True)


def states(assignment) -> dict[str, str]:
    return dict(assignment.judgments.counting().current().values_list("item__key", "state"))


def test_all_that_rests_on_an_earlier_text_is_reopened_and_nothing_else(campaign, assignment, olga):
    for docno in ("d1", "d2", "d3"):
        make.judgment(assignment, docno, 2)
    replace(campaign, "d1", "d3")
    found = Judgment.objects.counting().on_earlier().filter(topic__campaign=campaign)
    assert [each.docno for each in found] == ["d1", "d3"]
    assert reopen_earlier(user=olga, campaign=campaign, seen=version_of(found)) == 2
    assert states(assignment) == {"d1": "reopened", "d2": "judged", "d3": "reopened"}
    event = AuditEvent.objects.latest("pk")
    assert event.detail["documents"] == ["1 d1", "1 d3"]
    with pytest.raises(Refused, match=NONE):
        reopen_earlier(user=olga, campaign=campaign)


def test_what_its_assessor_judged_again_meanwhile_stays(campaign, assignment, olga):
    for docno in ("d1", "d2"):
        make.judgment(assignment, docno, 2)
    replace(campaign, "d1", "d2")
    answer(assignment, "d1", grade=1, seen=Seen(document_version=2))
    assert reopen_earlier(user=olga, campaign=campaign) == 1
    assert states(assignment) == {"d1": "judged", "d2": "reopened"}
    # A statement that was replaced reopens all of its topic.
    make.imported(campaign, "topics", b"1\tAnother statement\n", takes_versions=True)
    assert reopen_earlier(user=olga, campaign=campaign) == 1
    assert states(assignment) == {"d1": "reopened", "d2": "reopened"}


def test_what_was_missing_and_has_been_imported_since_is_reopened(campaign, assignment, olga):
    campaign.document_set.filter(docno="d1").delete()
    answer(assignment, "d1", "cannot_judge", reason="missing")
    make.imported(campaign, "topics", b"1\tAnother statement\n", takes_versions=True)
    with pytest.raises(Refused, match=NONE):
        reopen_earlier(user=olga, campaign=campaign)
    make.documents(campaign, ["d1"])
    assert reopen_earlier(user=olga, campaign=campaign) == 1


def test_nothing_is_reopened_that_nobody_could_judge_again(campaign, assignment, olga):
    make.judgment(assignment, "d1", 2)
    replace(campaign, "d1")
    campaign.judging_closes_at = timezone.now()
    campaign.save()
    with pytest.raises(Refused, match="Judging closed"):
        reopen_earlier(user=olga, campaign=campaign)
    assert states(assignment) == {"d1": "judged"}


@pytest.mark.django_db(transaction=True)
def test_a_judgment_of_the_new_text_is_waited_for(campaign, assignment, olga):
    make.judgment(assignment, "d1", 2)
    replace(campaign, "d1")
    seen = version_of(Judgment.objects.counting().on_earlier().filter(topic__campaign=campaign))
    outcome = overtaken(
        lambda: answer(assignment, "d1", grade=1, seen=Seen(document_version=2)),
        lambda: reopen_earlier(user=olga, campaign=campaign, seen=seen),
    )
    assert str(outcome) == NONE
    assert states(assignment) == {"d1": "judged"}


def test_of_a_shared_topic_all_judgments_are_reopened_and_lent_again(campaign, pat, olga, ada, ben):
    """Who judges locks their assignment, then documents: in another order, two wait for ever."""
    make.frozen_pool(campaign, [make.run(campaign, pat, {"1": "d1 d2"})])
    together = shared(campaign, [ada, ben], n_wanted=2)
    for person in (ada, ben):
        judge_all(of(together, person), 2)
    replace(campaign, "d1")
    with CaptureQueriesContext(connection) as queries:
        assert reopen_earlier(user=olga, campaign=campaign) == 2
    texts = [each["sql"] for each in queries if "FOR NO KEY" in each["sql"]]
    locks = [re.search(r'FROM "?assess_(assignment|shareddocument)\b', text) for text in texts]
    concerned = [found[1] for found in locks if found]
    assert concerned == ["assignment", "assignment", "shareddocument"]
    assert n_judged(together) == {"d1": 0, "d2": 2}
    assert lent(of(together, ada)) == ["d1"]


def test_the_page_lists_topics_documents_and_assessors(sign_in, campaign, assignment, olga):
    client, at = sign_in(olga), f"/campaigns/{campaign.slug}/judging/earlier/"
    assert "Nothing is judged on an earlier text" in client.get(at).content.decode()
    make.judgment(assignment, "d1", 2)
    replace(campaign, "d1")
    page = client.get(at)
    text = page.content.decode()
    for said in ("1 judgment on an earlier text", ">d1</a>", "<td>Ada</td>", "the only way back"):
        assert said in text
    assert press_each(client, at) == {"earlier"}
    assert at in client.get(f"/campaigns/{campaign.slug}/qrels/").content.decode()
    assert client.post(at, {"seen": "0" * 64}).status_code == 422
    assert client.post(at, {"seen": page.context["seen"]}).status_code == 302
    assert "Nothing is judged on an earlier text" in client.get(at).content.decode()
