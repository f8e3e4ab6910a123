"""Which queries may see controls: each of them is named here, and why."""

import ast
import inspect
from collections import Counter

from assess.models.assigning import Assignment
from assess.models.controls import KnownGrade
from assess.models.judging import Judgment
from tests.db.purposes import CLOSED, COLUMNS, SAYS, all_queries, queries

PRACTICE = "of one assignment that is practice"
SHOWN = "what whoever judges is shown: controls as any other document, and practice"
WORK = "one assignment's work as it is, whatever it holds"
AUTHORS = "who has judged, controls too: they may not judge it twice, and know what they did"
KEPT = "what was answered is kept, and its documents with it"
FIGURES = "the report on controls"

# By the word of the query, "every" for none, and by function, as often as it asks.
OPEN = {
    "every": {
        "assess/assignments.py: _renewed": WORK,
        "assess/assignments.py: serve_more": WORK,
        "assess/hooks.py: _hold_judging": "locked: every act waits",
        "assess/leases.py: give_up": (WORK, WORK),
        "assess/models/assigning.py: has_only_controls": "whether anything is begun",
        "assess/models/assigning.py: n_reopened": SHOWN,
        "assess/services/known_grades.py: confirm_known": "of a topic or of practice, by its id",
        "assess/services/adjudicating.py: _ask_again": (WORK, WORK),
        "assess/services/adjudicating.py: refresh": WORK,
        "assess/services/reopening.py: _judgments": WORK,
        "assess/services/reopening.py: _reopen": WORK,
        "assess/services/reopening.py: _to_bring_back": (WORK, WORK),
        "assess/services/reopening.py: reset": WORK,
        "assess/services/standing.py: _has_undone": WORK,
        "assess/web/own.py: own_assignment": SHOWN,
        "assess/web/own.py: was_given": (AUTHORS, AUTHORS),
        "assess/web/strips.py: whole_strip": SHOWN,
        "desk/api.py: lend": SHOWN,
        "desk/nouns.py: entry": SHOWN,
        "desk/web/judge.py: _given": SHOWN,
        "desk/web/judge.py: entries": SHOWN,
        "desk/web/judge.py: judge_page": (SHOWN, SHOWN),
        "desk/web/judging.py: inbox": SHOWN,
        "desk/queue.py: _names": SHOWN,
        "desk/queue.py: _rows": SHOWN,
        "desk/web/words.py: document_words": SHOWN,
        "desk/web/words.py: topic_language": SHOWN,
        "desk/web/workbench.py: document": SHOWN,
        "desk/web/workbench.py: lend": SHOWN,
        "overview/services/rehearsal.py: throw_away_rehearsal": "practice goes with a rehearsal",
        "practice/services.py: serve_practice": PRACTICE,
        "practice/web/page.py: walk_of": PRACTICE,
        "practice/web/practice.py: practice": PRACTICE,
        "questions/access.py: check_question": SHOWN,
    },
    "served": {
        "agreement/figures.py: documents_of": "those of flags, which may be of controls",
        "agreement/models.py: control_records": (FIGURES, FIGURES),
        "assess/access/assigning.py: _engaged": AUTHORS,
        "assess/access/judging.py: _may_know_of": AUTHORS,
        "assess/hooks.py: _judgments": KEPT,
        "assess/hooks.py: _of_judging": KEPT,
        "assess/hooks.py: _of_topics": KEPT,
        "assess/planning.py: _authors": AUTHORS,
        "assess/services/reopening.py: _put_back": WORK,
        "assess/services/reopening.py: reopen_earlier": "controls of replaced texts come again",
        "desk/web/judging.py: judging": SHOWN,
        "overview/services/rehearsal.py: _going": KEPT,
        "practice/access.py: comes_first": AUTHORS,
        "practice/web/report.py: _people": AUTHORS,
        "qrels/access.py: reason_to_keep": KEPT,
    },
    "controls": {
        "assess/models/assigning.py: n_controls": SHOWN,
        "assess/models/serving.py: as_served": SHOWN,
    },
    "controls_of": {
        "agreement/web/control_figures.py: _served": FIGURES,
        "assess/hooks.py: ": KEPT,
        "assess/models/assigning.py: names_nothing_ahead": "so that no list tells repeats",
    },
}


def test_every_query_that_may_see_controls_is_named():
    named = Counter(
        {
            (word, function): 1 if isinstance(why, str) else len(why)
            for word, functions in OPEN.items()
            for function, why in functions.items()
        }
    )
    found = Counter({key: n for key, n in all_queries().items() if key[0] != "counting"})
    assert not found - named, "say counting(), or name the query in OPEN"
    assert not named - found, "take it out of OPEN"


def test_the_methods_that_say_what_they_are_of_do_say_it():
    rows = (Assignment.objects.all(), Judgment.objects.all(), KnownGrade.objects.all())
    for name in SAYS:
        [method] = [getattr(each, name) for each in rows if hasattr(each, name)]
        names = {
            getattr(node, "attr", getattr(node, "arg", None))
            for node in ast.walk(ast.parse(inspect.getsource(method).lstrip()))
        }
        assert names & (CLOSED | COLUMNS) - {name}, name


def test_a_purpose_that_is_taken_out_is_noticed():
    def words(source):
        return [word for _, word in queries(source, "app.py")]

    assert words("def f():\n return Judgment.objects.counting().current()") == ["counting"]
    assert words("def f():\n return Judgment.objects.current()") == ["every"]
    assert words("rows = assignment.entries") == ["every"]
    assert words("rows = self.judgments.filter(purpose=self.kind)") == ["counting"]
    assert words("it = get_object_or_404(Assignment, pk=pk)") == ["every"]
    assert words("Judgment.objects.bulk_create(made)") == words("batch.entries.new()") == []
