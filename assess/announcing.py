"""Tell the apps above that judgments came in. They register here, because this app may not import them."""

from collections.abc import Callable

Follower = Callable[[int], None]

_followers: list[Follower] = []


def follow(follower: Follower) -> None:
    """Have a function called with the campaign's id once judgments are committed. To be called in an app's `hooks`."""
    _followers.append(follower)


def announce(campaign_id: int) -> None:
    for follower in _followers:
        follower(campaign_id)
