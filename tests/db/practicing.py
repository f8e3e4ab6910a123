"""Practice as people do it."""

from assess.core.answers import Answer, Provenance
from assess.services import judging
from campaigns.models.campaign import Campaign
from practice.core import Practiced
from practice.models import Practice, answers_of
from practice.services import change_practice, serve_practice

LINES = "d1\t2\tIt names one.\nd2\t0\tIt names none.\nd3\t3"


def answered(user, practice, docno="d1", grade=2) -> Practiced:
    """Answer a document, with grade None that it cannot be judged, and return how that stands."""
    assignment = serve_practice(user=user, campaign=practice.campaign)
    answer = Answer(docno, "cannot_judge", reason="language")
    if grade is not None:
        least = {each.name: min(each.fixed) for each in practice.campaign.asked_further}
        answer = Answer(docno, "judged", {**least, "grade": grade})
    how = Provenance(active_ms=5000)
    judging.judge(assessor=user, assignment=assignment, answer=answer, provenance=how)
    return answers_of(practice, [user.pk])[user.pk][docno]


def finish(user, practice) -> None:
    for docno in ("d1", "d2", "d3"):
        answered(user, practice, docno, 1)


def change(olga, practice, **changes) -> Practice:
    return change_practice(user=olga, campaign=practice.campaign, changes=changes)


def fresh(practice) -> Practice:
    return Practice.objects.of(Campaign.objects.get(pk=practice.campaign_id))
