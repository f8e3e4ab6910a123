"""Links, teams and new passwords, also when done twice, late, or by two people at once."""

import threading
from datetime import timedelta

import pytest
from django.core.files.base import ContentFile
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from accounts.access import NotYours, Refused, why_not
from accounts.models import AccountEvent, User
from campaigns import jobs, services
from campaigns.access import check_can_reset_password, check_can_use_reset
from campaigns.models import Invitation, Membership, PasswordReset, Role, Run, Team
from campaigns.services.teams import describe_teams
from tests import make

NEW = "tralala-17x"


def link(campaign, olga, **options) -> Invitation:
    return services.invite(user=olga, campaign=campaign, **{"role": Role.ASSESSOR, **options})  # fmt: skip


def join(user, invitation):
    return services.accept_invitation(user=user, invitation=invitation)


def members(campaign) -> set[str]:
    return set(campaign.membership_set.values_list("user__username", flat=True))


# Links


def test_a_link_takes_as_many_people_as_it_says_and_nobody_twice(campaign, olga):
    made = link(campaign, olga, max_uses=2)
    first, second, third = (make.user(name) for name in ("f", "g", "h"))
    for each in (first, first, second, first):
        join(each, made)
    with pytest.raises(Refused, match="used up: 2 people have joined by it"):
        join(third, made)
    assert made.uses.count() == 2
    assert members(campaign) >= {"f", "g"}
    assert "h" not in members(campaign)


def test_who_has_the_role_already_uses_no_link(campaign, olga, ada, sam):
    made = link(campaign, olga)
    join(sam, made)
    join(ada, made)
    assert [use.user for use in made.uses.all()] == [sam]


@pytest.mark.django_db(transaction=True)
def test_of_many_who_follow_a_link_at_once_no_more_join_than_may(campaign, olga):
    made = link(campaign, olga, max_uses=2)
    people = [make.user(f"p{n}") for n in range(5)]
    gate = threading.Barrier(len(people))

    def follow(user) -> None:
        gate.wait()
        try:
            join(user, Invitation.objects.get(pk=made.pk))
        except Refused:
            pass
        finally:
            connection.close()

    threads = [threading.Thread(target=follow, args=[user]) for user in people]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert Membership.objects.filter(user__in=people).count() == made.uses.count() == 2


def test_an_old_link_is_no_way_back_for_somebody_removed_and_a_new_one_is(
    campaign, olga, ada, sam
):
    old = link(campaign, olga, max_uses=9)
    for person in (ada, join(sam, old).user):
        services.remove_member(
            user=olga, membership=campaign.membership_set.get(user=person)
        )
        with pytest.raises(Refused, match="You were removed from Test campaign after"):
            join(person, old)
        assert not campaign.membership_set.filter(user=person).exists()
        join(person, link(campaign, olga))
        assert campaign.membership_set.filter(user=person).exists()


def test_who_left_a_team_comes_back_by_the_link_they_used(campaign, olga, sam):
    made = link(campaign, olga, role=Role.PARTICIPANT, team_name="Aldgate")
    team = join(sam, made).team
    services.leave_team(user=sam, team=team)
    assert join(sam, made).team == team
    assert made.uses.count() == 1


def test_a_link_is_withdrawn_once_and_says_so(campaign, olga, sam):
    made = link(campaign, olga)
    services.withdraw_invitation(user=olga, invitation=made)
    with pytest.raises(Refused, match="withdrawn already"):
        services.withdraw_invitation(user=olga, invitation=made)
    with pytest.raises(Refused, match="was withdrawn"):
        join(sam, made)


# Teams


@pytest.mark.parametrize("spelled", ["aldgate", "ALDGATE", " Ald gate ".replace("d g", "dg"), "Straße"])  # fmt: skip
def test_a_name_spelled_otherwise_is_no_other_team(campaign, olga, spelled):
    services.create_team(user=olga, campaign=campaign, name="STRASSE")
    other = services.create_team(user=olga, campaign=campaign, name="Other")
    n_teams = campaign.team_set.count()
    with pytest.raises(Refused, match=r"There is a team (Aldgate|STRASSE) already"):
        services.create_team(user=olga, campaign=campaign, name=spelled)
    with pytest.raises(Refused, match=r"There is a team (Aldgate|STRASSE) already"):
        services.rename_team(user=olga, team=other, name=spelled)
    made = link(campaign, olga, role=Role.PARTICIPANT, team_name=spelled)
    assert made.team.name in {"Aldgate", "STRASSE"}
    assert campaign.team_set.count() == n_teams


def test_the_database_keeps_names_apart_too(campaign):
    with pytest.raises(IntegrityError, match="one_team_per_name"), transaction.atomic():
        Team.objects.create(campaign=campaign, name="aldgate")
    with pytest.raises(IntegrityError, match="one_person_per_username"):
        make.user("OLGA")


def test_a_team_changes_the_spelling_of_its_own_name(campaign, olga):
    team = campaign.team_set.get()
    services.rename_team(user=olga, team=team, name="  ALDGATE ")
    assert campaign.team_set.get().name == "ALDGATE"


@pytest.fixture
def into(campaign) -> Team:
    return Team.objects.create(campaign=campaign, name="Zoe")


def test_all_that_a_team_has_moves_to_the_one_it_is_merged_into(
    campaign, olga, pat, sam, into
):
    run = make.run(campaign, pat, {"1": "d1"})
    made = link(campaign, olga, role=Role.PARTICIPANT, team_name="Aldgate")
    services.merge_teams(user=olga, team=campaign.team_set.get(name="Aldgate"), into=into)  # fmt: skip
    assert list(campaign.team_set.all()) == [into]
    assert join(sam, made).team == into
    run.refresh_from_db()
    assert (run.team, run.tag) == (into, "one")
    assert Run.objects.visible_to(sam, campaign).get() == run
    assert campaign.membership_set.get(user=pat).team == into


def test_the_later_of_two_extended_deadlines_counts_for_merged_teams(
    campaign, olga, into
):
    later = timezone.now() + timedelta(days=3)
    for team, deadline in ((campaign.team_set.get(name="Aldgate"), later), (into, later - timedelta(days=1))):  # fmt: skip
        Team.objects.filter(pk=team.pk).update(submission_closes_at=deadline)
    services.merge_teams(user=olga, team=team_named(campaign, "Aldgate"), into=into)
    assert campaign.team_set.get().submission_closes_at == later


def team_named(campaign, name: str) -> Team:
    return campaign.team_set.get(name=name)


def test_what_cannot_be_merged_is_refused(campaign, olga, into):
    team = team_named(campaign, "Aldgate")
    with pytest.raises(Refused, match="Choose another team"):
        services.merge_teams(user=olga, team=team, into=team)
    seen = describe_teams(team, into)
    Membership.objects.filter(team=team).update(team=into)
    now = "Aldgate has 0 members, 0 runs and 0 links, Zoe has 1 member, 0 runs and 0 links"
    with pytest.raises(
        Refused, match=f"have changed since this page was opened: {now}"
    ):
        services.merge_teams(user=olga, team=team, into=into, seen=seen)
    assert Team.objects.filter(pk=team.pk).exists()
    Team.objects.filter(pk=into.pk).update(is_baseline=True)
    with pytest.raises(Refused, match="no team to merge"):
        services.merge_teams(user=olga, team=team, into=into)
    with pytest.raises(Refused, match="nobody joins it"):
        link(campaign, olga, role=Role.PARTICIPANT, team_name="zoe")


def test_a_team_whose_archive_is_being_unpacked_stays_till_that_is_done(
    campaign, olga, pat, into, queued
):
    team = team_named(campaign, "Aldgate")
    file = ContentFile(b"x", name="runs.zip")
    job = services.submit_archive(user=olga, campaign=campaign, file=file, team=team)
    with pytest.raises(Refused, match="being unpacked"):
        services.merge_teams(user=olga, team=team, into=into)
    services.leave_team(user=pat, team=team)
    with pytest.raises(Refused, match="being unpacked"):
        services.delete_team(user=olga, team=team)
    jobs.fail(jobs.claim(job.pk), "no")
    services.merge_teams(user=olga, team=team, into=into)
    job.refresh_from_db()
    assert job.subject_id == into.pk, "it can be tried again, for the merged team"


def test_a_team_that_is_gone_is_gone_for_every_stale_page(campaign, olga, into):
    team = team_named(campaign, "Aldgate")
    services.merge_teams(user=olga, team=Team.objects.get(pk=team.pk), into=into)
    acts = [
        lambda: services.merge_teams(user=olga, team=team, into=into),
        lambda: services.merge_teams(user=olga, team=into, into=team),
        lambda: services.rename_team(user=olga, team=team, name="x"),
        lambda: services.delete_team(user=olga, team=team),
        lambda: services.submit_archive(user=olga, campaign=campaign, file=ContentFile(b"x", name="a.zip"), team=team),
    ]  # fmt: skip
    for act in acts:
        with pytest.raises(Refused, match="no longer there"):
            act()
    assert list(campaign.team_set.all()) == [into]


def test_only_an_empty_team_is_deleted(campaign, olga, pat, into):
    team = team_named(campaign, "Aldgate")

    def refused(what: str) -> None:
        with pytest.raises(Refused, match=f"has {what}: only an empty team"):
            services.delete_team(user=olga, team=team)

    refused("a member")
    make.run(campaign, pat, {"1": "d1"})
    refused("a member and a run")
    services.leave_team(user=pat, team=team)
    refused("a run")
    Run.objects.all().delete()
    made = link(campaign, olga, role=Role.PARTICIPANT, team_name="Aldgate")
    refused("an open link")
    services.withdraw_invitation(user=olga, invitation=made)
    services.delete_team(user=olga, team=team)
    assert list(campaign.team_set.all()) == [into]


def test_who_leaves_a_team_has_no_access_and_its_runs_stay(campaign, pat, client):
    run = make.run(campaign, pat, {"1": "d1"})
    team = run.team
    client.force_login(pat)
    services.leave_team(user=pat, team=team)
    for page in (f"teams/{team.pk}/", f"runs/{run.pk}/", "runs/"):
        assert client.get(f"/campaigns/{campaign.slug}/{page}").status_code == 404
    assert Run.objects.get().team == team


# Passwords


def made_for(person, campaign, olga) -> tuple[PasswordReset, str]:
    token = services.make_reset(user=olga, campaign=campaign, person=person)
    return PasswordReset.objects.by_token(token).get(), token


def use(reset) -> None:
    services.use_reset(user=reset.user, reset=reset, password=NEW)


def test_a_reset_link_sets_a_password_once_and_its_token_is_not_stored(
    campaign, olga, ada
):
    reset, token = made_for(ada, campaign, olga)
    use(reset)
    assert User.objects.get(pk=ada.pk).check_password(NEW)
    assert token not in str(list(PasswordReset.objects.values()))
    events = AccountEvent.objects.filter(user=ada).values_list("kind", "subject")
    assert list(events) == [("password.reset", ""), ("reset.made", "Olga (olga)")]
    with pytest.raises(Refused, match="has been used"):
        services.use_reset(user=ada, reset=reset, password="another-17x")
    assert User.objects.get(pk=ada.pk).check_password(NEW)


def removed(person):
    return lambda campaign: campaign.membership_set.filter(user__username=person).delete()  # fmt: skip


def changed(**values):
    return lambda _: User.objects.filter(username="ada").update(**values)


def password_changed(_) -> None:
    ada = User.objects.get(username="ada")
    ada.set_password("their-own-17x")
    ada.save()


OVER = {
    "expired": (lambda _: PasswordReset.objects.update(expires_at=timezone.now()), "has expired"),
    "withdrawn": (lambda _: services.withdraw_reset(user=User.objects.get(username="olga"), reset=PasswordReset.objects.get()), "was withdrawn"),
    "another made": (lambda campaign: made_for(User.objects.get(username="ada"), campaign, User.objects.get(username="olga")), "was withdrawn"),
    "its maker removed": (removed("olga"), "holds no longer"),
    "the person removed": (removed("ada"), "holds no longer"),
    "the person made a superuser": (changed(is_superuser=True), "holds no longer"),
    "the password changed by its owner": (password_changed, "holds no longer"),
}  # fmt: skip


@pytest.mark.parametrize("name", OVER)
def test_a_reset_link_holds_only_as_long_as_its_maker_could_make_it(
    campaign, olga, ada, name
):
    reset, _ = made_for(ada, campaign, olga)
    happens, sentence = OVER[name]
    happens(campaign)
    before = User.objects.get(pk=ada.pk).password
    with pytest.raises(Refused, match=sentence):
        use(reset)
    assert sentence in why_not(check_can_use_reset, PasswordReset.objects.get(pk=reset.pk))  # fmt: skip
    assert User.objects.get(pk=ada.pk).password == before


def test_a_reset_link_is_withdrawn_once_and_not_after_its_use(campaign, olga, ada):
    reset, _ = made_for(ada, campaign, olga)
    use(reset)
    with pytest.raises(Refused, match="used or withdrawn already"):
        services.withdraw_reset(user=olga, reset=reset)


def test_nobody_resets_a_password_that_opens_more_than_they_organize(
    campaign, olga, ada, ben, pat, sam
):
    def refusal(person) -> str:
        return why_not(check_can_reset_password, olga, campaign, person)

    assert refusal(ada) == refusal(pat) == ""
    assert "your own password on your account page" in refusal(olga)
    assert refusal(sam) == "Sam has no role in Test campaign."
    for field in ("is_superuser", "is_staff"):
        setattr(ben, field, True)
        assert "the people who run this site" in refusal(ben), field
        setattr(ben, field, False)
    theirs = make.campaign(sam, assessors=[ada])
    assert "a campaign that you do not organize" in refusal(ada)
    Membership.objects.create(campaign=theirs, user=olga, role=Role.ASSESSOR)
    assert "a campaign that you do not organize" in refusal(ada)
    Membership.objects.create(campaign=theirs, user=olga, role=Role.ORGANIZER)
    assert refusal(ada) == ""
    with pytest.raises(NotYours):
        check_can_reset_password(ben, campaign, ada)
