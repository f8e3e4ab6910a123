"""Assign topics, judge, undo, publish qrels and import them."""

from assess.dealing import Kind
from assess.services.asking import (
    answer,
    ask,
    download_questions,
    see_answers,
    withdraw_question,
)
from assess.services.assigning import assign
from assess.services.distributing import distribute, limit_assessors
from assess.services.handing import hand_over, take_back, take_back_unbegun
from assess.services.importing import discard_qrels, import_qrels, upload_qrels
from assess.services.judging import (
    COUNTERS,
    NOTHING_TO_UNDO,
    USED_ELSEWHERE,
    judge,
    record,
    undo,
)
from assess.services.keeping import (
    download_judgment_events,
    download_judgments,
    download_kept_judgments,
    download_passages,
    download_ratings,
)
from assess.services.knowing import (
    confirm_known,
    download_controls,
    download_known,
    import_known,
    remove_known,
)
from assess.services.marking import mark_words
from assess.services.noting import download_notes, save_note
from assess.services.practicing import (
    answer_practice,
    change_practice,
    confirm_practice,
    skip_practice,
)
from assess.services.publishing import (
    download_qrels,
    publish_qrels,
    reinstate_qrels,
    withdraw_qrels,
)
from assess.services.recording import Outcome
from assess.services.rehearsal import throw_away_rehearsal
from assess.services.rejudging import reopen_earlier
from assess.services.reopening import BroughtBack, reopen, reset, restore
from assess.services.sharing import change_sharing, join_sharing, lend, share, unshare

__all__ = [
    "COUNTERS",
    "NOTHING_TO_UNDO",
    "USED_ELSEWHERE",
    "BroughtBack",
    "Kind",
    "Outcome",
    "answer",
    "answer_practice",
    "ask",
    "assign",
    "change_practice",
    "change_sharing",
    "confirm_known",
    "confirm_practice",
    "discard_qrels",
    "distribute",
    "download_controls",
    "download_judgment_events",
    "download_judgments",
    "download_kept_judgments",
    "download_known",
    "download_notes",
    "download_passages",
    "download_qrels",
    "download_questions",
    "download_ratings",
    "hand_over",
    "import_known",
    "import_qrels",
    "join_sharing",
    "judge",
    "lend",
    "limit_assessors",
    "mark_words",
    "publish_qrels",
    "record",
    "reinstate_qrels",
    "remove_known",
    "reopen",
    "reopen_earlier",
    "reset",
    "restore",
    "save_note",
    "see_answers",
    "share",
    "skip_practice",
    "take_back",
    "take_back_unbegun",
    "throw_away_rehearsal",
    "undo",
    "unshare",
    "upload_qrels",
    "withdraw_qrels",
    "withdraw_question",
]
