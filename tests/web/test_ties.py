"""What pages say of grades given equally often, which a rule leaves to an adjudicator."""

from django.urls import reverse

from assess.models.official import OfficialGrade
from campaigns.services.campaign import change_campaign
from tests import make
from tests.db.judging import answer
from tests.db.sharing import judge_all, of, one_topic, shared
from tests.web.html import words


def test_a_tie_waits_for_its_adjudicator_and_says_so(client, olga, ada, ben, pat):
    campaign = one_topic(olga, pat, [ada, ben], 2)
    queue = shared(campaign, [ada, ben], n_wanted=2)
    for person, grade in ((ada, 1), (ben, 2)):
        judge_all(of(queue, person), 1)
        answer(of(queue, person), "d00", grade=grade)
    client.force_login(olga)
    base = f"/campaigns/{campaign.slug}"
    [topic] = campaign.topic_set.all()
    grades = f"{base}/agreement/topics/{topic.pk}/documents/d00/"
    tie = "1 of them is a tie between the grades given most often, and has no official grade"
    assert tie not in words(client.get(f"{base}/agreement/adjudication/"))
    assert "Officially grade 1" in words(client.get(grades))
    changes = {"shared_rule": "majority-adjudicated"}
    change_campaign(user=olga, campaign=campaign, changes=changes)
    make.worked("decide_again", campaign.pk)
    assert OfficialGrade.objects.grades(campaign) == {"1": {"d01": 1}}
    page = words(client.get(f"{base}/agreement/adjudication/"))
    assert tie in page
    assert "Ties are among it, however near their grades are." in page
    waits = "two grades or more were given equally often, and an adjudicator decides."
    assert waits in words(client.get(grades))
    page = words(client.get(reverse("assess:shared", args=[campaign.slug, queue.pk])))
    assert "2 of 2 documents settled, of which 1 is a tie and has no official grade until" in page
    assert "such a tie waits for an adjudicator" in page
    page = words(client.get(f"{base}/settings/judging/"))
    assert "the most frequent grade; of several none until an adjudicator decides" in page
