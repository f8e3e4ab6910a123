"""What the page of judging sends, and an end of judging."""

from uuid import uuid4


def judge(client, assignment, docno, choice="1", **more):
    return post(client, assignment, "judge", docno=docno, choice=choice, **more)


def undo(client, assignment, **more):
    return post(client, assignment, "undo", **more)


def post(client, assignment, verb, **data):
    slug = assignment.topic.campaign.slug
    address = f"/campaigns/{slug}/judging/{assignment.pk}/{verb}/"
    data = {"client_id": str(uuid4()), **data}
    return client.post(address, data)


def by_form(client, assignment, **data):
    """As a browser without script sends it."""
    address = (
        f"/campaigns/{assignment.topic.campaign.slug}/judging/{assignment.pk}/judge/"
    )
    return client.post(address, {"client_id": str(uuid4()), "docno": "d1", "choice": "1", **data})  # fmt: skip


def closed(assignment) -> None:
    campaign = assignment.topic.campaign
    campaign.judging_closes_at = campaign.created_at
    campaign.save()
