"""What may be in a campaign's file."""

import gzip
import re

import pytest

from tests.client.campaigns.files import CREATE, UNCHANGED
from tests.deployment import ROOT


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("", "name: This field is required."),
        ("name = ", "campaign.toml: Invalid value (at end of document)"),
        (
            'name = "x"\ncolor = 1',
            "campaign.toml: color is nothing of a campaign's file. It takes: ",
        ),
        ('name = "x"\n[teams]\nname = "A"', "campaign.toml: teams is written as [[teams]]."),
        ('name = "x"\nteams = ["A"]', "campaign.toml: teams is written as [[teams]]."),
        ('name = "x"\n[[topics]]\nfile = "A"', "campaign.toml: topics is written as [topics]."),
        ('name = "x"\n[[teams]]\nsize = 3', "[[teams]]: size: There is no such value. It takes: "),
        ('name = "x"\n[[teams]]\nname = "A"\n[[teams]]', "[[teams]]: name: This field is required"),
        (
            'name = "x"\n[dates]\ntopics_open_at = "soon"',
            "topics_open_at: Datetime has wrong format",
        ),
        (
            'name = "x"\n[settings]\ntime_zone = "Mars/A"',
            "campaign.toml: There is no time zone Mars/A.",
        ),
        ('name = "x"\n[settings]\nsize = 3', "size: There is no such value. It takes: "),
        ('name = "x"\n[settings]\nrun_depth = 0', "run_depth: Ensure this value is greater"),
        ('name = "x"\n[settings]\nrun_depth = nan', "run_depth: A valid integer is required."),
        (
            'name = "x"\n[settings]\nslug = "zz"',
            "campaign.toml: slug is no setting: it stands above",
        ),
        ('name = "x"\n[topics]\nfile = "none.txt"', "There is no file none.txt."),
        ('name = "x"\n[topics]\nfiel = "x"', "[topics] names no file."),
        ('name = "x"\n[documents]\nfiles = "none.txt"', "There is no file none.txt."),
        (
            'name = "x"\n[documents]\nfiles = "topics.txt"\nis_html = "maybe"',
            "topics.txt: is_html: Send true or false.",
        ),
        (
            'name = "x"\n[[invitations]]\nrole = "assessor"\nmax_uses = true',
            "[[invitations]] assessor: max_uses: A valid integer is required.",
        ),
        ('name = "x"\n[[invitations]]\nrole = "chef"', "[[invitations]] chef: role: Send one of: "),
        (
            'name = "x"\nteams = [{ name = "B" }]\n[[invitations]]\nrole = "chef"\nteam = "A"',
            "There is no team A to invite to: add it as [[teams]].",
        ),
        (
            (
                'name = "x"\n[[criteria]]\nname = "a"\nquestion = "?"\n'
                'answers = [{ value = 0, label = "no" }, { value = 2027-01-01, label = "yes" }]'
            ),
            "criteria.1.answers.2.value: A valid integer is required.",
        ),
    ],
)
def test_what_cannot_be_in_a_file_is_said(olgas, content, sentence):
    olgas.file("campaign.toml", content)
    said = olgas(*CREATE)
    assert said.status == 1
    assert said.err.startswith(sentence)


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
