"""Two people edit the same row or settings: the second reads what is stored now, and decides."""

from datetime import UTC, datetime, timedelta
from typing import NamedTuple

import pytest
from django.urls import reverse

from assess.web.assigning_forms import LimitsForm
from campaigns.models.campaign import Campaign
from campaigns.models.people import Membership, Team
from campaigns.services.campaign import change_campaign
from campaigns.web.campaign_forms import CampaignForm
from campaigns.web.editing import Editing, EditingForm
from campaigns.web.people_forms import RenamingForm
from practice.models import Practice
from practice.web.forms import PracticeForm
from runs.services.teams import extend_deadline
from runs.web.run_forms import DescriptionForm
from runs.web.teams import ExtensionForm
from tests import make
from tests.db.locks import locked
from tests.web.together import Page, settings_with
from tests.worlds import once

CLOSES = datetime(2031, 3, 1, 23, 59, tzinfo=UTC)


class Case(NamedTuple):
    """The page of a form, where it goes to and its name there; a field and what both type into it;
    the tables of which rows are locked while they are compared; and what the second reads of the
    first's, unless as typed.
    """

    where: str
    field: str
    theirs: str
    mine: str
    tables: str
    shown: str = ""


NOON = "5 March 2031, 12:00 (UTC)"
EXTENDED = ("closes_at", "2031-03-05T12:00", "2031-03-06T12:00")
CASES = {
    DescriptionForm: Case(
        "runs:run runs:describe_run describe_form", "description", "BM25", "Dense", "runs_run"
    ),
    RenamingForm: Case(
        "runs:team runs:rename_team name_form", "name", "Bow", "Barbican", "campaigns_team"
    ),
    ExtensionForm: Case(
        "runs:extensions runs:extensions form", *EXTENDED, "campaigns_team campaigns_campaign", NOON
    ),
    PracticeForm: Case(
        "practice:edit_practice practice:edit_practice form",
        *("known", "d1\t2", "d1\t1", "campaigns_campaign", "d1 2"),
    ),
    LimitsForm: Case(
        "assess:distribute assess:limits limits_form",
        *("limit", "1000", "7", "campaigns_membership", "1,000"),
    ),
}
OTHERS = "1 partly relevant, 2 relevant, 3 highly relevant"
SETTINGS = {
    "notice": ("Mind the gap.", "Stand clear."),
    "criteria-0-level": ("2", "3", f"relevance: 0 not relevant, {OTHERS}; relevant from 2"),
    "criteria-0-answers-0-label": (
        "nothing",
        "none",
        f"relevance: 0 nothing, {OTHERS}; relevant from 1",
    ),
    "submission_closes_at": ("2031-03-05T12:00", "2031-03-06T12:00", NOON),
}
LOCKED = "campaigns_campaign campaigns_team"
OF_SETTINGS = {
    name: Case(f"{name} {name} form", name, theirs, mine, LOCKED, *shown)
    for name, (theirs, mine, *shown) in SETTINGS.items()
}


@pytest.fixture
@once
def run(campaign, pat):
    campaign.submission_closes_at = CLOSES
    campaign.save()
    made = make.run(campaign, pat, {"1": "d1"})
    make.frozen_pool(campaign, [made])
    make.practice(campaign, "d1 0")
    return made


@pytest.fixture
def oscar(campaign, run):
    """Another organizer: after the pool, which the one organizer made."""
    oscar = make.user("oscar")
    campaign.membership_set.create(user=oscar, role="organizer")
    return oscar


def address(name: str, campaign, run) -> str:
    if name in SETTINGS:
        return settings_with(campaign, name)
    subject = {"run": run.pk, "team": run.team_id}.get(name.rpartition("_")[2].rpartition(":")[2])
    return reverse(name, args=[campaign.slug, *([subject] if subject else [])])


def typed(case: Case, value: str, run, ada) -> dict[str, str]:
    """What is typed, with the team or the assessor that it is about."""
    if case.field == "limit":
        return {f"limit_{ada.pk}": value}
    team = {"team": str(run.team_id)} if case.field == "closes_at" else {}
    return {case.field: value, **team}


def state(run, ada) -> list[object]:
    run.refresh_from_db()
    team = Team.objects.get(pk=run.team_id)
    limit = Membership.objects.get(user=ada).max_documents
    names = {name.partition("-")[0] for name in SETTINGS}
    settings = Campaign.objects.values(*names).get()
    known = Practice.objects.of(run.campaign).known
    return [run.description, team.name, team.submission_closes_at, limit, known, settings]


def test_every_form_that_edits_what_is_stored_is_tried():
    ours = {*Editing.__subclasses__(), *EditingForm.__subclasses__()}
    assert ours - {EditingForm, CampaignForm} == set(CASES)


@pytest.mark.parametrize(
    "case",
    [*CASES.values(), *OF_SETTINGS.values()],
    ids=[*(form.__name__ for form in CASES), *OF_SETTINGS],
)
def test_what_both_change_is_shown_to_the_second_who_decides(campaign, run, olga, oscar, ada, case):
    *addresses, form = case.where.split()
    there, act = (address(name, campaign, run) for name in addresses)
    hers, his = (Page(each, there, form, act) for each in (olga, oscar))
    mine = typed(case, case.mine, run, ada)
    assert hers.save(**typed(case, case.theirs, run, ada)).status_code == 302
    theirs = state(run, ada)
    answers = []
    # Nobody changes the rows between the comparison and the change.
    assert locked(lambda: answers.append(his.save(**mine))) == set(case.tables.split())
    [refused] = answers
    assert refused.status_code == 422
    errors = refused.context[form].errors
    [sentence] = [str(each) for found in errors.values() for each in found]
    assert "This form was changed elsewhere while you had the page open" in sentence
    assert f"now has “{case.shown or case.theirs}”. Yours is still in the field" in sentence
    assert state(run, ada) == theirs
    kept = {name: his.data[name].replace("\r", "") for name in mine}
    assert kept == mine  # nothing typed is lost
    assert his.save().status_code == 302
    assert state(run, ada) != theirs


@pytest.mark.parametrize("is_extended", [False, True])
def test_a_time_typed_before_a_zone_changed_is_in_that_of_its_page(
    campaign, run, olga, oscar, is_extended
):
    his = Page(oscar, address("runs:extensions", campaign, run))
    change_campaign(user=olga, campaign=campaign, changes={"time_zone": "Asia/Tokyo"})
    if is_extended:
        extend_deadline(user=olga, team=run.team, closes_at=CLOSES + timedelta(days=1))
    refused = his.save(team=run.team_id, closes_at="2031-03-05T12:00")
    assert refused.status_code == 422
    [sentence] = refused.context["form"].errors["closes_at"]
    now = "3 March 2031, 08:59 (Asia/Tokyo)" if is_extended else "no extension"
    assert f"here it now has “{now}”" in sentence
    assert sentence.endswith("It is in UTC, as the page was.")
    team = Team.objects.filter(pk=run.team_id)
    assert bool(team.get().submission_closes_at) == is_extended
    assert his.data["closes_at"] == "2031-03-05T12:00"
    assert his.save().status_code == 302
    assert team.get().submission_closes_at == datetime(2031, 3, 5, 12, tzinfo=UTC)


def test_a_limit_that_the_page_did_not_show_stays(campaign, olga, oscar, run, sam):
    """Of an assessor who came, and got a limit, after the page was opened."""
    his = Page(
        oscar,
        address("assess:distribute", campaign, run),
        "limits_form",
        address("assess:limits", campaign, run),
    )
    came = campaign.membership_set.create(user=sam, role="assessor", max_documents=9)
    assert his.save().status_code == 302
    came.refresh_from_db()
    assert came.max_documents == 9


def test_a_field_with_a_fault_says_too_what_is_stored_now(campaign, run, olga, oscar):
    there, act = (address(f"runs:{name}run", campaign, run) for name in ("", "describe_"))
    hers, his = (Page(each, there, "describe_form", act) for each in (olga, oscar))
    assert hers.save(priority="2").status_code == 302
    faults = his.save(priority="first").context["describe_form"].errors["priority"]
    assert len(faults) == 2
    assert "here it now has “2”" in faults[1]
