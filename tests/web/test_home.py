"""Home: the next thing to do in each role, and how many queries it takes to say."""

import re
from datetime import timedelta
from uuid import uuid4

from django.utils import timezone

from assess.models.assigning import Assignment
from campaigns.models.campaign import Campaign
from campaigns.models.people import Role
from qrels.services.publishing import publish_qrels
from questions.services import answer, ask
from tests import make
from tests.db.test_rejudging import replace
from tests.releasing import ALL, TEAMS, show_to
from tests.web.html import words
from tests.web.overview import MOST_OF_ONE, MOST_QUERIES, finished, n_queries, played, text


# Next steps
def test_home_names_the_next_thing_in_each_role(client, cast, olga, ada, ben, pat, sam):
    campaign, qrels = played(*cast)
    assert "2 of 3 documents judged." in text(client, olga)
    assert "1 document is waiting for your judgment." in text(client, ada)
    assert "No topic has been assigned to you yet." in text(client, ben)
    assert "Upload a run. Your team has 1 valid run." in text(client, pat)
    assert "You have no role in a campaign yet." in text(client, sam)
    finished(qrels, olga)
    assert "are out" not in text(client, pat)
    show_to(campaign, TEAMS)
    assert "The scores of your run are out, against qrels v1." in text(client, pat)


def test_scores_are_out_for_a_team_once_its_own_runs_have_some(client, cast, pat, olga, sam):
    campaign, qrels = played(*cast)
    team = campaign.team_set.create(name="U")
    campaign.membership_set.create(user=sam, role=Role.PARTICIPANT, team=team)
    finished(qrels, olga)
    assert "are out" not in text(client, pat)
    for audience in (TEAMS, ALL):
        show_to(campaign, audience)
        assert "The scores of your run are out, against qrels v1." in text(client, pat)
        page = text(client, sam)
        assert "are out" not in page
        assert "Upload a run. Your team has no valid run yet." in page
    make.run(campaign, pat, {"1": "d0"}, "later")
    finished(qrels, olga)
    assert "The scores of your run are out, against" in text(client, pat)
    show_to(campaign, TEAMS)
    assert "The scores of your 2 runs are out, against" in text(client, pat)


def test_an_organizer_is_led_from_stage_to_stage(client, olga, ada, pat):
    campaign, pages = make.campaign(olga, topics=(), docnos=()), {}

    def told(sentence: str) -> None:
        pages[sentence] = text(client, olga)

    told("Import the topics.")
    make.documents(campaign, ["d1", "d2"])
    campaign.topic_set.create(number="1", title="one")
    told("Invite participants to upload runs.")
    team = campaign.team_set.create(name="T")
    campaign.membership_set.create(user=pat, role=Role.PARTICIPANT, team=team)
    campaign.membership_set.create(user=ada, role=Role.ASSESSOR)
    run = make.run(campaign, pat, {"1": "d1 d2 d3"})
    told("Build the pool once all runs are in.")
    draft = make.batch(campaign, [run], depth=3)
    told("Some documents of the pool are missing: import them.")
    make.imported(campaign, "documents", b'{"docno": "d3", "text": "The third."}\n')
    told("Check the pool and freeze it.")
    make.frozen(draft)
    told("Assign the topics to assessors.")
    assignment = make.assignment(campaign.topic_set.get(), ada)
    for docno in ("d1", "d2", "d3"):
        make.judgment(assignment, docno, 1)
    told("Publish the qrels.")
    qrels = publish_qrels(user=olga, campaign=campaign)
    told("Score the runs.")
    finished(qrels, olga)
    told("The scores against qrels v1 are a draft: release them.")
    show_to(campaign, TEAMS)
    told("The campaign is complete: see its leaderboard.")
    for sentence, page in pages.items():
        assert [each for each in pages if each in page] == [sentence]


def test_a_campaign_with_a_question_or_a_topic_unpooled_is_not_complete(client, cast, olga, ada):
    campaign, _ = played(*cast)
    campaign.topic_set.exclude(number="1").delete()
    assignment = Assignment.objects.get()
    make.judgment(assignment, "d2", 1)
    finished(publish_qrels(user=olga, campaign=campaign), olga)
    show_to(campaign, TEAMS)
    overview = f"/campaigns/{campaign.slug}/"
    assert "The campaign is complete: see its leaderboard." in text(client, olga)
    assert "<h1>The campaign is complete</h1>" in text(client, olga, overview)
    question = ask(user=ada, assignment=assignment, client_id=uuid4(), text="Bats?")
    waits = "1 question from assessors waits"
    assert f"{waits}." in text(client, olga)
    assert f"<h1>{waits}</h1>" in text(client, olga, overview)
    assert "complete" not in text(client, olga)
    answer(user=olga, question=question, text="Yes.", audience="asker")
    assert "The campaign is complete" in text(client, olga)
    row = make.uploaded(campaign, "topics", b"77\tlate")
    page = text(client, olga, f"{overview}imports/{row.pk}/")
    assert "the new topic will have no documents before the pool is extended" in page
    make.confirmed(row)
    assert "1 topic has no documents to judge yet." in text(client, olga)
    assert "<h1>1 topic has no documents to judge yet</h1>" in text(client, olga, overview)


def test_a_campaign_with_work_on_earlier_texts_is_not_complete(client, cast, olga):
    """Home, overview and Judging name it, each with the page that mends it."""
    campaign, _ = played(*cast)
    campaign.topic_set.exclude(number="1").delete()
    make.documents(campaign, ["k", "p"])
    make.judgment(Assignment.objects.get(), "d2", 1)
    finished(publish_qrels(user=olga, campaign=campaign), olga)
    show_to(campaign, TEAMS)
    make.known_grade(campaign.topic_set.get(), "k", 1)
    make.practice(campaign, "p\t1")
    overview = f"/campaigns/{campaign.slug}/"
    pages = ("/", overview, f"{overview}judging/")
    assert "The campaign is complete" in text(client, olga)
    for docno, waits, mends in (
        ("d0", "1 judgment rests on an earlier text", "earlier/"),
        ("k", "1 known grade waits to be confirmed", "controls/"),
        ("p", "1 practice grade waits to be confirmed", "practice/edit/"),
    ):
        replace(campaign, docno)
        for page in pages:
            html = text(client, olga, page)
            assert waits in html
            assert f'href="{overview}judging/{mends}"' in html
            assert "The campaign is complete" not in html
    assert "<h1>1 judgment rests on an earlier text</h1>" in text(client, olga, overview)
    Campaign.objects.update(archived_at=timezone.now())
    assert "rests on an earlier text" not in text(client, olga, f"{overview}judging/")


def test_the_next_date_is_one_of_the_person_s_own_work(client, cast, olga, ada, pat):
    campaign, _ = played(*cast)
    now = timezone.now()
    times = {
        "submission_closes_at": now + timedelta(days=3),
        "judging_closes_at": now + timedelta(days=9),
    }
    Campaign.objects.update(**times)
    first = {olga: "Submission", ada: "Judging", pat: "Submission"}
    for address in ("/", f"/campaigns/{campaign.slug}/topics/"):
        for person, what in first.items():
            chips = re.findall(
                r'<time class="chip"[^>]*>\s*(\w+) closes in', text(client, person, address)
            )
            assert set(chips) == {what}


def test_home_takes_as_many_queries_for_four_campaigns_as_for_one(client, cast):
    finished(played(*cast)[1], cast[0])
    before = [n_queries(client, user, "/") for user in cast]
    for n_documents in (4, 3, 5):
        finished(played(*cast, n_documents=n_documents)[1], cast[0])
    assert [n_queries(client, user, "/") for user in cast] == before
    assert max(before) <= MOST_QUERIES


def test_somebody_in_every_role_takes_no_more(client, cast, olga):
    campaign, _ = played(*cast)
    team = campaign.team_set.get()
    campaign.membership_set.create(user=olga, role=Role.PARTICIPANT, team=team)
    campaign.membership_set.create(user=olga, role=Role.ASSESSOR)
    assert n_queries(client, olga, "/") <= MOST_QUERIES
    assert n_queries(client, olga, f"/campaigns/{campaign.slug}/") <= MOST_OF_ONE


def test_visitors_find_what_is_public_and_are_asked_to_sign_in_where_nothing_is(
    client, campaign, sam
):
    assert client.get("/").status_code == 302
    show_to(campaign, ALL, what="topics")
    page = words(client.get("/"))
    assert "1 public campaign" in page
    assert "Test campaign Overview Topics" in page
    campaign.releases.update(ended_at=timezone.now())
    assert client.get("/").status_code == 302
    client.force_login(sam)
    assert "You have no role in a campaign" in words(client.get("/"))
