"""Each service refuses whoever lacks the right, and then nothing has happened."""

import inspect
import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts import services as accounts
from accounts.access import NotThere, NotYours, Refused, why_not
from assess import services as assessing
from campaigns import services
from evaluation import services as scoring
from evaluation import tasks
from evaluation.access import check_can_see_scores
from pooling import services as pooling
from tests import make
from tests.db import actions
from tests.db.actions import ACTIONS, snapshot


def test_every_service_is_in_the_table():
    modules = (accounts, services, pooling, assessing, scoring)
    functions = [inspect.getmembers(each, inspect.isfunction) for each in modules]
    theirs = {
        name
        for module, found in zip(modules, functions, strict=True)
        for name, function in found
        if function.__module__.startswith(module.__name__) and not name.startswith("_")
    }
    # "confirm_import of documents" is one of several things that a service does.
    assert theirs == {name.partition(" of ")[0] for name in ACTIONS}


@pytest.mark.parametrize("name", [name for name in ACTIONS if ACTIONS[name].refused])
def test_whoever_may_not_is_refused_and_nothing_happens(
    campaign, sam, otto, quinn, name
):
    action = ACTIONS[name]
    do = action.ready(campaign)
    before = snapshot()
    for person, sentence in action.refused.items():
        kind = NotThere if sentence == actions.NOTHING else NotYours
        with pytest.raises(kind) as refusal:
            do(actions.person(person))
        assert str(refusal.value) == sentence, person
        assert snapshot() == before, person


def test_dealing_out_is_refused_also_when_nothing_is_left_to_deal(campaign, olga, ada):
    distribute = ACTIONS["distribute"].ready(campaign)
    make.worked("assign_topics", distribute(olga).subject_id)
    with pytest.raises(Refused, match="There is nothing to assign"):
        distribute(olga)
    with pytest.raises(NotYours):
        distribute(ada)


@pytest.mark.parametrize("name", ["judge", "undo"])
def test_an_assessor_who_was_removed_has_no_way_in(campaign, ada, client, name):
    do = ACTIONS[name].ready(campaign)
    campaign.membership_set.get(user=ada).delete()
    with pytest.raises(NotYours, match="no longer an assessor"):
        do(ada)
    client.force_login(ada)
    pk = ada.assignment_set.get().pk
    for address in ("", "documents/"):
        found = client.get(f"/campaigns/{campaign.slug}/judging/{pk}/{address}")
        assert found.status_code == 403


LOCKED = {
    "accept_invitation": "campaigns_invitation",
    "assign": "pooling_pool",
    "distribute": "pooling_pool",
    "remove_member": "campaigns_membership",
    "hand_over": "assess_assignment",
    "take_back": "assess_assignment",
    "take_back_unbegun": "assess_assignment",
    "reopen": "assess_assignment",
    "reset": "assess_assignment",
    "restore": "assess_assignment",
    "rename_team": "campaigns_team",
    "submit_run": "campaigns_team",
    "submit_archive": "campaigns_team",
    "merge_teams": "campaigns_team",
    "delete_team": "campaigns_team",
    "make_reset": "accounts_user",
    "use_reset": "accounts_user",
    "judge": "assess_assignment",
    "undo": "assess_assignment",
    "publish_qrels": "campaigns_campaign",
    "request_pool": "campaigns_campaign",
    "delete_pool": "campaigns_campaign",
    "freeze_pool": "campaigns_campaign",
    "unfreeze_pool": "pooling_pool",
}


@pytest.mark.parametrize("name", LOCKED)
def test_what_two_may_do_at_once_is_done_under_a_lock(campaign, sam, name):
    """One after the other: a double click, two publishers, an acceptance while the link is withdrawn."""
    do = ACTIONS[name].ready(campaign)
    assert LOCKED[name] in locked(lambda: do(actions.person(ACTIONS[name].by)))


def test_the_board_of_the_judging_is_kept_under_a_lock(campaign):
    actions.judged(campaign)
    found = locked(lambda: tasks.refresh_preliminary(campaign.pk))
    assert "evaluation_preliminary" in found


def locked(do) -> set[str]:
    """The tables of which a row was locked."""
    with CaptureQueriesContext(connection) as captured:
        do()
    queries = [
        query["sql"]
        for query in captured
        if re.search("FOR (NO KEY )?UPDATE", query["sql"])
    ]
    return {re.search(r'FROM "(\w+)"', query)[1] for query in queries}


def test_scores_are_shown_when_the_organizer_releases_them(campaign, ada, pat, olga):
    refused = {
        "organizers": ["could sway a judgment", "has not released the scores", ""],
        "owners": ["could sway a judgment", "", ""],
        "public": ["could sway a judgment", "", ""],
    }
    for campaign.visibility, sentences in refused.items():
        for person, sentence in zip((ada, pat, olga), sentences, strict=True):
            said = why_not(check_can_see_scores, person, campaign)
            assert sentence in said, (campaign.visibility, person)
            assert bool(sentence) == bool(said)


def test_a_refusal_has_a_status_for_whom_it_is_about():
    assert (Refused("x").status, NotYours("x").status, NotThere().status) == (409, 403, 404)  # fmt: skip
