"""What the judging page sends, what the pages around it show, and an end of judging."""

import re
from datetime import timedelta
from html import unescape
from uuid import uuid4

from tests.api.addresses import judging
from tests.web.html import source

DAY = timedelta(days=1)


def address(assignment, rest: str = "") -> str:
    """Where an assignment is judged, and what is below."""
    return f"/campaigns/{assignment.topic.campaign.slug}/judging/{assignment.pk}/{rest}"


def judge(client, assignment, docno, choice="1", *, reader=None, **more):
    """Send one act as the judging page does, made for this reader."""
    entry = assignment.entries.filter(item__key=docno).order_by("position").first()
    number = entry.number if entry else None
    act = {"client_id": str(uuid4()), "docno": docno, "number": number, "choice": choice, **more}
    headers = {"HX-Request": "true", "Judging-Reader": str(reader)} if reader else {}
    return client.post(judging(assignment), [act], "application/json", headers=headers)


def refused(response) -> str:
    """Why the act was not saved; "" if it was."""
    [result] = response.json()["results"]
    return result["refused"]


def closed(assignment) -> None:
    campaign = assignment.topic.campaign
    campaign.judging_closes_at = campaign.created_at
    campaign.save()


def shown(client, campaign, user, page="judging/") -> str:
    """The HTML of a page of a campaign for somebody, without the template's line breaks."""
    client.force_login(user)
    return text(client.get(f"/campaigns/{campaign.slug}/{page}"))


def text(response, status: int | None = None) -> str:
    return in_one_line(source(response, status))


def in_one_line(html: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"\s+(?=</)", "", unescape(html)))


def read(client, address: str, **sent: object) -> str:
    """A page, or the answer to what is sent there, in one line."""
    return text(client.post(address, sent, follow=True) if sent else client.get(address))
