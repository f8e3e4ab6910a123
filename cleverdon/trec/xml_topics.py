"""Topics as XML, `<topic number="1">`, with the element names of several tracks."""

import re
from collections.abc import Iterator
from itertools import chain, pairwise

from cleverdon.trec.entities import unescaped
from cleverdon.trec.field_names import NUMBER, OF_TOPICS, plain_name
from cleverdon.trec.markup import HTML, without_tags

# No "<" within a tag: else a text of tags that never end takes quadratic time.
TAG = re.compile(r"<(/?)([A-Za-z][\w.:-]*+)(?=[\s/>])([^<>]*)>")
ATTRIBUTE = re.compile(r"""\s([A-Za-z][\w-]*+)\s*+=\s*+(?:"([^"<>]*+)"|'([^'<>]*+)')""")
CLOSES = "/"
# Elements whose text is not the topic's, in whatever order they close.
OTHERS = frozenset({"subtopic", "subtopics", "topic", "topics"})


def read_xml(text: str, element: str) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the line of each topic, and the texts of its elements, by their names.

    `element` is the name of a topic's. Bare text is the title. Entities become characters; comments
    are left out.
    """
    opens = re.compile(rf"<{element}(?:\s[^<>]*+)?>", re.IGNORECASE)
    for line, tag, content in pieces(opens, _without_comments(text)):
        yield line, _topic(tag[0], content, element)


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


def plain_paragraphs(content: str) -> str:
    """Return text without tags, with characters for entities, a line for each paragraph."""
    return paragraphs(unescaped(without_tags(content)))


def _topic(tag: str, content: str, element: str) -> dict[str, str]:
    texts = _elements(content, element)
    bare = texts.pop("", "")
    if bare and not OF_TOPICS.is_named("title", texts):
        texts["title"] = bare
    for name, *values in ATTRIBUTE.findall(tag):
        if plain_name(name) in NUMBER:
            others = {each: text for each, text in texts.items() if plain_name(each) not in NUMBER}
            return {name: unescaped("".join(values)).strip(), **others}
    return texts


def _elements(content: str, element: str) -> dict[str, str]:
    """Return the first text of each element, by name; bare text has the name "".

    An element goes on to its end, or to the next one of a known name. HTML within is text.
    """
    known = OF_TOPICS.known | OTHERS | {element}
    closed = {tag[2] for tag in TAG.finditer(content) if tag[1]}
    texts, name, start = dict[str, str](), "", 0
    for tag in TAG.finditer(content):
        is_own_end = tag[1] == CLOSES and tag[2] == name
        is_within = bool(name) and plain_name(name) not in known and name in closed
        begins_one = not (name or tag[1] or tag[2].lower() in HTML)
        if is_own_end or (not is_within and (begins_one or plain_name(tag[2]) in known)):
            _keep(texts, name, content[start : tag.start()])
            name, start = ("" if tag[1] == CLOSES else tag[2]), tag.end()
    _keep(texts, name, content[start:])
    return texts


def _keep(texts: dict[str, str], name: str, content: str) -> None:
    """Keep the first text of an element."""
    plain = plain_paragraphs(content)
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
