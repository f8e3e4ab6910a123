"""Links of the description: from what a list or an act tells to the addresses of that row."""

from typing import Any

from api.registry import every_noun
from campaigns.nouns import CAMPAIGNS

# Where the name of a row stands in an answer: of what an act made, and of the first row of a list.
ANSWERS = {"new": ("201", "$response.body#/"), "list": ("200", "$response.body#/0/")}


def with_links(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Add to each answer that names a row the operations that take its name in their address.

    A hook of drf-spectacular.
    """
    operations = {
        each["operationId"]: (path, each)
        for path, methods in result["paths"].items()
        for each in methods.values()
    }
    for noun in every_noun():
        part = "slug" if noun is CAMPAIGNS else "key"
        takes = [
            name for name, (path, _) in operations.items() if f"/{noun.name}/{{{part}}}/" in path
        ]
        for kind, (status, at) in ANSWERS.items():
            _, source = operations.get(f"{noun.name}_{kind}", ("", {"responses": {}}))
            if noun.key.part and (answer := source["responses"].get(status)):
                answer["links"] = {
                    name: _link(name, part, f"{at}{noun.key.field}") for name in takes
                }
    return result


def _link(operation: str, part: str, at: str) -> dict[str, Any]:
    where = {} if part == "slug" else {"slug": "$request.path.slug"}
    return {"operationId": operation, "parameters": {**where, part: at}}
