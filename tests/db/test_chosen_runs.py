"""Boards of chosen runs: what they hold, what they are told by, and what they leave as it was."""

import pytest

from accounts.access import Refused
from campaigns.models.trail import AuditEvent
from evaluation.access import front
from evaluation.core.scope import Scope
from evaluation.models.scores import Evaluation
from evaluation.services import request_evaluation
from evaluation.tables import facts_of, file_stamp
from overview.facts import campaign_facts
from qrels.services.publishing import publish_qrels
from tests import make
from tests.db.scoring import ONE, published, scored
from tests.db.test_scores_of_rounds import rounds  # noqa: F401 - a fixture


@pytest.fixture
def qrels(olga, campaign, judged, pat):
    make.run(campaign, pat, {"1": "d3 d1"}, "three")
    return published(olga, campaign)


def tags(evaluation: Evaluation) -> list[str]:
    return [each.run.tag for each in evaluation.by_tag]


def test_a_board_of_chosen_runs_has_their_scores_and_compares_them_alone(olga, qrels, sent):
    whole, some = scored(olga, qrels, sent), scored(olga, qrels, sent, chosen=["two", "three"])
    assert tags(whole) == ["one", "three", "two"]
    assert tags(some) == ["three", "two"]
    assert (some.n_judgments, some.topics) == (whole.n_judgments, whole.topics)
    for each in some.scores.all():
        same = whole.scores.get(run=each.run_id)
        assert (each.aggregates, bytes(each.content)) == (same.aggregates, bytes(same.content))
    make.worked("place_runs", some.pk)
    ranks = {each.tag: each.rank for each in some.leaderboard(0, [r.pk for r in some.runs.all()])}
    assert sorted(ranks.values()) == [1, 2]
    pairs = some.pairs.all()
    assert all(len(each.scores) == 2 for each in pairs)


def test_files_and_events_tell_a_choice_of_runs_without_numbers_of_rows(olga, qrels, sent):
    one = scored(olga, qrels, sent, chosen=["two", "one"])
    other = scored(olga, qrels, sent, chosen=["two", "three"])
    digits = one.scope.hash[:8]
    assert one.scope.name == f"qrels v1 for chosen runs ({digits})"
    assert (one.name, one.scope.name) != (other.name, other.scope.name)
    assert one.name == f"qrels v1 for 2 of 3 runs ({digits})"
    assert file_stamp(one) != file_stamp(other)
    assert f"-chosen-{digits}-" in file_stamp(one)
    assert facts_of(one, sees_all_runs=True)["chosen"] == digits
    event = AuditEvent.objects.filter(kind="scores.requested").first()
    assert set(event.detail["chosen"]) <= {"one", "two", "three"}
    assert (one.n_available, one.runs.count()) == (3, 2)


def test_a_chosen_board_is_in_front_of_no_board_of_all_runs_and_lacks_none(
    olga, campaign, qrels, sent, pat
):
    whole = scored(olga, qrels, sent)
    some = scored(olga, qrels, sent, chosen=["two"])
    assert front(olga, campaign) == whole
    assert campaign_facts([campaign.pk])[campaign.pk].n_left_out == 0
    make.run(campaign, pat, ONE, "late")
    assert not Evaluation.objects.left_out(some).exists()
    assert Evaluation.objects.left_out(whole).count() == 1
    assert Evaluation.objects.with_all_runs(some) == some
    whole.delete()
    facts = campaign_facts([campaign.pk])[campaign.pk]
    assert (facts.board.against, facts.n_left_out) == (some.scope.name, 0)


def test_the_same_choice_is_scored_once_and_one_of_no_valid_run_not_at_all(olga, qrels, sent):
    scored(olga, qrels, sent, chosen=["two", "one"])
    for chosen, said in (
        (["one", "two"], r"against qrels v1 for 2 of 3 runs \(\w{8}\) of .* has the same runs"),
        (["nobody"], "There is no valid run to score."),
        (["one", "gone", "lost"], r"There is no valid run with the tag gone, lost\."),
    ):
        with pytest.raises(Refused, match=said):
            request_evaluation(user=olga, **make.scope(qrels, chosen=chosen))


def test_a_choice_of_all_valid_runs_is_none(olga, campaign, qrels, sent):
    whole = scored(olga, qrels, sent)
    with pytest.raises(Refused, match=r"exist already: the evaluation against qrels v1 of "):
        request_evaluation(user=olga, **make.scope(qrels, chosen=["one", "two", "three"]))
    campaign.run_set.filter(tag="three").update(state="withdrawn")
    assert scored(olga, qrels, sent, chosen=["one", "two"]).scope == whole.scope


def test_a_chosen_run_of_another_round_is_refused(rounds, olga, sent):  # noqa: F811
    second = rounds.qrels_set.get(number=2)
    with pytest.raises(Refused, match=r"There is no valid run of round 2 with the tag early\."):
        request_evaluation(user=olga, **make.scope(second, round=2, chosen=["early", "late"]))
    of_both = scored(olga, second, sent, chosen=["early", "late"])
    assert tags(of_both) == ["early", "late"]
    of_one = scored(olga, second, sent, round=2, chosen=["late"])
    assert of_one.scope == Scope(2, round=2, chosen=("late",))
    assert (of_one.topics, of_one.n_available) == (["2", "3"], 2)


def test_scores_of_all_runs_against_new_qrels_are_still_asked_for_after_some_of_a_few(
    olga, campaign, qrels, sent
):
    scored(olga, qrels, sent)
    newer = publish_qrels(user=olga, campaign=campaign, level=2)
    scored(olga, newer, sent, chosen=["one"])
    facts = campaign_facts([campaign.pk])[campaign.pk]
    assert (facts.board.qrels, facts.drafted_qrels) == (1, 1)
