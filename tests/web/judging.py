"""What the page of judging sends, what the pages around it show, and an end of judging."""

import re
from datetime import timedelta
from html import unescape
from uuid import uuid4

DAY = timedelta(days=1)


def judge(client, assignment, docno, choice="1", **more):
    shown = {"docno": docno, "number": number_of(assignment, docno)}
    return post(client, assignment, "judge", choice=choice, **{**shown, **more})


def number_of(assignment, docno) -> int | str:
    """The first place of a document in the order served; nothing for one that was never given."""
    entry = assignment.all_entries.filter(docno=docno).order_by("position").first()
    return entry.number if entry else ""


def undo(client, assignment, **more):
    return post(client, assignment, "undo", **more)


def post(client, assignment, verb, **data):
    slug = assignment.topic.campaign.slug
    address = f"/campaigns/{slug}/judging/{assignment.pk}/{verb}/"
    data = {"client_id": str(uuid4()), **data}
    return client.post(address, data)


def by_form(client, assignment, **data):
    """As a browser without script sends it."""
    address = f"/campaigns/{assignment.topic.campaign.slug}/judging/{assignment.pk}/judge/"
    return client.post(
        address,
        {
            "client_id": str(uuid4()),
            "docno": "d1",
            "number": number_of(assignment, "d1"),
            "choice": "1",
            **data,
        },
    )


def closed(assignment) -> None:
    campaign = assignment.topic.campaign
    campaign.judging_closes_at = campaign.created_at
    campaign.save()


def shown(client, campaign, user, page="judging/") -> str:
    """What somebody reads on a page of a campaign."""
    client.force_login(user)
    html = client.get(f"/campaigns/{campaign.slug}/{page}").content.decode()
    return re.sub(r"\s+", " ", unescape(html))
