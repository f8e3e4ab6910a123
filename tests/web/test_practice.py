"""The page of practice, and what leads to it."""

import html
import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from campaigns.models.campaign import Campaign
from campaigns.services.leaving import remove_member
from practice.models import PracticeAnswer, PracticeSkip
from practice.services import change_practice
from tests import make
from tests.web.judging import in_one_line
from tests.worlds import once

LINES = "d1\t2\tIt <names> one.\nd2\t0\tIt names none.\nd3\t3"
SECRETS = ("It &lt;names&gt; one.", "It names none.", "Known")


@pytest.fixture
@once
def assigned(campaign, pat, ada):
    make.frozen_pool(campaign, [make.run(campaign, pat, {"1": "d4 d5"})], depth=3)
    return make.assignment(campaign.topic_set.get(number="1"), ada)


@pytest.fixture
@once
def practice(campaign, assigned):
    return make.practice(campaign, LINES, description="Which bridge is it?")


@pytest.fixture
def adas(client, ada, practice):
    client.force_login(ada)
    return Visitor(client, practice.campaign)


class Visitor:
    """Somebody at the pages of judging."""

    def __init__(self, client: Client, campaign) -> None:
        self.client, self.base = client, f"/campaigns/{campaign.slug}/judging/"

    def get(self, path: str = "practice/", **query):
        return self.client.get(self.base + path, query)

    def read(self, path: str = "practice/", **query) -> str:
        return text_of(self.get(path, **query))

    def answer(self, docno: str, choice: object, **more):
        sent = {"docno": docno, "choice": choice, **more}
        return self.client.post(f"{self.base}practice/answer/", sent)


def text_of(response) -> str:
    """The words of a page, as a reader has them."""
    body = response.content.decode().partition("<main")[2]
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", body)).split())


def shown(response) -> str:
    return response.context["document"].docno


def test_the_documents_come_in_their_order_and_an_answer_shows_at_once_what_is_known(adas):
    page = adas.get()
    assert shown(page) == "d1"
    assert not [each for each in SECRETS if each in page.content.decode()]
    sent = adas.answer("d1", 1)
    assert sent["Location"] == f"{adas.base}practice/?number=1"
    result = adas.client.get(sent["Location"])
    assert "You differ Known 2 relevant Yours 1 partly relevant It <names> one." in text_of(result)
    assert "It names none." not in text_of(result)
    assert 'data-key="2"' not in result.content.decode(), "a second key grades nothing"
    assert shown(adas.get()) == "d2"
    adas.answer("d2", 0)
    assert "✓ You agree Known 0 not relevant It names none." in adas.read(number=2)


def test_at_the_end_it_says_how_it_went_and_leads_to_the_first_topic(adas, assigned):
    for docno, choice in (("d1", 1), ("d2", "cannot_judge"), ("d3", 3)):
        adas.answer(docno, choice)
    page = adas.get()
    assert page.context["place"] is None
    said = text_of(page)
    assert "You agreed on 1 of 3 documents" in said
    assert "Title of d1 d1 Known 2 relevant Yours 1 partly relevant It <names> one." in said
    assert (
        "Title of d2 d2 Known 0 not relevant You said that it cannot be judged. It names none."
        in said
    )
    assert f'data-key="Enter" href="{adas.base}{assigned.pk}/"' in page.content.decode()
    assert adas.get(f"{assigned.pk}/").status_code == 200


def test_a_later_try_is_told_and_the_first_answer_counts(adas):
    adas.answer("d1", 1)
    again = adas.get(number=1, again="")
    assert 'name="n_seen" value="1"' in again.content.decode()
    assert "your first answer is the one that counts" in text_of(again)
    adas.answer("d1", 2, n_seen=1)
    assert (
        "You differ Known 2 relevant Yours 1 partly relevant Your last try: 2 relevant. The first "
        "answer is the one that counts." in adas.read(number=1)
    )
    late = adas.answer("d1", 3, n_seen=1)
    assert (late.status_code, shown(late)) == (422, "d1")
    assert (
        "Not saved. You had answered this already, in another tab: that answer stands."
        in text_of(late)
    )
    assert "Your last try: 2 relevant." in text_of(late)


def test_a_known_grade_that_changed_since_is_told(adas, olga, practice):
    adas.answer("d1", 2)
    known = [practice.known[0]._replace(grade=1), *practice.known[1:]]
    change_practice(user=olga, campaign=practice.campaign, changes={"known": known})
    assert (
        "You agree Known then 2 relevant The known grade has been corrected since you answered: it "
        "is now 1 partly relevant. Your answer is still compared with the earlier one."
        in adas.read(number=1)
    )


def test_what_is_no_answer_is_told_beside_the_document(adas):
    for sent, sentence in (
        ({"docno": "d1"}, "Give a grade, or say that the document cannot be judged."),
        ({"docno": "d1", "choice": "9"}, "9 is not a grade of this campaign's scale."),
        ({"docno": "d5", "choice": "1"}, "d5 is no longer a practice document."),
        ({"choice": "1"}, "The answer does not say which document it is about."),
        (
            {"docno": "d1", "choice": "1", "scale": "old"},
            "The scale of grades was changed after this page was loaded: answer once more.",
        ),
        ({"docno": "d1", "choice": "1", "n_seen": "-1"}, "greater than or equal to 0"),
    ):
        response = adas.client.post(f"{adas.base}practice/answer/", sent)
        assert (response.status_code, shown(response)) == (422, "d1")
        assert "Not saved." in text_of(response)
        assert sentence in text_of(response)
    assert not PracticeAnswer.objects.exists()


def test_there_is_no_other_number_and_what_is_none_is_passed_over(adas):
    assert {adas.get(number=number).status_code for number in ("0", "4", "999999999")} == {404}
    assert {shown(adas.get(number=number)) for number in ("x", "-1", "1e3", "²", "")} == {"d1"}


def test_who_was_removed_is_told_so_also_where_the_form_is_wrong(adas, ada, olga, practice):
    campaign = practice.campaign
    remove_member(user=olga, membership=campaign.membership_set.get(user=ada))
    for response in (adas.get(), adas.answer("d1", 1, n_seen=2)):
        assert response.status_code == 403
        assert "You are no longer an assessor of Test campaign" in text_of(response)
        assert "n seen" not in text_of(response)


# What leads to it


def test_a_first_topic_leads_to_practice_and_skipping_to_the_topic(adas, assigned):
    topic = f"{assigned.pk}/"
    for query in ({}, {"number": 1}):
        assert adas.get(topic, **query)["Location"] == f"{adas.base}practice/"
    said = adas.read()
    assert (
        "Practice comes before your first topic: 3 documents with known answers, about 2 min. None "
        "of it counts as a judgment." in said
    )
    assert "Skip to topic 1" in said
    skipped = adas.client.post(f"{adas.base}practice/skip/")
    assert skipped["Location"] == adas.base + topic
    assert adas.get(topic).status_code == 200
    assert PracticeSkip.objects.get().user == assigned.assessor
    assert "Skip to topic" not in adas.read()
    assert "Practice: 3 documents with known answers, about 2 min." in adas.read("")


def test_skipping_leads_back_without_a_topic_and_is_not_offered_where_it_may_not_be(
    adas, ada, ben, olga, assigned, practice
):
    adas.client.force_login(ben)
    assert "Skip practice" in adas.read()
    assert adas.client.post(f"{adas.base}practice/skip/")["Location"] == adas.base
    change_practice(user=olga, campaign=practice.campaign, changes={"may_skip": False})
    adas.client.force_login(ada)
    assert "Practice comes before your first topic" in adas.read()
    assert "Skip" not in adas.read()
    refused = adas.client.post(f"{adas.base}practice/skip/")
    assert refused.status_code == 409
    assert "The organizers ask everybody to practice first." in text_of(refused)
    assert adas.get(f"{assigned.pk}/").status_code == 302


def test_the_inbox_has_practice_first_and_then_a_line(adas):
    before = in_one_line(adas.get("").content.decode())
    assert "Practice first" in before
    assert "3 documents with known answers. After each answer you see the known grade" in before
    [enter] = re.findall(r'data-key="Enter" href="([^"]*)"', before)
    assert enter == f"{adas.base}practice/"
    for docno in ("d1", "d2"):
        adas.answer(docno, 0)
    assert "1 left , about 1 min" in adas.read("")
    adas.answer("d3", 3)
    after = adas.get("").content.decode()
    assert "Practice first" not in after
    assert "Practice: you agreed on 2 of 3 documents. See it again" in adas.read("")


def test_practice_costs_a_judging_page_no_query_where_there_is_none(adas, practice, assigned):
    make.judgment(assigned, "d4", 1)
    assert adas.get(f"{assigned.pk}/").status_code == 200, "who has judged goes on judging"
    assert "Practice first" not in adas.read("")
    practice.delete()
    with CaptureQueriesContext(connection) as captured:
        assert adas.get(f"{assigned.pk}/").status_code == 200
    assert not [query for query in captured if 'FROM "assess_practice' in query["sql"]]


# When


def test_once_judging_has_closed_it_can_be_read(adas):
    adas.answer("d1", 2)
    Campaign.objects.update(judging_closes_at=timezone.now() - timedelta(hours=1))
    said = adas.read()
    assert "You agreed on 1 of 1 document" in said
    assert "Judging closed on" in said
    assert "You agree" in adas.read(number=1)
    for page in (adas.get(number=1), adas.get(number=2), adas.get(number=1, again="")):
        assert 'name="choice"' not in page.content.decode()
    assert "It names none." not in adas.read(number=2), "what was not answered"
    refused = adas.answer("d2", 1)
    assert (refused.status_code, PracticeAnswer.objects.count()) == (422, 1)
    assert "Practice: 1 of 3 documents answered. See them again" in adas.read("")


def test_what_is_switched_off_is_for_organizers_and_who_has_answered(adas, ben, olga, practice):
    adas.answer("d1", 2)
    change_practice(user=olga, campaign=practice.campaign, changes={"is_on": False})
    assert "The organizers have switched practice off." in adas.read()
    adas.client.force_login(ben)
    response = adas.get()
    assert response.status_code == 409
    assert "switched practice off" in text_of(response)
    assert "Practice" not in adas.read("")
    adas.client.force_login(olga)
    assert adas.answer("d1", 2).status_code == 302
    assert "You agree" in adas.read(number=1)
    assert "not counted" in adas.read("practice/edit/")
