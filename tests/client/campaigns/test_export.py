"""A campaign written into a file, from which an equal one is made."""

import json
import tomllib

import pytest

from accounts.models import User
from campaigns.models.campaign import Campaign
from campaigns.models.people import Membership, Role
from cleverdon.client.errors import Problem
from collection.models.texts import Document, Topic
from tests.client.campaigns.files import CREATE, UNCHANGED

PAGES = (
    json.dumps(
        {
            "docno": "p/1",
            "title": " Bäts\u2028and\tcats ",
            "html": "<h1>On &lt;bats&gt;</h1><p>They <b>fly</b>\nby night.</p><script>x</script>",
            "url": "https://example.org/?a=1&b=2",
            "language": "en-GB",
        }
    )
    + "\n"
    + json.dumps({"docno": "p/2", "text": "  two\r\nlines\n\nand <b>no</b> HTML \u200b"})
    + '\n{"docno": "p/3"}\n'
)
TEXTS = ("topics.jsonl", "documents.jsonl")
TOPIC = ("number", "title", "description", "narrative", "split", "sha256")
DOCUMENT = ("docno", "title", "text", "url", "language", "html", "sha256", "fault")


def test_a_campaign_is_written_back_as_the_file_that_makes_it(olgas, made, asking, ben):
    first = olgas("campaigns", "export", "bats")
    assert (first.status, first.err) == (0, "")
    olgas.file("campaign.toml", first.out)
    assert olgas(*CREATE) == UNCHANGED
    bens = asking(ben)
    bens.file("campaign.toml", first.out.replace('slug = "bats"\n', ""))
    assert bens(*CREATE).status == 0
    assert Campaign.objects.count() == 2
    again = bens("campaigns", "export", "bats-2")
    assert again.out.replace('"bats-2"', '"bats"') == first.out
    told = tomllib.loads(first.out)
    assert told["settings"]["description"] == 'What is known\nof "bats".'
    assert [each["name"] for each in told["teams"]] == ["Aldgate", "Barbican"]


def test_a_campaign_is_made_again_elsewhere_with_its_topics_and_documents(olgas, made, asking, ben):
    olgas.file("pages.jsonl", PAGES)
    page = olgas.folder / "pages.jsonl"
    row = olgas.client().campaign("bats").documents.import_(file=page)
    olgas.client().campaign("bats").imports.confirm(row["id"])
    olgas.client().campaign("bats").topics.hide(numbers=["2"])
    there = olgas.folder / "there"
    there.mkdir()
    said = olgas("campaigns", "export", "bats", "--to", there / "campaign.toml")
    assert said == (0, "", "")
    names = {"campaign.toml", "bats-topics.jsonl", "bats-documents.jsonl"}
    assert {each.name for each in there.iterdir()} == names
    file = there / "campaign.toml"
    olgas.file("there/campaign.toml", file.read_text().replace('slug = "bats"', 'slug = "again"'))
    bens = asking(ben)
    said = bens("campaigns", "create", "--from", file)
    assert (said.status, said.err) == (0, "")
    again = Campaign.objects.get(slug="again")
    for model, names in ((Topic, TOPIC), (Document, DOCUMENT)):
        rows = [model.objects.filter(campaign=each).values(*names) for each in (made, again)]
        assert sorted(map(repr, rows[0])) == sorted(map(repr, rows[1]))
    assert again.topic_set.get(split="hidden").number == "2"
    assert again.document_set.exclude(html="").count() == 1
    assert bens("campaigns", "create", "--from", file) == UNCHANGED
    assert bens("campaigns", "export", "again", "--to", there / "again.toml").status == 0
    for first, second in (
        ("campaign.toml", "again.toml"),
        *((f"bats-{n}", f"again-{n}") for n in TEXTS),
    ):
        text = (there / second).read_text().replace('"again-', '"bats-')
        assert text == (there / first).read_text()


def test_a_campaign_without_texts_names_no_files(asking, olga):
    olgas = asking(olga)
    olgas.file("campaign.toml", 'name = "Bats"\n')
    assert olgas(*CREATE).status == 0
    assert olgas("campaigns", "export", "bats", "--to", "campaign.toml").status == 0
    assert (
        not {"topics", "documents"}
        & tomllib.loads((olgas.folder / "campaign.toml").read_text()).keys()
    )
    assert len([*olgas.folder.iterdir()]) == 1


def test_a_file_that_cannot_be_written_is_named(olgas, made):
    said = olgas("campaigns", "export", "bats", "--to", "nowhere/campaign.toml")
    sentence = "nowhere/campaign.toml cannot be written: No such file or directory.\n"
    assert said == (1, "", sentence)


def test_the_documents_are_for_organizers_as_is_which_topics_are_hidden(olgas, made, asking, ada):
    Membership.objects.create(campaign=made, user=ada, role=Role.ASSESSOR)
    olgas.client().campaign("bats").topics.hide(numbers=["2"])
    seen = []
    for who in (olgas, asking(ada)):
        with who.client().campaign("bats").topics.received("topics.jsonl") as content:
            seen.append(content.read())
    assert [b"hidden" in each for each in seen] == [True, False]
    documents = asking(ada).client().campaign("bats").documents
    with pytest.raises(Problem, match="organizers"), documents.received("documents.jsonl"):
        pass


def test_the_recipe_of_the_pool_is_written_back(olgas, made):
    olgas.file("alpha.txt", "1 Q0 d1 1 9 alpha\n2 Q0 d2 1 9 alpha\n")
    olgas("runs", "submit", "alpha.txt", CLEVERDON_CAMPAIGN="bats")
    olgas(*CREATE, "--pool")
    exported = olgas("campaigns", "export", "bats").out
    assert tomllib.loads(exported)["pool"]["parameters"] == {"depth": 5}
    olgas.file("campaign.toml", exported)
    assert olgas(*CREATE, "--pool") == UNCHANGED


def test_who_organizes_nothing_exports_nothing(olgas, made, asking, pat):
    User.objects.update(is_active=True)
    said = asking(pat)("campaigns", "export", "bats")
    assert (said.status, said.out) == (1, "")
