"""The pool's pages: what is chosen, forecast, built, frozen, and said when out of date."""

import re
from dataclasses import replace
from datetime import timedelta
from html import unescape

import pytest
from django.utils import timezone

from campaigns.models.campaign import Campaign
from campaigns.models.people import Membership, Role, Team
from jobs.models import Job
from jobs.storage import local_path
from pooling import tasks
from pooling.core.strategy.depths import DEPTH
from pooling.core.strategy.parameters import WholeNumber
from pooling.core.strategy.record import Chosen
from pooling.core.strategy.table import STRATEGIES
from pooling.models.batches import Batch
from pooling.services import request_batch
from runs.models import Run
from tests import make
from tests.releasing import TEAMS, show_to
from tests.worlds import once

ONE, TWO = {"1": "d1 d2 d3", "2": "d4"}, {"1": "d3 d1 d6"}


@pytest.fixture
@once
def runs(campaign, pat):
    return [make.run(campaign, pat, ONE, "one"), make.run(campaign, pat, TWO, "two")]


@pytest.fixture
def base(campaign, client, olga):
    client.force_login(olga)
    return f"/campaigns/{campaign.slug}/pool/"


def text(response) -> str:
    return " ".join(response.content.decode().split())


def chosen(page: str) -> list[str]:
    """The keys of the runs that are ticked."""
    return re.findall(r'name="runs" value="(\d+)" checked', page)


def choice(runs, **values) -> dict[str, object]:
    return {"runs": [run.pk for run in runs], "depth": 2, **values}


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


def at(base: str, batch: Batch) -> str:
    return f"{base}batches/{batch.pk}/"


def test_a_run_that_is_out_is_marked_and_cannot_be_chosen_again(campaign, runs, base, client):
    draft = make.batch(campaign, runs)
    why = "Trained on the qrels."
    Run.objects.filter(tag="two").update(state="disqualified", out_reason=why)
    assert chosen(text(client.get(base))) == [str(runs[0].pk)]
    page = text(client.get(at(base, draft)))
    assert '<span class="mark" data-kind="bad">disqualified</span>' in page
    assert "<dd> two: disqualified: Trained on the qrels. </dd>" in page
    assert "It cannot be frozen." in page
    assert "Freeze this draft" not in page


def test_drafts_stand_side_by_side_and_are_compared(campaign, runs, base, client):
    drafts = [make.batch(campaign, runs, depth) for depth in (1, 2)]
    page = text(client.get(base))
    for draft in drafts:
        assert f'href="{at(base, draft)}"' in page
    first, second = (draft.pk for draft in drafts)
    compared = text(client.get(f"{base}compare/?first={first}&second={second}"))
    assert "<h1>Both have 3 documents</h1>" in compared
    assert "alone has <strong>0</strong>;" in compared
    assert "alone has <strong>1</strong>." in compared
    assert '<tr><td>1</td><th scope="row">d2</th><td class="quiet">rank 2 or higher' in compared
    assert "Both have 4 documents" in text(client.get(f"{base}compare/"))
    for asked in ("?first=x", f"?first={first}&second=999999"):
        assert client.get(f"{base}compare/{asked}").status_code == 404


# Out of date


@pytest.mark.parametrize("act", ["freeze", "delete", "take-back"])
def test_a_page_that_is_out_of_date_is_answered_with_the_page_as_it_is_now(
    campaign, runs, base, client, act, ada
):
    batch = make.frozen_pool(campaign, runs).last_batch
    if act == "take-back":
        make.assignment(campaign.topic_set.get(number="1"), ada)
    before = list(Batch.objects.values())
    answer = client.post(f"{at(base, batch)}{act}/", {"sha256": batch.sha256, "seen": ""})
    assert answer.status_code == 422
    assert 'aria-label="Campaign"' in text(answer)
    assert re.search(r'class="refusal" role="alert">[A-Z]', text(answer))
    assert list(Batch.objects.values()) == before


# Freezing


def test_freezing_asks_first(campaign, runs, base, client):
    campaign.topic_set.create(number="7", title="seven")
    draft = make.batch(campaign, runs)
    assert f'href="{at(base, draft)}freeze/"' in text(client.get(at(base, draft)))
    page = text(client.get(f"{at(base, draft)}freeze/"))
    assert "<strong>4</strong> <span>documents to judge" in page
    assert "2 with documents; 1 without any" in page
    assert "cannot be judged: 7." in page
    assert Batch.objects.get().state == "built"
    sent = {"sha256": draft.sha256}
    assert client.post(f"{at(base, draft)}freeze/", sent).status_code == 302
    assert "4 documents pooled, 0 judged" in text(client.get(base))


def test_what_goes_with_a_batch_is_said_before_it_is_taken_back(campaign, runs, base, client, ada):
    batch = make.frozen_pool(campaign, runs).last_batch
    asked = f"{at(base, batch)}take-back/"
    assert "Nothing: no topic of it has been assigned." in text(client.get(asked))
    make.assignment(campaign.topic_set.get(number="1"), ada)
    page = text(client.get(asked))
    assert "1 assignment to 1 assessor, with 3 documents to judge" in page
    [seen] = re.findall(r'name="seen" value="([^"]*)"', page)
    assert client.post(asked, {"seen": seen}).status_code == 302
    assert Batch.objects.get().state == "built"


def test_a_batch_that_was_judged_offers_no_way_to_take_it_back(campaign, runs, base, client, ada):
    batch = make.frozen_pool(campaign, runs).last_batch
    make.judgment(make.assignment(campaign.topic_set.get(number="1"), ada), "d1", 1)
    for address in (at(base, batch), f"{at(base, batch)}take-back/"):
        page = text(client.get(address))
        said = "Judging has begun (1 answer), so the batch can no longer be taken back"
        assert page.count(said) == 1
        assert "Take it back" not in page
    assert "4 documents pooled, 1 judged" in text(client.get(base))


def test_the_page_says_what_a_batch_adds_and_what_other_rules_would(campaign, runs, base, client):
    make.frozen_pool(campaign, runs[:1], depth=2)
    draft = make.batch(campaign, runs, depth=3)
    page = text(client.get(at(base, draft)))
    assert "A draft that adds 2 documents" in page
    assert "Besides: 3 documents that the pool has already." in page
    assert "The rank column of the file would bring in 0 others." in page
    assert "Extend the pool" in text(client.get(base))


# Forecast


def fragment(client, base: str, runs, *, method="get", **values) -> str:
    ask = getattr(client, method)
    answer = ask(f"{base}forecast/", choice(runs, **values), headers={"HX-Request": "true"})
    return text(answer)


def test_a_page_asks_for_the_forecast_and_does_not_compute_it(runs, base, client):
    waiting = 'hx-trigger="every 1s"'
    page = text(client.get(base))
    assert 'hx-trigger="load"' in page
    assert waiting not in page
    assert not Job.objects.filter(kind="forecast_pool").exists()
    assert waiting in fragment(client, base, runs, method="post")
    assert waiting in fragment(client, base, runs)
    tasks.forecast_pool(Job.objects.get(kind="forecast_pool").pk)
    assert waiting not in fragment(client, base, runs)
    assert "4 documents at depth 2," in fragment(client, base, runs)
    assert "3 documents at depth 1," in fragment(client, base, runs, depth=1)


def test_the_hours_count_whom_they_are_divided_among_and_what_is_judged_twice(
    campaign, runs, base, client
):
    make.forecast(campaign)
    campaign.seconds_per_judgment = 3600
    campaign.judging_closes_at = timezone.now() + timedelta(days=10)
    campaign.save()
    shown = fragment(client, base, runs, second_percent=50, n_assessors=2, hours_a_week=1)
    for figure in (
        "4 documents at depth",
        ": 6 judgments<",
        "judging in all</span> <b>6.0 h",
        "each of 2 assessors</span> <b>3.0 h",
        '"value">3.0</span> weeks at 1 h',
        "11 days late",
    ):
        assert figure in shown
    assert "9 days to spare." in fragment(client, base, runs, n_assessors=4, hours_a_week=7)


def test_a_forecast_that_failed_says_why_and_can_be_asked_for_again(runs, base, client):
    fragment(client, base, runs, method="post")
    jobs = Job.objects.filter(kind="forecast_pool")
    jobs.update(state="failed", outcome="The disk is full.")
    assert "The disk is full." in fragment(client, base, runs)
    assert 'hx-trigger="load"' not in fragment(client, base, runs)
    assert 'hx-trigger="every 1s"' in fragment(client, base, runs, method="post")


def test_without_script_the_choice_is_in_the_address(runs, base, client):
    answer = client.post(f"{base}forecast/", choice(runs[:1], depth=3))
    assert answer.status_code == 302
    page = text(client.get(answer["Location"]))
    assert chosen(page) == [str(runs[0].pk)]
    assert 'hx-trigger="every 1s"' in page


def test_no_choice_is_a_sentence(runs, base, client):
    assert "Choose at least one run." in fragment(client, base, [], method="post")
    assert "less than or equal to 1000" in fragment(client, base, runs, depth=1001)


def test_an_archived_campaign_offers_nothing_to_do_with_its_pool(campaign, runs, base, client):
    draft, frozen = make.batch(campaign, runs), make.frozen_pool(campaign, runs).last_batch
    Campaign.objects.update(archived_at=draft.created_at)
    for address in (base, at(base, draft), at(base, frozen)):
        page = text(client.get(address))
        assert "is archived, so nothing in it can be changed" in page
        for act in ("Build a draft", "Freeze this draft", "Take it back"):
            assert act not in page
    assert "is archived" in fragment(client, base, runs, method="post")
    assert not Job.objects.filter(kind="forecast_pool").exists()


# The pictures


def test_the_page_shows_the_picture_with_the_chosen_depth_and_leads_to_its_files(
    campaign, runs, base, client
):
    make.forecast(campaign)
    page = fragment(client, base, runs, depth=2)
    assert 'aria-label="Depth 2 gives 4 documents to judge' in page
    assert "<caption>Depth 2 gives 4 documents to judge" in page
    for kind, start in (("svg", b"<svg "), ("png", b"\x89PNG"), ("pdf", b"%PDF")):
        [address] = re.findall(f'href="([^"]*picture=size_by_depth.{kind})"', page)
        answer = client.get(unescape(address))
        assert answer.content.startswith(start)
        name = f"{campaign.slug}-size_by_depth.{kind}"
        assert answer["Content-Disposition"] == f'attachment; filename="{name}"'
        if kind == "svg":
            assert "Depth 2 gives 4 documents to judge" in text(answer)


def test_runs_are_compared_by_what_they_have_in_common(campaign, pat, base, client):
    rankings = {"one": "d1 d2", "two": "d2 d3", "three": "d4 d5"}
    runs = [make.run(campaign, pat, {"1": ranking}, tag) for tag, ranking in rankings.items()]
    base = at(base, make.batch(campaign, runs, depth=2))
    page = text(client.get(base))
    assert "one and two share most, 50 %" in page
    assert 'one <span class="quiet">50&nbsp;%' in page
    assert "one and two share most" in text(client.get(f"{base}?picture=alike.svg"))


def test_there_is_no_file_of_another_picture_or_kind(campaign, runs, base, client):
    for asked in ("size_by_depth.gif", "size_by_depth", "nothing.svg", "alike.svg", ".", "svg"):
        assert client.get(f"{base}?picture={asked}").status_code == 404, asked


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


def test_a_forecast_whose_file_is_gone_or_damaged_is_prepared_again(campaign, runs, base, client):
    for damage in (
        lambda path: path.unlink(),
        lambda path: path.write_bytes(path.read_bytes()[:-9]),
    ):
        row = make.forecast(campaign)
        damage(local_path(row.file))
        assert 'hx-trigger="load"' in text(client.get(base))
        fragment(client, base, runs, method="post")
        tasks.forecast_pool(Job.objects.filter(kind="forecast_pool").latest("pk").pk)
        assert "4 documents at depth 2," in fragment(client, base, runs)


def test_reasons_that_people_gave_are_for_organizers(campaign, runs, base, client, pat):
    documents = [["1", "d9", "grade 2 by ada"]]
    how = {"strategy": "by-hand", "parameters": {"documents": documents}}
    make.frozen(make.batch(campaign, [], **how))
    show_to(campaign, TEAMS, what="pool")
    lines = [b"".join(client.get(f"{base}pool.tsv").streaming_content)]
    client.force_login(pat)
    lines.append(b"".join(client.get(f"{base}pool.tsv").streaming_content))
    assert [b"grade 2 by ada" in each for each in lines] == [True, False]
    assert b"documents by hand" in lines[1]


def test_there_is_no_file_of_a_batch_that_is_not_built(campaign, runs, base, client, olga):
    how = {"strategy": "depth", "parameters": {"depth": 2}, "runs": runs}
    draft = request_batch(user=olga, campaign=campaign, **how)
    for name in ("batch.tsv", "batch.jsonl"):
        assert client.get(f"{at(base, draft)}{name}").status_code == 404


@pytest.mark.parametrize(
    ("strategy", "sent", "said"),
    [
        ("depth-by-run", {"depths": "one:x"}, "&#x27;x&#x27; is not a whole number"),
        ("depth-by-run", {"depths": "nobody:3"}, "No contributing run has the tag"),
        ("sample", {"strata": "10:100, 5:40"}, "cannot follow one to 10"),
        ("depth", {"depth": 2000}, "less than or equal to 1000"),
        ("depth", {"depth": 2, "topics": "1, 99"}, "There is no topic 99."),
    ],
)
def test_a_choice_that_cannot_be_read_is_said(runs, base, client, strategy, sent, said):
    answer = client.post(f"{base}build/", choice(runs, strategy=strategy, **sent))
    assert answer.status_code == 422
    assert said in text(answer)
    assert not Batch.objects.exists()


def test_topics_and_order_rule_are_chosen(runs, base, client):
    client.post(f"{base}build/", choice(runs, topics="2", order_rule="file-rank"))
    draft = Batch.objects.get()
    assert (draft.topics, draft.order_rule) == (["2"], "file-rank")
    page = text(client.get(base))
    assert '<option value="file-rank" selected>' in page


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
