"""Practice, controls, criteria and a document worth a picture, in the example campaign."""

from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from cleverdon.trec.topics import parse_topics
from demo.core import collection, true_grades

TOPICS = Path(collection.__file__).with_name("topics.txt")
PRACTICE = {
    "title": "read a text file line by line",
    "description": "How do I go through a text file line by line, "
    "without holding all of it in memory?",
    "narrative": "What counts is the way, with enough of it to write the code. "
    "A document that reads all lines at once is partly relevant.",
    "known": "\n".join(
        "\t".join(known)
        for known in (
            ("fileinput", "3", "It is the module for this: its first lines of code are the loop."),
            (
                "linecache.getlines",
                "1",
                "It reads all lines at once, which the topic wants to avoid for a large file.",
            ),
            ("fileinput.FileInput", "2", "It can be looped over, but the loop is shown elsewhere."),
            ("calendar", "0", "Nothing here is about files."),
        )
    ),
}
# Name, question, from which grade it is asked, and the answers from 0 on.
CRITERIA = (
    (
        "credibility",
        "How far would you trust what it says?",
        "1",
        ("not at all", "in part", "fully"),
    ),
    ("readability", "How easy is it to read?", "1", ("hard", "takes some effort", "easy")),
)
PERCENT = "5"  # of either kind of controls
LONG = 1_000  # characters
KNOWN_PER_TOPIC = 16  # half of them the first that are relevant


def switch_on_practice(olga: Page, base: str) -> None:
    olga.goto(f"{base}judging/practice/edit/")
    for name, text in PRACTICE.items():
        olga.fill(f"[name={name}]", text)
    for name in ("is_on", "may_skip"):
        olga.check(f"[name={name}]")
    olga.get_by_role("button", name="Save").click()
    olga.locator("#practiced").wait_for()


def switch_on_controls(olga: Page, base: str) -> None:
    """Mix controls in from now on, and import known grades of documents judged already."""
    change_settings(olga, f"{base}settings/judging/", known_percent=PERCENT, repeat_percent=PERCENT)
    judged = olga.request.get(f"{base}qrels/1.txt").text().splitlines()
    lines = "".join(f"{topic} 0 {docno} {grade}\n" for topic, docno, grade in known(judged))
    olga.goto(f"{base}judging/controls/")
    olga.set_input_files(
        "[name=file]", {"name": "known.txt", "mimeType": "text/plain", "buffer": lines.encode()}
    )
    olga.get_by_role("button", name="Import").click()
    olga.locator("#known-topics").wait_for()


def known(judged: list[str]) -> Iterator[tuple[str, str, int]]:
    """Yield the grades of the first relevant and the first other documents of each topic."""
    topics = parse_topics(TOPICS.read_text(encoding="utf-8"))
    for topic, true in true_grades.true_grades(collection.documents(), topics).items():
        docnos = [docno for number, _, docno, _ in map(str.split, judged) if number == topic]
        docnos.sort(key=lambda docno: docno not in true)
        half = min(KNOWN_PER_TOPIC // 2, len(docnos) // 2)
        chosen = docnos[:half] + docnos[len(docnos) - half :]
        yield from ((topic, docno, true.get(docno, 0)) for docno in chosen)


def switch_on_criteria(olga: Page, base: str) -> None:
    olga.goto(f"{base}settings/grades/")
    for name, question, from_grade, labels in CRITERIA:
        olga.get_by_role("button", name="Add a criterion").click()
        criterion = olga.locator(".criterion").last
        criterion.get_by_label("Name").fill(name)
        criterion.get_by_label("Question").fill(question)
        criterion.get_by_label("Asked from grade").fill(from_grade)
        criterion.get_by_role("button", name="Add an answer").click()
        for field, label in zip(criterion.get_by_label("Label").all(), labels, strict=True):
            field.fill(label)
    save(olga)


def change_settings(olga: Page, address: str, **values: str) -> None:
    olga.goto(address)
    for name, value in values.items():
        olga.fill(f"[name={name}]", value)
    save(olga)


def save(olga: Page) -> None:
    olga.get_by_role("button", name="Save the settings").click()
    olga.wait_for_load_state("networkidle")


def arrived(page: Page) -> Locator:
    """Return the docno on a judging page, once its document can be judged."""
    return page.locator(".judging:not([data-arriving]) .judging-document code").first


def go_to_a_long_document(page: Page) -> None:
    """Go on, on a judging page, to a document of which there is something to see."""
    arrived(page).wait_for()
    while len(page.locator(".judging-document").inner_text()) < LONG:
        docno = arrived(page).inner_text()
        page.keyboard.press("n")
        expect(arrived(page)).not_to_have_text(docno)
