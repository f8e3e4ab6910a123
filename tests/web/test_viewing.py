"""An organizer looks at the campaign as somebody else: all of it as they see it, and read-only."""

import pytest
from django.urls import reverse
from django.utils import timezone

from assess.models.assigning import Assignment
from campaigns.models.people import Role
from campaigns.models.trail import AuditEvent
from campaigns.services.people import view_as
from jobs.database import NOT_WHILE_LOOKING
from tests import make
from tests.releasing import ALL, show_to
from tests.web.asking import answer
from tests.web.doors import expected_of
from tests.web.html import at, words

AS_SELF = "Back to your own view"


@pytest.fixture
def looking(as_olga, played):
    """Look at the campaign as a member or, without a name, as a visitor; a client of Olga's."""

    def act(name: str = ""):
        member = played.membership_set.get(user__username=name).pk if name else ""
        response = as_olga.post(at(played, "campaigns:view_as"), {"member": member})
        assert response.status_code == 302
        return as_olga

    return act


def test_every_page_is_as_that_person_sees_it(played, looking, doors):
    """Each is asked for as Pat; as Ada where she is answered otherwise."""
    pages = {
        name: address
        for name, (address, _) in doors.items()
        if address.startswith("/campaigns/test") and "view-as" not in address
    }
    assert len(pages) > 100
    as_pat = {name: expected_of("pat", name)["GET"] for name in pages}
    as_ada = {name: expected_of("ada", name)["GET"] for name in pages}
    otherwise = {name: status for name, status in as_ada.items() if status != as_pat[name]}
    assert otherwise
    for person, expected in (("pat", as_pat), ("ada", otherwise)):
        client = looking(person)
        found = {name: answer(client, "GET", pages[name], {}) for name in expected}
        assert found == expected, person


def test_nothing_can_be_changed_meanwhile(client, played, looking):
    client, before = looking("pat"), played.run_set.get().state
    run = played.run_set.get()
    address = reverse("runs:withdraw_run", args=[played.slug, run.pk])
    for headers in ({}, {"HX-Request": "true"}):
        refused = client.post(address, {"reason": "x"}, headers=headers)
        assert refused.status_code == 409
        assert "nothing can be changed" in refused.text
    run.refresh_from_db()
    assert run.state == before
    ada = looking("ada")
    page = words(ada.get(reverse("desk:judge_page", args=[played.slug, of(played, "ada").pk])))
    assert "An organizer is looking at this page." in page


def of(played, name: str) -> Assignment:
    return Assignment.objects.in_campaign(played).get(assessor__username=name)


def test_a_visitor_sees_what_is_released_to_everybody(played, looking):
    client = looking()
    assert "Visitors see nothing here" in words(client.get(at(played, "overview")))
    show_to(played, ALL)
    played.judging_closes_at = timezone.now()
    played.save()
    board = words(client.get(at(played, "evaluation:leaderboard")))
    assert "secret-run" in board
    assert "Test campaign as a visitor sees it. Nothing can be changed here." in board
    assert "Sign out" not in board


def test_it_ends_by_a_button_and_with_whoever_leaves(played, looking, as_olga):
    client = looking("pat")
    assert AS_SELF in words(client.get(at(played, "overview")))
    assert AS_SELF not in words(client.get("/")), "only in this campaign"
    assert client.get(at(played, "campaigns:people")).status_code == 403
    client.post(at(played, "campaigns:end_viewing"))
    assert AS_SELF not in words(client.get(at(played, "campaigns:people")))
    looking("pat")
    played.membership_set.filter(user__username="pat").delete()
    assert AS_SELF not in words(client.get(at(played, "campaigns:people")))
    looking("ada")
    played.membership_set.filter(role=Role.ORGANIZER).delete()
    assert client.get(at(played, "overview")).status_code == 404


def test_who_looked_is_on_record_and_nobody_looks_as_an_organizer(client, played, olga, looking):
    looking("pat")
    assert str(AuditEvent.objects.first()) == "Olga looked at the campaign as Pat"
    own = played.membership_set.get(user=olga)
    refused = client.post(at(played, "campaigns:view_as"), {"member": own.pk})
    assert "Organizers all see the same" in words(refused, 409)
    for unknown in ("0", "x"):
        sent = {"member": unknown}
        assert client.post(at(played, "campaigns:view_as"), sent).status_code == 404
    view_as(user=olga, campaign=played, member=None)
    assert str(AuditEvent.objects.first()) == "Olga looked at the campaign as a visitor"


@pytest.mark.django_db(transaction=True)
def test_the_database_refuses_what_a_page_writes(client, olga, pat, campaign):
    """A download is noted, so it is refused; after it, the connection writes again."""
    run = make.run(campaign, pat, {"1": "d1"})
    client.force_login(olga)
    member = campaign.membership_set.get(user=pat)
    client.post(at(campaign, "campaigns:view_as"), {"member": member.pk})
    refused = client.get(at(campaign, "runs:run_file", run.pk))
    assert NOT_WHILE_LOOKING.split(", so")[0] in words(refused, 409)
    assert client.post(at(campaign, "campaigns:end_viewing")).status_code == 302
    file = client.get(at(campaign, "runs:run_file", run.pk))
    assert b"".join(file.streaming_content)
    file.close()
