"""What this app tells the floors below it: tabs, kinds of event, uses, counts."""

from assess import announcing
from campaigns.models.trail import register_events
from campaigns.web.frame import register_tab
from evaluation import tasks
from evaluation.access import check_scores_shown
from evaluation.events import ScoreEvent
from evaluation.facts import main_scores, score_links
from evaluation.releasing import reason_to_stand
from qrels.access import register_reason_to_stand
from runs.insights import register_links, register_scores

announcing.follow(tasks.ask_for_refresh)
register_links(score_links)
register_scores(main_scores)
register_events(ScoreEvent)
register_reason_to_stand(reason_to_stand)
register_tab(520, "leaderboard", "evaluation:leaderboard", check=check_scores_shown)
