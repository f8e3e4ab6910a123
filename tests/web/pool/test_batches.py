"""The pages of batches: compared, frozen, taken back, out of date, as files."""

import re

import pytest

from campaigns.models.campaign import Campaign
from campaigns.services.ending import archive_campaign
from overview.services.rounds import begin_round
from pooling.models.batches import Batch
from pooling.models.pools import Pool
from pooling.services import request_batch
from runs.models import Run
from tests import make
from tests.releasing import TEAMS, show_to
from tests.web.html import words
from tests.web.pool.pages import at, chosen, text


def test_a_run_that_is_out_is_marked_and_cannot_be_chosen_again(campaign, runs, base, client):
    draft = make.batch(campaign, runs)
    why = "Trained on the qrels."
    Run.objects.filter(tag="two").update(state="disqualified", out_reason=why)
    assert chosen(text(client.get(f"{base}extend/"))) == [str(runs[0].pk)]
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
    assert "3 in both, " in compared
    lacks = re.findall(r"<strong>(\d)</strong> only here", compared)
    assert lacks == ["0", "1"]
    assert "In one of them only: topic 1" in compared
    assert '<code>d2</code></th> <td>second</td> <td class="quiet">rank 2' in compared
    other = text(client.get(f"{base}compare/?first={first}&second={second}&topic=2"))
    assert '<p class="empty">None</p>' in other
    same = text(client.get(f"{base}compare/?first={first}&second={first}"))
    assert "The two are the same" in same
    assert "The two have the same 4 documents" in text(client.get(f"{base}compare/"))
    make.frozen(drafts[0])
    page, compared = (text(client.get(at)) for at in (base, f"{base}compare/"))
    assert page.count('<span class="mark">outdated</span>') == 1
    assert "The pool has" not in compared
    make.batch(campaign, runs, 2)
    compared = text(client.get(f"{base}compare/?first={first}"))
    assert '<p class="lead">The pool has 3 of those in both' in compared
    for asked in ("?first=x", f"?first={first}&second=999999", "?topic=99", "?topic=%00"):
        assert client.get(f"{base}compare/{asked}").status_code == 404


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
    assert "freeze it again and assign its topics again." in page
    [seen] = re.findall(r'name="seen" value="([^"]*)"', page)
    assert client.post(asked, {"seen": seen}).status_code == 302
    assert Batch.objects.get().state == "built"


def test_a_batch_that_was_judged_offers_no_way_to_take_it_back(campaign, runs, base, client, ada):
    batch = make.frozen_pool(campaign, runs).last_batch
    make.judgment(make.assignment(campaign.topic_set.get(number="1"), ada), "d1", 1)
    for address in (at(base, batch), f"{at(base, batch)}take-back/"):
        page = text(client.get(address))
        said = "Judging has begun, so the batch can no longer be taken back"
        assert page.count(said) == 1
        assert "Take it back" not in page
    assert "4 documents pooled, 1 judged" in text(client.get(base))


def test_the_page_says_what_a_batch_adds_and_what_other_rules_would(campaign, runs, base, client):
    make.frozen_pool(campaign, runs[:1], depth=2)
    draft = make.batch(campaign, runs, depth=3)
    page = text(client.get(at(base, draft)))
    assert "A draft that adds 2 documents" in page
    assert "Of the others 3 are in the pool already." in page
    # Of its five documents three are in the pool before: nobody contributes them.
    assert max(each.n_contributed for each in draft.contributors.all()) <= draft.n_entries == 2
    assert "would bring in" not in page  # no other rule would
    assert "Extend the pool" in text(client.get(base))


def test_runs_are_compared_by_what_they_have_in_common(campaign, pat, base, client):
    rankings = {"one": "d1 d2", "two": "d2 d3", "three": "d4 d5"}
    runs = [make.run(campaign, pat, {"1": ranking}, tag) for tag, ranking in rankings.items()]
    base = at(base, make.batch(campaign, runs, depth=2))
    page = text(client.get(base))
    assert "one and two share most, 50 %" in page
    assert 'one <span class="quiet">50&nbsp;%' in page
    assert "picture=" not in page, "pictures of work are no files"


def test_reasons_that_people_gave_are_for_organizers(campaign, runs, base, client, pat):
    documents = [["1", "d9", "grade 2 by ada"]]
    how = {"strategy": "by-hand", "parameters": {"documents": documents}}
    make.frozen(make.batch(campaign, [], **how))
    show_to(campaign, TEAMS, what="pool")
    lines = [b"".join(client.get(f"{base}pool.tsv").streaming_content)]
    client.force_login(pat)
    lines.append(b"".join(client.get(f"{base}pool.tsv").streaming_content))
    assert [b"grade 2 by ada" in each for each in lines] == [True, False]
    assert b"Documents by hand" in lines[1]


def test_there_is_no_file_of_a_batch_that_is_not_built(campaign, runs, base, client, olga):
    how = {"strategy": "depth", "parameters": {"depth": 2}, "runs": runs}
    draft = request_batch(user=olga, campaign=campaign, **how)
    for name in ("batch.tsv", "batch.jsonl"):
        assert client.get(f"{at(base, draft)}{name}").status_code == 404


def test_a_draft_that_is_out_of_date_is_built_again_by_the_same_choice(
    campaign, runs, base, client, pat
):
    how = {"strategy": "best-rank", "parameters": {"n": 9, "per": "topic"}}
    asked = {**how, "order_rule": "file-rank", "topics": ["1"]}
    draft = make.batch(campaign, runs, **asked)
    begin_round(user=draft.created_by, campaign=campaign)
    assert "Build again" not in text(client.get(at(base, draft)))
    Run.objects.filter(tag="two").update(state="withdrawn")
    page = text(client.get(at(base, draft)))
    assert "build it again." in page
    [address] = re.findall(r'formaction="([^"]*)"[^>]*>Build again<', page)
    answer = client.post(address)
    again = Batch.objects.latest("pk")
    assert answer["Location"] == at(base, again)
    assert {name: getattr(again, name) for name in asked} == asked
    assert [each.run for each in again.contributors.all()] == runs[:1]
    assert list(Batch.objects.values_list("pk", "round")) == [(again.pk, 1)]  # in its place


def test_topics_that_are_gone_are_left_out_when_a_draft_is_built_again(
    campaign, runs, base, client
):
    drafts = [make.batch(campaign, runs, topics=topics) for topics in (["1", "2"], ["2"])]
    campaign.topic_set.get(number="2").delete()
    for draft, topics in zip(drafts, (["1"], ["2"]), strict=True):
        assert "Topics have been deleted" in text(client.get(at(base, draft)))
        client.post(f"{at(base, draft)}build-again/")
        assert Batch.objects.latest("pk").topics == topics, "never all of them instead"


def test_what_cannot_be_built_again_says_why(campaign, runs, base, client):
    draft = make.batch(campaign, runs)
    Run.objects.update(state="withdrawn")
    answer = client.post(f"{at(base, draft)}build-again/")
    assert answer.status_code == 422
    assert "choose at least one" in text(answer)
    assert Batch.objects.get().state == "built", "the draft is still there"
    Campaign.objects.update(archived_at=draft.created_at)
    assert "Build again" not in text(client.get(at(base, draft)))


def test_an_adaptive_pool_says_that_it_grows_by_itself_and_why_it_cannot(
    campaign, runs, base, client
):
    grows, fault = "The pool grows by itself", "could not grow by itself: The file is gone."
    assert text(client.get(f"{base}extend/")).count(grows) == 2, "of each adaptive recipe"
    how = {"first": 2, "batch": 10, "floor": 12, "cap": 30, "reading_depth": 50}
    draft = make.batch(campaign, runs, strategy="max-mean", parameters=how)
    assert grows not in text(client.get(at(base, draft)))
    assert grows in text(client.get(f"{at(base, draft)}freeze/"))
    pool = make.frozen(draft)
    page = text(client.get(at(base, draft)))
    assert grows in page
    assert "From the floor on (12)" in page
    assert "beyond the cap (30)" in page
    for said in (False, True):
        for address in (base, at(base, draft)):
            assert (fault in text(client.get(address))) == said
        Pool.objects.filter(pk=pool.pk).update(growth_fault="The file is gone.")


def test_drafts_are_told_apart_by_their_topics_and_runs(campaign, runs, base, client):
    one, two, three = (
        make.batch(campaign, chosen, topics=topics)
        for chosen, topics in ((runs, []), (runs, ["2"]), (runs[:1], ["1", "2"]))
    )
    names = [str(each) for each in (one, two, three)]
    assert names == [f"depth-k, k = 2{more}" for more in ("", ", topic 2", ", 2 topics")]
    assert "Topics 1\N{EN DASH}2 Judgments" in words(client.get(at(base, three)))
    rows = re.findall(r"<tr> <th(.*?)</tr>", text(client.get(base)))
    found = [re.findall(r'batches/\d+/">([^<]*)<.*?<td class="number">(\d)<', row) for row in rows]
    assert [each for [each] in filter(None, found)][:3] == [
        (name, n) for name, n in zip(reversed(names), "112", strict=True)
    ]
    # Of the two runs of the second, one has no document for its topic.
    assert f"{names[2]}, 1 run, " in text(client.get(at(base, one)))


def test_a_draft_of_the_same_choice_says_that_it_is_the_same(campaign, runs, base, client):
    one, other = (make.batch(campaign, runs) for _ in range(2))
    different = make.batch(campaign, runs, depth=3)
    said = "was built by the same choice and is the same"
    assert said in text(client.get(at(base, other)))
    assert said in text(client.get(at(base, one)))
    assert said not in text(client.get(at(base, different)))


def test_what_was_added_to_assignments_comes_back_when_a_batch_is_frozen_again(
    campaign, runs, base, client, ada
):
    make.frozen_pool(campaign, runs, depth=1)
    assignment = make.assignment(campaign.topic_set.get(number="1"), ada)
    batch = make.frozen(make.batch(campaign, runs, depth=3)).last_batch
    n = assignment.entries.count()
    page = text(client.get(f"{at(base, batch)}take-back/"))
    assert "documents that were added to earlier assignments come back by themselves" in page
    [seen] = re.findall(r'name="seen" value="([^"]*)"', page)
    client.post(f"{at(base, batch)}take-back/", {"seen": seen})
    assert assignment.entries.count() < n
    client.post(f"{at(base, batch)}freeze/", {"sha256": batch.sha256})
    assert assignment.entries.count() == n


def test_duplicates_are_looked_for_where_that_is_allowed(campaign, runs, base, client, olga):
    button = "<button>Find duplicates</button>"
    page = text(client.get(f"{base}duplicates/"))
    assert "There are no documents to compare yet: form a batch of the pool first." in page
    assert button not in page
    make.batch(campaign, runs)
    assert button in text(client.get(f"{base}duplicates/"))
    client.post(f"{base}duplicates/")
    page = text(client.get(f"{base}duplicates/"))
    assert "<h1>Duplicates are being looked for</h1>" in page
    assert "looked for already" not in page
    make.worked("find_duplicates", campaign.pk)
    button = '<button class="plain">Find again</button>'
    assert button in text(client.get(f"{base}duplicates/"))
    archive_campaign(user=olga, campaign=campaign)
    page = text(client.get(f"{base}duplicates/"))
    assert "is archived, so nothing in it can be changed" in page
    assert button not in page
