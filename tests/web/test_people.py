"""The pages of people: one's own account, links, teams, a forgotten password."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client
from django.utils import timezone

from accounts import throttle
from accounts.keys import USUAL
from accounts.models import AccountEvent, User
from assess.models.assigning import Assignment
from campaigns.models.campaign import Campaign
from campaigns.models.people import Role
from campaigns.models.resets import PasswordReset
from campaigns.services import people
from campaigns.web import frame
from runs.services import teams
from tests import make
from tests.web.html import source
from tests.web.html import words_of_main as text

OLD = "a password of tests"
NEW = "tralala-17x"
TWICE = {"new_password1": NEW, "new_password2": NEW}


def as_(user) -> Client:
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture
def base(campaign) -> str:
    return f"/campaigns/{campaign.slug}/"


# One's own account


def test_a_stale_tab_saves_only_what_was_changed_in_it(ada):
    client = as_(ada)
    shown = {"initial-first_name": "Ada", "initial-last_name": "", "initial-email": ""}
    one = {**shown, "first_name": "Ada", "last_name": "Abara"}
    other = {**shown, "first_name": "Ada", "email": "ada@abara.example"}
    for data in (one, other):
        assert client.post("/account/", data).status_code == 302
    ada.refresh_from_db()
    assert (ada.last_name, ada.email) == ("Abara", "ada@abara.example")
    kinds = AccountEvent.objects.filter(user=ada).values_list("kind", "subject")
    assert list(kinds) == [("account.changed", "email address"), ("account.changed", "last name")]


def test_the_keys_of_judging_are_for_who_judges(campaign, ada, pat, sam):
    """Or has, and has chosen some."""
    for person, shown in ((ada, True), (pat, False), (sam, False)):
        assert ("Judging keys" in text(as_(person).get("/account/"))) == shown
    User.objects.filter(pk=sam.pk).update(chosen_keys={"later": "z"})
    assert "Judging keys" in text(as_(sam).get("/account/"))


def test_who_changes_the_password_stays_signed_in_here_and_nowhere_else(ada):
    here, elsewhere = as_(ada), as_(ada)
    assert here.post("/account/password/", {"old_password": OLD, **TWICE}).status_code == 302
    page = text(here.get("/account/"))
    assert "Your new password is set" in page
    assert "Changed the password" in page
    assert elsewhere.get("/account/").status_code == 302
    assert User.objects.get(pk=ada.pk).check_password(NEW)


def test_the_old_password_is_guessed_no_oftener_than_at_the_door(ada):
    client = as_(ada)
    wrong = {"old_password": "wrong", **TWICE}
    answers = [
        client.post("/account/password/", wrong).status_code
        for _ in range(throttle.FROM_ONE_ADDRESS + 1)
    ]
    assert answers == [422] * throttle.FROM_ONE_ADDRESS + [429]
    assert client.post("/account/password/", {"old_password": OLD, **TWICE}).status_code == 429
    assert User.objects.get(pk=ada.pk).check_password(OLD)


# Links


def test_a_link_shows_its_name_its_uses_and_its_end(base, campaign, olga, sam):
    client = as_(olga)
    page = client.get(f"{base}people/")
    form = page.context["form"]
    initial = {name: form[name].initial for name in ("role", "max_uses", "days")}
    assert initial == {"role": Role.ASSESSOR, "max_uses": 1, "days": 30}
    data = {"role": "assessor", "name": "Sam of Soho", "max_uses": 1200, "days": 7}
    assert client.post(f"{base}people/", data).status_code == 422
    page = client.post(f"{base}people/", {**data, "max_uses": 1000}, follow=True)
    made = campaign.invitation_set.get()
    assert "Sam of Soho assessor 0 of 1,000" in text(page)
    assert f"{made.expires_at:%-d %b %Y}" in text(page)
    assert (made.expires_at - made.created_at).days in {6, 7}
    people.accept_invitation(user=sam, invitation=made)
    assert "1 of 1,000 Sam (sam)" in text(client.get(f"{base}people/"))


# Teams


def test_a_merge_is_shown_before_it_is_done(base, campaign, olga, pat):
    make.run(campaign, pat, {"1": "d1"})
    campaign.submission_closes_at = datetime(2031, 3, 1, tzinfo=UTC)
    campaign.save()
    into = teams.create_team(user=olga, campaign=campaign, name="Zoe")
    team = campaign.team_set.get(name="Aldgate")
    client, address = as_(olga), f"{base}teams/{team.pk}/merge/"
    opened = client.get(address, {"into": into.pk})
    assert "Aldgate, which will be gone Zoe now Members 1 0 Runs 1 0 Open links 0 0" in text(opened)
    assert "Zoe may then submit until 1 March 2031, 00:00 (UTC). Links" in text(opened)
    people.invite(user=olga, campaign=campaign, role=Role.PARTICIPANT, team_name="Aldgate")
    later = campaign.submission_closes_at + timedelta(days=9)
    teams.extend_deadline(user=olga, team=team, closes_at=later)
    sent = {"into": into.pk, "seen": opened.context["seen"]}
    again = client.post(address, sent)
    assert again.status_code == 422
    for said in (
        "changed while you had the page open",
        "Open links 1 0 May submit until 10 March 2031, 00:00 (UTC) 1 March 2031, 00:00 (UTC)",
        "Zoe may then submit until 10 March 2031, 00:00 (UTC), the later of the two.",
    ):
        assert said in text(again)
    sent["seen"] = again.context["seen"]
    assert "Team Aldgate is now a part of Zoe." in text(client.post(address, sent, follow=True))
    assert "This team is no longer there" in source(client.post(address, sent), 409)


def test_a_participant_leaves_by_the_page_of_their_team(base, campaign, olga, pat):
    client, team = as_(pat), campaign.team_set.get()
    for person, tab in ((olga, "People"), (pat, "Team")):
        page = as_(person).get(f"{base}teams/{team.pk}/").text
        assert set(re.findall(r'aria-current="page">(\w+)<', page)) == {tab}
    page = text(client.get(f"{base}team/"))
    assert "Leave team Aldgate" in page
    assert "Rename" not in page
    Campaign.objects.update(archived_at=timezone.now())
    assert "Leave" not in text(client.get(f"{base}team/"))
    Campaign.objects.update(archived_at=None)
    left = client.post(f"{base}teams/{team.pk}/leave/", follow=True)
    assert "You are no longer in team Aldgate." in text(left)
    assert client.get(base).status_code == 404


# A forgotten password


def test_from_the_organizers_page_to_a_new_password(base, campaign, olga, ada):
    signed_in, organizer = as_(ada), as_(olga)
    member = campaign.membership_set.get(user=ada)
    page = organizer.post(f"{base}people/{member.pk}/reset/", follow=True)
    [link] = re.findall(r'value="(http[^"]*/passwords/\w+/)"', page.text)
    assert "it is shown only once" in text(page)
    again = organizer.get(f"{base}people/{member.pk}/")
    assert link not in again.text
    anybody = Client()
    assert "For Ada ada ." in text(anybody.get(link))
    assert anybody.post(link, {**TWICE, "new_password2": "x"}).status_code == 422
    assert signed_in.get("/account/").status_code == 200
    done = anybody.post(link, TWICE, follow=True)
    assert "Your new password is set: sign in with it." in text(done)
    assert signed_in.get("/account/").status_code == 302, "signed out elsewhere"
    sign_in = {"username": "ada", "password": NEW}
    assert anybody.post("/sign-in/", sign_in).status_code == 302
    for again in (anybody.get(link), anybody.post(link, TWICE)):
        assert "This link has been used. Ask an organizer" in text(again)
        assert "<form" not in again.text.split("<main")[1]


def test_where_no_link_can_be_made_the_page_says_why(base, campaign, olga, ada):
    make.campaign(make.user("otto"), assessors=[ada])
    for person, sentence in (
        (ada, "a campaign that you do not organize"),
        (olga, "on your account page"),
    ):
        page = as_(olga).get(f"{base}people/{campaign.membership_set.get(user=person).pk}/")
        assert sentence in text(page)
        assert "Make a reset link" not in text(page)
    assert not PasswordReset.objects.exists()


# Names


def test_people_are_found_however_the_letters_of_their_names_are_composed(sign_in, campaign, ada):
    shown = {"initial-first_name": "Ada", "initial-last_name": "", "initial-email": ""}
    names = {"first_name": " E\u0301lise ", "last_name": "de  la Tre\u0301moille"}
    assert sign_in(ada).post("/account/", {**shown, **names}).status_code == 302
    ada.refresh_from_db()
    assert ada.get_full_name() == "Élise de la Trémoille"
    for words_ in ("élise", "e\u0301lise tre\u0301moille"):
        assert [each.user for each in campaign.membership_set.all().matching(words_)] == [ada]


def test_two_people_of_one_name_are_told_apart_on_every_list(base, campaign, olga, ada, ben, pat):
    User.objects.filter(pk__in=[ada.pk, ben.pk]).update(first_name="Kim", last_name="Lee")
    make.frozen_pool(campaign, [make.run(campaign, pat, {"1": "d1 d2"})])
    topic = campaign.topic_set.get(number="1")
    kinds = (Assignment.Kind.PRIMARY, Assignment.Kind.SECOND)
    for person, kind in zip((ada, ben), kinds, strict=True):
        person.refresh_from_db()
        assignment = make.assignment(topic, person, kind)
        for docno in ("d1", "d2"):
            make.judgment(assignment, docno, 1)
    client = as_(olga)
    for page in ("people/", "judging/", "agreement/"):
        shown = client.get(base + page).text
        for username in ("ada", "ben"):
            name = rf'Kim Lee (\({username}\)|<span class="username">{username}</span>)'
            assert re.search(name, shown), (page, username)


def test_a_long_list_of_members_is_searched_by_words(base, campaign, olga, monkeypatch):
    client = as_(olga)
    for number in range(20):
        campaign.membership_set.create(user=make.user(f"kim{number}"), role=Role.ASSESSOR)
    for most, is_searched in ((100, False), (20, True)):
        monkeypatch.setattr(frame, "PER_PAGE", most)
        assert ('name="q"' in client.get(f"{base}people/").text) == is_searched
    found = {"KIM1": 11, "kim1 assessor": 11, "aldgate": 1, "kim1 aldgate": 0, "": 24, "\0": 24}
    for words, n in found.items():
        page = client.get(f"{base}people/", {"q": words})
        assert page.context["memberships"].paginator.count == n, words
    assert "11 of 24 roles" in text(client.get(f"{base}people/", {"q": "kim1"}))


# How one judges


def keys(**changed) -> dict[str, str]:
    """What the form of the keys sends, with these changed."""
    shown = {
        f"initial-{name}": key for name, key in {**USUAL, "single_key_shortcuts": "True"}.items()
    }
    return {**shown, **USUAL, "single_key_shortcuts": "on", **changed}


def test_keys_are_changed_and_given_back(ada):
    client = as_(ada)
    assert client.post("/account/keys/", keys(later="U", undo="ü")).status_code == 302
    ada.refresh_from_db()
    assert ada.chosen_keys == {"later": "u", "undo": "ü"}
    assert ada.keys["redo"] == "r"
    assert client.post("/account/keys/", {"usual": ""}).status_code == 302
    ada.refresh_from_db()
    assert ada.keys == USUAL
    kinds = AccountEvent.objects.filter(user=ada).values_list("subject", flat=True)
    assert list(kinds) == ["keys of judging", "keys of judging"]
    assert client.post("/account/keys/", keys(later="u", undo="l")).status_code == 302
    ada.refresh_from_db()
    assert (ada.keys["later"], ada.keys["undo"]) == ("u", "l"), "two change places"
    sent = keys()
    del sent["single_key_shortcuts"]
    client.post("/account/keys/", sent)
    ada.refresh_from_db()
    assert not ada.single_key_shortcuts


def test_keys_that_cannot_be_are_refused(ada):
    for key, sentence in {
        "u": "More than one act would have the key u.",
        "7": "Digits and the minus sign are for grades.",
        "-": "Digits and the minus sign are for grades.",
        " ": "One character that can be seen.",
        "": "This field is required.",
    }.items():
        assert sentence in text(as_(ada).post("/account/keys/", keys(later=key)), 422)
    ada.refresh_from_db()
    assert ada.chosen_keys == {}


def test_what_is_not_sent_of_how_documents_are_shown_stays(ada):
    client = as_(ada)
    asked = {"HX-Request": "true"}
    assert client.post("/account/reading/", {"reading_size": "2"}, headers=asked).status_code == 204
    assert client.post("/account/reading/", {"reading_face": "sans"}).status_code == 302
    ada.refresh_from_db()
    assert (ada.reading_size, ada.reading_width, ada.reading_face) == (2, "medium", "sans")
    assert client.post("/account/reading/", {"reading_size": "9"}).status_code == 422
