"""An assessor's note on a topic: on the judging page, on its own, and as organizers read it."""

from assess.models.assigning import Assignment
from questions.models import TopicNote
from tests import make
from tests.web.html import content, source
from tests.web.judging import address

BIRDS = {
    "text": "All that <flies>.",
    "difficulty": "hard",
    "remark": "two senses",
    "note_version": 0,
}
BY_SCRIPT = {"HX-Request": "true"}


def test_the_page_that_judges_saves_it_and_is_told_its_version(client, assignment):
    own = address(assignment, "note/")
    for _ in range(2):
        assert client.post(own, BIRDS, headers=BY_SCRIPT).json()["version"] == 1
    html = client.get(address(assignment)).text
    assert ">All that &lt;flies&gt;.</textarea>" in html
    assert '<option value="hard" selected>' in html
    assert 'name="note_version" value="1"' in html


def test_without_script_both_are_shown_and_the_next_rests_on_what_is_there_now(client, assignment):
    own, bats = address(assignment, "note/"), {**BIRDS, "text": "Bats."}
    assert client.post(own, {**BIRDS, "difficulty": "odd"}).status_code == 422
    assert client.post(own, BIRDS).status_code == 302
    html = source(client.post(own, bats), 422)
    assert "both are shown" in html
    assert "All that &lt;flies&gt;." in html
    assert "Bats.</textarea>" in html
    assert 'name="note_version" value="1"' in html
    assert client.post(own, {**bats, "note_version": 1}).status_code == 302
    assert TopicNote.objects.get().text == "Bats."


def test_organizers_read_it_and_no_other_assessor_does(client, assignment, ben, olga):
    client.post(address(assignment, "note/"), BIRDS)
    second = make.assignment(assignment.topic, ben, Assignment.Kind.SECOND)
    client.force_login(ben)
    for page in ("", "note/", "documents/"):
        assert "flies" not in client.get(address(second, page)).text
    slug = assignment.topic.campaign.slug
    assert "flies" not in client.get(f"/campaigns/{slug}/judging/").text
    client.force_login(olga)
    html = client.get(address(second, "assignment/")).text
    assert "<h3>Ada</h3>" in html
    assert "All that &lt;flies&gt;." in html
    file = content(client.get(f"/campaigns/{slug}/judging/notes.csv"))
    assert "1,ada,hard,two senses,All that <flies>.,1," in file
