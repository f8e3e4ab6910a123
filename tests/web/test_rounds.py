"""Rounds on pages: begun, corrected and taken back; where each thing says its own."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone

from evaluation import services as scoring
from evaluation.core.scope import Scope
from evaluation.models.scores import Evaluation
from overview.services.rounds import begin_round, take_back_round
from qrels.models import Qrels
from qrels.services.publishing import publish_qrels
from tests import make
from tests.releasing import TEAMS, show_to
from tests.web.html import at, content, source, words
from tests.worlds import once

SPAN = "1\N{EN DASH}2"


@pytest.fixture
@once
def rounds(campaign, olga, pat, ada):
    """Round 1 of topics 1 and 2, judged; round 2 of topic 2, with a run and a batch."""
    early = make.run(campaign, pat, {"1": "d1 d2", "2": "d3"}, "early")
    make.frozen_pool(campaign, [early])
    make.judgment(make.assignment(campaign.topic_set.get(number="1"), ada), "d1", 2)
    make.judgment(make.assignment(campaign.topic_set.get(number="2"), ada), "d3", 1)
    publish_qrels(user=olga, campaign=campaign)
    begin_round(user=olga, campaign=campaign, topics=["2"])
    late = make.run(campaign, pat, {"2": "d4 d3 d5"}, "late")
    make.frozen(make.batch(campaign, [late], topics=["2"]))
    campaign.refresh_from_db()
    return campaign


def test_without_rounds_no_other_page_speaks_of_them(as_olga, played):
    run = played.run_set.get()
    names = ("runs:runs", "pooling:pool", "qrels:qrels", "evaluation:score", "overview")
    pages = [at(played, name) for name in names]
    pages += [at(played, "runs:run", run.pk), at(played, "qrels:version", 1)]
    for address in pages:
        page = words(as_olga.get(address)).replace("the later rounds of TREC-COVID", "")
        assert not re.findall(r"\b[Rr]ounds?\b", page), address
    assert "The campaign has one round." in words(as_olga.get(at(played, "rounds")))


def test_the_next_round_begins_with_its_topics_and_dates(as_olga, campaign):
    address = at(campaign, "rounds")
    sent = {
        "topics": "1-2",
        "seen": "1",
        "submission_closes_at": "2099-05-01T12:00",
        "times_are_in": "Europe/Paris",
    }
    assert as_olga.post(address, sent).status_code == 302
    campaign.refresh_from_db()
    assert campaign.round == 2
    assert campaign.submission_closes_at.isoformat() == "2099-05-01T10:00:00+00:00"
    page = words(as_olga.get(address))
    assert "Round 2 is the current one" in page
    assert f"2 {SPAN}" in page
    assert "Take round 2 back" in page


@pytest.mark.parametrize(
    ("sent", "why"),
    [
        ({"topics": "7", "seen": "1"}, "There is no topic 7."),
        ({"seen": "0"}, "The current round, now 1, changed while you had the page open"),
        ({}, "This page does not say what it showed"),
    ],
)
def test_a_round_that_cannot_begin_shows_why_with_what_was_typed(as_olga, campaign, sent, why):
    response = as_olga.post(at(campaign, "rounds"), sent)
    assert why in words(response) or why in source(response, 422)
    campaign.refresh_from_db()
    assert campaign.round == 1


def test_topics_are_corrected_on_the_page_and_the_round_taken_back(as_olga, campaign, olga):
    begin_round(user=olga, campaign=campaign, topics=["2"])
    change = at(campaign, "change_round", 2)
    refused = as_olga.post(change, {"topics": "7", "seen": "no"})
    assert (refused.status_code, "There is no topic 7." in words(refused)) == (422, True)
    refused = as_olga.post(change, {"topics": "1", "seen": "no"})
    assert (refused.status_code, "The topics of round 2 changed" in words(refused)) == (422, True)
    seen = as_olga.get(at(campaign, "rounds")).context["rows"][1]["seen"]
    elsewhere = at(make.campaign(olga), "change_round", 2)
    assert as_olga.post(elsewhere, {"topics": "1", "seen": seen}).status_code == 404
    assert as_olga.post(change, {"topics": "1", "seen": seen}).status_code == 302
    assert campaign.rounds.get(number=2).topics == ["1"]
    back = at(campaign, "take_back_round")
    assert as_olga.post(back, {"seen": "1"}).status_code == 422
    assert as_olga.post(back, {"seen": "2"}).status_code == 302
    assert not campaign.rounds.exists()
    assert as_olga.post(back, {"seen": "1"}).status_code == 422


def test_the_page_shows_what_is_of_each_round(as_olga, rounds, olga):
    board = scoring.request_evaluation(user=olga, **make.scope(Qrels.objects.get()))
    # Made before there were rounds.
    Evaluation.objects.filter(pk=board.pk).update(finished_at=timezone.now(), scope=Scope(1))
    response = as_olga.get(at(rounds, "rounds"))
    first, second = response.context["rows"]
    assert (first["n_runs"], second["n_runs"]) == (1, 1)
    assert [each.version for row in (first, second) for each in row["batches"]] == [1, 2]
    assert [len(each["qrels"]) for each in (first, second)] == [1, 0]
    assert [len(each["boards"]) for each in (first, second)] == [1, 0]
    assert "Round 2 has 1 run and 1 batch of the pool" in words(response)


def test_runs_are_listed_by_round(as_olga, rounds):
    address = at(rounds, "runs:runs")
    whole = words(as_olga.get(address))
    assert "Round 2 of topic 2." in whole
    assert "early" in whole
    only = as_olga.get(f"{address}?of_round=2")
    assert [run.tag for run in only.context["runs"]] == ["late"]
    downloaded = content(as_olga.get(at(rounds, "runs:runs_file")))
    header, *lines = [line.split(",") for line in downloaded.splitlines()]
    rounds_of = {line[1]: line[header.index("round")] for line in lines}
    assert rounds_of == {"early": "1", "late": "2"}


def test_a_team_sees_which_of_its_runs_are_of_the_round(client, rounds, pat):
    client.force_login(pat)
    page = words(client.get(at(rounds, "runs:my_team")))
    assert "2 runs, 1 of round 2." in page
    assert re.search(r"early .* round 1 ", page)


def test_a_run_is_moved_on_its_page(as_olga, rounds, pat):
    run = make.run(rounds, pat, {"2": "d4"}, "third")
    assert "Move it to another round" in words(as_olga.get(at(rounds, "runs:run", run.pk)))
    move = at(rounds, "runs:move_to_round", run.pk)
    assert as_olga.post(move, {"number": 2, "seen": "2"}).status_code == 422
    assert as_olga.post(move, {"number": 1, "seen": "2"}).status_code == 302
    run.refresh_from_db()
    assert run.round == 1
    page = words(as_olga.get(at(rounds, "runs:run", rounds.run_set.get(tag="early").pk)))
    assert "round 1" in page
    assert "Move it to another round" not in page


def test_participants_see_which_round_they_submit_to(client, rounds, pat):
    """And of which topics once these are shown."""
    client.force_login(pat)
    pages = [at(rounds, name) for name in ("runs:runs", "overview")]
    assert "It will be of round 2." in words(client.get(pages[0]))
    assert "Round 2 of topic 2." in words(client.get(pages[0]))
    assert "Round 2 of topic 2" in words(client.get(pages[1]))
    type(rounds).objects.update(topics_open_at="2099-01-01T00:00Z")
    for page in pages:
        assert "Round 2" in words(client.get(page))
        assert "topic 2" not in words(client.get(page))


def test_runs_of_an_earlier_round_are_none_of_this_one(client, rounds, olga, pat):
    client.force_login(pat)
    assert "Your team has 1 valid run of round 2." in words(client.get(at(rounds, "overview")))
    make.run(rounds, pat, {"99": "d1"}, "faulty")
    assert "faulty has 1 error" in words(client.get(at(rounds, "overview")))
    begin_round(user=olga, campaign=rounds)
    for page in (client.get(at(rounds, "overview")), client.get("/")):
        assert "Upload a run. Your team has no valid run of round 3 yet." in words(page)


def test_the_page_says_for_whom_submission_ends_with_the_round(as_olga, campaign):
    campaign.submission_closes_at = timezone.now() + timedelta(days=1)
    campaign.save()
    page = words(as_olga.get(at(campaign, "rounds")))
    assert re.search("Submission is open until .* Round 1 takes no run any more once the", page)


def test_a_round_that_outlasts_judging_says_so(as_olga, campaign):
    campaign.judging_closes_at = timezone.now() + timedelta(days=1)
    campaign.save()
    sent = {"seen": "1", "submission_closes_at": "2099-05-01T12:00"}
    page = words(as_olga.post(at(campaign, "rounds"), sent, follow=True))
    assert "Judging closes before submission does. Change one under Settings" in page


def test_a_pool_of_an_earlier_round_closes_no_round(client, rounds, olga, pat):
    frozen = "The pool is frozen"
    client.force_login(pat)
    for name in ("runs:runs", "overview"):
        assert frozen in words(client.get(at(rounds, name)))
    begin_round(user=olga, campaign=rounds)
    third = make.run(rounds, pat, {"1": "d1"}, "third")
    for name in (["runs:runs"], ["overview"], ["runs:run", third.pk]):
        assert frozen not in words(client.get(at(rounds, *name)))


def test_a_batch_begins_with_the_runs_and_topics_of_the_round(as_olga, rounds):
    form = as_olga.get(at(rounds, "pooling:extend")).context["form"]
    assert form.initial["topics"] == "2"
    late = rounds.run_set.get(tag="late")
    assert form.initial["runs"] == [late.pk]
    assert form.chosen()["topics"] == ["2"]
    rounds.rounds.filter(number=2).update(topics=[])
    assert as_olga.get(at(rounds, "pooling:extend")).context["form"].initial["topics"] == ""


def test_batches_and_versions_say_their_round(as_olga, rounds):
    batch = rounds.batch_set.get(version=2)
    assert "Round 2" in words(as_olga.get(at(rounds, "pooling:batch", batch.pk)))
    assert "Version Round Batch" in words(as_olga.get(at(rounds, "pooling:pool")))
    assert "Round" in words(as_olga.get(at(rounds, "qrels:qrels")))
    assert "column two" in words(as_olga.get(at(rounds, "qrels:version", 1)))


def test_what_can_be_released_says_its_round(as_olga, rounds, olga):
    make.judgment(rounds.topic_set.get(number="2").assignment_set.get(), "d4", 2)
    publish_qrels(user=olga, campaign=rounds)
    form = f"{at(rounds, 'evaluation:releases')}?audience=participants&what="
    for what in ("qrels", "pool", "agreement"):
        shown = re.findall(r"<option[^>]*>(.*?)</option>", source(as_olga.get(form + what)))
        assert [re.findall(r"round (\d)", each) for each in shown] == [["2"], ["1"]], what


def test_column_two_is_the_round_of_the_batch_that_brought_the_document(as_olga, rounds, olga):
    """Imported qrels are of no batch; and who downloads rounds is on record."""
    make.judgment(rounds.topic_set.get(number="2").assignment_set.get(), "d4", 2)
    publish_qrels(user=olga, campaign=rounds)
    make.imported_qrels(rounds, b"2 9 d4 1\n1 9 d1 2\n")
    for n, (number, asked, lines) in enumerate(FILES, 1):
        assert content(as_olga.get(at(rounds, "qrels:qrels_file", number) + asked)) == lines
        assert rounds.auditevent_set.filter(kind="qrels.downloaded").count() == n


FILES = (
    (1, "?round", "1 1 d1 2\n2 1 d3 1\n"),
    (2, "?round", "1 1 d1 2\n2 1 d3 1\n2 2 d4 2\n"),
    (2, "", "1 0 d1 2\n2 0 d3 1\n2 0 d4 2\n"),
    (3, "?round", "1 0 d1 2\n2 0 d4 1\n"),
)


def test_scoring_offers_the_round_without_what_was_judged_before(as_olga, rounds, olga):
    make.judgment(rounds.topic_set.get(number="2").assignment_set.get(), "d4", 2)
    publish_qrels(user=olga, campaign=rounds)
    score = at(rounds, "evaluation:score")
    offered = as_olga.get(score).context["choice"]
    assert (offered["of_round"].value(), offered["without"].value()) == ("2", "1")
    whole = as_olga.get(f"{score}?without=&of_round=").context["choice"]
    assert (whole["of_round"].value(), whole["without"].value()) == ("", "")
    first = as_olga.get(f"{score}?qrels=1").context["choice"]
    assert (first["of_round"].value(), first["without"].value()) == ("1", "")
    sent = {"picked": ["AP"], "rules": "trec_eval-9", "topic_set": "judged", "qrels": 2}
    assert "There is no such round." in words(as_olga.post(score, {**sent, "of_round": "3"}))
    assert as_olga.post(score, {**sent, "of_round": "2", "without": "1"}).status_code == 302
    made = rounds.evaluation_set.get()
    assert made.scope == Scope(2, without=1, round=2)


def test_the_board_made_before_there_were_rounds_is_of_the_first_and_nags_for_none_of_the_second(
    as_olga, played, olga, pat
):
    board = at(played, "evaluation:leaderboard")
    made = Evaluation.objects.get()
    begin_round(user=olga, campaign=played, topics=["2"])
    made.refresh_from_db()
    assert (made.scope.round, made.n_judgments) == (1, made.qrels.n_judgments)
    late = make.run(played, pat, {"2": "d4 d3"}, "late")
    make.judgment(make.assignment(played.topic_set.get(number="2"), make.known("ada")), "d4", 1)
    publish_qrels(user=olga, campaign=played)
    page = words(as_olga.get(board))
    assert "Newer qrels exist" not in page
    assert "not on this board" not in page
    played.run_set.filter(pk=late.pk).update(round=1)
    again = as_olga.get(board)
    assert "Not on this board: late, submitted or reinstated since." in words(again)
    assert "score/?qrels=1&amp;of_round=1&amp;without=&amp;split=all" in again.text
    form = as_olga.get(at(played, "evaluation:score") + "?qrels=1&of_round=1&without=&split=all")
    assert "It rests on 2 judgments on 1 topic ." in words(form)
    played.run_set.filter(pk=late.pk).delete()
    Qrels.objects.filter(number=2).update(round=1)
    take_back_round(user=olga, campaign=played)
    made.refresh_from_db()
    assert made.scope.round is None


def test_beginning_a_round_says_what_stays_as_released_and_what_no_team_sees(as_olga, played, olga):
    address = at(played, "rounds")
    early = "until then a new topic belongs to round 1, and its teams see it."
    assert early in words(as_olga.get(address))
    assert "Nothing of it is shown to anybody else" in words(as_olga.get(address))
    show_to(played, TEAMS, what="runs")
    begin_round(user=olga, campaign=played)
    make.imported(played, "topics", b"77\tsecret")
    page = words(as_olga.get(address))
    assert "What is released stays as it is: 1 run to the teams from" in page
    assert "Topics 77 are in no round: no team sees them" in page
    assert "until then" not in page


def test_a_released_pool_is_that_version_in_every_file(client, played, pat):
    show_to(played, TEAMS, what="pool")
    client.force_login(pat)
    names = ("pooling:docnos", "pooling:contributions")
    before = [content(client.get(at(played, name))) for name in names]
    make.frozen(make.batch(played, [make.run(played, pat, {"2": "d5 d6"}, "new")], depth=2))
    assert [content(client.get(at(played, name))) for name in names] == before
    assert "Version 1 of the pool" in words(client.get(at(played, "pooling:pool")))
    show_to(played, TEAMS, what="pool")
    assert "new" in content(client.get(at(played, "pooling:contributions")))
