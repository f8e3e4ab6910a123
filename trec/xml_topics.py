"""Topics as XML, `<topic number="1">`, in the words of several tracks: query or title, question or description, narrative."""

import re
from collections.abc import Iterator

from trec.entities import unescaped

# No "<" within a tag: else a text of tags that never end takes quadratic time.
TOPIC = re.compile(r"<topic\b[^<>]*>", re.IGNORECASE)
TAG = re.compile(r"<(/?)([a-z][\w.-]*)[^<>]*>", re.IGNORECASE)
NUMBER = re.compile(r"""\s(?:number|num|id|qid|topic_id)\s*=\s*["']([^"'<>]*)["']""", re.IGNORECASE)
FIELDS = (
    ("number", "num", "id", "qid"),
    ("query", "title"),
    ("question", "description", "desc"),
    ("narrative", "narr"),
)
CLOSES = "/"
# Elements of a topic that are none of its texts.
OTHERS = frozenset({"subtopic", "subtopics"})


def read_xml(text: str) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Yield the line of each topic, and its number, title, description and narrative as far as it has them.

    A topic that is nothing but text has that text for its title. Entities become characters; comments are left out.
    """
    text = _without_comments(text)
    openings = list(TOPIC.finditer(text))
    ends = [each.start() for each in openings[1:]] + [len(text)]
    line, counted = 1, 0
    for opening, end in zip(openings, ends, strict=True):
        line += text.count("\n", counted, opening.start())
        counted = opening.start()
        yield line, _topic(opening[0], text[opening.end() : end])


def _topic(tag: str, content: str) -> tuple[str, ...]:
    found = _elements(content)
    number, title, *others = (
        next((found[name] for name in names if found.get(name)), "") for names in FIELDS
    )
    if attribute := NUMBER.search(tag):
        number = unescaped(attribute[1]).strip()
    return number, title or found.get("", ""), *others


def _elements(content: str) -> dict[str, str]:
    """Return the text of each element up to the next known tag, by name; what stands outside has the name ""."""
    known = {name for names in FIELDS for name in names} | OTHERS | {"topic", "topics"}
    found, name, start = dict[str, str](), "", 0
    for tag in TAG.finditer(content):
        if (slash_name := tag[2].lower()) not in known:
            continue
        _keep(found, name, content[start : tag.start()])
        name, start = ("" if tag[1] == CLOSES else slash_name), tag.end()
    _keep(found, name, content[start:])
    return found


def _keep(found: dict[str, str], name: str, content: str) -> None:
    """Note the first text of an element, its lines joined paragraph by paragraph."""
    plain = unescaped(TAG.sub(" ", content)).strip()
    paragraphs = re.split(r"\n\s*\n", plain)
    if plain and name not in found:
        found[name] = "\n".join(" ".join(paragraph.split()) for paragraph in paragraphs)


def _without_comments(text: str) -> str:
    """Replace each comment by its line ends, so that lines keep their numbers; drop the marks around CDATA."""
    first, *others = text.replace("<![CDATA[", "").replace("]]>", "").split("<!--")
    kept = [first]
    for other in others:
        comment, _, rest = other.partition("-->")
        kept.append("\n" * comment.count("\n") + rest)
    return "".join(kept)
