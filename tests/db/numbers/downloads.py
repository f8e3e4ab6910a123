"""What can be downloaded of a campaign, and what the scores of a board come to by it."""

import csv
import io
import re
from collections import defaultdict
from functools import cache, cached_property

from django.test import Client

from tests import records
from tests.db.numbers import measured
from tests.db.numbers.living import Lived
from tests.web.html import text_in


class Downloads:
    """A campaign's files and pages, as its organizer gets them."""

    def __init__(self, client: Client, lived: Lived) -> None:
        self.client, self.lived = client, lived
        self.base = f"/campaigns/{lived.campaign.slug}/"

    def get(self, address: str, **asked: object) -> str:
        text = self.at(address, **asked)
        assert text is not None, address
        return text

    @cache  # noqa: B019 - as long as a campaign is checked
    def at(self, address: str, **asked: object) -> str | None:
        """What an address says; None where there is nothing."""
        response = self.client.get(f"{self.base}{address}", asked)
        assert response.status_code in {200, 404}, address
        parts = response.streaming_content if response.streaming else [response.content]
        return b"".join(parts).decode() if response.status_code == 200 else None

    def rows(self, address: str, **asked: object) -> records.Rows:
        return records.read(self.get(address, **asked))

    def words(self, address: str, **asked: object) -> str:
        return text_in(self.get(address, **asked))

    @cached_property
    def listed(self) -> dict[str, dict[str, str]]:
        """The line of each valid run in the list of runs, by its tag."""
        rows = self.rows("runs/runs.csv")
        return {row["tag"]: row for row in rows if row["state"] == "valid"}

    @cached_property
    def runs(self) -> dict[str, str]:
        """The file of each run by its tag."""
        return {tag: self.get(f"runs/{row['run_id']}/file/") for tag, row in self.listed.items()}

    @cached_property
    def pool(self) -> records.Rows:
        lines = io.StringIO(self.at("pool/pool.tsv") or "")
        return list(csv.DictReader(lines, delimiter="\t"))

    def qrels(self, number: int) -> dict[str, dict[str, int]]:
        found: dict[str, dict[str, int]] = {}
        for line in self.get(f"qrels/{number}.txt").splitlines():
            topic, _, docno, grade = line.split()
            found.setdefault(topic, {})[docno] = int(grade)
        return found

    def strata(self, number: int) -> dict[str, dict[str, tuple[str, int]]]:
        found: dict[str, dict[str, tuple[str, int]]] = defaultdict(dict)
        for line in (self.at(f"qrels/{number}.txt", strata="") or "").splitlines():
            topic, _, docno, stratum, grade = line.split()
            found[topic][docno] = stratum, int(grade)
        return found

    @cached_property
    def judgments(self) -> records.Rows:
        return self.rows("judging/judgments.csv")


class Board:
    """What an evaluation comes to, by its line in evaluations.csv and the files it names."""

    def __init__(self, down: Downloads, facts: dict[str, str]) -> None:
        self.facts, self.names = facts, facts["measures"].split()
        self.level, self.kept = int(facts["level"]), facts["topic_set"]
        number, without = int(facts["qrels"]), facts["without"]
        qrels, strata = down.qrels(number), down.strata(number)
        out = down.qrels(int(without)) if without else {}
        of_round = down.lived.topics_of[int(facts["round"])] if facts["round"] else None
        self.grades = {}
        for topic, own in qrels.items():
            left = {d: g for d, g in own.items() if d not in out.get(topic, {})}
            if left and (of_round is None or topic in of_round):
                self.grades[topic] = left
        self.topics = sorted(self.grades, key=str.encode)
        self.strata = {
            topic: {d: v for d, v in own.items() if d not in out.get(topic, {})}
            for topic, own in strata.items()
        }
        self.runs = {}
        chosen = down.lived.chosen_of[int(facts["evaluation"])] or set(down.runs)
        assert bool(facts["chosen"]) == bool(down.lived.chosen_of[int(facts["evaluation"])])
        for tag, text in down.runs.items():
            if tag in chosen and (of_round is None or down.listed[tag]["round"] == facts["round"]):
                ranked = measured.rankings(text, facts["rules"])
                self.runs[tag] = {
                    topic: left
                    for topic, own in ranked.items()
                    if (left := [d for d in own if d not in out.get(topic, {})])
                }

    def counts(self, tag: str, topic: str) -> bool:
        if self.kept == "judged":
            return True
        if self.kept == "retrieved":
            return topic in self.runs[tag]
        return bool(measured.relevant(self.grades[topic], self.level))

    def value(self, tag: str, topic: str, name: str) -> float:
        ranked = self.runs[tag].get(topic)
        if not ranked:
            return 0.0
        if name in measured.OF_SAMPLES:
            return measured.OF_SAMPLES[name](ranked, self.strata[topic], self.level)
        return measured.SCORES[name](ranked, self.grades[topic], self.level)

    def by_topic(self, tag: str, name: str) -> dict[str, float]:
        """The values on the topics that count."""
        counting = [topic for topic in self.topics if self.counts(tag, topic)]
        return {topic: self.value(tag, topic, name) for topic in counting}

    def aggregate(self, tag: str, name: str) -> float | None:
        return measured.aggregate(name, list(self.by_topic(tag, name).values()))


ROW = re.compile(r"<tr[ >](?:(?!</tr>).)*</tr>", re.DOTALL)
CELL = re.compile(r"<td[^>]*>(.*?)</td>", re.DOTALL)
HEAD = re.compile(r'<th scope="row"[^>]*>(.*?)</th>', re.DOTALL)
SCORE = re.compile(r"/leaderboard/scores/(\d+)/")


def table_rows(page: str, table: str) -> list[tuple[str, list[str], str]]:
    """The head of each row of a page's table, its cells, and the number of the score it leads to.

    Texts are without what is drawn.
    """
    [body] = re.findall(rf'<table[^>]* id="{table}".*?</table>', page, re.DOTALL)
    found = []
    for row in ROW.findall(body):
        if head := HEAD.search(row):
            cells = [text_in(each) for each in CELL.findall(row)]
            pk = SCORE.search(row)
            found.append((text_in(head[1]), cells, pk[1] if pk else ""))
    return found
