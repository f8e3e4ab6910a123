"""Hidden topics on pages: who learns of them, and what a board of the public ones tells."""

import pytest
from django.urls import reverse

from cleverdon.trec.versions import version
from collection.models.texts import Topic
from evaluation import services, tasks
from evaluation.models.scores import Evaluation, Score
from jobs.models import Job
from qrels.services.publishing import publish_qrels
from tests import make, records
from tests.releasing import TEAMS, show_to
from tests.web.html import at, content, words
from tests.worlds import once


@pytest.fixture
@once
def part(played, olga, ada) -> Evaluation:
    """Scores on topic 1 alone, released to the teams; topic 2 is hidden, and judged too."""
    make.judgment(make.assignment(played.topic_set.get(number="2"), ada), "d4", 3)
    Topic.objects.filter(number="2").update(split="hidden")
    qrels = publish_qrels(user=olga, campaign=played)
    for split in ("public", "all"):
        made = services.request_evaluation(user=olga, **make.scope(qrels, split=split))
        tasks.score_runs(Job.objects.get(kind="score_runs", subject_id=made.pk).pk)
        make.worked("place_runs", made.pk)
    part = Evaluation.objects.get(scope__split="public")
    show_to(played, TEAMS, subject=part.pk)
    return part


def pages_of(part: Evaluation) -> list[str]:
    score = part.scores.get()
    slug, base = part.campaign.slug, "evaluation:"
    of_score = [
        reverse(f"{base}{name}", args=[slug, score.pk]) for name in ("run_scores", "two_runs")
    ]
    files = [
        reverse(f"{base}evaluation_run_file", args=[slug, part.pk, score.run_id, kind])
        for kind in ("csv", "json")
    ]
    board = reverse(f"{base}leaderboard", args=[slug])
    listed = [f"{board}{name}" for name in ("compare/", "leaderboard.csv", "evaluations.csv")]
    return [board, *listed, *of_score, *files]


def test_a_board_of_the_public_topics_tells_nothing_of_the_hidden_ones(client, part, pat):
    client.force_login(pat)
    whole = Score.objects.get(evaluation__qrels=part.qrels_id, evaluation__scope={"qrels": 2})
    assert (part.topics, whole.evaluation.topics) == (["1"], ["1", "2"])
    for address in pages_of(part):
        response = client.get(address)
        assert response.status_code == 200, address
        assert "topic 2" not in content(response), address
    table = client.get(
        reverse(
            "evaluation:evaluation_run_file",
            args=[part.campaign.slug, part.pk, part.scores.get().run_id, "json"],
        )
    )
    assert [row["topic"] for row in table.json()["rows"]] == ["1", "all"]
    board = words(client.get(pages_of(part)[0]))
    assert "1 public topic" in board
    assert "Scored against qrels v2 on the public topics; means over" in board
    assert "Preliminary: 2 judgments on 1 public topic" in board  # of 3, one on the hidden topic
    [row, *_] = records.read(client.get(pages_of(part)[2]).text)
    assert (row["judgments"], row["qrels_judgments"]) == ("2", "")
    of_whole = at(part.campaign, "evaluation:evaluation", whole.evaluation_id)
    run_of_whole = at(part.campaign, "evaluation:run_scores", whole.pk)
    for address in (of_whole, run_of_whole):
        assert client.get(address).status_code == 404, address


def test_places_move_only_since_scores_on_the_same_topics(as_olga, part):
    whole = Evaluation.objects.get(scope={"qrels": 2})
    for each, number in ((whole, 1), (part, None)):
        address = at(part.campaign, "evaluation:evaluation", each.pk)
        movement = as_olga.get(address).context["movement"]
        assert (movement and movement.since.qrels.number) == number


def test_the_choice_is_offered_only_where_topics_are_hidden(as_olga, part):
    address = at(part.campaign, "evaluation:score")
    said = words(as_olga.get(address))
    assert "all 2 topics" in said
    assert "the 1 public topic only" in said
    asked = {"qrels": 1, "rules": "trec_eval-9", "topic_set": "judged", "picked": ["AP"]}
    as_olga.post(address, {**asked, "split": "public"})
    assert Evaluation.objects.latest("pk").scope.split == "public"
    Topic.objects.update(split="public")
    assert "public topic" not in words(as_olga.get(address))
    newest = Evaluation.objects.latest("pk")
    refused = as_olga.post(address, {**asked, "split": "public", "rules": "trec_eval-10"})
    assert "No topic is hidden." in words(refused)
    assert Evaluation.objects.latest("pk") == newest


@pytest.mark.parametrize("name", ["olga", "pat"])
def test_only_organizers_learn_which_topics_are_hidden(client, part, request, name):
    client.force_login(request.getfixturevalue(name))
    slug, topic = part.campaign.slug, Topic.objects.get(number="2")
    pages = [
        client.get(reverse("collection:topics", args=[slug])).text,
        client.get(reverse("collection:topic", args=[slug, topic.pk])).text,
        client.get(reverse("collection:topics_file", args=[slug, "jsonl"])).getvalue().decode(),
    ]
    marks = (">hidden</span>", "This topic is hidden.", '"split": "hidden"')
    for page, mark in zip(pages, marks, strict=True):
        assert (mark in page) == (name == "olga")
    if name == "pat":
        assert not any('id="hidden"' in page or "split" in page for page in pages)


def test_the_form_goes_once_no_topic_can_be_hidden_any_more(as_olga, campaign, pat):
    Topic.objects.filter(number="2").update(split="hidden")
    make.frozen_pool(campaign, [make.run(campaign, pat, {"1": "d1"})])
    address = at(campaign, "collection:topics")
    save = "Save the hidden topics"
    assert save in words(as_olga.get(address))  # nothing of topic 2 is in the pool
    Topic.objects.filter(number="2").delete()
    Topic.objects.update(split="hidden")
    said = words(as_olga.get(address))
    assert save not in said
    assert "Hidden: 1. Topic 1 cannot be hidden or made public: it is in the frozen pool." in said


def test_hidden_topics_are_read_as_everywhere_and_the_form_is_saved_as_it_came(as_olga, campaign):
    address, topics = at(campaign, "collection:hide_topics"), Topic.objects.all()
    for number in ("a,b", "3", "c,"):
        Topic.objects.create(campaign=campaign, number=number, title="x")
    topics.filter(number__in=["a,b", "c,"]).update(split="hidden")
    hidden = topics.numbers_in("hidden")
    asked = as_olga.get(at(campaign, "collection:topics")).context["hidden_form"]["numbers"].value()
    for text, expected in (
        (asked, ["a,b", "c,"]),
        (f"{asked} 2", ["2", "a,b", "c,"]),
        ("1 - 3", ["1", "2", "3"]),
        ("a,b,1", ["1", "a,b"]),
        ("All", ["1", "2", "3", "a,b", "c,"]),
    ):
        sent = {"numbers": text, "seen": version(hidden)}
        assert as_olga.post(address, sent).status_code == 302, text
        hidden = topics.numbers_in("hidden")
        assert hidden == expected


def test_the_hidden_topics_are_typed_and_a_refusal_keeps_them(as_olga, campaign):
    address = at(campaign, "collection:hide_topics")
    assert as_olga.post(address, {"numbers": "2\n1", "seen": version([])}).status_code == 302
    assert Topic.objects.all().numbers_in("hidden") == ["1", "2"]
    refused = as_olga.post(address, {"numbers": "1 9", "seen": version(["1", "2"])})
    assert "There is no topic 9." in words(refused)
    assert ">1 9</textarea>" in refused.text.replace("\n1 9", "1 9")
    assert as_olga.post(address, {"numbers": "", "seen": version(["1", "2"])}).status_code == 302
    assert Topic.objects.all().numbers_in("hidden") == []
