"""A campaign made as a file says, changed as the file changes, and written back into one."""

import gzip
import json
import re
import tomllib

import pytest

from accounts.models import User
from campaigns.models.campaign import Campaign
from campaigns.models.people import Invitation, Membership, Role
from cleverdon.client.errors import Problem
from collection.models.imports import Import
from collection.models.texts import Document, Topic
from pooling.models.batches import Batch
from tests import make
from tests.deployment import ROOT

FILE = """\
name = "Bats"

[settings]
description = "What is known\\nof \\"bats\\"."
run_depth = 100
time_zone = "Europe/Berlin"
takes_evidence = true

[dates]
submission_opens_at = 2027-05-01T12:00:00
submission_closes_at = 2027-06-01T12:00:00Z

[[criteria]]
name = "relevance"
question = "How relevant is it?"
level = 1
answers = [
  { value = 0, label = "not relevant" },
  { value = 1, label = "relevant", description = "Answers the topic." },
]

[topics]
file = "topics.txt"

[documents]
files = ["documents.jsonl"]
completes_collection = true

[[teams]]
name = "Aldgate"

[[teams]]
name = "Barbican"

[[invitations]]
name = "Ada"
role = "assessor"

[[invitations]]
role = "participant"
team = "Barbican"
max_uses = 3
days = 14

[pool]
strategy = "depth"
parameters = { depth = 5 }
"""
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
CREATE = ("campaigns", "create", "--from", "campaign.toml")
UNCHANGED = (0, "Nothing is to be changed.\n", "")


@pytest.fixture
def olgas(asking, olga):
    """Olga, in a folder with the files of a campaign."""
    olgas = asking(olga)
    olgas.file("campaign.toml", FILE)
    olgas.file("topics.txt", "1\tbats\tWhat of bats?\n2\tcats\tWhat of cats?\n")
    lines = (json.dumps({"docno": f"d{n}", "text": f"On {n}."}) + "\n" for n in range(6))
    olgas.file("documents.jsonl", "".join(lines))
    return olgas


@pytest.fixture
def made(olgas) -> Campaign:
    assert olgas(*CREATE).status == 0
    return Campaign.objects.get()


def test_a_campaign_is_made_as_its_file_says(olgas):
    said = olgas(*CREATE)
    assert (said.status, said.err) == (0, "")
    campaign = Campaign.objects.get()
    links = [f"{olgas.url}/invitations/{each.token}/" for each in Invitation.objects.order_by("pk")]
    assert said.out.splitlines() == [
        "Campaign Bats was created: bats",
        'Add the line slug = "bats" to the file: then the campaign may get another name.',
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
    "an answer": ('"not relevant"', '"irrelevant"', "Changed: criteria (relevance changed)."),
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
    assert olgas(*CREATE).out.startswith("Campaign Bats was created: rats\nTeam Aldgate was added.")


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


def test_files_that_changed_are_imported_again(olgas, made):
    olgas.file("topics.txt", "1\tbats\tWhat of bats?\n2\trats\tWhat of rats?\n3\tbees\tWhich?\n")
    assert olgas(*CREATE).out == "topics.txt: 1 new, 1 changed, 1 unchanged.\n"
    assert Topic.objects.get(number="2").title == "rats"
    assert olgas(*CREATE) == UNCHANGED


def test_a_file_that_was_put_back_is_imported_again(olgas, made):
    before = (olgas.folder / "topics.txt").read_text()
    olgas.file("topics.txt", before.replace("cats", "rats"))
    assert olgas(*CREATE).out == "topics.txt: 0 new, 1 changed, 1 unchanged.\n"
    olgas.file("topics.txt", before)
    assert olgas(*CREATE).out == "topics.txt: 0 new, 1 changed, 1 unchanged.\n"
    assert Topic.objects.get(number="2").title == "cats"
    assert olgas(*CREATE) == UNCHANGED


def test_what_was_deleted_since_is_imported_again(olgas, made):
    olgas.client().campaign("bats").topics.delete("2")
    olgas.client().campaign("bats").documents.delete_all()
    assert olgas(*CREATE).out.splitlines() == [
        "topics.txt: 1 new, 0 changed, 1 unchanged.",
        "documents.jsonl: 6 new, 0 changed, 0 unchanged.",
    ]
    assert olgas(*CREATE) == UNCHANGED


def test_of_several_files_only_those_that_changed_are_imported_again(olgas, made):
    olgas.file("campaign.toml", FILE.replace('["documents.jsonl"]', '["documents.jsonl", "more"]'))
    olgas.file("more", '{"docno": "d7", "text": "On 7."}\n')
    assert olgas(*CREATE).out == "more: 1 new, 0 changed, 0 unchanged.\n"
    olgas.file("more", '{"docno": "d7", "text": "On seven."}\n')
    assert olgas(*CREATE).out.splitlines()[-1] == "more: 0 new, 1 changed, 0 unchanged."
    assert olgas(*CREATE) == UNCHANGED


def test_an_import_that_a_command_left_is_brought_to_its_end(olgas, made):
    ours = olgas.client().campaign("bats")
    for name in ("one", "two"):
        olgas.file(name, json.dumps({"docno": name, "text": "On."}) + "\n")
    olgas.file("campaign.toml", FILE.replace('["documents.jsonl"]', '["one", "two"]'))
    left = ours.documents.import_(file=olgas.folder / "one", completes_collection=True)
    Campaign.objects.update(has_whole_collection=False)
    assert [line.partition(":")[0] for line in olgas(*CREATE).out.splitlines()] == ["one", "two"]
    assert Import.objects.get(public_id=left["id"]).state == "imported"
    assert not Import.objects.exclude(state="imported").exists()
    assert Campaign.objects.get().has_whole_collection
    assert olgas(*CREATE) == UNCHANGED


def test_what_the_file_says_of_the_collection_is_declared_also_later(olgas, made):
    whole, part = (
        "The documents are the whole collection.",
        "The documents are a part of the whole.",
    )
    for said, sentence in (("false", part), ("true", whole)):
        olgas.file(
            "campaign.toml",
            FILE.replace("completes_collection = true", f"completes_collection = {said}"),
        )
        assert olgas(*CREATE) == (0, f"{sentence}\n", "")
        assert Campaign.objects.get().has_whole_collection == (said == "true")
        assert olgas(*CREATE) == UNCHANGED


def test_a_file_that_cannot_be_imported_is_named(olgas, made):
    olgas.file("topics.txt", "1\t\n")
    said = olgas(*CREATE)
    assert (said.status, said.out) == (1, "")
    assert "Line 1" in said.err
    olgas.file("documents.jsonl", '{"docno": 5')
    olgas.file("topics.txt", "1\tbats\tWhat of bats?\n2\tcats\tWhat of cats?\n")
    said = olgas(*CREATE)
    assert said.err.startswith("documents.jsonl: ")


def test_new_texts_of_what_is_pooled_are_taken_only_if_that_is_accepted(olgas, made, pooled):
    olgas.file("topics.txt", "1\tbats\tWhat else of bats?\n2\tcats\tWhat of cats?\n")
    said = olgas(*CREATE)
    assert (said.status, said.out) == (1, "")
    assert said.err == (
        "topics.txt: 1 of the topics are pooled or judged and would get another text. "
        "If you want that, say it again with --accept.\n"
    )
    assert Topic.objects.get(number="1").description == "What of bats?"
    assert Import.objects.latest("pk").state == "discarded"
    assert olgas(*CREATE, "--accept").out == "topics.txt: 0 new, 1 changed, 1 unchanged.\n"
    assert olgas(*CREATE) == UNCHANGED


@pytest.fixture
def pooled(made, olga):
    make.frozen_pool(made, [make.run(made, olga, {"1": "d1 d2", "2": "d3"}, tag="alpha")])
    return made


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


def test_the_example_of_the_handbook_is_one(olgas):
    page = (ROOT / "docs/client.md").read_text()
    [example] = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)
    olgas.file("campaign.toml", re.sub(r"^slug.*\n", "", example, flags=re.MULTILINE))
    (olgas.folder / "topics.txt").rename(olgas.folder / "topics.xml")
    corpus = (olgas.folder / "documents.jsonl").read_bytes()
    (olgas.folder / "corpus.jsonl.gz").write_bytes(gzip.compress(corpus))
    said = olgas(*CREATE)
    assert (said.status, said.err) == (0, "")
    assert olgas(*CREATE) == UNCHANGED


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("", 'campaign.toml: It has no name: begin with name = "…".'),
        ("name = ", "campaign.toml: Invalid value (at end of document)"),
        ('name = "x"\ncolor = 1', "campaign.toml: color is nothing of the file. It takes: "),
        ('name = "x"\n[teams]\nname = "A"', "campaign.toml: teams is written as [[teams]]."),
        ('name = "x"\n[[topics]]\nfile = "A"', "campaign.toml: topics is written as [topics]."),
        ('name = "x"\n[[teams]]\nsize = 3', "campaign.toml: size is nothing of [[teams]] 1. It "),
        ('name = "x"\n[dates]\ntopics_open_at = "soon"', "topics_open_at is a date and a time"),
        ('name = "x"\n[settings]\ntime_zone = "Mars/A"', "There is no time zone Mars/A."),
        ('name = "x"\n[settings]\nsize = 3', "size: There is no such value. It takes: "),
        ('name = "x"\n[settings]\nrun_depth = 0', "run_depth: Ensure this value is greater"),
        ('name = "x"\n[topics]\nfile = "none.txt"', "There is no file none.txt."),
        ("name = 3", "campaign.toml: the file: name is a text in quotes, not 3."),
        ('name = "x"\nslug = 3', "campaign.toml: the file: slug is a text in quotes, not 3."),
        ('name = "x"\n[topics]\nfile = ""', "campaign.toml: [topics] has no file."),
        ('name = "x"\n[[teams]]\nname = "A"\n[[teams]]', "campaign.toml: [[teams]] 2 has no name."),
        ('name = "x"\n[[teams]]\nname = 3', "campaign.toml: [[teams]] 1: name is a text in"),
        (
            'name = "x"\n[[invitations]]\nrole = "assessor"\nmax_uses = true',
            "campaign.toml: [[invitations]] 1: max_uses is a whole number, not True.",
        ),
        ('name = "x"\n[[invitations]]\nrole = "chef"', "[[invitations]] 1: role: "),
        (
            'name = "x"\nteams = [{ name = "B" }]\n[[invitations]]\nrole = "chef"\nteam = "A"',
            "There is no team A to invite to: add it as [[teams]].",
        ),
        ('name = "x"\n[documents]\nfiles = "x"', "campaign.toml: [documents]: files is a list of"),
        (
            'name = "x"\n[documents]\nis_html = "maybe"',
            "campaign.toml: [documents]: is_html is true",
        ),
        (
            'name = "x"\n[settings]\nrun_depth = nan',
            "campaign.toml: [settings]: run_depth is no num",
        ),
        ('name = "x"\n[settings]\nslug = "zz"', "campaign.toml: slug is no setting that"),
        (
            'name = "x"\n[[criteria]]\nanswers = [{ value = 1 }, { value = 2027-01-01 }]',
            "campaign.toml: [[criteria]] 1: answers: 2: value is a date or a time: these stand in",
        ),
        (
            'name = "x"\n[pool]\nparameters = { depth = 12:00:00 }',
            "campaign.toml: [pool]: parameters",
        ),
    ],
)
def test_what_cannot_be_in_a_file_is_said(olgas, content, sentence):
    olgas.file("campaign.toml", content)
    said = olgas(*CREATE)
    assert said.status == 1
    assert said.err.startswith(sentence)


def test_a_criterion_that_is_no_longer_in_the_file_is_named(olgas, made):
    answers = '[{ value = 0, label = "no" }, { value = 1, label = "yes" }]'
    spread = (
        f'[[criteria]]\nname = "spread"\nquestion = "How wide?"\nanswers = {answers}\n\n[topics]'
    )
    olgas.file("campaign.toml", FILE.replace("[topics]", spread))
    assert olgas(*CREATE) == (0, "Changed: criteria (spread is new).\n", "")
    assert olgas(*CREATE) == UNCHANGED
    olgas.file("campaign.toml", FILE)
    assert olgas(*CREATE) == (0, "Changed: criteria (spread removed).\n", "")


def test_a_link_that_was_withdrawn_or_is_another_is_said_and_not_made_again(olgas, made):
    ours = olgas.client().campaign("bats")
    ours.invitations.withdraw(ours.invitations.list()[0]["id"])
    olgas.file("campaign.toml", FILE.replace("max_uses = 3", "max_uses = 4"))
    withdrawn, differs = olgas(*CREATE).out.splitlines()
    assert withdrawn.startswith("Link for Ada, assessor: it was withdrawn, and is not made again")
    assert differs.startswith("Link for participant, Barbican: max_uses is 3, not 4: withdraw it,")
    assert Invitation.objects.count() == 2
    exported = tomllib.loads(olgas("campaigns", "export", "bats").out)
    assert [each["role"] for each in exported["invitations"]] == ["participant"]


def test_marks_of_an_editor_and_other_encodings_are_known(olgas):
    file = olgas.folder / "campaign.toml"
    file.write_text('name = "Bäts"', encoding="utf-8-sig")
    assert olgas(*CREATE).status == 0
    file.write_text('name = "Bäts"', encoding="latin-1")
    assert olgas(*CREATE) == (1, "", "campaign.toml is no text in UTF-8: save it as such.\n")


def test_what_is_printed_is_utf_8_whatever_the_terminal_says(olgas):
    olgas.file("campaign.toml", 'name = "Bäts"')
    assert "Bäts" in olgas.process(*CREATE, PYTHONIOENCODING="ascii").out


def test_a_file_that_is_not_there_is_named(olgas):
    said = olgas("campaigns", "create", "--from", "none.toml")
    assert said == (1, "", "none.toml cannot be read: No such file or directory.\n")


def test_who_organizes_nothing_exports_nothing(olgas, made, asking, pat):
    User.objects.update(is_active=True)
    said = asking(pat)("campaigns", "export", "bats")
    assert (said.status, said.out) == (1, "")
