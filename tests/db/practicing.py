"""Practice as people do it."""

from campaigns.models.campaign import Campaign
from practice.models import PracticeAnswer, PracticeTopic
from practice.services import answer_practice, change_practice

LINES = "d1\t2\tIt names one.\nd2\t0\tIt names none.\nd3\t3"


def answered(user, practice, docno="d1", grade=2, **more) -> PracticeAnswer:
    return answer_practice(user=user, campaign=practice.campaign, docno=docno, grade=grade, **more)


def finish(user, practice) -> None:
    for docno in ("d1", "d2", "d3"):
        answered(user, practice, docno, 1)


def change(olga, practice, **changes) -> PracticeTopic:
    return change_practice(user=olga, campaign=practice.campaign, changes=changes)


def fresh(practice) -> PracticeTopic:
    return PracticeTopic.objects.of(Campaign.objects.get(pk=practice.campaign_id))
