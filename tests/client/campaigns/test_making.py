"""A campaign made as a file says, and changed as the file changes."""

import tomllib

import pytest

from campaigns.models.campaign import Campaign
from campaigns.models.people import Invitation
from collection.models.texts import Document, Topic
from pooling.models.batches import Batch
from tests import make
from tests.client.campaigns.files import CREATE, FILE, UNCHANGED


def test_a_campaign_is_made_as_its_file_says(olgas):
    said = olgas(*CREATE)
    assert (said.status, said.err) == (0, "")
    campaign = Campaign.objects.get()
    links = [f"{olgas.url}/invitations/{each.token}/" for each in Invitation.objects.order_by("pk")]
    assert said.out.splitlines() == [
        "Campaign Bats was created: bats",
        'Add the line slug = "bats" to the file: then the campaign may get another name.',
        "[pool] was not looked at: add --pool once there are runs.",
        "Team Aldgate was added.",
        "Team Barbican was added.",
        "topics.txt: 2 new, 0 changed, 0 unchanged.",
        "documents.jsonl: 6 new, 0 changed, 0 unchanged.",
        f"Link for Ada, assessor: {links[0]}",
        f"Link for participant, Barbican: {links[1]}",
    ]
    assert campaign.description == 'What is known\nof "bats".'
    assert (campaign.run_depth, campaign.takes_evidence) == (100, True)
    assert campaign.submission_opens_at.isoformat() == "2027-05-01T10:00:00+00:00"
    assert [grade.label for grade in campaign.scale.grades] == ["not relevant", "relevant"]
    assert campaign.has_whole_collection
    assert list(Topic.objects.values_list("title", flat=True)) == ["bats", "cats"]
    assert Document.objects.count() == 6
    link = Invitation.objects.get(role="participant")
    assert (link.max_uses, link.team.name) == (3, "Barbican")
    assert (link.expires_at - link.created_at).days in {13, 14}


def test_the_same_file_again_changes_nothing(olgas, made):
    before = list(Campaign.objects.values())
    assert olgas(*CREATE) == UNCHANGED
    assert list(Campaign.objects.values()) == before
    assert Invitation.objects.count() == 2


EDITS = {
    "a setting": ("run_depth = 100", "run_depth = 50", "Changed: run_depth."),
    "a moment": ("05-01T12", "05-02T12", "Changed: submission_opens_at."),
    "the same moment": ("06-01T12:00:00Z", "06-01T14:00:00", ""),
    "an answer": ('"not relevant"', '"irrelevant"', "Changed: criteria (relevance)."),
    "a team": ('"Aldgate"', '"Cheapside"', "Team Cheapside was added."),
    "the case of a team": ('"Cheapside"', '"CHEAPSIDE"', ""),
    "blanks at the ends": (
        '"What is known\\nof \\"bats\\"."',
        '"""\n What is known\nof "bats".\n"""',
        "",
    ),
    "a number as a text": ("value = 1", 'value = "1"', ""),
    "a link": ('"Ada"', '"Ben"', "Link for Ben, assessor: http"),
}


def test_what_was_edited_is_changed_and_named(olgas, made):
    content = FILE
    for name, (before, after, sentence) in EDITS.items():
        content = content.replace(before, after)
        olgas.file("campaign.toml", content)
        said = olgas(*CREATE)
        assert (said.status, said.err) == (0, ""), name
        [line] = said.out.splitlines()
        assert line.startswith(sentence or UNCHANGED[1].strip()), name
    assert olgas(*CREATE) == UNCHANGED


def test_another_name_is_taken_where_the_slug_says_which_campaign_it_is(olgas, made):
    olgas.file("campaign.toml", FILE.replace('"Bats"', '"Bats and cats"\nslug = "bats"'))
    assert olgas(*CREATE).out == "Changed: name.\n"
    assert (Campaign.objects.get().name, Campaign.objects.get().slug) == ("Bats and cats", "bats")
    olgas.file("campaign.toml", FILE.replace('"Bats"', '"Bats"\nslug = "rats"'))
    assert olgas(*CREATE).out.startswith("Campaign Bats was created: rats\n[pool] was not")


@pytest.mark.parametrize("slug", ["bats", "new", "Bats", "a b", "b" * 51])
def test_a_slug_that_others_have_or_addresses_cannot_have_is_refused(made, asking, ben, slug):
    bens = asking(ben)
    bens.file("campaign.toml", f'name = "Bats"\nslug = "{slug}"\n')
    said = bens(*CREATE)
    assert (said.status, said.out, Campaign.objects.count()) == (1, "", 1)
    assert said.err.startswith(f"slug: {slug} is taken, or no name for addresses: these have at")


def test_a_name_that_several_have_says_nothing(olgas, made, olga):
    make.campaign(olga)
    Campaign.objects.update(name="Bats")
    said = olgas(*CREATE)
    assert said.status == 1
    assert said.err.startswith("Several campaigns are called Bats: add slug, one of ")


def test_one_that_was_archived_is_left_alone(olgas, made):
    olgas("api", "POST", "campaigns/bats/archive/")
    assert olgas(*CREATE).out.startswith("Campaign Bats was created: bats-2\n")


def test_the_pool_is_built_by_its_recipe_once_it_is_asked_for(olgas, made, olga):
    olgas.file("alpha.txt", "1 Q0 d1 1 9 alpha\n2 Q0 d2 1 9 alpha\n")
    assert olgas("runs", "submit", "alpha.txt", CLEVERDON_CAMPAIGN="bats").status == 0
    said = olgas(*CREATE, "--pool")
    batch = Batch.objects.get()
    assert (batch.strategy, batch.parameters["depth"], batch.state) == ("depth", 5, "built")
    documents = f"A batch was built by depth: 2 documents, to be frozen: {batch.public_id}\n"
    assert said == (0, documents, "")
    assert olgas(*CREATE, "--pool") == UNCHANGED
    Batch.objects.update(state="failed")
    assert olgas(*CREATE, "--pool").out.startswith("A batch was built by depth: 2 documents")
    olgas.file("campaign.toml", FILE.replace("depth = 5", "depth = 6"))
    assert olgas(*CREATE) == UNCHANGED
    assert olgas(*CREATE, "--pool").out.startswith("A batch was built by depth: 2 documents")


def test_what_has_a_consequence_is_done_once_it_is_accepted(olgas, made, pooled):
    olgas.file("beta.txt", "1 Q0 d1 1 9 beta\n1 Q0 d2 2 8 beta\n")
    assert olgas("runs", "submit", "beta.txt", CLEVERDON_CAMPAIGN="bats").status == 0
    olgas.file("campaign.toml", FILE.replace("run_depth = 100", "run_depth = 1"))
    said = olgas(*CREATE)
    assert (said.status, said.out) == (1, "")
    assert said.err.endswith("If you want that, say it again with --accept.\n")
    assert Campaign.objects.get().run_depth == 100
    assert olgas(*CREATE, "--accept").out == "Changed: run_depth.\n"
    assert Campaign.objects.get().run_depth == 1


def test_a_criterion_that_is_no_longer_in_the_file_is_named(olgas, made):
    answers = '[{ value = 0, label = "no" }, { value = 1, label = "yes" }]'
    spread = (
        f'[[criteria]]\nname = "spread"\nquestion = "How wide?"\nanswers = {answers}\n\n[topics]'
    )
    olgas.file("campaign.toml", FILE.replace("[topics]", spread))
    assert olgas(*CREATE) == (0, "Changed: criteria (spread).\n", "")
    assert olgas(*CREATE) == UNCHANGED
    olgas.file("campaign.toml", FILE)
    assert olgas(*CREATE) == (0, "Changed: criteria (spread).\n", "")


def test_a_link_that_was_withdrawn_or_is_another_is_said_and_not_made_again(olgas, made):
    ours = olgas.client().campaign("bats")
    ours.invitations.withdraw(ours.invitations.list()[0]["id"])
    olgas.file("campaign.toml", FILE.replace("max_uses = 3", "max_uses = 4"))
    withdrawn, differs = olgas(*CREATE).out.splitlines()
    assert withdrawn.startswith("Link for Ada, assessor: it was withdrawn: for another link")
    assert differs.startswith("Link for participant, Barbican: max_uses is 3, not 4: for another")
    assert Invitation.objects.count() == 2
    exported = tomllib.loads(olgas("campaigns", "export", "bats").out)
    assert [each["role"] for each in exported["invitations"]] == ["participant"]
