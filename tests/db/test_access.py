"""Each service refuses whoever lacks the right, and then nothing has happened."""

import inspect
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from types import FunctionType, ModuleType

import pytest
from django.apps import apps

from accounts.access import NotThere, NotYours, Refused
from campaigns.models.people import Role
from docs.permissions import all_verbs, rules_of, said_by
from tests import make
from tests.db.actions import ACTIONS
from tests.db.actions.campaigns import OWN_ACCOUNT
from tests.db.actions.verbs import VERBS
from tests.guards import APPS

ROOT = Path(__file__).resolve().parents[2]


def service_modules() -> Iterator[ModuleType]:
    """Every module of services: a file `services.py`, or those in a folder of the name."""
    for config in apps.get_app_configs():
        for info in walk_packages(config.module.__path__, f"{config.name}."):
            if Path(config.path).parent == ROOT and info.name.split(".")[1] == "services":
                yield import_module(info.name)


def is_service(function: FunctionType) -> bool:
    """Whether somebody does it: a public function is told who."""
    told = inspect.getfullargspec(inspect.unwrap(function)).kwonlyargs
    return not function.__name__.startswith("_") and not {"user", "assessor"}.isdisjoint(told)


def test_every_service_is_in_the_table():
    found = {
        name
        for module in service_modules()
        for name, function in inspect.getmembers(module, inspect.isfunction)
        if function.__module__ == module.__name__ and is_service(function)
    }
    # "confirm_import of documents" is one of several things that a service does.
    assert found == {name.partition(" of ")[0] for name in ACTIONS}


def test_every_service_names_its_verb():
    """Their own account is everybody's. `test_acts` sees each ask it."""
    of_oneself = {service.__name__ for service, _ in OWN_ACCOUNT}
    assert {name for name in ACTIONS if name.partition(" of ")[0] not in VERBS} == of_oneself


def test_every_verb_is_asked_by_a_service_or_a_page():
    asked = {
        name
        for app in APPS
        for path in (ROOT / app).rglob("*.py")
        for name in re.findall(r"\b[A-Z]\w+\.[a-z]\w+", path.read_text())
    }
    assert {f"{table.__name__}.{name}" for table, name, _ in all_verbs()} <= asked


def test_every_rule_says_something_to_the_handbook():
    silent = [
        (table, name)
        for table, name, verb in all_verbs()
        for rule in rules_of(verb)
        if not said_by([rule])
    ]
    assert not silent


def test_dealing_out_is_refused_also_when_nothing_is_left_to_deal(campaign, olga, ada):
    distribute = ACTIONS["distribute"].ready(campaign)
    make.worked("assign_topics", distribute(olga).subject_id)
    with pytest.raises(Refused, match="There is nothing to assign"):
        distribute(olga)
    with pytest.raises(NotYours):
        distribute(ada)


@pytest.mark.parametrize("name", ["judge", "judge_all"])
def test_an_assessor_who_was_removed_has_no_way_in(campaign, ada, client, name):
    do = ACTIONS[name].ready(campaign)
    membership = campaign.membership_set.filter(user=ada)
    membership.update(role=Role.ORGANIZER)
    for _ in range(2):  # whatever other role remains, and without one
        with pytest.raises(NotYours, match="no longer an assessor"):
            do(ada)
        membership.delete()
    client.force_login(ada)
    pk = ada.assignment_set.get().pk
    for address in ("", "documents/"):
        found = client.get(f"/campaigns/{campaign.slug}/judging/{pk}/{address}")
        assert found.status_code == 403


def test_a_refusal_has_a_status_for_whom_it_is_about():
    assert (Refused("x").status, NotYours("x").status, NotThere().status) == (409, 403, 404)
