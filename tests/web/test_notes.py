"""An assessor's note on a topic: on the judging page, on its own, and as organizers read it."""

from assess.models.assigning import Assignment
from questions.models import TopicNote
from tests import make

BIRDS = {
    "text": "All that <flies>.",
    "difficulty": "hard",
    "remark": "two senses",
    "note_version": 0,
}
BY_SCRIPT = {"HX-Request": "true"}


def at(assignment, verb="note/") -> str:
    return f"/campaigns/{assignment.topic.campaign.slug}/judging/{assignment.pk}/{verb}"


def test_the_page_that_judges_saves_it_and_is_told_its_version(client, assignment):
    for _ in range(2):
        answer = client.post(at(assignment), BIRDS, headers=BY_SCRIPT)
        assert answer.json()["version"] == 1
    html = client.get(at(assignment, "")).content.decode()
    assert ">All that &lt;flies&gt;.</textarea>" in html
    assert '<option value="hard" selected>' in html
    assert 'name="note_version" value="1"' in html


def test_without_script_both_are_shown_and_the_next_answer_rests_on_what_is_there_now(
    client, assignment
):
    assert client.post(at(assignment), {**BIRDS, "difficulty": "odd"}).status_code == 422
    assert client.post(at(assignment), BIRDS).status_code == 302
    answer = client.post(at(assignment), {**BIRDS, "text": "Bats."})
    html = answer.content.decode()
    assert answer.status_code == 422
    assert "both are shown" in html
    assert "All that &lt;flies&gt;." in html
    assert "Bats.</textarea>" in html
    assert 'name="note_version" value="1"' in html
    assert (
        client.post(at(assignment), {**BIRDS, "text": "Bats.", "note_version": 1}).status_code
        == 302
    )
    assert TopicNote.objects.get().text == "Bats."


def test_organizers_read_it_and_no_other_assessor_does(client, assignment, ben, olga):
    client.post(at(assignment), BIRDS)
    second = make.assignment(assignment.topic, ben, Assignment.Kind.SECOND)
    client.force_login(ben)
    for page in ("", "note/", "documents/"):
        assert "flies" not in client.get(at(second, page)).content.decode()
    slug = assignment.topic.campaign.slug
    assert "flies" not in client.get(f"/campaigns/{slug}/judging/").content.decode()
    client.force_login(olga)
    html = client.get(at(second, "assignment/")).content.decode()
    assert "<h3>Ada</h3>" in html
    assert "All that &lt;flies&gt;." in html
    file = client.get(f"/campaigns/{slug}/judging/notes.csv").getvalue().decode()
    assert "1,ada,hard,two senses,All that <flies>.,1," in file
