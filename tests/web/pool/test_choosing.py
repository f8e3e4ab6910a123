"""The choice of a batch: what is offered, kept, refused and built."""

import re
from dataclasses import replace

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from campaigns.models.people import Membership, Role, Team
from cleverdon.pools.strategy.depths import DEPTH
from cleverdon.pools.strategy.parameters import WholeNumber
from cleverdon.pools.strategy.record import Chosen
from cleverdon.pools.strategy.table import STRATEGIES
from jobs.models import Job
from pooling import tasks
from pooling.models.batches import Batch
from pooling.web import forms
from runs.models import Run
from tests import make
from tests.web.pool.pages import TWO, at, choice, chosen, fragment, text


def test_another_draft_starts_from_the_choice_of_the_newest(campaign, runs, base, client, pat):
    page = text(client.get(f"{base}extend/"))
    assert chosen(page) == [str(run.pk) for run in runs], "first of all runs"
    client.post(f"{base}build/", choice(runs[:1], depth=7))
    make.run(campaign, pat, TWO, "further")
    page = text(client.get(f"{base}extend/"))
    assert chosen(page) == [str(runs[0].pk)]
    assert 'name="depth-depth" value="7"' in page
    assert "Not pooled yet" not in page, "there is no pool"


def test_runs_that_are_not_pooled_are_offered_first_and_stand_out(
    campaign, runs, base, client, pat
):
    make.frozen_pool(campaign, runs, depth=2)
    make.forecast(campaign)
    page = text(client.get(f"{base}extend/"))
    assert "Not pooled yet" not in page
    assert chosen(page) == [str(run.pk) for run in runs], "as the newest batch was chosen"
    late = make.run(campaign, pat, {"1": "d1 d7"}, "late-run")
    assert "<em>late</em>" not in text(client.get(f"{base}extend/")), "it came in time"
    Run.objects.filter(pk=late.pk).update(is_late=True)
    make.forecast(campaign)
    page = text(client.get(f"{base}extend/"))
    assert ">Not pooled yet</button>" in page
    assert chosen(page) == [str(late.pk)]
    assert re.findall(r"<span>([\w-]+)</span> <em>late</em>", page) == ["late-run"]
    assert "1 more document, all judged by" in page
    assert "The one run not pooled yet, to depth 2. The <strong>4</strong> documents of the" in page
    assert "The recipe takes 2; 1 is in the pool already." in page


def test_runs_are_offered_by_team(campaign, runs, base, client):
    quinn = make.user("quinn")
    team = Team.objects.create(campaign=campaign, name="Barbican")
    Membership.objects.create(campaign=campaign, user=quinn, role=Role.PARTICIPANT, team=team)
    make.run(campaign, quinn, TWO, "a-run")
    make.forecast(campaign)
    page = text(client.get(f"{base}extend/", choice(runs[1:])))
    lines = page.split("data-chooser-team")[1:]
    assert [re.findall(r"<span>([\w-]+)</span>", each) for each in lines] == [
        ["one", "two"],
        ["a-run"],
    ]
    assert ["1 of 2" in lines[0], "0 of 1" in lines[1]] == [True, True]
    assert "<i></i><i data-on></i>" in lines[0]
    assert [re.search(r'id="brings-\d+">([^<]*)<', each)[1] for each in lines] == ["+2", ""]
    assert "Priority 1" not in page
    Run.objects.filter(tag="two").update(priority=1)
    page = text(client.get(f"{base}extend/"))
    assert re.findall(r"<span>([\w-]+)</span>", page) == ["two", "one", "a-run"]
    assert '<span class="quiet">priority 1</span>' in page
    assert ">Priority 1</button>" in page


def test_of_many_runs_the_teams_chosen_in_part_stand_open(
    campaign, runs, base, client, monkeypatch
):
    team = Team.objects.create(campaign=campaign, name="Barbican")
    Run.objects.filter(tag="two").update(team=team)
    third = make.run(campaign, runs[0].submitted_by, TWO, "three")
    asked = choice([runs[1], third])  # of one team one of two, of the other the only one

    def is_open() -> list[bool]:
        page = text(client.get(f"{base}extend/", asked))
        return [bool(more) for more in re.findall(r"<details( open)?> <summary> <b>", page)]

    assert is_open() == [True, True], "they are few"
    monkeypatch.setattr(forms, "FEW_RUNS", 2)
    assert is_open() == [True, False]


def test_a_page_of_500_runs_is_light(campaign, runs, base, client):
    teams = [Team(campaign=campaign, name=f"Team {n}") for n in range(50)]
    Team.objects.bulk_create(teams)
    Run.objects.bulk_create(
        Run(
            campaign=campaign,
            team=teams[n % 50],
            tag=f"run-{n}",
            state="valid",
            n_bytes=1,
            sha256=f"{n}",
            submitted_by=runs[0].submitted_by,
        )
        for n in range(498)
    )
    with CaptureQueriesContext(connection) as queries:
        answer = client.get(f"{base}extend/")
    assert answer.content.count(b'name="runs"') == 500
    assert len(answer.content) < 230_000
    assert len(queries) < 40


def test_topics_and_order_rule_are_chosen(runs, base, client):
    client.post(f"{base}build/", choice(runs, topics="2", order_rule="file-rank"))
    draft = Batch.objects.get()
    assert (draft.topics, draft.order_rule) == (["2"], "file-rank")
    page = text(client.get(f"{base}extend/"))
    assert '<option value="file-rank" selected>' in page
    assert "exact duplicates judged each · the rank column of the file" in page


def test_each_recipe_has_a_picture_and_its_parameters_and_keeps_what_was_typed(runs, base, client):
    sent = choice(runs, strategy="rrf", n=7) | {"best-rank-n": 33, "depth-depth": 12}
    page = text(client.get(f"{base}extend/", sent))
    assert page.count('class="picture sketch"') == len(STRATEGIES)
    assert re.findall(r'name="strategy" value="([\w-]+)" checked', page) == ["rrf"]
    for name, value in (
        ("rrf-n", 7),
        ("best-rank-n", 33),
        ("depth-depth", 12),
        ("max-mean-cap", 200),
    ):
        assert f'name="{name}" value="{value}"' in page


def test_who_judges_is_for_the_forecast_alone(campaign, runs, base, client):
    sent = choice(runs, second_percent=40, n_assessors=9, hours_a_week=1, seconds=99)
    assert 'name="n_assessors" value="9"' in text(client.get(f"{base}extend/", sent))
    client.post(f"{base}build/", sent)
    page = text(client.get(f"{base}extend/"))
    for name, usual in (("second_percent", 25), ("n_assessors", 2), ("hours_a_week", 6)):
        assert f'name="{name}" value="{usual}"' in page
    assert f'name="seconds" value="{campaign.seconds_per_judgment}"' in page


@pytest.mark.parametrize(
    ("strategy", "sent", "said"),
    [
        ("depth-by-run", {"depths": "one:x"}, "&#x27;x&#x27; is not a whole number"),
        ("depth-by-run", {"depths": "nobody:3"}, "No contributing run has the tag"),
        ("sample", {"strata": "10:100, 5:40"}, "cannot follow one to 10"),
        ("depth", {"depth": 2000}, "less than or equal to 1000"),
        ("max-mean", {"floor": 9, "cap": 5}, "The floor (9) is above the cap (5)."),
        ("depth", {"depth": 2, "topics": "1, 99"}, "There is no topic 99."),
    ],
)
def test_a_choice_that_cannot_be_read_is_said(runs, base, client, strategy, sent, said):
    answer = client.post(f"{base}build/", choice(runs, strategy=strategy, **sent))
    assert answer.status_code == 422
    assert said in text(answer)
    assert not Batch.objects.exists()


def test_another_strategy_needs_a_function_and_a_row(campaign, runs, base, client, monkeypatch):
    def leaders(lists, *, width, **_):
        first = (lists.best_rank == 1).nonzero()[0][:width]
        return Chosen(first, first * 0, ("it leads",))

    width = WholeNumber("width", "At most so many documents of a topic.", usual=3, most=9)
    words = {"label": "leaders, {width}".format, "rule": "The {width}".format}
    how = {"choose": leaders, "depths": lambda contributors, **_: [1] * len(contributors)}
    leading = replace(DEPTH, name="leading", title="leaders", parameters=(width,), **words, **how)
    monkeypatch.setitem(STRATEGIES, "leading", leading)
    offered = text(client.get(f"{base}extend/"))
    assert "<b>leaders</b>" in offered
    assert 'name="leading-width" value="3"' in offered
    client.post(f"{base}build/", choice(runs, strategy="leading", width=1))
    draft = Batch.objects.get()
    assert (draft.strategy, draft.parameters) == ("leading", {"width": 1})
    tasks.build_batch(Job.objects.get(kind="build_batch").pk)
    assert [entry.docno for entry in draft.entries.order_by("topic__number")] == ["d1", "d4"]
    shown = text(client.get(at(base, draft)))
    assert "<dd>leaders, 1</dd>" in shown
    assert "The 1:" in shown


@pytest.mark.parametrize("strategy", [name for name, each in STRATEGIES.items() if each.reads_runs])
def test_each_strategy_is_chosen_forecast_and_built(campaign, runs, base, client, strategy):
    make.forecast(campaign)
    usual = {each.name: each.usual for each in STRATEGIES[strategy].parameters}
    asked = choice(runs, strategy=strategy, **usual)
    assert "all judged by" in text(client.get(f"{base}extend/", asked))
    answer = client.post(f"{base}build/", asked)
    draft = Batch.objects.get()
    assert answer["Location"] == at(base, draft)
    tasks.build_batch(Job.objects.get(kind="build_batch").pk)
    draft.refresh_from_db()
    assert (draft.state, draft.strategy) == ("built", strategy)
    assert draft.n_entries > 0
    assert str(draft) in text(client.get(base))


def test_documents_are_added_by_hand_with_their_reasons(campaign, runs, base, client, ada):
    make.frozen_pool(campaign, runs, depth=2)
    assignment = make.assignment(campaign.topic_set.get(number="2"), ada)
    shown = text(client.get(f"{base}extend/"))
    assert '<textarea name="by-hand-documents"' in shown
    assert "data-reads-no-run" in shown
    assert "No run is read" in fragment(client, base, [], strategy="by-hand", documents="1 d1 x")
    for sent, said in (
        ("1 d1", "Line 1: topic, docno and a reason are wanted."),
        ("1 d9 x\n\n1 d9 y", "Line 3: the document comes twice."),
        ("9 d9 known item", "There is no topic 9 for d9."),
        (f"1 {'d' * 256} x", "Line 1: the docno has more than 255 bytes."),
        (" ", "This field is required."),
    ):
        answer = client.post(f"{base}build/", {"strategy": "by-hand", "by-hand-documents": sent})
        assert answer.status_code == 422
        assert said in text(answer)
    sent = "2 d9 a known item\n1 d1 asked for\n"
    client.post(f"{base}build/", {"strategy": "by-hand", "by-hand-documents": sent})
    tasks.build_batch(Job.objects.filter(kind="build_batch").latest("pk").pk)
    draft = Batch.objects.latest("pk")
    assert (draft.n_entries, draft.reasons) == (1, ["a known item", "asked for"])
    assert "2 documents by hand" in text(client.get(at(base, draft)))
    make.frozen(draft)
    order = assignment.entries.order_by("position").values_list("item__key", flat=True)
    assert list(order) == ["d4", "d9"]
    lines = b"".join(client.get(f"{base}pool.tsv").streaming_content).decode()
    assert "\n2\td9\t\t\t\t\t\t2\ta known item\tnew\n" in lines
    assert chosen(text(client.get(f"{base}extend/"))) == [str(run.pk) for run in runs]


def test_docnos_that_the_collection_lacks_are_named(campaign, runs, base, client):
    documents = [["1", docno, "known item"] for docno in ("d1", "e8")]
    how = {"strategy": "by-hand", "parameters": {"documents": documents}}
    draft = make.batch(campaign, [], **how)
    page = text(client.get(at(base, draft)))
    assert "1 of its documents is not in the collection: e8 </p>" in page
    many = [["1", f"e{n:02}", "known item"] for n in range(21)]
    draft = make.batch(campaign, [], strategy="by-hand", parameters={"documents": many})
    page = text(client.get(at(base, draft)))
    assert "21 of its documents are not in the collection: e00, e01" in page
    assert "e19 … </p>" in page
    campaign.document_set.all().delete()  # as before they are imported
    assert "not in the collection" not in text(client.get(at(base, draft)))
