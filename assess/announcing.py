"""Tells the floors above that judgments came in. They register here, because this floor may not import them."""

from collections.abc import Callable

Follower = Callable[[int], None]

_followers: list[Follower] = []


def follow(follower: Follower) -> None:
    """Register a function to call with a campaign's id once judgments of it are committed. For an app's `ready`."""
    _followers.append(follower)


def announce(campaign_id: int) -> None:
    for follower in _followers:
        follower(campaign_id)
