"""While they may still judge, assessors see no board, run or tag; and what others are shown."""

import html
from datetime import timedelta
from functools import partial

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from campaigns.models.campaign import Campaign
from campaigns.models.people import Invitation, Role
from campaigns.models.releases import Release
from campaigns.services import people
from evaluation.models.scores import Score
from tests import make
from tests.releasing import ALL, TEAMS, show_to
from tests.web.html import source
from tests.web.judging import in_one_line

SECRETS = (b"secret-run", b"Aldgate")


def everything(client: Client, address: str) -> bytes:
    """The answer as it goes over the wire: status, headers and body."""
    answer = client.get(address)
    body = b"".join(answer) if answer.streaming else answer.content
    return str(answer.headers).encode() + body


@pytest.mark.parametrize("participates", [False, True])
def test_who_may_still_judge_finds_no_run_at_any_address(played, doors, ada, client, participates):
    """Who joined by two links sees their own team's runs, and nobody else's."""
    client.force_login(ada)
    if participates:
        zoe = played.team_set.get(name="Zoe")
        played.membership_set.create(user=ada, role=Role.PARTICIPANT, team=zoe)
        own = make.run(played, ada, {"1": "d1"}, "run-of-zoe")
        for address in ("runs/", f"runs/{own.pk}/", f"runs/{own.pk}/file/"):
            assert b"run-of-zoe" in everything(client, f"/campaigns/{played.slug}/{address}")
    for what in Release.What:
        show_to(played, *((TEAMS, ALL) if participates else (ALL,)), what=what)
    for name, (address, _) in doors.items():
        said = everything(client, address)
        assert not [each for each in SECRETS if each in said], name


def statuses(client: Client, campaign: Campaign) -> set[int]:
    """The answers at a board and at a file of one run's scores."""
    board = f"/campaigns/{campaign.slug}/leaderboard/"
    ends = ("", f"runs/{Score.objects.get().run_id}.csv")
    return {client.get(board + end).status_code for end in ends}


def test_a_board_opens_to_assessors_and_visitors_once_judging_closed(client, played, ada, pat, sam):
    closed = timezone.now() - timedelta(minutes=1)
    # Ada assesses, Pat submitted the run, Sam is a stranger, and nobody has not signed in.
    for audiences, closes_at, expected in (
        ((), None, (403, 403, 404, 302)),
        ((), closed, (403, 403, 404, 302)),
        ((TEAMS,), None, (403, 200, 404, 302)),
        ((TEAMS,), closed, (403, 200, 404, 302)),
        ((ALL,), None, (403, 200, 403, 403)),
        ((ALL,), closed, (200, 200, 200, 200)),
    ):
        show_to(played, *audiences)
        Campaign.objects.update(judging_closes_at=closes_at)
        for person, status in zip((ada, pat, sam, None), expected, strict=True):
            client.force_login(person) if person else client.logout()
            assert statuses(client, played) == {status}, (audiences, closes_at, person)
    played.membership_set.create(user=pat, role=Role.ASSESSOR)
    Campaign.objects.update(judging_closes_at=None)
    client.force_login(pat)
    assert statuses(client, played) == {403}
    tabs = client.get(f"/campaigns/{played.slug}/").context["tabs"]
    assert "leaderboard" not in [tab.name for tab in tabs]


def test_a_public_board_waits_while_somebody_can_join_as_assessor(client, played, olga):
    """Until they follow the link they are visitors; a link to something else, or one that is over,
    keeps nobody out.
    """
    show_to(played, ALL)
    played.membership_set.filter(role=Role.ASSESSOR).delete()
    invite = partial(people.invite, user=olga, campaign=played)
    invite(role=Role.ORGANIZER)
    assert statuses(client, played) == {200}
    link = invite(role=Role.ASSESSOR)
    assert statuses(client, played) == {403}
    people.withdraw_invitation(user=olga, invitation=link)
    assert statuses(client, played) == {200}
    link = invite(role=Role.ASSESSOR)
    Invitation.objects.filter(pk=link.pk).update(expires_at=timezone.now())
    assert statuses(client, played) == {200}


ASSESSORS, LINK = "assessors may still judge", "an open link can make somebody an assessor"


def test_organizers_are_told_what_keeps_a_public_board_from_visitors(client, played, olga):
    """On the board, and when the link is made that does it: for as long as it does, and nobody
    else.
    """
    client.force_login(olga)
    base = f"/campaigns/{played.slug}/"

    def told() -> str:
        page = client.get(f"{base}leaderboard/")
        said = page.context["what_closes_board"]
        assert said in html.unescape(page.text)
        assert ("Visitors see the public scores" in page.text) == bool(said)
        return said

    def invited(role: str) -> str:
        sent = {"role": role, "max_uses": 1, "days": 9}
        if role == "participant":
            sent["team_name"] = "Aldgate"
        return client.post(f"{base}people/", sent, follow=True).text

    assert (told(), LINK in invited("assessor")) == ("", False), "it is not public"
    show_to(played, ALL)
    both = told()
    assert f"once judging is closed in the settings: until then {ASSESSORS} and {LINK}." in both
    assert "withdrawn" not in both, "that would not do"
    played.membership_set.filter(role=Role.ASSESSOR).delete()
    assert "settings, or the link is withdrawn on People: until then" in told()
    people.withdraw_invitation(user=olga, invitation=Invitation.objects.get())
    assert told() == ""
    assert LINK not in invited("participant")
    assert f"until then {LINK}." in invited("assessor")
    Campaign.objects.update(judging_closes_at=timezone.now() - timedelta(minutes=1))
    assert (told(), LINK in invited("assessor")) == ("", False)


def test_who_sees_only_their_own_runs_learns_nothing_that_rests_on_all(client, played, pat, olga):
    """No place, and neither the pool's size nor how much of it was open; but that the scores are
    preliminary, and against what.
    """
    base = f"/campaigns/{played.slug}/leaderboard"
    run = Score.objects.get(run__tag="secret-run").run_id
    for person, audience, sees_all in ((pat, TEAMS, False), (olga, TEAMS, True), (pat, ALL, True)):
        show_to(played, audience)
        client.force_login(person)
        html = in_one_line(client.get(f"{base}/").text)
        assert "secret-run" in html
        assert "Preliminary" in html
        assert "2 judgments on 1 topic" in html
        seen = [">Place</th>" in html, "2 of 4 pooled documents" in html]
        for stem in ("leaderboard", f"runs/{run}"):
            file = client.get(f"{base}/{stem}.json").json()
            assert (file["judgments"], file["preliminary"]) == (2, 1)
            seen.append(file["still_to_judge"] == 2)
        assert seen == [sees_all] * 4, (person, audience)


def test_scores_lead_to_a_run_for_those_who_may_see_it(client, played, olga, pat, ada):
    closed = timezone.now() - timedelta(minutes=1)
    show_to(played, ALL)
    Campaign.objects.update(judging_closes_at=closed)
    score = Score.objects.get(run__tag="secret-run")
    link = f'href="/campaigns/{played.slug}/runs/{score.run_id}/"'
    for person, sees in ((olga, True), (pat, True), (ada, False), (None, False)):
        client.force_login(person) if person else client.logout()
        page = client.get(f"/campaigns/{played.slug}/leaderboard/scores/{score.pk}/")
        assert (page.status_code, link in page.text) == (200, sees), person


# Participants


def test_participants_see_the_topics_from_the_date_that_is_set(client, campaign, pat, ada):
    address = f"/campaigns/{campaign.slug}/topics/"
    opens = timezone.now() + timedelta(days=1)
    Campaign.objects.update(topics_open_at=opens, time_zone="Etc/GMT+12")
    client.force_login(pat)
    refused = client.get(address)
    assert "The topics are shown from" in source(refused, 403)
    assert "Anywhere on Earth" in refused.text
    file = SimpleUploadedFile("one.txt", make.run_text({"1": "d1"}, "one").encode())
    sent = client.post(f"/campaigns/{campaign.slug}/runs/", {"tag": "one", "file": file})
    assert sent.status_code >= 400
    assert not campaign.run_set.exists()  # the report of a run would name the topics
    client.force_login(ada)
    assert client.get(address).status_code == 200
    Campaign.objects.update(topics_open_at=timezone.now())
    client.force_login(pat)
    assert client.get(address).status_code == 200


def test_scores_by_topic_are_shown_from_the_date_of_the_topics(client, played, olga, ada, pat):
    now = timezone.now()
    show_to(played, ALL)
    score, board = Score.objects.get(), f"/campaigns/{played.slug}/leaderboard"
    pages = [f"{board}/scores/{score.pk}/"]
    pages += [f"{board}/runs/{score.run_id}{end}" for end in (".csv", ".txt")]
    for opens, refused in ((now + timedelta(days=1), 403), (now, 200)):
        Campaign.objects.update(topics_open_at=opens, judging_closes_at=now)
        for person, status in ((olga, 200), (ada, 200), (pat, refused), (None, refused)):
            client.force_login(person) if person else client.logout()
            answers = [client.get(at) for at in pages]
            assert {each.status_code for each in answers} == {status}, (opens, person)
            if status == 403:
                assert "The topics are shown from" in answers[0].text
            assert client.get(f"{board}/").status_code == 200


def test_a_report_names_no_topic_to_a_team_before_their_date(client, campaign, olga, pat):
    """An organizer uploaded the run for them before, or the date was moved."""
    run = make.run(campaign, pat, {"1": "d1"}, "early")
    address = f"/campaigns/{campaign.slug}/runs/{run.pk}/"
    for opens, person, sees in ((1, olga, True), (1, pat, False), (0, pat, True)):
        Campaign.objects.update(topics_open_at=timezone.now() + timedelta(days=opens))
        client.force_login(person)
        for headers in ({}, {"HX-Request": "true"}):
            html = in_one_line(client.get(address, headers=headers).text)
            assert ("<b>1</b> of 2 topics" in html) == sees
            assert ("1 warning" in html) == sees  # topic 2 is missing
            assert ("The topics are shown from" in html) != sees


def test_participants_read_the_guidelines_if_the_organizer_says_so(client, played, pat, ada):
    address = f"/campaigns/{played.slug}/"
    for shows in (False, True):
        Campaign.objects.update(shows_guidelines=shows)
        for person, reads in ((pat, shows), (ada, True)):
            client.force_login(person)
            assert ("<strong>strictly</strong>" in client.get(address).text) == reads


# Visitors


def test_a_public_campaign_is_read_without_signing_in(client, played, olga):
    address = f"/campaigns/{played.slug}/"
    Campaign.objects.update(description="About searching.")
    assert client.get(address).status_code == 302
    show_to(played, ALL)
    html = client.get(address).text
    assert "About searching." in html
    assert str(olga) in html
    assert "The scores are shown here once judging has closed." in html
    for word in ("secret-run", "Aldgate", "strictly", "Next steps"):
        assert word not in html


# Refusals


def test_a_refusal_keeps_the_frame_and_leads_back(client, played, pat):
    client.force_login(pat)
    came_from = f"/campaigns/{played.slug}/runs/"
    for path, status in (("settings/", 403), ("runs/999999/", 404)):
        answer = client.get(
            f"/campaigns/{played.slug}/{path}", headers={"referer": f"http://testserver{came_from}"}
        )
        assert answer.status_code == status
        html = answer.text
        assert 'aria-label="Campaign"' in html
        assert f'href="/campaigns/{played.slug}/runs/"' in html
    foreign = client.get(
        f"/campaigns/{played.slug}/settings/", headers={"referer": "https://elsewhere.example/"}
    )
    assert "elsewhere" not in foreign.text
