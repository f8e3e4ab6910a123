"""Telling the floors above that judgments came in, without knowing who they are."""

from collections.abc import Callable

Follower = Callable[[int], None]

_followers: list[Follower] = []


def follow(follower: Follower) -> None:
    """Have a function called with a campaign's id whenever judgments of it are safe; from an app's `ready`."""
    _followers.append(follower)


def announce(campaign_id: int) -> None:
    for follower in _followers:
        follower(campaign_id)
