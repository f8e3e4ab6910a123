"""Each service refuses whoever lacks the right, and then nothing has happened."""

import inspect

import pytest

from accounts import services as accounts
from accounts.access import NotThere, NotYours, Refused, why_not
from assess import services as assessing
from campaigns import services
from evaluation import services as scoring
from evaluation.access import check_can_see_scores
from pooling import services as pooling
from tests import make
from tests.db.actions import ACTIONS
from tests.releasing import ALL, TEAMS, show_to


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


def test_dealing_out_is_refused_also_when_nothing_is_left_to_deal(campaign, olga, ada):
    distribute = ACTIONS["distribute"].ready(campaign)
    make.worked("assign_topics", distribute(olga).subject_id)
    with pytest.raises(Refused, match="There is nothing to assign"):
        distribute(olga)
    with pytest.raises(NotYours):
        distribute(ada)


@pytest.mark.parametrize("name", ["judge", "record", "undo"])
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


def test_scores_are_shown_when_the_organizer_releases_them(campaign, ada, pat, olga):
    refused = {
        (): ["could sway a judgment", "have not released the scores", ""],
        (TEAMS,): ["could sway a judgment", "", ""],
        (ALL,): ["could sway a judgment", "", ""],
    }
    for audiences, sentences in refused.items():
        show_to(campaign, *audiences, subject=1)
        for person, sentence in zip((ada, pat, olga), sentences, strict=True):
            said = why_not(check_can_see_scores, person, campaign)
            assert sentence in said, (audiences, person)
            assert bool(sentence) == bool(said)


def test_a_refusal_has_a_status_for_whom_it_is_about():
    assert (Refused("x").status, NotYours("x").status, NotThere().status) == (409, 403, 404)  # fmt: skip
