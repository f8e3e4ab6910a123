"""The examples of the API's description: read from the file, or written into it.

`WRITE_EXAMPLES=1 .venv/bin/python -m pytest -n 0 tests/web/test_api_examples.py
tests/api/test_every_act.py`, twice, writes `api/examples.json` anew, from what tests read and send.
"""

import json
import os
import re
from typing import Any

from django.core.files.base import ContentFile

from api.schema import EXAMPLES, EXAMPLES_FILE

WRITES = "WRITE_EXAMPLES" in os.environ
# What is another each time, and what stands for it.
NUMBERS = {"run_id", "judgment", "assignment", "question"}  # of rows
STEADY = {
    r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}": "5f0c7a52-8f6e-4c55-9d0b-3a1c2b7e9d10",
    r"\d{4}-\d\d-\d\dT[\d:.]+(Z|\+00:00)": "2027-03-01T09:00:00Z",
    r"[0-9a-f]{64}": "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
}


def steady(value: Any, name: str = "") -> Any:
    """A value without what is another each time: ids, moments, hashes, numbers of rows."""
    if isinstance(value, dict):
        return {key: steady(each, key) for key, each in value.items()}
    if isinstance(value, list):
        return [steady(each) for each in value[:3]]
    if hasattr(value, "read"):
        value.seek(0)
        text = value.read().decode()
        value.seek(0)
        return re.sub(r'"seed":\d+', '"seed":1', text)
    if name in NUMBERS:
        return 1
    if not isinstance(value, str):
        return value
    by_chance = (new for old, new in STEADY.items() if re.fullmatch(old, value))
    return next(by_chance, str(value))


def shape(value: Any) -> Any:
    """The keys and types of a value; a list has those of its first."""
    if isinstance(value, dict):
        return {key: shape(each) for key, each in value.items()}
    if isinstance(value, list):
        return [shape(each) for each in value[:1]]
    return type(value).__name__


def example(name: str, value: dict[str, Any]) -> dict[str, Any]:
    """The example of this name, which has the shape of what was found."""
    if WRITES:
        EXAMPLES[name] = EXAMPLES.get(name, {}) | steady(value)
        text = json.dumps(EXAMPLES, indent=1, sort_keys=True, ensure_ascii=False)
        EXAMPLES_FILE.write_text(text + "\n", encoding="utf-8")
    known = {each: EXAMPLES[name].get(each) for each in value}
    assert shape(known) == shape(steady(value)), f"write the example of {name} anew"
    return known


def as_sent(known: dict[str, Any], now: dict[str, Any]) -> dict[str, Any]:
    """An example as it is sent now: as it stands, but for ids and moments: those of now."""
    sent = {
        name: now[name] if steady(now[name], name) == value else value
        for name, value in known.items()
    }
    files = {
        name: getattr(each, "name", name) for name, each in now.items() if hasattr(each, "read")
    }
    return sent | {name: ContentFile(known[name].encode(), its) for name, its in files.items()}
