"""More of the cast; a campaign that is pooled, one judged, one with controls, a shared topic."""

import pytest
from django.apps import apps

from assess.models.sharing import SharedQueue
from campaigns.models.people import Role, Team
from evaluation import tasks
from practice.models import Practice
from tests import make
from tests.db.controls import KNOWN, campaign_of, know
from tests.db.judging import RANKING, answer
from tests.db.practicing import LINES
from tests.db.sampling import SEVERAL, Sampling, submit
from tests.db.scoring import GRADES, ONE, TWO, score
from tests.db.several import judge_several
from tests.db.sharing import shared
from tests.worlds import once


@pytest.fixture
def unmigrated(settings) -> None:
    """`migrate` has nothing to do: the tables of tests are made from the models."""
    settings.MIGRATION_MODULES = {each.label: None for each in apps.get_app_configs()}


@pytest.fixture
@once
def quinn(campaign):
    """A participant of another team."""
    quinn = make.user("quinn")
    team = Team.objects.create(campaign=campaign, name="Barbican")
    campaign.membership_set.create(user=quinn, role=Role.PARTICIPANT, team=team)
    return quinn


@pytest.fixture
@once
def runs(campaign, pat):
    """Two runs that have some documents in common."""
    one = make.run(campaign, pat, {"1": "d1 d2 d3", "2": "d4"}, "one")
    return [one, make.run(campaign, pat, {"1": "d3 d1 d6"}, "two")]


@pytest.fixture
@once
def pooled(campaign, pat):
    make.frozen_pool(campaign, [make.run(campaign, pat, RANKING)], depth=6)
    return campaign


@pytest.fixture
def topic(pooled):
    return pooled.topic_set.get(number="1")


@pytest.fixture
@once
def primary(topic, ada):
    return make.assignment(topic, ada)


@pytest.fixture
@once
def begun(primary):
    """Ada has given d1 grade 2, put d2 off, and found d3 unreadable."""
    answer(primary, "d1", grade=2, comment="mine")
    answer(primary, "d2", "later")
    answer(primary, "d3", "cannot_judge", reason="unreadable")
    primary.refresh_from_db()
    return primary


@pytest.fixture
def sent(monkeypatch):
    """The tasks told to the queue."""
    told = []
    task = tasks.score_batch
    monkeypatch.setattr(task, "apply_async", lambda arguments: told.append((task, arguments)))
    return told


@pytest.fixture
@once
def judged(campaign, pat, ada):
    one, two = make.run(campaign, pat, ONE, "one"), make.run(campaign, pat, TWO, "two")
    make.frozen_pool(campaign, [one], depth=4)
    for topic in campaign.topic_set.all():
        make.judgments(make.assignment(topic, ada), GRADES[topic.number])
    return one, two


@pytest.fixture
@once
def several(ada, pat, quinn, campaign):
    """Five random runs of three teams, pooled at depth 3, with most of the pool judged."""
    judge_several(campaign, ada, pat, quinn)
    return campaign


@pytest.fixture
def compared(olga, several, sent):
    """Their evaluation, with intervals, places and classes."""
    made = score(olga, several, sent)
    make.worked("place_runs", made.pk)
    return made


@pytest.fixture
@once
def cleo(campaign):
    """A third assessor."""
    cleo = make.user("cleo")
    campaign.membership_set.create(user=cleo, role=Role.ASSESSOR)
    return cleo


@pytest.fixture
def people(ada, ben, cleo):
    """A group that judges a topic together."""
    return [ada, ben, cleo]


@pytest.fixture
@once
def queue(pooled, people) -> SharedQueue:
    """Topic 1, of which each document is to have two judgments of the group."""
    return shared(pooled, people)


@pytest.fixture
@once
def mixed(olga, ada, ben, pat):
    """Ada's ten documents with two of known grades and two repeats among them."""
    campaign = campaign_of(olga, [ada, ben], pat, known_percent=20, repeat_percent=20)
    know(campaign, KNOWN)
    return make.assignment(campaign.topic_set.get(number="1"), ada)


@pytest.fixture
@once
def practice(campaign) -> Practice:
    """Practice on three documents, switched on."""
    return make.practice(campaign, LINES)


@pytest.fixture
@once
def sampled_runs(campaign, pat):
    """Runs that find the relevant documents rather early."""
    return submit(campaign, pat)


@pytest.fixture
def sampling(campaign, sampled_runs, ada) -> Sampling:
    """Their pool, to be extended and judged."""
    return Sampling(campaign, sampled_runs, ada)


@pytest.fixture
def sampled(campaign, sampled_runs, ada):
    """Qrels of a sample of three strata, all of which is judged."""
    return sample(campaign=campaign, ada=ada)


@once
def sample(campaign, ada):
    sampling = Sampling(campaign, [*campaign.run_set.order_by("tag")], ada)
    sampling.extend("sample", {"strata": SEVERAL})
    return sampling.published()
