"""Who sees, imports and deletes topics and documents, and which."""

from functools import partial

from accounts.access import Verb, Verbs
from accounts.models import User
from campaigns.access.roles import organizes
from campaigns.access.topics import knows_topics, topics_are_shown
from campaigns.models.campaign import Campaign
from collection.models.texts import Document, Topic
from collection.uses import can_be_undone, check_can_delete


def may_go(_: User, text: Topic | Document) -> None:
    """Refuse if something rests on it."""
    check_can_delete(text.campaign, type(text), str(text))


def may_all_go(model: type[Topic] | type[Document], _: User, campaign: Campaign) -> None:
    """Refuse if something rests on one of them."""
    check_can_delete(campaign, model)


class Topics(Verbs):
    see = Verb(knows_topics, topics_are_shown)
    see_versions = hide = Verb(organizes)
    delete = Verb(organizes, may_go)
    delete_all = Verb(organizes, partial(may_all_go, Topic))


class Documents(Verbs):
    see = declare_whole = Verb(organizes)
    delete = Verb(organizes, may_go)
    delete_all = Verb(organizes, partial(may_all_go, Document))


class Imports(Verbs):
    see = upload = confirm = discard = Verb(organizes)
    undo = Verb(organizes, can_be_undone)
