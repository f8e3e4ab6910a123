"""The scope of an evaluation: which topics, which judgments and which runs its scores are of."""

import hashlib
import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, Self

from cleverdon.trec.topics import PUBLIC
from cleverdon.trec.words import counted

ALL = "all"
# The topics that a mean is taken over.
JUDGED = "judged"
MEANS_OVER = {
    JUDGED: "all judged topics; a missing topic counts 0",
    "relevant": "topics with a relevant document",
    "retrieved": "topics in the run",
}
NOT_IN_FILES = {"in", "on", "the", "for", "runs"}


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
        """Return the parts by name, in order, without those that are as usual."""
        parts = sorted(vars(self).items())
        return {name: value for name, value in parts if value != getattr(Scope, name, None)}

    @classmethod
    def from_json(cls, parts: Mapping[str, Any]) -> Self:
        return cls(**parts)

    @property
    def hash(self) -> str:
        """SHA-256 of the JSON: equal for equal scopes, whatever parts are added later."""
        return hashlib.sha256(json.dumps(self.to_json()).encode()).hexdigest()

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
        return self.has_all_topics and not self.without

    def how(self, withdrawn: Collection[int] = (), n_available: int = 0) -> list[str]:
        """Return what it is besides a version: "in round 2", "without v1" and so on.

        A choice of runs is told by the digits that files have. How many there are, of how many
        `n_available`, is not for teams that see only their own.
        """
        of_all = f"{len(self.chosen):,} of {counted(n_available, 'run')}"
        parts = {
            f"in round {self.round}": self.round,
            f"without {_version(self.without, withdrawn)}": self.without,
            "on the public topics": self.is_partial,
            f"for {of_all if n_available else 'chosen runs'} ({self.hash[:8]})": self.chosen,
        }
        return [words for words, is_so in parts.items() if is_so]

    def named(self, withdrawn: Collection[int] = (), n_available: int = 0) -> str:
        """Return its name, with the versions that have been `withdrawn` marked."""
        version = f"qrels {_version(self.qrels, withdrawn)}"
        return " ".join([version, *self.how(withdrawn, n_available)])

    @property
    def name(self) -> str:
        """As in "scores against qrels v2 in round 2 without v1 on the public topics"."""
        return self.named()

    def file_name(self, withdrawn: Collection[int] = ()) -> str:
        """Return its name for files: "qrels-v2-round-2", "qrels-v2-chosen-1f0c9e2a"."""
        words = [word.strip("()") for word in self.named(withdrawn).split()]
        return "-".join(word for word in words if word not in NOT_IN_FILES)

    @property
    def means_over(self) -> str:
        return MEANS_OVER[self.topic_set]

    def sentence(self, withdrawn: Collection[int] = ()) -> str:
        """Return "Scored against qrels v2 in round 2; means over topics in the run."."""
        return f"Scored against {self.named(withdrawn)}; means over {self.means_over}."


def _version(number: int | None, withdrawn: Collection[int]) -> str:
    return f"v{number} (withdrawn)" if number in withdrawn else f"v{number}"
