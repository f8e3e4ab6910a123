"""A program labels documents of the same campaign, and versions have its labels."""

from datetime import date
from functools import partial

from hypothesis import strategies as st
from hypothesis.stateful import invariant, rule

from assess.models.official import OfficialGrade
from pooling.models.entries import PoolEntry
from programs import services
from programs.core import Verdict
from programs.models import Label, Program
from qrels.models import Qrels
from qrels.services import publishing
from tests.db.life.collecting import docnos, organizers, topics
from tests.db.life.judging import Judging

NAME = "judge-1"
CARD = {
    **dict.fromkeys(("model", "version", "prompt", "parameters"), "as it is"),
    "labelled_on": date(2026, 11, 2),
}


class Labelling(Judging):
    """What organizers may do with a program in any order, and what must then be so."""

    said: dict[tuple[str, str], str] | None = None

    @rule(
        name=organizers,
        number=topics,
        docno=docnos,
        verdict=st.sampled_from(("0", "1", "2", "3", "what")),
    )
    def label(self, name: str, number: str, docno: str, verdict: str) -> None:
        program = Program.objects.filter(campaign=self.campaign).first()
        if program is None:
            register = partial(services.register_program, name=NAME, **CARD)
            program = self.attempt(name, register, campaign=self.campaign)
            self.said = {}
        if isinstance(program, Program):
            labels = [Verdict(1, number, docno, verdict)]
            if self.attempt(name, services.take_labels, program=program, labels=labels):
                assert self.said is not None
                assert self.said.setdefault((number, docno), verdict) == verdict

    @rule(name=organizers)
    def remove_program(self, name: str) -> None:
        if program := Program.objects.filter(campaign=self.campaign).first():
            self.attempt(name, services.remove_program, program=program)
            if not Program.objects.filter(campaign=self.campaign).exists():
                self.said = None

    @rule(name=organizers, kind=st.sampled_from(("program", "filled")))
    def publish_labels(self, name: str, kind: str) -> None:
        """A version has what it says: labels of what is pooled, and people before them."""
        campaign, basis = self.page(name).campaign, f"{kind}-{NAME}"
        qrels = self.attempt(name, publishing.publish_qrels, campaign=campaign, grades=basis)
        if isinstance(qrels, Qrels):
            pooled = PoolEntry.objects.with_grades_in(campaign)
            pairs = set(pooled.values_list("topic__number", "item__key"))
            expected = {
                pair: int(verdict)
                for pair, verdict in (self.said or {}).items()
                if verdict.isdigit() and pair in pairs
            }
            if kind == "filled":
                people = OfficialGrade.objects.current().in_campaign(campaign)
                columns = ("item__topic__number", "item__key", "grade")
                for topic, docno, grade in people.values_list(*columns):
                    expected[topic, docno] = grade
            found = {
                (topic, docno): grade
                for topic, grades in qrels.grades().items()
                for docno, grade in grades.items()
            }
            assert found == {pair: each for pair, each in expected.items() if each is not None}

    @invariant()
    def labels_stay_as_they_were_said(self) -> None:
        rows = Label.objects.filter(program__campaign=self.campaign)
        stored = rows.values_list("item__topic__number", "item__key", "verdict")
        assert {(topic, docno): said for topic, docno, said in stored} == (self.said or {})
