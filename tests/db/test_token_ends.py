"""What ends access tokens before their time: passwords, leaving, closing an account."""

import json

import pytest
from django.core.management import call_command

from accounts import services as accounts
from accounts.access import NotThere, Refused
from accounts.models import AccountEvent, User
from api import services
from api.models import AccessToken
from api.services import CHANGED_MEANWHILE
from campaigns.models.people import Role, Team
from campaigns.models.resets import PasswordReset
from campaigns.services import ending, personal, resets
from overview.services import leaving
from runs.services import teams
from tests import make
from tests.db.races import overtaken
from tests.tokens import ended, made, row

NEW = "something quite new"


def why(secret: str) -> tuple[str, str | None]:
    """Why a token was revoked, and by whom; ("", None) if it is not."""
    token = row(secret)
    assert bool(token.revoked_at) == bool(token.why)
    return token.why, token.revoked_by and token.revoked_by.username


def test_a_new_password_of_ones_own_ends_all(campaign, ada, ben):
    secrets = [made(ada, "read"), made(ada, "judge", campaign=campaign)]
    others = made(ben, "read")
    accounts.change_password(user=ada, password=NEW)
    assert [why(each) for each in secrets] == [("password", "ada")] * 2
    assert why(others) == ("", None)


def test_a_new_password_by_a_link_ends_all(campaign, ada, olga):
    secret = made(ada, "read")
    resets.make_reset(user=olga, campaign=campaign, person=ada)
    resets.use_reset(user=ada, reset=PasswordReset.objects.get(), password=NEW)
    assert why(secret) == ("password", "ada")


@pytest.mark.django_db(transaction=True)
def test_a_new_password_from_the_command_line_ends_all(ada, monkeypatch):
    from django.contrib.auth.management.commands import changepassword

    secret = made(ada, "read")
    monkeypatch.setattr(changepassword.getpass, "getpass", lambda **_: NEW)
    call_command("changepassword", "ada")
    assert why(secret) == ("password", None)


def test_a_password_that_is_only_hashed_anew_ends_none(ada, settings):
    """As a later version of Django does when somebody signs in."""
    secret = made(ada, "read")
    settings.PASSWORD_HASHERS = [
        "django.contrib.auth.hashers.PBKDF2PasswordHasher",
        *settings.PASSWORD_HASHERS,
    ]
    before = ada.password
    assert ada.check_password("a password of tests")
    assert ada.password != before
    assert why(secret) == ("", None)


ACCOUNT = {
    "date_joined_0": "2026-01-01",
    "date_joined_1": "10:00:00",
    "reading_size": "0",
    "reading_width": "medium",
    "reading_face": "serif",
}


@pytest.mark.parametrize(
    ("address", "sent", "expected"),
    [
        (
            "password/",
            {"password1": NEW, "password2": NEW, "usable_password": "true"},
            ("password", None),
        ),
        ("change/", {**ACCOUNT, "username": "ada"}, ("closed", "stella")),
        ("change/", {**ACCOUNT, "username": "ada", "is_active": "on"}, ("", None)),
    ],
)
def test_staff_end_all_by_a_password_and_by_closing_the_account(
    client, ada, address, sent, expected
):
    secret = made(ada, "read")
    client.force_login(User.objects.create_superuser("stella"))
    assert client.post(f"/admin/accounts/user/{ada.pk}/{address}", sent).status_code == 302
    assert why(secret) == expected


def test_a_person_who_is_forgotten_has_none(ada, capsys):
    secret = made(ada, "read")
    personal.pseudonymize(ada)
    assert why(secret) == ("closed", None)


def test_what_is_handed_out_of_a_person_names_tokens_without_their_hash(ada):
    secret = made(ada, "read")
    [kept] = [each for each in map(json.loads, personal.export(ada)) if "AccessT" in each["table"]]
    assert kept["row"]["name"] == "laptop"
    assert row(secret).token_hash not in json.dumps(kept)


def test_who_is_removed_keeps_none_for_the_campaign(campaign, olga, ada):
    other = make.campaign(olga, assessors=[ada])
    here, there, all_of_them = (
        made(ada, "read", campaign=each) for each in (campaign, other, None)
    )
    theirs = made(olga, "read", campaign=campaign)
    leaving.remove_member(user=olga, membership=campaign.membership_set.get(user=ada))
    assert why(here) == ("left", "olga")
    assert [why(each) for each in (there, all_of_them, theirs)] == [("", None)] * 3


def test_who_leaves_the_team_keeps_none_for_the_campaign(campaign, pat):
    secret = made(pat, "read", campaign=campaign)
    teams.leave_team(user=pat, team=campaign.team_set.get(name="Aldgate"))
    assert why(secret) == ("left", "pat")


def test_who_has_another_role_keeps_theirs(campaign, olga, ada):
    secret = made(ada, "read", campaign=campaign)
    team = Team.objects.create(campaign=campaign, name="Zoe")
    campaign.membership_set.create(user=ada, role=Role.PARTICIPANT, team=team)
    teams.leave_team(user=ada, team=team)
    assert why(secret) == ("", None)


def test_what_is_over_stays_as_it_was(ada):
    by_hand, over = made(ada, "read"), made(ada, "read")
    services.revoke_token(user=ada, token=row(by_hand))
    ended(over)
    accounts.change_password(user=ada, password=NEW)
    assert why(by_hand) == ("by hand", "ada")
    assert why(over) == ("", None)


def test_with_the_campaign_go_its_tokens(campaign, olga):
    made(olga, "read", campaign=campaign)
    kept = made(olga, "read")
    ending.delete_campaign(user=olga, campaign=campaign)
    assert [*AccessToken.objects.all()] == [row(kept)]


# At once


def test_no_session_of_the_old_password_makes_one(ada):
    before = User.objects.get(pk=ada.pk)
    accounts.change_password(user=ada, password=NEW)
    with pytest.raises(Refused) as refusal:
        made(before, "read")
    assert str(refusal.value) == CHANGED_MEANWHILE
    User.objects.filter(pk=ada.pk).update(is_active=False)
    with pytest.raises(Refused, match="Your account was changed meanwhile"):
        made(ada, "read")


@pytest.mark.django_db(transaction=True)
def test_a_token_is_made_before_the_password_changes_or_not_at_all(ada):
    before, secrets = User.objects.get(pk=ada.pk), []
    overtaken(
        lambda: secrets.append(made(before, "read")),
        lambda: accounts.change_password(user=ada, password=NEW),
    )
    assert why(secrets[0]) == ("password", "ada")
    before = User.objects.get(pk=ada.pk)
    refusal = overtaken(
        lambda: accounts.change_password(user=ada, password="another of them"),
        lambda: made(before, "read"),
    )
    assert str(refusal) == CHANGED_MEANWHILE


@pytest.mark.django_db(transaction=True)
def test_who_revoked_first_did_it(ada):
    secret = made(ada, "read")
    refusal = overtaken(
        lambda: services.revoke_token(user=ada, token=row(secret)),
        lambda: services.revoke_token(user=ada, token=row(secret)),
    )
    assert "was revoked on" in str(refusal)
    secret = made(ada, "read")
    overtaken(
        lambda: services.revoke_token(user=ada, token=row(secret)),
        lambda: accounts.change_password(user=ada, password=NEW),
    )
    assert why(secret) == ("by hand", "ada")
    assert AccountEvent.objects.filter(user=ada, kind="token.revoked").count() == 2


@pytest.mark.django_db(transaction=True)
def test_a_token_for_a_campaign_is_made_before_the_person_leaves_or_not_at_all(campaign, pat):
    secrets, team = [], campaign.team_set.get(name="Aldgate")
    overtaken(
        lambda: secrets.append(made(pat, "read", campaign=campaign)),
        lambda: teams.leave_team(user=pat, team=team),
    )
    assert why(secrets[0]) == ("left", "pat")
    campaign.membership_set.create(user=pat, role=Role.PARTICIPANT, team=team)
    refusal = overtaken(
        lambda: teams.leave_team(user=pat, team=team), lambda: made(pat, "read", campaign=campaign)
    )
    assert isinstance(refusal, NotThere)
