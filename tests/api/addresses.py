"""Addresses of the API for tests, and what is sent there."""

import json


def of(campaign, at: str = "") -> str:
    return f"/api/v1/campaigns/{campaign.slug}/{at}"


def judging(assignment, act: str = "judge") -> str:
    """Where somebody judges an assignment of theirs, or does something else with it."""
    return of(assignment.topic.campaign, f"work/{assignment.public_id}/{act}/")


def kind(answer) -> str:
    """The kind of a problem, by its address."""
    return answer.json()["type"].rpartition("#")[2]


def send(client, campaign, at, sent=None, **headers):
    body = json.dumps(sent or {})
    return client.post(of(campaign, at), body, "application/json", headers=headers)
