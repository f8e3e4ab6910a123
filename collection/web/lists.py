"""Topics as files, for the systems that make runs."""

import json
from collections.abc import Iterable, Iterator

from collection.models.texts import Topic

TOPIC_FIELDS = ("number", "title", "description", "narrative")


def topics_as_json_lines(topics: Iterable[Topic]) -> Iterator[str]:
    """Yield each topic as an object, with the fields in which it is imported."""
    for topic in topics:
        fields = {name: getattr(topic, name) for name in TOPIC_FIELDS}
        yield f"{json.dumps(fields, ensure_ascii=False)}\n"


def topics_as_tsv(topics: Iterable[Topic]) -> Iterator[str]:
    """Yield the number and the title of each topic, as most systems read them; white space in a title is a blank."""
    return (f"{topic.number}\t{' '.join(topic.title.split())}\n" for topic in topics)


TOPIC_FORMATS = {
    "jsonl": ("application/jsonl", topics_as_json_lines),
    "tsv": ("text/tab-separated-values", topics_as_tsv),
}
