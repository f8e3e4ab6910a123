"""Every row has an address, whatever its name: that of an act, with slashes, or of dots alone."""

import pytest

from assess.models.sharing import SharedQueue
from campaigns.models.people import Membership, Role, Team
from collection.models.texts import Topic
from pooling.models.pools import Pool
from tests import make
from tests.api.addresses import of, send

pytestmark = pytest.mark.django_db


@pytest.fixture
def named(as_olga, campaign):
    """Read the row of a noun by the address that its list's names lead to."""

    def read(noun: str, at: str):
        answer = as_olga.get(of(campaign, f"{noun}/{at}/"))
        assert answer.status_code == 200, (noun, at)
        return answer.json()

    return read


def test_what_is_named_like_an_act_is_read_where_the_act_is_sent(as_olga, campaign, named, pat):
    make.run(campaign, pat, {"1": "d1"}, "archives")
    assert named("runs", "archives")["tag"] == "archives"
    for name in ("hide", "import", "delete-all", "1/delete", "import/delete"):
        Topic.objects.create(campaign=campaign, number=name, title="bats")
        assert named("topics", name)["number"] == name
    names = ("import", "declare-whole", "delete-all", "d1/delete", "delete")
    make.documents(campaign, names)
    for name in names:
        assert named("documents", name)["docno"] == name
    gone = send(as_olga, campaign, "topics/import/delete/delete/")
    assert (gone.status_code, Topic.objects.filter(number="import/delete").exists()) == (204, False)
    assert Topic.objects.filter(number="import").exists()


def test_where_no_row_has_the_name_of_an_act_nothing_is_there(as_olga, campaign):
    for at in ("runs/archives/", "topics/hide/", "teams/Aldgate/leave/"):
        assert as_olga.get(of(campaign, at)).status_code == 404


@pytest.mark.parametrize("name", ["A/B", "A/rename", "..", "./~.", "rename", "a/../b", "é ü"])
def test_a_team_of_any_name_has_an_address(as_olga, campaign, name):
    made = send(as_olga, campaign, "teams/", {"name": name})
    assert made.status_code == 201, made.content
    assert as_olga.get(made["Location"]).json()["name"] == name
    renamed = as_olga.post(f"{made['Location']}rename/", {"name": "Bow"}, "application/json")
    assert (renamed.status_code, renamed.json()["name"]) == (200, "Bow")


def test_a_slash_may_be_written_as_percent_signs(as_olga, campaign):
    Team.objects.create(campaign=campaign, name="A/B")
    assert as_olga.get(of(campaign, "teams/A%2FB/")).json()["name"] == "A/B"


def test_a_user_name_of_dots_has_an_address(campaign, named):
    Membership.objects.create(campaign=campaign, user=make.user(".."), role=Role.ASSESSOR)
    assert named("people", "~..")["user"] == ".."


def test_a_shared_topic_named_like_an_act_has_an_address(as_olga, campaign, named, pat, olga):
    make.frozen_pool(campaign, [make.run(campaign, pat, {"1": "d1"}, "one")])
    topic = Topic.objects.create(campaign=campaign, number="1/join", title="bats")
    terms = {"seed": 1, "n_wanted": 2, "lease_minutes": 30, "created_by": olga}
    SharedQueue.objects.create(topic=topic, pool=Pool.objects.get(), **terms)
    assert named("shared-topics", "1/join")["topic"] == "1/join"
