"""Tell the apps above that judgments came in: they register here when they start."""

from collections.abc import Callable

Follower = Callable[[int], None]

_followers: list[Follower] = []


def follow(follower: Follower) -> None:
    """Have a function called with the campaign's id after judgments are committed."""
    _followers.append(follower)


def announce(campaign_id: int) -> None:
    for follower in _followers:
        follower(campaign_id)
