"""Who finds what at which address, once it is released; and the page that releases it."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from campaigns.models.campaign import Campaign
from campaigns.models.people import Role, Team
from campaigns.models.releases import Release
from evaluation import services as scoring
from evaluation.models.scores import Evaluation, Score
from qrels.models import Qrels
from runs.models import Run
from tests import make
from tests.api.addresses import of
from tests.releasing import ALL, TEAMS, show_to
from tests.web.asking import answer
from tests.web.growth import again
from tests.web.html import words

What = Release.What
# What opens with each thing that is released.
OPENS = {
    "scores": (
        "evaluation:leaderboard",
        "evaluation:evaluation",
        "evaluation:evaluation_file",
        "evaluation:evaluations_file",
        "evaluation:compare",
        "evaluation:leaderboard_file",
        "evaluation:run_scores",
        "evaluation:two_runs",
        "evaluation:pairs_file",
        "evaluation:run_file",
        "evaluation:evaluation_run_file",
    ),
    "qrels": ("qrels:qrels", "qrels:version", "qrels:qrels_file"),
    "pool": ("pooling:pool", "pooling:docnos", "pooling:contributions"),
    "topics": ("collection:topics", "collection:topics_file", "collection:topic"),
    "runs": ("runs:released_runs", "runs:released_runs_file", "runs:run_file"),
    "agreement": ("agreement:agreement",),
}
PEOPLE = ("ada", "pat", "quinn", "sam", "nobody")
SHUT = {"ada": 403, "pat": 403, "quinn": 403, "sam": 404, "nobody": 302}


def statuses(request, doors, what: str) -> dict[str, set[int]]:
    """What each of the people is answered at the addresses of something."""
    found = {}
    for person in PEOPLE:
        client = Client()
        if person != "nobody":
            client.force_login(request.getfixturevalue(person))
        found[person] = {answer(client, "GET", doors[name][0], {}) for name in OPENS[what]}
    return found


@pytest.fixture
def quinn(played):
    """A participant of another team."""
    quinn, team = make.user("quinn"), Team.objects.create(campaign=played, name="Bow")
    played.membership_set.create(user=quinn, role=Role.PARTICIPANT, team=team)
    return quinn


def close_judging() -> None:
    Campaign.objects.update(judging_closes_at=timezone.now() - timedelta(minutes=1))


@pytest.mark.parametrize("what", ["qrels", "pool", "agreement"])
def test_what_is_released_opens_to_whom_it_is_released(request, played, doors, quinn, sam, what):
    everybody = {key: {200} for key in PEOPLE}
    teams = {"pat": {200}, "quinn": {200}}
    shut = {person: {status} for person, status in SHUT.items()}
    assert statuses(request, doors, what) == shut
    show_to(played, TEAMS, what=what)
    assert statuses(request, doors, what) == shut | teams
    show_to(played, ALL, what=what)
    waiting = {key: {403} for key in ("ada", "sam", "nobody")}
    assert statuses(request, doors, what) == waiting | teams
    close_judging()
    assert statuses(request, doors, what) == everybody
    show_to(played, TEAMS, what=what)
    assert statuses(request, doors, what) == shut | teams
    played.releases.update(from_at=timezone.now() + timedelta(days=1))
    assert statuses(request, doors, what) == shut


def test_a_program_of_another_team_downloads_a_released_run(client, played, quinn):
    client.force_login(quinn)
    at = of(played, "released-runs/secret-run/")
    assert client.get(f"{at}file/").status_code == 403
    show_to(played, TEAMS, what="runs")
    content = make.content(Run.objects.get(tag="secret-run").file)
    assert b"".join(client.get(f"{at}file/")) == content
    assert "state" not in client.get(at).json()
    assert client.get(of(played, "runs/secret-run/")).status_code == 404


def test_runs_open_to_other_teams_and_to_visitors(request, played, doors, quinn, sam):
    own = {"pat": {200, 403}, "quinn": {404, 403}}
    shut = {person: {status} for person, status in SHUT.items()}
    assert statuses(request, doors, "runs") == shut | own
    show_to(played, ALL, what="runs")
    close_judging()
    assert statuses(request, doors, "runs") == {key: {200} for key in PEOPLE}
    Run.objects.update(state="withdrawn")
    answers = statuses(request, doors, "runs")
    assert (answers["quinn"], answers["pat"]) == ({200, 404}, {200})
    assert "secret-run" not in Client().get(doors["runs:released_runs"][0]).text


def test_topics_open_to_visitors_while_others_judge(request, played, doors, sam, quinn):
    client = Client()
    addresses = [doors[name][0] for name in OPENS["topics"]]
    assert {client.get(at).status_code for at in addresses} == {302}
    show_to(played, ALL, what="topics")
    assert {answer(client, "GET", at, {}) for at in addresses} == {200}
    # To teams too, whatever their date is; runs are taken from it on all the same.
    Campaign.objects.update(topics_open_at=timezone.now() + timedelta(days=1))
    assert statuses(request, doors, "topics") == {key: {200} for key in PEOPLE}


def test_a_draft_is_at_no_address_for_others_than_organizers(client, played, olga, pat, sam):
    older, score = Evaluation.objects.get(), Score.objects.get()
    draft = again(older)
    draft.runs.set(older.runs.all())
    of_draft = again(score, evaluation=draft)
    close_judging()
    base = f"/campaigns/{played.slug}/leaderboard/"
    theirs = [
        f"{base}evaluations/{draft.pk}/",
        f"{base}evaluations/{draft.pk}.csv",
        f"{base}evaluations/{draft.pk}/topics/1/",
        f"{base}scores/{of_draft.pk}/topics/1/",
        f"{base}scores/{of_draft.pk}/",
        f"{base}evaluations/{draft.pk}/runs/{of_draft.run_id}.json",
        f"{base}compare/?before={older.pk}&after={draft.pk}",
    ]
    for audience in (TEAMS, ALL):
        show_to(played, audience, subject=older.pk)
        for person in (pat, sam, None) if audience == ALL else (pat,):
            client.force_login(person) if person else client.logout()
            assert {client.get(at).status_code for at in theirs} <= {404, 302}, person
            assert client.get(base).context["evaluation"] == older
            assert len(b"".join(client.get(f"{base}evaluations.csv")).splitlines()) == 2
            assert f"/evaluations/{draft.pk}/" not in client.get(base).text
    client.force_login(olga)
    assert {client.get(at).status_code for at in theirs} == {200}
    page = words(client.get(base))
    assert client.get(base).context["evaluation"] == older
    assert "Released to everybody since" in page
    assert "Drafts: only organizers see them" in page
    file = client.get(theirs[1])
    assert "-leaderboard-draft-preliminary-qrels-v1-" in file["Content-Disposition"]
    assert ",draft, preliminary," in file.text.replace('"', "")


def test_only_the_released_version_of_the_qrels_is_there(client, played, pat):
    first = Evaluation.objects.get().qrels
    again(first, number=2)
    show_to(played, TEAMS, what="qrels", subject=first.pk)
    client.force_login(pat)
    base = f"/campaigns/{played.slug}/qrels/"
    page = words(client.get(base))
    assert "v1" in page
    assert "v2" not in page
    for at in ("2/", "2.txt"):
        assert client.get(f"{base}{at}").status_code == 404
        assert client.head(f"{base}{at}").status_code == 404
    for at in ("1/judgments.csv",):
        assert client.get(f"{base}{at}").status_code == 403
    page = words(client.get(f"{base}1/"))
    for secret in ("Ada", "Olga", "Withdraw", "pooled", "All judgments"):
        assert secret not in page, secret


IMPORTED = {
    "source": "A pilot",
    "pool": None,
    "basis": "",
    "rule": "",
    "judgments": "",
    "judgments_sha256": "",
}


def test_a_file_of_qrels_says_what_they_are(as_olga, played):
    for changes, marks in (
        ({"n_unjudged": 0}, ""),
        ({"n_unjudged": 3, "n_cannot_judge": 1}, "-preliminary"),
        ({"n_unjudged": 0, "n_cannot_judge": 0, **IMPORTED}, "-imported"),
    ):
        Qrels.objects.update(**changes)
        file = as_olga.get(f"/campaigns/{played.slug}/qrels/1.txt")
        assert f"-qrels-v1{marks}.txt" in file["Content-Disposition"]
        assert b"".join(file.streaming_content)


def test_lists_of_runs_say_what_their_scores_are_against(client, played, pat, olga):
    base = f"/campaigns/{played.slug}/"
    show_to(played)
    client.force_login(olga)
    against = "against qrels v1, draft, preliminary."
    assert against in words(client.get(f"{base}runs/"))
    show_to(played, TEAMS)
    client.force_login(pat)
    for address in (base, f"{base}runs/"):
        page = words(client.get(address))
        assert "against qrels v1, preliminary." in page
        assert "draft" not in page


def test_agreement_names_no_assessor_to_others(client, played, pat, olga):
    show_to(played, TEAMS, what="agreement")
    address = f"/campaigns/{played.slug}/agreement/"
    for person, sees in ((pat, False), (olga, True)):
        client.force_login(person)
        page = words(client.get(address))
        assert "Kappa" in page
        assert [name in page for name in ("Ada", "Ben")] == [sees] * 2
        assert client.get(address, {"picture": "pairs.svg"}).status_code == 404
    client.force_login(pat)
    assert client.get(f"{address}documents/").status_code == 403
    assert "d1" not in words(client.get(address))
    Campaign.objects.update(topics_open_at=timezone.now() + timedelta(days=1))
    assert client.get(address).status_code == 403


def test_tabs_stand_for_those_to_whom_something_is_released(client, played, pat, ada):
    def tabs() -> str:
        context = client.get(f"/campaigns/{played.slug}/").context
        return " ".join(tab.name for tab in context["tabs"])

    client.force_login(pat)
    assert tabs() == "overview collection topics runs team leaderboard"
    for what in What:
        show_to(played, ALL, what=what)
    assert tabs() == "overview collection topics runs team pool agreement qrels leaderboard"
    client.force_login(ada)
    assert tabs() == "overview collection topics judging"
    close_judging()
    client.logout()
    assert tabs() == "overview topics runs pool agreement qrels leaderboard"


# The page


@pytest.fixture
def page(client, played, olga) -> str:
    client.force_login(olga)
    return reverse("evaluation:releases", args=[played.slug])


def fields(response) -> dict[str, str]:
    """What the form of a page sends as it stands."""
    form = response.context["form"]
    return {each.name: value for each in form if (value := each.value()) is not None}


def test_something_is_released_changed_and_taken_back_on_the_page(client, played, page):
    asked = client.get(page, {"what": "scores", "audience": ALL})
    said = words(client.post(page, {**fields(asked), "from_at": "2031-05-03T10:00"}, follow=True))
    assert "Scores against qrels v1 will be released to everybody." in said
    assert "Scores against qrels v1 , from 3 May 2031, 10:00 (UTC)" in said
    asked = client.get(page, {"what": "scores", "audience": ALL})
    assert b'value="2031-05-03T10:00"' in asked.content
    client.post(page, {**fields(asked), "from_at": ""})
    assert played.releases.standing().get(audience=ALL).is_in_force
    [row] = [each for each in client.get(page).context["rows"] if each.what == "scores"]
    back = {"what": "scores", "audience": ALL, "seen": row.seen}
    subject = played.releases.standing().get(audience=ALL).subject_id
    address = reverse("evaluation:take_back", args=[played.slug])
    told = words(client.post(address, back, follow=True))
    assert "The release to everybody is taken back." in told
    assert "What is released changed while you had the page open: look again." in words(
        client.post(address, back, follow=True)
    )
    assert not played.releases.standing().filter(audience=ALL).exists()
    assert "Scores against qrels v1 until" in words(client.get(page))
    shown = client.get(page, {"what": "scores", "audience": ALL, "subject": subject})
    assert fields(shown)["subject_id"] == str(subject)


def test_what_was_refused_on_an_old_page_is_sent_again(client, played, page):
    old = fields(client.get(page, {"what": "scores", "audience": ALL}))
    show_to(played, ALL)
    refused = client.post(page, {**old, "from_at": "2031-05-03T10:00"})
    assert "What is released changed while you had the page open: look again." in words(refused)
    again = client.post(page, fields(refused), follow=True)
    assert "What is released changed while you had the page open: look again." not in words(again)


def test_before_submission_closes_the_form_says_what_teams_would_see_first(client, played, page):
    Campaign.objects.update(submission_closes_at=timezone.now() + timedelta(days=1))
    first = {
        "scores": "scores",
        "qrels": "judgments",
        "pool": "others' runs",
        "runs": "others' runs",
    }
    for what, shows in first.items():
        page_of = words(client.get(f"{page}?what={what}"))
        assert f"Teams that may still submit would see the {shows} first." in page_of
    for what in ("agreement", "topics"):
        assert "Teams that may still" not in words(client.get(f"{page}?what={what}"))


def test_topics_are_released_to_everybody_alone(client, played, page):
    asked = client.get(page, {"what": "topics", "audience": TEAMS})
    assert "The teams" not in re.findall(r"<form.*?</form>", words(asked))
    assert client.post(page, {"what": "topics", "audience": TEAMS}).status_code == 422
    assert client.post(page, {"what": "topics", "audience": ALL}).status_code == 302
    assert client.get(page, {"what": "nothing"}).status_code == 404


def test_scores_that_exist_already_lead_to_their_release(client, played, page, olga):
    """A run that was disqualified by mistake is back on the board by one act, from either page."""
    base, whole = f"/campaigns/{played.slug}/leaderboard/", Evaluation.objects.get()
    run = whole.runs.get()
    other = again(run, tag="other-run")
    part = scoring.request_evaluation(user=olga, **make.scope(whole.qrels))
    Evaluation.objects.filter(pk=part.pk).update(finished_at=timezone.now())
    other.state = "disqualified"
    other.save()
    sent = client.post(
        f"{base}score/",
        {
            "qrels": 1,
            "rules": whole.rules,
            "topic_set": whole.scope.topic_set,
            "others": " ".join(whole.measures),
        },
    )
    link = f"{page}?what=scores&amp;subject={whole.pk}"
    show_to(played, TEAMS, ALL, subject=whole.pk)
    assert "These scores exist already" in words(sent, 422)
    assert link in sent.text
    run.state = "disqualified"
    run.save()
    assert "1 run on this board is not valid any more. Score again…" in words(client.get(base))
    run.state = other.state = "valid"
    run.save()
    other.save()
    board = client.get(base)
    assert "Not on this board: other-run, submitted or reinstated since." in words(board)
    [form] = re.findall(
        r'<form method="post" action="([^"]+/replace/)">.*?name="by" value="(\d+)"',
        board.text,
        re.DOTALL,
    )
    assert form == (f"{base}evaluations/{whole.pk}/replace/", str(part.pk))
    told = client.post(form[0], {"by": form[1]}, follow=True)
    assert "The scores against qrels v1 are released instead." in words(told)
    assert "Not on this board" not in words(told)
    assert set(played.releases.standing().values_list("audience", "subject_id")) == {
        (TEAMS, part.pk),
        (ALL, part.pk),
    }
    again_sent = client.post(form[0], {"by": form[1]}, follow=True)
    assert "These scores are not released any more." in words(again_sent)
    assert client.post(form[0], {"by": "no"}).status_code == 404
    show_to(played)
    assert "/replace/" not in client.get(f"{base}evaluations/{whole.pk}/").text


def test_taking_a_release_back_offers_it_and_what_it_replaced(client, played, page, olga):
    older = Evaluation.objects.get()
    newer = again(older)
    show_to(played)
    for each in (older, newer):
        asked = {"campaign": played, "what": "scores", "audience": TEAMS, "subject_id": each.pk}
        scoring.release(user=olga, **asked)
    links = [f"what=scores&amp;audience={TEAMS}&amp;subject={each.pk}" for each in (older, newer)]
    assert [link in client.get(page).text for link in links] == [True, False]
    scoring.take_back_release(user=olga, campaign=played, what="scores", audience=TEAMS)
    assert [link in client.get(page).text for link in links] == [True, True]
