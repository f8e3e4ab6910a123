"""Pages of shared topics: sharing them, how far they are, and judging one."""

import re

import pytest

from accounts.access import Refused
from assess.models.assigning import Assignment
from assess.models.official import OfficialGrade
from assess.models.sharing import SharedQueue
from assess.services import handover, sharing
from assess.web import sharing as sharing_page
from campaigns.models.campaign import SharedRule
from campaigns.models.people import Role
from tests import make
from tests.db.judging import answer
from tests.db.sharing import lent, of, shared
from tests.web.heads import press_each
from tests.web.html import at, content, words
from tests.web.judging import read
from tests.web.test_acts import QUERIES_PER_ACT, act, queries, send
from tests.worlds import once

DOCNOS = " ".join(make.DOCNOS)


@pytest.fixture
@once
def pooled(campaign, pat):
    make.frozen_pool(campaign, [make.run(campaign, pat, {"1": DOCNOS, "2": "d2 d4"})], depth=6)
    return campaign


@pytest.fixture
@once
def queue(pooled, ada, ben) -> SharedQueue:
    return shared(pooled, [ada, ben], n_wanted=2)


def test_topics_are_shared_on_the_page_of_assigning(as_olga, pooled, ada, ben):
    assigning = at(pooled, "assess:distribute")
    page = read(as_olga, assigning)
    assert 'name="topics" value="1 2"' in page, "all that nobody has"
    assert len(re.findall(r'name="assessors"[^>]* checked', page)) == 2, "and everybody"
    sent = {"topics": "2, 1", "n_wanted": 2, "assessors": [ada.pk, ben.pk], "lease_minutes": 45}
    page = read(as_olga, at(pooled, "assess:share"), **sent)
    assert "2 topics shared among 2 assessors." in page
    assert '0 <span class="quiet">of 6</span>' in page
    page = read(as_olga, assigning)
    assert "is assigned or shared already" in page
    assert page.count("2 each") == 2


@pytest.mark.parametrize("rule", SharedRule)
def test_pages_of_sharing_say_the_rule_of_the_campaign(as_olga, pooled, ada, ben, rule):
    type(pooled).objects.update(shared_rule=rule)
    assigning = at(pooled, "assess:distribute")
    before = words(as_olga.get(assigning))
    queue = shared(pooled, [ada, ben], n_wanted=2)
    for page in (before, words(as_olga.get(at(pooled, "assess:shared", queue.pk)))):
        assert f"The official grade is {rule.label}." in page
        assert [each.label for each in SharedRule if each.label in page] == [rule.label]


def test_tables_of_shared_topics_are_sorted(as_olga, queue, pooled):
    assert press_each(as_olga, at(pooled, "assess:shared", queue.pk)) == {"members"}
    assert "queues" in press_each(as_olga, at(pooled, "desk:judging"))


def test_what_cannot_be_shared_is_said_and_what_was_typed_stays(as_olga, pooled, ada, ben):
    sent = {"topics": "1", "n_wanted": 2, "assessors": [ada.pk, ben.pk], "lease_minutes": 45}
    for field, value, sentence in (
        ("topics", "1 77", "There is no topic 77."),
        ("topics", ", ,", "Say which topics."),
        ("n_wanted", 3, "3 judgments per document need 3 assessors; there are 2."),
        ("n_wanted", 0, "Choose from 1 to 20 judgments of each document."),
        ("lease_minutes", 2, "A document is lent for 5 minutes to 24 hours."),
        ("assessors", [], "Choose who is to judge."),
    ):
        page = read(as_olga, at(pooled, "assess:share"), **{**sent, field: value})
        assert sentence in page
        assert field == "lease_minutes" or 'value="45"' in page
    assert not SharedQueue.objects.exists()


@pytest.mark.parametrize("text", ["all", "1 - 2, a,b", "2,a,b", None])
def test_topics_are_named_as_everywhere_and_as_the_form_came(as_olga, pooled, ada, ben, text):
    pooled.topic_set.filter(number="1").update(number="a,b")
    page = read(as_olga, at(pooled, "assess:distribute"))
    [offered] = re.findall(r'name="topics" value="([^"]*)"', page)
    assert sorted(offered.split()) == ["2", "a,b"]
    sent = {"topics": text or offered, "n_wanted": 1, "assessors": [ada.pk, ben.pk]}
    page = read(as_olga, at(pooled, "assess:share"), **sent, lease_minutes=45)
    assert "2 topics shared among 2 assessors." in page


def test_a_shared_topic_has_a_page(as_olga, queue, pooled, ada, ben):
    assignment = of(queue, ada)
    sharing.lend(assessor=ada, assignment=assignment)
    make.judgment(assignment, "d1", 2)
    there = at(pooled, "assess:shared", queue.pk)
    page = read(as_olga, there)
    assert "<b>0 of 6</b> documents settled" in page
    assert "Every assessor judges it already." in page
    assert "Stop sharing" not in page
    terms = {"n_wanted": 1, "lease_minutes": 20, "seen": "2-30"}
    page = read(as_olga, there, act="change", **terms)
    assert "Each document gets 1 judgment, and is lent for 20 minutes." in page
    assert "<b>1 of 6</b> documents settled" in page
    for sent, said in (
        ({"act": "change", **terms}, "changed while you had the page open"),
        ({"act": "unshare", "seen": "x"}, "so it stays shared"),
        ({"act": "what"}, "out of date"),
        ({"act": "change", **terms, "n_wanted": "x"}, "Choose from 1 to 20 judgments"),
        ({"act": "change", **terms, "lease_minutes": 77}, 'value="77"'),
    ):
        assert said in read(as_olga, there, **sent)


def test_it_says_what_more_judgments_would_mean_and_what_cannot_get_them(as_olga, pooled, ada, ben):
    queue = shared(pooled, [ada, ben], n_wanted=2)
    assignment = of(queue, ada)
    lent(assignment)
    answer(assignment, "d1", grade=2)
    answer(assignment, "d2", "cannot_judge", reason="language")
    page = read(as_olga, at(pooled, "assess:shared", queue.pk))
    rows = re.findall(
        r"<tr>(.*?)</tr>", page.split('id="outcomes"')[1].split("</table>")[0], re.DOTALL
    )
    said = [re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", row)).split() for row in rows[1:]]
    assert said == [["1", "4", "4", "0"], ["2", "now", "6", "11", "1"]]
    assert "1 document cannot get its judgments: too few of the group have not had it yet" in page
    page = read(as_olga, at(pooled, "desk:judging"))
    assert "1 document of a shared topic cannot get its judgments" in page
    assert "too few for 1" in page


def test_people_leave_and_join_on_it(as_olga, queue, pooled, ben):
    own = at(pooled, "desk:assignment", of(queue, ben).pk)
    there = at(pooled, "assess:shared", queue.pk)
    assert "Hand over" not in read(as_olga, own)
    before = shown_of(read(as_olga, there))
    page = read(as_olga, own, act="take_back", seen=ben.pk)
    assert "is taken back from Ben; its group goes on" in page
    now = read(as_olga, there)
    assert "1 assessor cannot give 2 judgments" in now
    page = read(as_olga, there, act="join", assessors=[ben.pk])
    assert "Topic 1 is shared with them too." in page
    assert Assignment.objects.live().filter(queue=queue).count() == 2
    page = read(as_olga, there, act="unshare", seen=shown_of(now))
    assert "now among 2 assessors, changed while you had the page open" in page
    page = read(as_olga, there, act="unshare", seen=before)
    assert "Topic 1 is not shared any more: it can be assigned." in page


def shown_of(page: str) -> str:
    """What the form that stops the sharing has seen."""
    [seen] = re.findall('value="unshare"> <input type="hidden" name="seen" value="(.*?)"', page)
    return seen


def test_a_topic_that_stops_being_shared_while_the_page_is_sent_says_so(
    as_olga, queue, pooled, olga, monkeypatch
):
    stop = sharing.unshare

    def stopped_before(*, user, queue, **values):
        stop(user=user, queue=queue)
        return stop(user=user, queue=queue)

    act = sharing_page.ACTS["unshare"]._replace(service=stopped_before)
    monkeypatch.setitem(sharing_page.ACTS, "unshare", act)
    sent = as_olga.post(at(pooled, "assess:shared", queue.pk), {"act": "unshare", "seen": "x"})
    assert (sent.status_code, "is not shared any more" in sent.text) == (409, True)


def test_the_inbox_says_what_is_left_at_most(client, queue, pooled, ada):
    client.force_login(ada)
    page = read(client, at(pooled, "desk:judging"))
    for said in ("at most 6 left", "shared with others", "Up to 6 documents left</h1>"):
        assert said in page
    home = read(client, "/")
    assert "Up to 6 documents of shared topics can be judged by you." in home
    make.judgment(make.assignment(pooled.topic_set.get(number="2"), ada), "d2", 1)
    page = read(client, at(pooled, "desk:judging"))
    assert "1 document left</h1>" in page
    assert "Plus a share of 6 documents that you judge with others. <b>1 of 2</b>" in page
    home = read(client, "/")
    assert "1 document is waiting for your judgment, and up to 6 in shared topics." in home


def borrow(client, campaign, its, known: object) -> list:
    return client.post(at(campaign, "desk:lend", its.pk), {"known": known}).json()["more"]


@pytest.fixture
def long(client, olga, pat, ada):
    """Twenty documents that are Ada's alone, though shared; she is signed in."""
    docnos = [f"d{n:02}" for n in range(20)]
    campaign = make.campaign(
        olga, assessors=[ada], participants={"A": [pat]}, topics=["1"], docnos=docnos
    )
    make.frozen_pool(campaign, [make.run(campaign, pat, {"1": " ".join(docnos)})], depth=20)
    client.force_login(ada)
    return of(shared(campaign, [ada], n_wanted=1), ada)


def test_the_answer_to_acts_tells_when_more_is_lent_to_who_asks(client, long):
    its, campaign = long, long.topic.campaign
    listed = client.get(at(campaign, "desk:queue", its.pk)).json()["entries"]
    assert len(listed) == 6
    first = [row["docno"] for row in listed]
    assert send(client, its, act(first[0])).json()["few"] is False
    assert borrow(client, campaign, its, 6) == []
    assert send(client, its, *map(act, first[1:3])).json()["few"] is True
    more = borrow(client, campaign, its, 6)
    assert [row["number"] for row in more] == [7, 8, 9]
    assert all("state" not in row for row in more)
    again = client.get(at(campaign, "desk:queue", its.pk)).json()["entries"]
    assert again[6:] == more == borrow(client, campaign, its, 6)
    assert borrow(client, campaign, its, 7) == more[1:], "what a page missed is told again"
    assert borrow(client, campaign, its, 9) == []
    for odd in ("", "x", "-1", "9" * 30):
        assert len(borrow(client, campaign, its, odd)) == 9


def test_an_act_on_a_shared_topic_costs_six_queries(client, long):
    """As on a topic of one's own, and one to see whether few are left, as are after the second."""
    first, *rest = lent(long)
    send(client, long, act(first))  # the first of all fixes the scale
    assert [len(queries(client, long, act(docno))) for docno in rest] == [QUERIES_PER_ACT + 1] * 5


def test_what_others_have_filled_is_said_to_be_given_up(client, pooled, ada, ben):
    queue = shared(pooled, [ada, ben], n_wanted=1)
    its, others = of(queue, ada), of(queue, ben)
    sharing.lend(assessor=ada, assignment=its)
    docno = its.entries.first().docno
    its.entries.update(leased_until="2020-01-01T00:00Z")
    sharing.lend(assessor=ben, assignment=others)
    make.judgment(others, docno, 3)
    client.force_login(ada)
    reply = send(client, its, act(docno)).json()
    [result] = reply["results"]
    assert f"Others finished {docno} first: it has its 1 judgment." in result["refused"]
    assert reply["few"] is True
    more = borrow(client, pooled, its, 6)
    assert {row["state"] for row in more} == {"given_up"}
    assert str(ben) not in str([reply, more]), "nobody else is named"
    # From then on no list names what is to come, which this is not.
    type(pooled).objects.update(known_percent=10)
    assert borrow(client, pooled, its, 0) == more
    page = read(client, at(pooled, "desk:judge_page", its.pk))
    assert "Nothing more to judge now" in page
    page = read(client, at(pooled, "desk:entries", its.pk))
    assert "None of your documents is in this state." in page


def test_pairs_of_judgments_are_not_called_documents_nor_official(as_olga, pooled, ada, ben):
    cleo = make.user("cleo")
    pooled.membership_set.create(user=cleo, role=Role.ASSESSOR)

    def publish() -> str:
        return read(as_olga, at(pooled, "qrels:publish_qrels"), level=1, after=0)

    assert "no primary assessor has judged a document.</" in publish()
    queue = shared(pooled, [ada, ben, cleo], n_wanted=3)
    assert "and no document of a shared topic has its judgments." in publish()
    for n, person in enumerate((ada, ben, cleo)):
        assignment = of(queue, person)
        lent(assignment)
        for docno in ("d1", "d2"):
            answer(assignment, docno, grade=n + 1)
    page = read(as_olga, at(pooled, "agreement:agreement"))
    for said in (
        "on 2 documents judged by two or more</h1>",
        "% of 2 documents",
        "a document counts once with each of them",
        "2 of 2 times</p>",  # the grades of Ada and Cleo
        "in shared topics the earlier down, the later across",
    ):
        assert said in page
    assert "documents judged twice<" not in page
    assert "fficial grade" not in page.replace("official grades and their past", ""), "but a file"
    page = read(as_olga, at(pooled, "qrels:qrels"))
    assert "documents have an official grade so far." in page
    assert "in shared topics it is the median grade, the lower of two, once a document has" in page


def test_taking_back_what_is_not_begun_says_what_there_is(pooled, olga, ada, ben):
    def refused() -> str:
        with pytest.raises(Refused) as refusal:
            handover.take_back_unbegun(user=olga, campaign=pooled)
        return str(refusal.value)

    assert refused().startswith("Nobody has a topic")
    shared(pooled, [ada, ben], n_wanted=2)
    assert refused().startswith("Every topic that somebody has is shared")
    make.judgment(make.assignment(pooled.topic_set.get(number="2"), ada), "d4", 2)
    assert refused().startswith("Every assignment has been begun")


def test_another_rule_of_shared_topics_is_asked_about_and_decided_by_a_worker(
    as_olga, queue, ada, ben
):
    for person, grade in ((ada, 0), (ben, 2)):
        lent(of(queue, person))
        answer(of(queue, person), "d1", grade=grade)
    campaign = queue.topic.campaign
    address = f"/campaigns/{campaign.slug}/settings/judging/"
    form = {"seconds_per_judgment": 30, "least_view_ms": 250, "known_percent": 0}
    form |= {"repeat_percent": 0, "shared_rule": "maximum"}
    refused = as_olga.post(address, form)
    asked = re.search(r'name="accepts" id="id_accepts" value="([^"]+)"', content(refused))[1]
    assert asked.startswith("By the highest grade: 1 official grade would change, 1 of them")
    assert as_olga.post(address, {**form, "accepts": asked}).status_code == 302
    assert make.worked("decide_again", campaign.pk).outcome == "1 shared topic decided again."
    assert OfficialGrade.objects.grades(campaign) == {"1": {"d1": 2}}
