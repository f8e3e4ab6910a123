"""What is released: to whom, from when, and what must stand for as long."""

from datetime import timedelta

import pytest
from django.http import QueryDict
from django.urls import reverse
from django.utils import timezone

from accounts.access import NotThere, Refused, can, check
from campaigns.models.releases import Release
from campaigns.models.trail import AuditEvent
from evaluation import services
from evaluation.access import Scores, evaluations_shown, front, sees_all_runs
from evaluation.facts import score_links
from evaluation.models.scores import Evaluation
from evaluation.web.release_forms import _versions
from evaluation.web.scope_form import ScopeForm
from overview.facts import campaign_facts
from qrels.models import Qrels
from qrels.services.publishing import download_qrels, publish_qrels, reinstate_qrels, withdraw_qrels
from tests import make
from tests.db.races import overtaken
from tests.db.scoring import score
from tests.releasing import ALL, TEAMS, show_to
from tests.worlds import once


def release(olga, evaluation, audience=TEAMS, **values) -> Release:
    what = {"campaign": evaluation.campaign, "what": "scores", "subject_id": evaluation.pk}
    return services.release(user=olga, audience=audience, **what, **values)


@pytest.fixture
@once
def two(olga, campaign, judged, sent) -> tuple[Evaluation, Evaluation]:
    """Two evaluations against one version."""
    return score(olga, campaign, sent), score(olga, campaign, sent, measures=["P@5"])


def test_a_newer_evaluation_takes_nobodys_place(olga, pat, campaign, two):
    older, newer = two
    assert front(olga, campaign) == newer
    for audience in (TEAMS, ALL):
        release(olga, older, audience)
        assert front(olga, campaign) == older
        assert front(pat, campaign) == older
        assert list(evaluations_shown(pat, campaign)) == [older]
    assert list(evaluations_shown(olga, campaign)) == [newer, older]


def test_a_run_leads_to_no_scores_but_those_released_to_its_reader(olga, pat, campaign, two, sent):
    run = campaign.run_set.earliest("pk")
    for shown in two:
        release(olga, shown)
        of_run = [campaign.slug, shown.scores.get(run=run).pk]
        address = reverse("evaluation:run_scores", args=of_run)
        assert score_links(pat, run) == [("Scores (qrels v1)", address, None)]
    late = make.run(campaign, pat, {"1": "d1"}, "late")
    draft = score(olga, campaign, sent)
    assert draft.scores.filter(run=late).exists()
    assert score_links(pat, late) == []
    assert len(score_links(olga, late)) == 1


def test_withdrawn_qrels_are_offered_nowhere_and_stand_for_nothing(olga, campaign, two):
    def offered() -> tuple:
        chosen, form = [pk for pk, _ in _versions(campaign)], ScopeForm(QueryDict(), campaign)
        return chosen, list(form.versions), campaign_facts([campaign.pk])[campaign.pk].qrels.number

    qrels = two[0].qrels
    assert offered() == ([qrels.pk], [qrels], 1)
    withdraw_qrels(user=olga, qrels=qrels, reason="A grade was wrong.")
    assert offered() == ([], [], 0)


def test_a_version_of_qrels_is_downloaded_once_it_is_released(olga, pat, campaign, two):
    first = two[0].qrels
    second = publish_qrels(user=olga, campaign=campaign, level=2)
    what = {"campaign": campaign, "what": "qrels", "audience": TEAMS, "subject_id": first.pk}
    services.release(user=olga, **what)
    for reader, qrels in ((pat, first), (olga, second)):
        with download_qrels(user=reader, qrels=qrels) as file:
            assert file.read()
    with pytest.raises(NotThere):
        download_qrels(user=pat, qrels=second)


def test_a_team_sees_what_was_released_last_and_all_runs_of_the_public_board(
    olga, pat, campaign, two
):
    """The teams' board can be ahead of the public one, and does not stay behind it."""
    older, newer = two
    release(olga, older, ALL)
    release(olga, newer, TEAMS)
    assert front(pat, campaign) == newer
    assert [sees_all_runs(pat, each) for each in two] == [True, False]
    assert front(olga, campaign) == older, "what everybody sees"
    release(olga, newer, ALL)
    release(olga, older, TEAMS)
    assert front(pat, campaign) == older
    third = Evaluation.objects.get(pk=newer.pk)
    release(olga, older, ALL)
    release(olga, third, ALL)
    assert front(pat, campaign) == newer
    assert list(Evaluation.objects.released_to_teams()) == [newer, older]


def test_a_release_from_later_on_shows_nothing_until_then(olga, pat, sam, campaign, two):
    soon = timezone.now() + timedelta(days=1)
    release(olga, two[0], from_at=soon)
    assert not can(Scores.see, pat, campaign)
    assert front(pat, campaign) is None
    Release.objects.update(from_at=timezone.now())
    assert front(pat, campaign) == two[0]
    for each in two:  # nothing from later on hides what is seen now
        with pytest.raises(Refused, match=r"to the teams from .* that would be hidden until"):
            release(olga, each, from_at=soon)
    assert front(pat, campaign) == two[0]
    with pytest.raises(NotThere):  # a visitor has none of what the teams have
        check(Scores.see, sam, campaign)
    services.take_back_release(user=olga, campaign=campaign, what="scores", audience=TEAMS)
    assert not can(Scores.see, pat, campaign)
    made, gone = AuditEvent.objects.filter(kind__startswith="release").order_by("pk")
    assert (made.detail["before"], gone.detail["after"]) == ("", "")
    assert made.detail["after"].startswith(
        f"Scores against qrels v1 ({two[0].pk}) to the teams from "
    )
    assert made.subject.startswith("Scores against qrels v1 to the teams from ")
    assert gone.subject == "Scores against qrels v1 to the teams"


def test_a_pilot_or_a_preliminary_version_is_in_nobody_s_place(olga, campaign, two):
    """Nor among drafts, of which organizers see the newest; nor as what is scored against next."""
    older, newer = two
    qrels, other = older.qrels, Qrels.objects.get(pk=older.qrels_id)
    Qrels.objects.filter(pk=qrels.pk).update(n_unjudged=0)
    other.pk, other.number = None, qrels.number + 1
    pilot = {"source": "A pilot", "pool_id": None, "basis": "", "rule": "", "judgments": ""}
    for values, newest in (
        ({"n_unjudged": 3}, other),
        ({"n_unjudged": 0, "judgments_sha256": "", **pilot}, qrels),
    ):
        vars(other).update(values)
        other.save()
        Evaluation.objects.filter(pk=newer.pk).update(qrels=other)
        assert front(olga, campaign) == older
        assert Qrels.objects.newest(campaign) == newest
    Evaluation.objects.filter(pk=older.pk).update(finished_at=None)
    assert front(olga, campaign) == newer, "it is shown if there is no other"


def test_other_scores_take_the_place_of_these_for_all_who_see_them(olga, pat, campaign, two):
    older, newer = two
    soon = timezone.now() + timedelta(days=1)
    release(olga, older)
    release(olga, newer, ALL, from_at=soon + timedelta(days=1))
    release(olga, older, ALL, from_at=soon)
    services.replace_scores(user=olga, evaluation=older, by=newer)
    teams, public = campaign.releases.standing().order_by("-audience")
    assert (teams.audience, teams.subject_id, teams.is_in_force) == (TEAMS, newer.pk, True)
    assert (public.audience, public.subject_id, public.from_at) == (ALL, newer.pk, soon)
    assert campaign.releases.seen_before("scores", TEAMS)[0].subject_id == older.pk
    assert not campaign.releases.seen_before("scores", ALL), "nobody saw it"
    with pytest.raises(Refused, match="not released any more"):
        services.replace_scores(user=olga, evaluation=older, by=newer)
    Evaluation.objects.filter(pk=older.pk).update(finished_at=None)
    with pytest.raises(Refused, match="Choose the evaluation"):
        services.replace_scores(user=olga, evaluation=newer, by=older)


def test_released_qrels_and_boards_are_not_withdrawn_nor_withdrawn_ones_released(
    olga, campaign, two
):
    qrels = two[0].qrels

    def kept(sentence: str) -> None:
        with pytest.raises(Refused, match=sentence):
            withdraw_qrels(user=olga, qrels=qrels, reason="Wrong.")

    show_to(campaign, ALL, what="qrels")
    kept("Qrels v1 are released to everybody")
    show_to(campaign, what="qrels")
    for days, will in ((3, "will be"), (0, "are")):
        release(olga, two[0], from_at=timezone.now() + timedelta(days=days) if days else None)
        kept(f"against qrels v1 {will} released to the teams. Take that release back")
        services.take_back_release(user=olga, campaign=campaign, what="scores", audience=TEAMS)
    withdraw_qrels(user=olga, qrels=qrels, reason="Wrong.")
    for what, key in (("qrels", qrels.pk), ("scores", two[0].pk)):
        with pytest.raises(Refused, match="Qrels v1 have been withdrawn"):
            services.release(user=olga, campaign=campaign, what=what, audience=ALL, subject_id=key)
    reinstate_qrels(user=olga, qrels=qrels)
    release(olga, two[0])


def test_what_a_released_board_is_without_may_be_withdrawn(olga, campaign, two):
    older, residual = two
    first, second = older.qrels, Qrels.objects.get()
    second.pk, second.number = None, 2
    second.save()
    residual.qrels, residual.without = second, first
    residual.scope = make.scope(second, without=1)["scope"]
    residual.save()
    assert front(olga, campaign) == older
    release(olga, residual)
    assert front(olga, campaign) == residual
    withdraw_qrels(user=olga, qrels=first, reason="Wrong.")


def test_what_there_is_not_cannot_be_released(olga, campaign, two):
    other = make.campaign(olga)
    for within, what, audience, key, said in (
        (campaign, "scores", TEAMS, 10**9, "Choose the evaluation"),
        (campaign, "scores", TEAMS, None, "Choose the evaluation"),
        (other, "scores", ALL, two[0].pk, "Choose the evaluation"),
        (campaign, "qrels", ALL, 10**9, "Choose the version"),
        (campaign, "topics", TEAMS, None, "from the date in the settings"),
    ):
        asked = {"what": what, "audience": audience, "subject_id": key}
        with pytest.raises(Refused, match=said):
            services.release(user=olga, campaign=within, **asked)


def test_the_same_is_not_released_twice_and_nothing_is_taken_back_twice(olga, campaign, two):
    release(olga, two[0])
    with pytest.raises(Refused, match="this is so already"):
        release(olga, two[0])
    back = {"user": olga, "campaign": campaign, "what": "scores", "audience": TEAMS}
    services.take_back_release(**back)
    with pytest.raises(Refused, match="nothing to take back"):
        services.take_back_release(**back)


def test_a_run_that_was_disqualified_by_mistake_is_back_by_one_act(
    olga, pat, campaign, judged, sent
):
    whole = score(olga, campaign, sent)
    campaign.run_set.filter(pk=judged[0].pk).update(state="disqualified")
    without = score(olga, campaign, sent)
    release(olga, without)
    campaign.run_set.filter(pk=judged[0].pk).update(state="valid")
    with pytest.raises(Refused, match="These scores exist already") as refused:
        score(olga, campaign, sent)
    assert refused.value.evaluation == whole
    assert Evaluation.objects.with_all_runs(without) == whole
    release(olga, whole)
    assert front(pat, campaign) == whole


ACTS = {
    "release": release,
    "withdraw": lambda olga, evaluation: withdraw_qrels(
        user=olga, qrels=evaluation.qrels, reason="Wrong."
    ),
    "score": lambda olga, evaluation: services.request_evaluation(
        user=olga, **make.scope(evaluation.qrels), measures=["P@10"]
    ),
}


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("first", "second", "said"),
    [
        ("release", "withdraw", "released to the teams"),
        ("withdraw", "release", "have been withdrawn"),
        ("withdraw", "score", "have been withdrawn"),
        ("score", "withdraw", ""),
    ],
)
def test_of_opposite_acts_at_once_the_second_waits_and_reads_why(
    olga, campaign, judged, sent, first, second, said
):
    evaluation = score(olga, campaign, sent)
    came = overtaken(lambda: ACTS[first](olga, evaluation), lambda: ACTS[second](olga, evaluation))
    assert isinstance(came, Refused) == bool(said)
    assert said in str(came)
    evaluation.qrels.refresh_from_db()
    assert not (evaluation.qrels.is_withdrawn and campaign.releases.standing().exists())
