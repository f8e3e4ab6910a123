"""Practice on the judging page: what is known is told once it is answered, and what leads to it."""

import html
import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from assess.models.judging import Judgment
from campaigns.models.campaign import Campaign
from practice.services import change_practice
from tests import make
from tests.web.html import words_of_main as text_of
from tests.web.judging import in_one_line, judge, refused
from tests.worlds import once

LINES = "d1\t2\tIt <names> one.\nd2\t0\tIt names none.\nd3\t3"
WHY = {"d1": "It <names> one.", "d2": "It names none."}


@pytest.fixture
@once
def practice(campaign, assigned):
    return make.practice(campaign, LINES, description="Which bridge is it?")


@pytest.fixture
def adas(client, ada, practice):
    client.force_login(ada)
    return Visitor(client, practice)


class Visitor:
    """Somebody at the pages of judging."""

    def __init__(self, client: Client, practice) -> None:
        self.client, self.practice = client, practice
        self.base = f"/campaigns/{practice.campaign.slug}/judging/"

    def get(self, path: str = "practice/", **query):
        return self.client.get(self.base + path, query)

    def read(self, path: str = "practice/", **query) -> str:
        return text_of(self.get(path, **query))

    def start(self) -> None:
        """Come to the judging page of practice, as the way to it leads."""
        self.at = self.get()["Location"].removeprefix(self.base)
        self.assignment = self.practice.assignments.get(pk=self.at.strip("/"))

    def answer(self, docno: str, choice: object, **more):
        if not hasattr(self, "at"):
            self.start()
        return judge(self.client, self.assignment, docno, str(choice), **more)

    def told(self, docno: str, choice: object, **more) -> dict:
        """How a document stands after an answer, as the acts' address says it."""
        [result] = self.answer(docno, choice, **more).json()["results"]
        assert result["refused"] == ""
        return result["now"]

    def queue(self) -> dict[str, dict]:
        entries = self.get(f"{self.at}queue/").json()["entries"]
        return {each["docno"]: each for each in entries}

    def everything(self) -> str:
        """All that is sent of practice before anything is pressed and after."""
        paths = ["", "queue/", "documents/", *(f"documents/{n}/" for n in (1, 2, 3))]
        paths += [f"documents/{n}/words/" for n in (1, 2, 3)]
        sent = [self.get(self.at + path) for path in paths]
        sent += [self.get(self.at, number=n) for n in (1, 2, 3)]
        assert {each.status_code for each in sent} <= {200, 302}
        return "".join(html.unescape(each.text) for each in sent)


def corrected(olga, practice, grade: int) -> None:
    known = [practice.known[0]._replace(grade=grade), *practice.known[1:]]
    change_practice(user=olga, campaign=practice.campaign, changes={"known": known})


def over() -> None:
    Campaign.objects.update(judging_closes_at=timezone.now() - timedelta(hours=1))


# What is known


def test_what_is_known_is_told_once_it_is_answered_and_not_before(adas):
    adas.start()
    assert adas.get(adas.at).context["document"].docno == "d1"
    assert not any(why in adas.everything() for why in WHY.values())
    assert not any("known" in each for each in adas.queue().values())
    assert adas.told("d2", "later").get("known") is None
    assert not any(why in adas.everything() for why in WHY.values())
    known = {"grade": 2, "now": None, "why": WHY["d1"]}
    assert adas.told("d1", 1)["known"] == known
    queue = adas.queue()
    assert [queue[docno].get("known") for docno in ("d1", "d2", "d3")] == [known, None, None]
    assert WHY["d2"] not in adas.everything()
    assert adas.told("d2", "cannot_judge", reason="language")["known"]["grade"] == 0


def test_a_known_grade_that_was_corrected_since_is_told(adas, olga, practice):
    adas.told("d1", 2)
    corrected(olga, practice, 1)
    known = {"grade": 2, "now": 1, "why": WHY["d1"]}
    assert adas.queue()["d1"]["known"] == known
    assert adas.told("d1", 1, change=1)["known"] == known, "the first answer is the one compared"


def test_what_has_left_practice_is_not_answered_and_does_not_come_again(adas, olga, practice):
    adas.told("d1", 2)
    changes = {"known": practice.known[2:]}
    change_practice(user=olga, campaign=practice.campaign, changes=changes)
    for docno, state in (("d1", "judged"), ("d2", "given_up")):
        response = adas.answer(docno, 0, change=1 if docno == "d1" else 0)
        assert refused(response) == f"{docno} is no longer a practice document."
        assert response.json()["results"][0]["now"]["state"] == state
    assert "known" in adas.told("d3", 3)
    assert "You agreed on 1 of 1 document" in adas.read()


# How it went


def test_at_the_end_it_says_how_it_went_and_leads_to_the_first_topic(adas, assigned):
    for docno, choice in (("d1", 1), ("d3", 3)):
        adas.told(docno, choice)
    adas.told("d1", 2, change=1)
    assert adas.get()["Location"] == adas.base + adas.at, "d2 is left"
    adas.told("d2", "cannot_judge", reason="language")
    for way in ("practice/", adas.at):
        page = adas.client.get(adas.base + way, follow=True)
        said = text_of(page)
        assert "You agreed on 1 of 3 documents" in said, "the first answer counts"
        assert "Title of d1 d1 Known 2 relevant Yours 1 partly relevant It <names> one." in said
        assert (
            "Title of d2 d2 Known 0 not relevant You said that it cannot be judged. It names none."
            in said
        )
        assert "Where you agree 1 document Title of d3 d3" in said
        assert f'data-key="Enter" href="{adas.base}{assigned.pk}/"' in page.text
    assert f'href="{adas.base}{adas.at}?number=2"' in page.text
    assert adas.get(f"{assigned.pk}/").status_code == 200


def test_how_it_went_tells_what_was_corrected_since(adas, olga, practice):
    for docno, choice in (("d1", 1), ("d2", 1), ("d3", 3)):
        adas.told(docno, choice)
    corrected(olga, practice, 1)
    said = adas.read()
    assert "You agreed on 1 of 3 documents" in said
    assert (
        "Known then 2 relevant Yours 1 partly relevant Corrected since to 1 partly relevant" in said
    )
    assert "compared with the grade that was known when you gave it" in said


# What leads to it


def test_where_practice_may_be_skipped_the_first_topic_is_one_link_away(adas, assigned):
    topic = f"{adas.base}{assigned.pk}/"
    adas.start()
    assert "Practice comes before your first topic" in adas.read(adas.at)
    assert "Skip to topic 1" in adas.read(adas.at)
    assert f'href="{topic}">Skip' in adas.get(adas.at).text
    assert adas.get(f"{assigned.pk}/").status_code == 200


def test_where_it_may_not_the_first_topic_leads_to_practice(adas, olga, assigned, practice):
    change_practice(user=olga, campaign=practice.campaign, changes={"may_skip": False})
    for query in ({}, {"number": 1}):
        assert adas.get(f"{assigned.pk}/", **query)["Location"] == f"{adas.base}practice/"
    adas.start()
    assert "Practice comes before your first topic" in adas.read(adas.at)
    assert "Skip" not in adas.read(adas.at)


def test_the_inbox_has_practice_first_and_then_a_line(adas):
    before = in_one_line(adas.get("").text)
    assert "Practice first" in before
    assert "3 documents with known answers. After each answer you see the known grade" in before
    [enter] = re.findall(r'data-key="Enter" href="([^"]*)"', before)
    assert enter == f"{adas.base}practice/"
    for docno in ("d1", "d2"):
        adas.told(docno, 0)
    assert "1 left , about 1 min" in adas.read("")
    adas.told("d3", 3)
    assert "Practice first" not in adas.get("").text
    assert "Practice: you agreed on 2 of 3 documents. See it again" in adas.read("")


def test_practice_costs_a_judging_page_no_query_where_there_is_none(adas, practice, assigned):
    make.judgment(assigned, "d1", 1)
    assert adas.get(f"{assigned.pk}/").status_code == 200, "who has judged goes on judging"
    assert "Practice first" not in adas.read("")
    practice.delete()
    with CaptureQueriesContext(connection) as captured:
        assert adas.get(f"{assigned.pk}/").status_code == 200
    assert not [query for query in captured if 'FROM "practice_' in query["sql"]]


# Whose it is, and when


def test_nobody_asks_or_notes_anything_of_practice_nor_sees_anothers(adas, ben, olga):
    adas.start()
    page = adas.get(adas.at).text
    for name in ("note", "questions"):
        address = f"{adas.base}{adas.at}{name}/"
        assert address not in page
        assert adas.client.get(address).status_code == 404
        assert adas.client.post(address, {"text": "Bats?"}).status_code == 404
    assert 'id="ask"' not in page
    assert adas.get(f"{adas.at}queue/").status_code == 200
    for person in (ben, olga):
        adas.client.force_login(person)
        for name in ("", "queue/", "documents/", "documents/1/"):
            assert adas.get(adas.at + name).status_code == 404, name
        assert adas.answer("d1", 2).status_code == 404
    assert adas.get(f"{adas.at}assignment/").status_code == 404
    assert not Judgment.objects.exists()


def test_once_judging_has_closed_it_can_be_read(adas, olga, practice):
    adas.told("d1", 1)
    said = adas.read(f"{adas.at}documents/")
    assert "Practice Bridges Your documents of practice: 1 of 3 documents judged." in said
    corrected(olga, practice, 3)
    over()
    said = adas.read()
    assert "You agreed on 0 of 1 document" in said
    assert "Judging closed on" in said
    told = adas.read(adas.at, number=1)
    assert "Known grade 2 relevant Corrected since to 3. It <names> one." in told
    assert "1 partly relevant" in told
    for number in (1, 2):
        assert 'name="choice"' not in adas.get(adas.at, number=number).text
    assert WHY["d2"] not in adas.read(adas.at, number=2), "what was not answered"
    assert adas.get(adas.at)["Location"] == f"{adas.base}{adas.at}documents/"
    assert adas.answer("d2", 1).status_code == 409
    assert Judgment.objects.count() == 1
    assert "Practice: 1 of 3 documents answered. See them again" in adas.read("")
