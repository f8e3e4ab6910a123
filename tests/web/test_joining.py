"""Following an invitation, over HTTP."""

import re

from django.utils import timezone

from accounts.models import User
from campaigns.models.people import Role
from campaigns.services import people as people_services

NEW = {"username": "new", "password1": "tralala-17x", "password2": "tralala-17x"}


def test_an_invited_stranger_makes_an_account_and_joins(client, campaign, olga):
    invitation = people_services.invite(user=olga, campaign=campaign, role=Role.ASSESSOR)
    address = f"/invitations/{invitation.token}/"
    assert "You are invited to join as an assessor." in client.get(address).content.decode()
    assert client.post(address, {"username": "new"}).status_code == 422
    assert client.post(address, NEW).status_code == 302
    assert client.get(f"/campaigns/{campaign.slug}/").status_code == 200
    assert campaign.membership_set.get(user__username="new").role == "assessor"


def test_somebody_signed_in_joins_with_the_account_they_have(client, campaign, olga, sam):
    invitation = people_services.invite(
        user=olga, campaign=campaign, role=Role.PARTICIPANT, team_name="New"
    )
    client.force_login(sam)
    client.post(f"/invitations/{invitation.token}/")
    assert campaign.membership_set.get(user=sam).team.name == "New"


# Links that give no role


def expired(olga, campaign) -> str:
    invitation = people_services.invite(user=olga, campaign=campaign, role=Role.ASSESSOR)
    invitation.expires_at = timezone.now()
    invitation.save()
    return f"/invitations/{invitation.token}/"


def test_an_expired_link_makes_no_account_and_signs_nobody_in(client, campaign, olga):
    address, before = expired(olga, campaign), User.objects.count()
    assert "has expired" in client.get(address).content.decode()
    response = client.post(address, NEW)
    assert response.status_code == 409
    assert "Ask the organizer for a new link." in response.content.decode()
    assert User.objects.count() == before
    assert client.get("/").status_code == 302


def test_an_expired_link_gives_no_role_to_somebody_signed_in(client, campaign, olga, sam):
    address = expired(olga, campaign)
    client.force_login(sam)
    assert client.post(address).status_code == 409
    assert not campaign.membership_set.filter(user=sam).exists()


def test_an_expired_link_is_marked_and_not_offered_to_copy(client, campaign, olga):
    address = expired(olga, campaign)
    link = people_services.invite(user=olga, campaign=campaign, role=Role.ORGANIZER)
    client.force_login(olga)
    people = client.get(f"/campaigns/{campaign.slug}/people/").content.decode()
    assert people.count('<span class="mark" data-kind="plain">expired</span>') == 1
    assert address not in people
    assert f"/invitations/{link.token}/" in people


def test_a_withdrawn_link_says_so_and_gives_nothing(client, campaign, olga):
    invitation = people_services.invite(user=olga, campaign=campaign, role=Role.ASSESSOR)
    people_services.withdraw_invitation(user=olga, invitation=invitation)
    before = User.objects.count()
    address = f"/invitations/{invitation.token}/"
    assert "was withdrawn" in client.get(address).content.decode()
    response = client.post(address, NEW)
    assert response.status_code == 409
    assert "was withdrawn" in response.content.decode()
    assert User.objects.count() == before


def test_a_link_followed_twice_makes_one_account_and_one_role(client, campaign, olga):
    invitation = people_services.invite(
        user=olga, campaign=campaign, role=Role.ASSESSOR, max_uses=2
    )
    address = f"/invitations/{invitation.token}/"
    for _ in range(2):  # the second time as whom the first one made
        assert client.post(address, NEW).status_code == 302
    client.logout()
    response = client.post(address, NEW)
    assert response.status_code == 422
    assert "already exists" in response.content.decode()
    assert campaign.membership_set.filter(user__username="new").count() == 1


def test_participants_stand_by_team_and_each_person_once_in_words(campaign, olga, client):
    client.force_login(olga)
    page = client.get(f"/campaigns/{campaign.slug}/people/").content.decode()
    chips = re.findall(r'<a class="chip" href="[^"]*/teams/\d+/">\s*(\w+) <b>(\d)</b>', page)
    assert chips == [("Aldgate", "1")]
    for name in ("Ada", "Ben", "Pat"):
        assert len(re.findall(rf"\s{name} <span class=\"username\"", page)) == 1
