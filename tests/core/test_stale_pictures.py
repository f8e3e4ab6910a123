"""Pictures of the documentation that are older than what they show are named."""

import shutil

import pytest

from docs import stale

PICTURES = {path.name for path in (stale.ROOT / "docs" / "images").glob("*.png")}


def test_every_picture_says_which_templates_it_shows():
    assert stale.SHOWN.keys() == PICTURES


def test_what_a_page_extends_includes_and_links_to_is_what_its_picture_is_made_of():
    found = stale.files_of(stale.SHOWN["judging.png"])
    assert found >= {
        *("templates/base.html", "templates/desk/judge.html", "templates/desk/_judge_bar.html"),
        *("static/css/base.css", "static/css/judging.css"),
    }
    assert "templates/evaluation/leaderboard.html" not in found


@pytest.fixture
def copy(tmp_path):
    for folder in ("templates", "static/css"):
        shutil.copytree(stale.ROOT / folder, tmp_path / folder)
    return tmp_path


def test_a_change_makes_the_pictures_that_show_it_stale_and_no_other(copy):
    kept = stale.hashes(copy)
    assert stale.changed(kept, copy) == {}
    for path, pictures in (
        ("templates/agreement/controls.html", {"controls.png"}),
        ("static/css/base.css", PICTURES),
    ):
        (copy / path).write_text((copy / path).read_text() + "\n")
        assert stale.changed(kept, copy).keys() == pictures
        assert path in stale.changed(kept, copy)["controls.png"]


def test_an_included_template_that_is_new_makes_a_picture_stale(copy):
    kept = stale.hashes(copy)
    del kept["templates/runs/_run_state.html"]
    assert stale.changed(kept, copy) == {"report.png": ["templates/runs/_run_state.html"]}


def test_without_a_record_every_picture_is_stale():
    assert stale.changed({}).keys() == PICTURES
