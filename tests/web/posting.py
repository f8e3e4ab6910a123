"""What makes each act of the table of doors succeed."""

from uuid import uuid4

from assess.models.controls import KnownGrade
from assess.models.sharing import SharedQueue
from assess.services.reopening import version_of
from assess.services.sharing import version_of as version_of_sharing
from campaigns.models.campaign import default_criteria
from cleverdon.trec.versions import version
from collection.models.imports import Import
from collection.models.texts import seen_of as list_seen
from evaluation.models.scores import Evaluation
from overview.services.leaving import seen_of
from tests.asked import typed


def known_of(campaign) -> int:
    return KnownGrade.objects.of(campaign).values_list("pk", flat=True).first() or 1


def posted(campaign) -> dict[str, dict[str, object]]:
    """What makes each act succeed, for whoever may do it; bytes become a file."""
    settings = {
        "name": "Mine",
        **typed(default_criteria()),
        "run_depth": 9,
        "seconds_per_judgment": 5,
        "least_view_ms": 250,
        "known_percent": 0,
        "repeat_percent": 0,
        "time_zone": "UTC",
    }
    new = {"username": "new", "password1": "tralala-17x", "password2": "tralala-17x"}
    ready = Import.objects.filter(state="ready").first()
    return {
        "account": {"first_name": "A"},
        "keys": {"usual": ""},
        "reading": {"reading_size": "1"},
        "password": {
            "old_password": "a password of tests",
            "new_password1": "tralala-17x",
            "new_password2": "tralala-17x",
        },
        "tokens": {"name": "laptop", "scopes": "read", "days": 90, "client_id": str(uuid4())},
        "reset": {"new_password1": "tralala-17x", "new_password2": "tralala-17x"},
        "invitation": new,
        "campaigns:create": settings,
        "campaigns:settings": settings,
        "campaigns:settings_of": settings,
        "copy": {"name": "Next year", "taking": ["people", "topics"]},
        "rounds": {"topics": "2", "seen": "1"},
        "take_back_round": {"seen": "1"},
        "collection:topics": {"text": "9\tnine"},
        "collection:documents": {"file": b'{"docno": "x1"}\n'},
        "collection:imports": {"seen": f"{ready.pk}:{ready.previewed}" if ready else "0:0"},
        "collection:import": {"seen": ready.previewed if ready else ""},
        "collection:declare_collection": {"is_whole": "on"},
        "collection:delete_topics": {"seen": list_seen(campaign.topic_set.all())},
        "collection:hide_topics": {"seen": version([]), "numbers": "1"},
        "collection:delete_documents": {"seen": list_seen(campaign.document_set.all())},
        "campaigns:people": {"role": "assessor", "max_uses": 1, "days": 30},
        "remove_member": {"seen": seen_of(campaign.membership_set.get(user__username="pat"))},
        "runs:create_team": {"name": "New"},
        "runs:rename_team": {"name": "New"},
        "runs:merge_team": {"into": campaign.team_set.last().pk},
        "runs:runs": {"team": "baseline", "tag": "two", "file": b"1 Q0 d1 1 1 two\n"},
        "runs:upload_runs": {"team": "baseline", "run_files": b"1 Q0 d1 1 1 two\n"},
        "runs:withdraw_run": {"seen": "1"},
        "runs:disqualify_run": {"seen": "1", "reason": "trained on the qrels"},
        "runs:describe_run": {"description": "BM25"},
        "runs:extensions": {"team": campaign.team_set.get(name="Aldgate").pk},
        "pooling:build": {"runs": [campaign.run_set.get().pk], "depth-depth": 3},
        "pooling:forecast": {"runs": [campaign.run_set.get().pk], "depth-depth": 3},
        "pooling:freeze": {"sha256": "0" * 64},
        "assess:assign": {
            "topic": campaign.topic_set.get(number="2").pk,
            "assessor": campaign.membership_set.get(user__username="ada").user_id,
            "kind": "primary",
            "share": 100,
        },
        "assess:share": {
            "topics": "2",
            "n_wanted": 2,
            "assessors": [
                campaign.membership_set.get(user__username=name).user_id for name in ("ada", "ben")
            ],
            "lease_minutes": 30,
        },
        "assess:shared": {
            "act": "unshare",
            "seen": version_of_sharing(SharedQueue(n_wanted=2, lease_minutes=30), []),
        },
        "assess:distribute": {"second_percent": 50},
        "desk:assignment": {"act": "reopen"},
        "programs:programs": {
            "name": "other",
            "model": "A model",
            "version": "1",
            "prompt": "Grade it.",
            "parameters": "seed 1",
            "labelled_on": "2026-11-02",
        },
        "programs:program": {"file": b"1 d1 2 0.9\n"},
        "programs:token": {"client_id": str(uuid4())},
        "agreement:controls": {"file": b"1 0 d5 1\n", "how": "add"},
        "qrels:publish_qrels": {"level": 2},
        "qrels:upload_qrels": {"file": b"1 0 d1 1\n", "source": "NIST"},
        "qrels:qrels_import": {"level": 2},
        "qrels:version": {"reason": "A grade was wrong."},
        "questions:ask": {"text": "Do bats count?", "about": "d1", "client_id": str(uuid4())},
        "questions:question": {"text": "They do.", "audience": "topic"},
        "questions:note": {
            "text": "All that flies.",
            "difficulty": "hard",
            "remark": "two senses",
            "note_version": 0,
        },
        "assess:earlier": {"seen": version_of([])},
        "agreement:confirm_known": {"known": known_of(campaign), "seen": 1, "grade": 2},
        "practice:edit_practice": {
            "title": "Bridges",
            "known": "d6\t1\tA bridge is named.",
            "is_on": "on",
        },
        "evaluation:releases": {"what": "pool", "subject_id": 1, "audience": "everybody"},
        "evaluation:take_back": {"what": "scores", "audience": "participants"},
        "evaluation:replace": {
            "by": Evaluation.objects.filter(campaign=campaign).values_list("pk", flat=True).first()
        },
        "report": {"evaluation": Evaluation.objects.get(campaign=campaign).pk},
        "evaluation:score": {"picked": ["AP"], "rules": "trec_eval-9", "topic_set": "judged"},
    }
