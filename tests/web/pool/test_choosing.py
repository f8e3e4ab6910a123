"""The choice of a batch: what is offered, kept, refused and built."""

import re
from dataclasses import replace

import pytest

from campaigns.models.people import Membership, Role, Team
from jobs.models import Job
from pooling import tasks
from pooling.core.strategy.depths import DEPTH
from pooling.core.strategy.parameters import WholeNumber
from pooling.core.strategy.record import Chosen
from pooling.core.strategy.table import STRATEGIES
from pooling.models.batches import Batch
from runs.models import Run
from tests import make
from tests.web.pool.pages import TWO, at, choice, chosen, text


def test_another_draft_starts_from_the_choice_of_the_newest(campaign, runs, base, client, pat):
    assert chosen(text(client.get(base))) == [str(run.pk) for run in runs], "first of all runs"
    client.post(f"{base}build/", choice(runs[:1], depth=7, second_percent=40))
    make.run(campaign, pat, TWO, "late")
    page = text(client.get(base))
    assert chosen(page) == [str(runs[0].pk)]
    assert 'name="depth" value="7"' in page
    assert 'name="second_percent" value="40"' in page
    [row] = [row for row in page.split("data-chooser-row") if "new since then" in row]
    assert "<span>late</span>" in row


def test_runs_are_offered_by_team(campaign, runs, base, client):
    quinn = make.user("quinn")
    team = Team.objects.create(campaign=campaign, name="Barbican")
    Membership.objects.create(campaign=campaign, user=quinn, role=Role.PARTICIPANT, team=team)
    make.run(campaign, quinn, TWO, "a-run")
    groups = re.findall(r"data-chooser-group>(.*?)</fieldset>", text(client.get(base)))
    found = [
        (re.search(r"<legend>(\w+)", group)[1], re.findall(r"<span>([\w-]+)</span>", group))
        for group in groups
    ]
    assert found == [("Aldgate", ["one", "two"]), ("Barbican", ["a-run"])]
    Run.objects.filter(tag="two").update(priority=1)
    tags = re.findall(r"<span>([\w-]+)</span>", page := text(client.get(base)))
    assert (tags, "priority 1" in page) == (["two", "one", "a-run"], True)


def test_topics_and_order_rule_are_chosen(runs, base, client):
    client.post(f"{base}build/", choice(runs, topics="2", order_rule="file-rank"))
    draft = Batch.objects.get()
    assert (draft.topics, draft.order_rule) == (["2"], "file-rank")
    page = text(client.get(base))
    assert '<option value="file-rank" selected>' in page


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
    offered = text(client.get(base))
    assert '<option value="leading">leaders</option>' in offered
    assert 'name="width"' not in offered
    assert 'name="width" value="3"' in text(client.get(base, choice(runs, strategy="leading")))
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
    assert "judging in all" in text(client.get(base, asked))
    answer = client.post(f"{base}build/", asked)
    draft = Batch.objects.get()
    assert answer["Location"] == at(base, draft)
    tasks.build_batch(Job.objects.get(kind="build_batch").pk)
    draft.refresh_from_db()
    assert (draft.state, draft.strategy) == ("built", strategy)
    assert draft.n_entries > 0
    assert str(draft) in text(client.get(base, choice(runs, strategy=strategy)))


def test_documents_are_added_by_hand_with_their_reasons(campaign, runs, base, client, ada):
    make.frozen_pool(campaign, runs, depth=2)
    assignment = make.assignment(campaign.topic_set.get(number="2"), ada)
    shown = text(client.get(base, {"strategy": "by-hand"}))
    assert "<textarea" in shown
    assert "No run is read" in shown
    assert "This field is required" not in shown
    for sent, said in (
        ("1 d1", "Line 1: topic, docno and a reason are wanted."),
        ("1 d9 x\n\n1 d9 y", "Line 3: the document comes twice."),
        ("9 d9 known item", "There is no topic 9 for d9."),
        (f"1 {'d' * 256} x", "Line 1: the docno has more than 255 bytes."),
        (" ", "This field is required."),
    ):
        answer = client.post(f"{base}build/", {"strategy": "by-hand", "documents": sent})
        assert answer.status_code == 422
        assert said in text(answer)
    sent = "2 d9 a known item\n1 d1 asked for\n"
    client.post(f"{base}build/", {"strategy": "by-hand", "documents": sent})
    tasks.build_batch(Job.objects.filter(kind="build_batch").latest("pk").pk)
    draft = Batch.objects.latest("pk")
    assert (draft.n_entries, draft.reasons) == (1, ["a known item", "asked for"])
    assert "2 documents by hand" in text(client.get(at(base, draft)))
    make.frozen(draft)
    order = assignment.entries.order_by("position").values_list("item__key", flat=True)
    assert list(order) == ["d4", "d9"]
    lines = b"".join(client.get(f"{base}pool.tsv").streaming_content).decode()
    assert "\n2\td9\t\t\t\t\t\t2\ta known item\tnew\n" in lines
    assert chosen(text(client.get(base))) == [str(run.pk) for run in runs]


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
