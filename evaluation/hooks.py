"""What this app tells the floors below it."""

from assess.from_above import JUDGED
from campaigns.from_above import TABS, Tab
from campaigns.models.trail import EVENTS
from collection.from_above import USES, Use
from collection.models.texts import Topic
from evaluation import (
    completeness,  # noqa: F401 - registers its kind of job
    leaving_out,  # noqa: F401 - registers its kind of job
    tasks,
)
from evaluation.access import Scores
from evaluation.events import ScoreEvent
from evaluation.facts import main_scores, score_links
from evaluation.models.scores import Evaluation
from evaluation.releasing import reason_to_stand
from qrels.from_above import WHY_NOT_WITHDRAW
from runs.from_above import LINKS, SCORES

EVENTS.append(ScoreEvent)
USES.append(Use(Topic, "split", "scored", Evaluation.objects.of, "campaign__topic__number"))
JUDGED.register(tasks.ask_for_refresh)
LINKS.register(score_links)
SCORES.register(main_scores)
WHY_NOT_WITHDRAW.register(reason_to_stand)
TABS.append(Tab(520, "leaderboard", "evaluation:leaderboard", verb=Scores.see))
