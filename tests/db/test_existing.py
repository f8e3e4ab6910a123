"""Judgments that count although nobody made them in the pool: existing ones, and of duplicates."""

import hashlib
import json
from io import BytesIO

import pytest

from accounts.access import Refused
from assess.models.official import OfficialGrade
from assess.models.serving import AssignmentEntry
from campaigns.models.campaign import default_criteria
from campaigns.services.campaign import change_campaign
from collection.models.texts import Document
from evaluation.figures.board import BoardFigures
from evaluation.figures.pictured import unique_relevant
from evaluation.leaving_out import Reusability
from evaluation.services import request_reusability
from jobs.models import Job
from pooling import access, services
from pooling.building import lines_of_batch
from pooling.models.batches import Batch
from pooling.models.entries import PoolEntry
from pooling.web.figures import pool_figures
from qrels.services import publishing
from qrels.services.publishing import publish_qrels, withdraw_qrels
from tests import make, records
from tests.asked import graded_by
from tests.db.races import overtaken
from tests.db.scoring import scored
from tests.worlds import once

EARLIER = b"1 0 d1 2\n1 0 d9 1\n1 0 d2 0\n2 0 d4 1\n7 0 d1 1\n"


@pytest.fixture
@once
def run(campaign, pat):
    return make.run(campaign, pat, {"1": "d1 d2 d3 d5", "2": "d4 d6"})


@pytest.fixture
@once
def earlier(olga, campaign):
    return make.imported_qrels(campaign, EARLIER)


def with_earlier(run, earlier, depth=3, **choice) -> Batch:
    return make.batch(run.campaign, [run], depth, existing_sha256=earlier.sha256, **choice)


def standings(batch: Batch) -> dict[str, list[str]]:
    """The documents of each standing, with their topics before them."""
    found: dict[str, list[str]] = {}
    rows = batch.entries.order_by("topic__number", "item__key")
    for topic, docno, standing in rows.values_list("topic__number", "item__key", "standing"):
        found.setdefault(standing, []).append(f"{topic} {docno}")
    return found


def same_text(campaign, *docnos: str) -> None:
    Document.objects.filter(campaign=campaign, docno__in=docnos).update(text="One  text", title="")


# Existing judgments


def test_a_batch_has_only_what_existing_judgments_lack(run, earlier):
    batch = with_earlier(run, earlier)
    judged = ["1 d1", "1 d2", "1 d9", "2 d4"]  # d9, which no run has, too
    assert standings(batch) == {"new": ["1 d3", "2 d6"], "judged": judged}
    assert batch.n_entries == 2
    grades = batch.entries.filter(standing="judged").values_list("item__key", "grade")
    assert dict(grades) == {"d1": 2, "d2": 0, "d9": 1, "d4": 1}
    assert make.frozen(batch).n_entries == 2


def test_existing_judgments_count_beside_those_made_here(run, earlier, ada, olga, sent):
    """Only what is left is served: d3, which the run alone brought."""
    pool, official = make.frozen(with_earlier(run, earlier)), OfficialGrade.objects.grades
    assert official(pool.campaign, ["1", "2"]) == {"1": {"d1": 2, "d2": 0, "d9": 1}, "2": {"d4": 1}}
    assert official(pool.campaign, ["2"]) == {"2": {"d4": 1}}
    one = make.assignment(run.campaign.topic_set.get(number="1"), ada)
    assert [each.docno for each in AssignmentEntry.objects.filter(assignment=one)] == ["d3"]
    make.judgment(one, "d3", 3)
    qrels = publish_qrels(user=olga, campaign=run.campaign)
    assert make.content(qrels.file) == b"1 0 d1 2\n1 0 d2 0\n1 0 d3 3\n1 0 d9 1\n2 0 d4 1\n"
    assert (qrels.n_judgments, qrels.n_carried, qrels.n_unjudged) == (5, 4, 1)
    evaluation = scored(olga, qrels, sent, measures=["P@2", "NumRel", "AP"])
    # Topic 1: d1 of the first two; topic 2: d4. Relevant: d1, d3, d9; d4.
    score = evaluation.scores.get(run=run)
    found = dict(zip(evaluation.measures, score.aggregates, strict=True))
    assert (found["P@2"], found["NumRel"]) == (0.5, 4.0)
    request_reusability(user=olga, evaluation=evaluation)
    make.worked("leave_out", evaluation.pk)
    evaluation.refresh_from_db()
    left_out = Reusability.from_json(evaluation.reusability)
    [ap] = [each.runs for each in left_out.measures if each.measure == "AP"]
    assert (left_out.n_relevant, left_out.n_alone) == (4, 1)
    assert [(each.own.n_only, each.team.n_only) for each in ap] == [(1, 1)]
    assert unique_relevant(BoardFigures.of(evaluation, "AP")) == {"Aldgate": 1}


def test_the_rule_applied_to_the_kept_judgments_gives_the_file(run, earlier, ada, olga):
    same_text(run.campaign, "d3", "d5", "d2")
    make.frozen(with_earlier(run, earlier, 4, joins_duplicates=True))
    one = make.assignment(run.campaign.topic_set.get(number="2"), ada)
    make.judgment(one, "d6", 1)
    qrels = publish_qrels(user=olga, campaign=run.campaign)
    rows = records.read(records.kept(qrels.judgments))
    assert records.RULES[qrels.rule](rows) == make.content(qrels.file)
    comments = {row["docno"]: (row["kind"], row["comment"]) for row in rows}
    assert comments["d1"] == ("existing", "judged before")
    assert comments["d3"] == ("duplicate", "the same text as d2")


def test_an_adaptive_strategy_is_told_of_them(run, earlier):
    how = {"first": 1, "batch": 10, "floor": 2, "cap": 20, "reading_depth": 3}
    batch = with_earlier(run, earlier, strategy="max-mean", parameters=how)
    assert batch.judged == {"1": {"d1": 1, "d2": 0, "d9": 1}, "2": {"d4": 1}}
    # The first step takes every first document of a run, and both are judged: the next come.
    assert set(batch.entries.new().values_list("item__key", flat=True)) == {"d3", "d6"}


def test_what_the_pool_has_is_not_taken_for_judged_before(run, earlier):
    make.frozen(make.batch(run.campaign, [run], 1))
    draft = with_earlier(run, earlier, 2)
    others = {"pooled": ["1 d1", "2 d4"], "judged": ["1 d2", "1 d9"]}
    assert standings(draft) == {"new": ["2 d6"], **others}
    grown = make.frozen(draft)
    assert OfficialGrade.objects.grades(grown.campaign, ["1"]) == {"1": {"d2": 0, "d9": 1}}


def test_a_batch_with_existing_judgments_is_formed_again_from_its_file(run, earlier, olga, pat):
    batch = with_earlier(run, earlier)
    content = "".join(lines_of_batch(batch)).encode()
    assert hashlib.sha256(content).hexdigest() == batch.sha256
    first = ["1", "d1", "judged before", "judged", [[0, 1]], 2]
    assert json.loads(content.splitlines()[2]) == first
    again = services.import_batch(user=olga, campaign=run.campaign, file=BytesIO(content))
    make.worked("build_batch", again.pk)
    again.refresh_from_db()
    assert (again.sha256, standings(again)) == (batch.sha256, standings(batch))


def test_only_judgments_in_use_of_this_campaign_and_on_its_scale_count(
    run, earlier, olga, campaign
):
    with pytest.raises(Refused, match="no longer in use"):
        make.batch(campaign, [run], existing_sha256="0" * 64)
    draft = with_earlier(run, earlier)
    withdraw_qrels(user=olga, qrels=earlier, reason="Wrong file.")
    for act in (lambda: make.frozen(draft), lambda: with_earlier(run, earlier)):
        with pytest.raises(Refused, match="no longer in use"):
            act()
    off = make.imported_qrels(campaign, b"1 0 d1 9\n")
    with pytest.raises(Refused, match="grades that are not of the campaign's scale: 9"):
        with_earlier(run, off)


def test_judgments_that_count_in_the_pool_are_not_withdrawn(run, earlier, olga):
    """But of two versions with the same judgments one is."""
    twin = make.imported_qrels(run.campaign, EARLIER, level=2)
    pool = make.frozen(with_earlier(run, earlier))
    withdraw_qrels(user=olga, qrels=twin, reason="Twice the same.")
    with pytest.raises(Refused, match="count in batch 1 of the pool"):
        withdraw_qrels(user=olga, qrels=earlier, reason="Wrong file.")
    make.taken_back(olga, pool)
    withdraw_qrels(user=olga, qrels=earlier, reason="Wrong file.")


@pytest.mark.django_db(transaction=True)
def test_judgments_are_not_withdrawn_while_a_batch_with_them_is_frozen(run, earlier, olga):
    draft = with_earlier(run, earlier)
    outcome = overtaken(
        lambda: make.frozen(draft),
        lambda: withdraw_qrels(user=olga, qrels=earlier, reason="Wrong file."),
    )
    assert "count in batch 1 of the pool" in str(outcome)


@pytest.mark.parametrize("what", ["existing_sha256", "joins_duplicates"])
def test_a_sample_is_judged_document_by_document(run, earlier, what):
    value = {"existing_sha256": earlier.sha256, "joins_duplicates": True}[what]
    how = {"strategy": "sample", "parameters": {"strata": [[4, 50]]}}
    with pytest.raises(Refused, match="judged document by document") as refused:
        make.batch(run.campaign, [run], **how, **{what: value})
    assert str(refused.value) == access.NOT_OF_A_SAMPLE


# Documents with the same text


def test_one_document_of_each_text_is_judged(run, ada):
    same_text(run.campaign, "d2", "d3", "d6")
    assert set(standings(make.batch(run.campaign, [run], 4))) == {"new"}, "unless asked"
    batch = make.batch(run.campaign, [run], 4, joins_duplicates=True)
    new = ["1 d1", "1 d2", "1 d5", "2 d4", "2 d6"]  # d6 of another topic too
    assert standings(batch) == {"new": new, "duplicate": ["1 d3"]}
    assert batch.entries.get(standing="duplicate").same_as.key == "d2"
    pool = make.frozen(batch)
    one = make.assignment(run.campaign.topic_set.get(number="1"), ada)
    assert one.n_entries == 3
    assert OfficialGrade.objects.grades(pool.campaign, ["1"]) == {}
    make.judgment(one, "d2", 2)
    assert OfficialGrade.objects.grades(pool.campaign, ["1"]) == {"1": {"d2": 2, "d3": 2}}


def test_a_duplicate_of_what_the_pool_has_is_not_judged(run, ada, olga):
    same_text(run.campaign, "d1", "d3", "d5")
    make.frozen(make.batch(run.campaign, [run], 1, joins_duplicates=True))
    one = make.assignment(run.campaign.topic_set.get(number="1"), ada)
    make.judgment(one, "d1", 1)
    middle = make.batch(run.campaign, [run], 3, joins_duplicates=True)
    make.frozen(middle)
    last = make.batch(run.campaign, [run], 4, joins_duplicates=True)
    assert "1 d3" in standings(last)["pooled"]
    # d3 is a duplicate itself: its original answers for d5 too.
    assert last.entries.get(item__key="d5").same_as.key == "d1"
    pool = make.frozen(last)
    assert OfficialGrade.objects.grades(pool.campaign, ["1"]) == {"1": {"d1": 1, "d3": 1, "d5": 1}}
    qrels = publish_qrels(user=olga, campaign=run.campaign)
    assert (qrels.n_judgments, qrels.n_carried) == (3, 2)


def test_what_a_duplicate_is_the_same_as_need_not_be_in_a_run_of_the_batch(run, campaign, pat):
    same_text(campaign, "d1", "d6")
    make.frozen(make.batch(campaign, [run], 1))
    other = make.run(campaign, pat, {"1": "d6"}, "other")
    draft = make.batch(campaign, [other], 1, joins_duplicates=True)
    assert draft.entries.get().same_as.key == "d1"


def test_a_pool_s_documents_count_with_those_that_carry_a_grade(run, earlier):
    same_text(run.campaign, "d3", "d5")
    pool = make.frozen(with_earlier(run, earlier, 4, joins_duplicates=True))
    of_one = PoolEntry.objects.filter(topic__number="1")
    assert of_one.in_pool(pool).count() == 1
    assert of_one.with_grades_in(run.campaign).count() == 5


# What changes later


def replaced(campaign, docno: str, text: str) -> None:
    line = json.dumps({"docno": docno, "text": text}).encode() + b"\n"
    make.imported(campaign, "documents", line, takes_versions=True)


def test_a_draft_is_built_again_when_a_duplicate_is_none_any_more(run, campaign):
    same_text(campaign, "d2", "d3")
    draft = make.batch(campaign, [run], 4, joins_duplicates=True)
    replaced(campaign, "d3", "Another text.")
    with pytest.raises(Refused, match="Texts have been replaced since the draft was built"):
        make.frozen(draft)
    assert make.frozen(make.batch(campaign, [run], 4, joins_duplicates=True)).n_entries == 6


@pytest.mark.parametrize("docno", ["d2", "d3"])
def test_a_duplicate_has_no_grade_once_one_of_the_texts_is_replaced(run, campaign, ada, docno):
    same_text(campaign, "d2", "d3")
    batch = make.batch(campaign, [run], 4, joins_duplicates=True)
    pool = make.frozen(batch)
    make.judgment(make.assignment(campaign.topic_set.get(number="1"), ada), "d2", 2)
    before = "".join(lines_of_batch(batch))
    replaced(campaign, docno, "Another text.")
    assert OfficialGrade.objects.grades(pool.campaign, ["1"]) == {"1": {"d2": 2}}
    assert "".join(lines_of_batch(batch)) == before
    assert pool_figures(pool)["n_unlike"] == 1
    later = make.batch(campaign, [run], 4, joins_duplicates=True)
    assert list(later.entries.new().values_list("item__key", flat=True)) == ["d3"]
    make.frozen(later)
    assert pool_figures(pool)["n_unlike"] == 0


def test_existing_grades_in_the_pool_fix_the_scale(run, earlier, olga, campaign):
    draft = with_earlier(run, earlier)
    lower = {"criteria": graded_by({0: "not relevant", 1: "partly relevant"})}
    change_campaign(user=olga, campaign=campaign, changes=lower)
    with pytest.raises(Refused, match="grades that the scale no longer has"):
        make.frozen(draft)
    whole = {"criteria": default_criteria()}
    change_campaign(user=olga, campaign=campaign, changes=whole)
    pool = make.frozen(draft)
    with pytest.raises(Refused, match="answers of relevance keep their values"):
        change_campaign(user=olga, campaign=campaign, changes=lower)
    make.taken_back(olga, pool)
    change_campaign(user=olga, campaign=campaign, changes=lower)


def test_a_pool_whose_documents_are_all_judged_before_can_be_published(run, olga, campaign):
    every = b"1 0 d1 2\n1 0 d2 0\n2 0 d4 1\n2 0 d6 1\n"
    earlier = make.imported_qrels(campaign, every + b"7 0 d1 1\n")
    make.frozen(with_earlier(run, earlier, 2))
    qrels = publish_qrels(user=olga, campaign=campaign)
    assert make.content(qrels.file) == every


def test_many_existing_judgments_are_published_by_a_worker_too(run, earlier, olga, monkeypatch):
    monkeypatch.setattr(publishing, "AT_ONCE", 2)
    make.frozen(with_earlier(run, earlier))
    asked = {"user": olga, "campaign": run.campaign, "level": 1, "seen": None, "accepts": None}
    assert isinstance(publishing.request_publishing(**asked), Job), "of three grades"
