"""The scope of an evaluation: which topics, which judgments and which runs its scores are of."""

import hashlib
import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass, fields
from typing import Any, Self

from trec.topics import PUBLIC

ALL = "all"
SPLITS = {ALL: "all topics", PUBLIC: "the public topics only"}
# The topics that a mean is taken over.
JUDGED = "judged"
MEANS_OVER = {
    JUDGED: "all judged topics; a missing topic counts 0",
    "relevant": "topics with a relevant document",
    "retrieved": "topics in the run",
}


@dataclass(frozen=True)
class Scope:
    """Topics x judgments x runs, named by what they are called in their campaign.

    The judgments are those of the version `qrels`; documents judged in the version `without` are
    left out of them and of the runs (the residual collection). Topics and runs are all that there
    are, or those of a `round`; of the topics perhaps the public ones, of the runs perhaps those
    `chosen` by their tags. Means are over a `topic_set`.
    """

    qrels: int
    without: int | None = None
    round: int | None = None
    split: str = ALL
    topic_set: str = JUDGED
    chosen: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "chosen", tuple(sorted(set(self.chosen))))

    def to_json(self) -> dict[str, Any]:
        """Return the parts by name, without those that are as usual."""
        parts = {each.name: getattr(self, each.name) for each in fields(self)}
        said = {each.name for each in fields(self) if parts[each.name] != each.default}
        parts["chosen"] = list(self.chosen)
        return {name: parts[name] for name in sorted(said)}

    @classmethod
    def from_json(cls, parts: Mapping[str, Any]) -> Self:
        return cls(**parts)

    @property
    def hash(self) -> str:
        """SHA-256 of the JSON: equal for equal scopes, whatever parts are added later."""
        text = json.dumps(self.to_json(), sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()

    @property
    def is_partial(self) -> bool:
        """Whether the hidden topics are left out."""
        return self.split == PUBLIC

    @property
    def has_all_topics(self) -> bool:
        return not (self.round or self.is_partial)

    @property
    def has_all_judgments(self) -> bool:
        """Whether no judgment of the version is left out."""
        return self.has_all_topics and self.without is None

    def how(self, withdrawn: Collection[int] = ()) -> list[str]:
        """Return what it is besides a version: "in round 2", "without v1" and so on."""
        parts = {
            f"in round {self.round}": self.round,
            f"without {_version(self.without, withdrawn)}": self.without,
            "on the public topics": self.is_partial,
            "for chosen runs": self.chosen,
        }
        return [words for words, is_so in parts.items() if is_so]

    def named(self, withdrawn: Collection[int] = ()) -> str:
        """Return its name, with the versions that have been `withdrawn` marked."""
        return " ".join([f"qrels {_version(self.qrels, withdrawn)}", *self.how(withdrawn)])

    @property
    def name(self) -> str:
        """As in "scores against qrels v2 in round 2 without v1 on the public topics"."""
        return self.named()

    def file_name(self, withdrawn: Collection[int] = ()) -> str:
        """Return its name for files, "qrels-v2-round-2"; a choice of runs is told by its hash."""
        name = self.named(withdrawn).replace("chosen runs", f"chosen {self.hash[:8]}")
        small = {"in", "on", "the", "for"}
        words = name.replace("(", "").replace(")", "").split()
        return "-".join(word for word in words if word not in small)

    def sentence(self, withdrawn: Collection[int] = ()) -> str:
        """Return "Runs of round 2 scored against qrels v2, ...; means over ...", without a dot."""
        runs, of_round = "Chosen runs" if self.chosen else "Runs", f" of round {self.round}"
        parts = {
            f"{runs}{of_round if self.round else ''} scored": self.round or self.chosen,
            "Scored": not (self.round or self.chosen),
            f" against qrels {_version(self.qrels, withdrawn)}": True,
            f", without the documents judged in {_version(self.without, withdrawn)}": self.without,
            ", on the public topics": self.is_partial,
            f"; means over {self.means_over}": True,
        }
        return "".join(words for words, is_so in parts.items() if is_so)

    @property
    def means_over(self) -> str:
        return MEANS_OVER[self.topic_set]


def _version(number: int | None, withdrawn: Collection[int]) -> str:
    return f"v{number} (withdrawn)" if number in withdrawn else f"v{number}"
