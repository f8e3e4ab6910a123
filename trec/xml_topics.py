"""Topics as XML, `<topic number="1">`, with the element names of several tracks."""

import re
from collections.abc import Iterator
from itertools import chain, pairwise

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
# Elements whose text is not the topic's.
OTHERS = frozenset({"subtopic", "subtopics"})


def read_xml(text: str) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Yield the line of each topic, and its number, title, description and narrative, or "".

    Bare text is the title. Entities become characters; comments are left out.
    """
    for line, tag, content in pieces(TOPIC, _without_comments(text)):
        yield line, _topic(tag[0], content)


def pieces(tags: re.Pattern[str], text: str) -> Iterator[tuple[int, re.Match[str], str]]:
    """Yield each tag with its line, and the text from its end to the next tag, or to the end."""
    line, counted = 1, 0
    for tag, following in pairwise(chain(tags.finditer(text), [None])):
        if tag:
            line += text.count("\n", counted, tag.start())
            counted = tag.start()
            yield line, tag, text[tag.end() : following.start() if following else None]


def paragraphs(text: str) -> str:
    """Join the lines of each paragraph; empty lines separate paragraphs."""
    parts = re.split(r"\n\s*\n", text.strip())
    return "\n".join(" ".join(part.split()) for part in parts)


def _topic(tag: str, content: str) -> tuple[str, ...]:
    texts = _elements(content)
    number, title, *others = (
        next((texts[name] for name in names if texts.get(name)), "") for names in FIELDS
    )
    if attribute := NUMBER.search(tag):
        number = unescaped(attribute[1]).strip()
    return number, title or texts.get("", ""), *others


def _elements(content: str) -> dict[str, str]:
    """Return each element's text up to the next known tag, by name; bare text has the name ""."""
    known = {name for names in FIELDS for name in names} | OTHERS | {"topic", "topics"}
    texts, name, start = dict[str, str](), "", 0
    for tag in TAG.finditer(content):
        if (slash_name := tag[2].lower()) not in known:
            continue
        _keep(texts, name, content[start : tag.start()])
        name, start = ("" if tag[1] == CLOSES else slash_name), tag.end()
    _keep(texts, name, content[start:])
    return texts


def _keep(texts: dict[str, str], name: str, content: str) -> None:
    """Keep the first text of an element."""
    plain = paragraphs(unescaped(TAG.sub(" ", content)))
    if plain and name not in texts:
        texts[name] = plain


def _without_comments(text: str) -> str:
    """Replace each comment by its line ends, to keep line numbers; drop the marks of CDATA."""
    first, *others = text.replace("<![CDATA[", "").replace("]]>", "").split("<!--")
    kept = [first]
    for other in others:
        comment, _, rest = other.partition("-->")
        kept.append("\n" * comment.count("\n") + rest)
    return "".join(kept)
