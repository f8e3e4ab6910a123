"""Pages of runs: what the list shows, what an old page says, who sees which run."""

import re
from datetime import timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from campaigns.models.campaign import Campaign
from evaluation.models.scores import Score
from runs.models import Run
from runs.services import runs as runs_services
from tests import make
from tests.releasing import ALL, TEAMS, show_to
from tests.web.heads import press_each
from tests.web.html import source, words
from tests.worlds import once

RANKING = {"1": "d1 d2", "2": "d3"}


def at(campaign, name: str = "runs", *arguments) -> str:
    return reverse(f"runs:{name}", args=[campaign.slug, *arguments])


def file(text: str | bytes, name: str = "one.txt") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, text if isinstance(text, bytes) else text.encode())


def body(response, status: int | None = None) -> str:
    return " ".join(source(response, status).split())


def test_the_runs_come_again_with_what_is_said_above_them(sign_in, campaign, pat):
    make.submitted(campaign, pat, make.run_text(RANKING, "one"), "one")
    page, part = (body(sign_in(pat).get(at(campaign, name))) for name in ("runs", "run_states"))
    assert "None" not in part
    [head] = re.findall('<div id="runs-head">(.*?)</div>', page)
    assert f'<div id="runs-head" hx-swap-oob="true">{head}</div>' in part


@pytest.mark.parametrize("name", ["run", "run_states"])
def test_a_page_that_waits_is_sent_again_once_something_changed(sign_in, campaign, pat, name):
    run = make.submitted(campaign, pat, "1 Q0 d1 1 9 one", "one")
    client, address = sign_in(pat), at(campaign, name, *([run.pk] if name == "run" else []))

    def asked(shown: str) -> tuple[int, str, int]:
        with CaptureQueriesContext(connection) as captured:
            answer = client.get(address, headers={"HX-Request": "true", "Shown": shown})
        stage = re.search(r'{"Shown": "([^"]+)"}', answer.text)
        return answer.status_code, stage[1] if stage else "", len(captured)

    status, stage, n_queries = asked("")
    assert status == 200
    assert stage
    for _ in range(2):
        assert asked(stage)[:2] == (204, "")
    assert asked(stage)[2] < n_queries / 2
    make.worked("check_run", run.pk)
    assert asked(stage)[0] == 200
    if name == "run_states":
        _, stage, _ = asked("")
        Campaign.objects.update(submission_closes_at=timezone.now())  # a date of the page
        assert asked(stage)[0] == 200


def test_every_error_is_in_a_file_not_only_those_of_the_page(sign_in, campaign, pat):
    bad = [f"1 Q0 x{n} one {-n} one" for n in range(300)]
    run = make.submitted(campaign, pat, "\n".join(["1 Q0 d1 1 9 one", *bad]), "one")
    make.worked("check_run", run.pk)
    run.refresh_from_db()
    response = sign_in(pat).get(at(campaign, "run_errors", run.pk))
    header, *errors = b"".join(response.streaming_content).decode().splitlines()
    assert header == "line,kind,error"
    assert errors[0] == "2,Ranks that are not whole numbers,The rank 'one' is not a whole number."
    assert [int(row.split(",")[0]) for row in errors] == list(range(2, 302))
    campaign.topics_open_at = timezone.now() + timedelta(hours=1)
    campaign.save()
    assert sign_in(pat).get(at(campaign, "run_errors", run.pk)).status_code == 403


def test_another_teams_run_is_as_one_that_does_not_exist(sign_in, campaign, run):
    quinn = make.user("quinn")
    team = campaign.team_set.create(name="Barbican")
    campaign.membership_set.create(user=quinn, role="participant", team=team)
    client, acts = sign_in(quinn), "withdraw_run reinstate_run recheck_run describe_run"
    for name in ("run", "run_file", "run_errors", *acts.split(), "disqualify_run"):
        ask = client.get if name in {"run", "run_file", "run_errors"} else client.post
        for headers in ({}, {"HX-Request": "true"}):
            theirs, none = (ask(at(campaign, name, pk), headers=headers) for pk in (run.pk, 99999))
            assert theirs.status_code == none.status_code == 404
            assert without_token(theirs) == without_token(none)


def test_a_team_counts_its_own_runs_alone(sign_in, campaign, run):
    quinn = make.user("quinn")
    team = campaign.team_set.create(name="Barbican")
    campaign.membership_set.create(user=quinn, role="participant", team=team)
    make.run(campaign, quinn, RANKING, "two")
    assert "<h1> 1 run of team Barbican </h1>" in body(sign_in(quinn).get(at(campaign)))


def without_token(response) -> str:
    return re.sub(r'"[\w-]{64}"', "", body(response))


@pytest.fixture
@once
def run(campaign, pat):
    return make.run(campaign, pat, RANKING)


@pytest.mark.parametrize("act", ["withdraw_run", "disqualify_run"])
def test_a_page_from_before_the_freeze_says_so_and_keeps_words(sign_in, campaign, run, olga, act):
    client, address = sign_in(olga), at(campaign, act, run.pk)
    make.frozen_pool(campaign, [run])
    response = client.post(address, {"seen": "0", "reason": "typed before"})
    assert response.status_code == 422
    assert "Run one, now in the frozen pool, changed while you had the page open" in body(response)
    assert "The run is in the frozen pool." in body(response)
    assert "typed before" in body(response)
    # The page has now told it: the same button does it.
    assert client.post(address, {"seen": "1", "reason": "typed before"}).status_code == 302
    assert 'name="seen" value="1"' in body(response)


def test_what_cannot_be_done_any_more_is_said_on_the_page_of_the_run(sign_in, campaign, run, olga):
    client = sign_in(olga)
    for act in ("reinstate_run", "withdraw_run", "disqualify_run", "recheck_run"):
        response = client.post(at(campaign, act, run.pk), {"reason": "x"})
        assert re.search("<h1>one is (valid|withdrawn)</h1>", body(response))
        assert 'role="alert"' in body(response, 422)
        if act == "reinstate_run":
            runs_services.withdraw_run(user=olga, run=run)


def test_the_team_reads_why_its_run_is_disqualified(sign_in, campaign, run, olga, pat):
    runs_services.disqualify_run(user=olga, run=run, reason="trained on <the> qrels")
    text = body(sign_in(pat).get(at(campaign, "run", run.pk)))
    assert "Disqualified by Olga on " in text
    assert "“trained on &lt;the&gt; qrels”" in text
    assert "only an organizer can reinstate it" in text
    assert "Reinstate run" not in text
    assert "Reinstate run" in body(sign_in(olga).get(at(campaign, "run", run.pk)))


def test_the_list_is_filtered_by_tag_team_state_and_mark(sign_in, campaign, olga, pat):
    make.run(campaign, pat, RANKING, "valid-1")
    make.run(campaign, pat, {"7": "d1"}, "bad-1")
    pooled = make.run(campaign, pat, {"1": "d1"}, "pooled-1")
    make.frozen_pool(campaign, [pooled])
    make.submitted(campaign, olga, "x", "base-1")
    client = sign_in(olga)

    def listed(query: str) -> set[str]:
        runs = client.get(f"{at(campaign)}?{query}").context["runs"]
        return {run.tag for run in runs}

    everything = {"valid-1", "bad-1", "pooled-1", "base-1"}
    assert listed("") == listed("show=nonsense") == everything
    assert listed("q=BAD") == {"bad-1"}
    assert listed("q=baseline") == {"base-1"}
    assert listed("q=aldgate&show=invalid") == listed("show=invalid") == {"bad-1"}
    assert listed("show=pooled") == {"pooled-1"}
    assert listed("show=warned") == {"pooled-1"}
    assert listed("show=late") == set()
    assert "No run matches" in body(client.get(f"{at(campaign)}?q=nothing"))


def test_runs_of_no_team_are_called_baselines(sign_in, campaign, olga):
    make.submitted(campaign, olga, "x", "base-1")
    assert "1 run, a baseline" in words(sign_in(olga).get(at(campaign)))
    make.submitted(campaign, olga, "x", "base-2")
    assert "2 runs, all of them baselines" in words(sign_in(olga).get(at(campaign)))


def test_an_extension_is_in_the_campaigns_zone_and_shown_to_its_team(sign_in, campaign, olga, pat):
    campaign.time_zone = "Asia/Tokyo"
    campaign.submission_closes_at = timezone.now() - timedelta(hours=1)
    campaign.save()
    team = campaign.team_set.get(name="Aldgate")
    client, address = sign_in(olga), at(campaign, "extensions")
    refused = client.post(address, {"team": team.pk, "closes_at": "2001-05-01T12:00"})
    assert "It must be after the deadline of all" in body(refused, 422)
    client.post(address, {"team": team.pk, "closes_at": "2100-05-01T12:00"})
    team.refresh_from_db()
    assert team.submission_closes_at.isoformat() == "2100-05-01T03:00:00+00:00"
    assert "1 May 2100, 12:00" in body(client.get(address))
    assert press_each(client, address) == {"extensions"}
    text = body(sign_in(pat).get(at(campaign)))
    assert "The deadline of your team has been extended." in text
    assert "1 May 2100, 12:00" in text
    overview = body(sign_in(pat).get(reverse("overview", args=[campaign.slug])))
    assert "1 May 2100, 12:00" in overview
    assert "Submission is open until" in overview


def test_the_list_tells_organizers_alone_what_other_runs_have_too(sign_in, campaign, olga, pat):
    runs = [
        make.run(campaign, pat, {"1": docnos}, tag)
        for docnos, tag in (("d1 d2", "a"), ("d2 d3", "b"))
    ]
    assert ">Shared<" not in body(sign_in(olga).get(at(campaign, "runs")))
    make.batch(campaign, runs)
    text = body(sign_in(olga).get(at(campaign, "runs")))
    assert ">Shared<" in text
    assert text.count("Other runs brought 50 % of its 2 documents too;") == 2
    assert "Other runs" not in body(sign_in(pat).get(at(campaign, "runs")))


def test_what_runs_share_is_counted_over_all_batches(sign_in, campaign, olga, pat):
    rankings = {"a": "d1 d2 d3", "b": "d2 d1 d3"}
    runs = [make.run(campaign, pat, {"1": docnos}, tag) for tag, docnos in rankings.items()]
    make.frozen_pool(campaign, runs, depth=1)
    make.frozen(make.batch(campaign, runs, depth=3))
    text = body(sign_in(olga).get(at(campaign, "runs")))
    # d1 by a alone and d2 by b alone in the first batch, d3 by both in the second.
    assert text.count("Other runs brought 50 % of its 2 documents too;") == 2


def test_a_run_leads_to_its_scores_whoever_may_see_them(sign_in, played, olga, pat):
    run = Run.objects.get(campaign=played, evaluations__isnull=False)
    score = Score.objects.get(run=run)
    link = f'href="{reverse("evaluation:run_scores", args=[played.slug, score.pk])}"'
    page = reverse("runs:run", args=[played.slug, run.pk])
    for audiences, people in (((), [olga]), ((TEAMS,), [olga, pat]), ((ALL,), [olga, pat])):
        show_to(played, *audiences)
        for person in (olga, pat):
            assert (link in body(sign_in(person).get(page))) == (person in people)


def test_that_the_pool_is_frozen_is_said_before_a_run_is_sent_and_after(sign_in, campaign, pat):
    home = f"/campaigns/{campaign.slug}/"
    pooled, other = (make.run(campaign, pat, RANKING, tag) for tag in ("one", "two"))
    own = at(campaign, "run", other.pk)
    client, frozen = sign_in(pat), "The pool is frozen"
    assert not [page for page in (at(campaign), home, own) if frozen in body(client.get(page))]
    make.frozen_pool(campaign, [pooled])
    scored = (
        "is scored, but documents that only it found are not judged unless the organizers extend"
    )
    late = f"{frozen}. A run sent now {scored}"
    assert late in body(client.get(at(campaign)))
    assert f"{frozen}. A run sent now" in body(client.get(home))
    assert f"{frozen} without this run. It {scored}" in body(client.get(own))
    assert frozen not in body(client.get(at(campaign, "run", pooled.pk)))
    campaign.submission_closes_at = timezone.now()
    campaign.save()
    assert frozen not in body(client.get(at(campaign)))
