"""Every address, what each of the cast is answered there, and how it is asked.

A new address must take its place in the table.
"""

from collections.abc import Iterator

from django.urls import URLPattern, URLResolver, get_resolver

CAST = ("nobody", "sam", "otto", "ada", "pat", "olga")


# What each of the cast is answered, in this order. Strangers: Sam, and Otto who organizes another
# campaign.
ANYBODY = "200 200 200 200 200 200"


SIGNED_IN = "302 200 200 200 200 200"


MEMBERS = "302 404 404 200 200 200"


ORGANIZER = "302 404 404 403 403 200"


SCORES = TEAM = "302 404 404 403 200 200"


# What tells of all runs, where teams see only their own.
WHOLE_BOARD = "302 404 404 403 404 200"


MY_TEAM = "302 404 404 404 200 200"


ASSESSOR = "302 404 404 200 404 403"


NO_METHOD = "302 405 405 405 405 405"


NOT_THERE = "404 404 404 404 404 404"


# By POST: 302 is success; 409 is past the door, refused by the state. To nobody a form is shown
# again, with the way to sign in.
PUBLIC = {"login", "logout", "reset", "invitation"}


ANYBODY_DOES = "302 302 302 302 302 302"


ORGANIZER_DOES = "302 404 404 403 403 302"


ORGANIZER_IS_SENT_ON = ORGANIZER_DOES


ORGANIZER_IS_TOLD = "302 404 404 403 403 422"  # the page again, with the sentence


ORGANIZER_TOO_LATE = "302 404 404 403 403 409"


ORGANIZER_REFUSED = "302 404 404 403 403 422"


TEAM_DOES = "302 404 404 403 302 302"


DOORS = {
    "login": (ANYBODY, "422 422 422 422 422 422"),
    "logout": ("405 405 405 405 405 405", ANYBODY_DOES),
    "account": (SIGNED_IN, ANYBODY_DOES),
    "keys": (NO_METHOD, ANYBODY_DOES),
    "reading": (NO_METHOD, ANYBODY_DOES),
    "password": (SIGNED_IN, ANYBODY_DOES),
    "tokens": (SIGNED_IN, "302 200 200 200 200 200"),
    "revoke_token": (NO_METHOD, "302 404 404 404 404 302"),
    "own_uploads": (SIGNED_IN, "302 405 405 405 405 405"),
    "delete_upload": (NO_METHOD, "302 404 404 404 404 302"),
    "reset": (ANYBODY, ANYBODY_DOES),
    "invitation": (ANYBODY, ANYBODY_DOES),
    "home": (SIGNED_IN, "401 405 405 405 405 405"),
    "health": (ANYBODY, "405 405 405 405 405 405"),
    "help_pages": (ANYBODY, "405 405 405 405 405 405"),
    "help": (ANYBODY, "405 405 405 405 405 405"),
    "security": (ANYBODY, "405 405 405 405 405 405"),
    "overview": (MEMBERS, NO_METHOD),
    "collection": (MEMBERS, NO_METHOD),
    "overview_people": (ORGANIZER, NO_METHOD),
    "campaigns:create": (SIGNED_IN, ANYBODY_DOES),
    "campaigns:settings": (ORGANIZER, ORGANIZER_DOES),
    "campaigns:settings_of": (ORGANIZER, ORGANIZER_DOES),
    "campaigns:activity": (ORGANIZER, NO_METHOD),
    "campaigns:events_file": (ORGANIZER, NO_METHOD),
    "campaigns:preview_guidelines": (NO_METHOD, "302 200 200 200 200 200"),
    "campaigns:preview_dates": (NO_METHOD, "302 200 200 200 200 200"),
    "campaigns:view_as": (NO_METHOD, ORGANIZER_DOES),
    "campaigns:end_viewing": (NO_METHOD, "302 302 302 302 302 302"),
    "campaigns:archive": (NO_METHOD, ORGANIZER_DOES),
    "campaigns:restore": (NO_METHOD, ORGANIZER_TOO_LATE),
    "copy": (ORGANIZER, ORGANIZER_DOES),
    "campaigns:delete": (ORGANIZER_TOO_LATE, ORGANIZER_TOO_LATE),
    "collection:topics": (MEMBERS, ORGANIZER_DOES),
    "collection:topics_file": (MEMBERS, NO_METHOD),
    "collection:delete_topics": (NO_METHOD, ORGANIZER_REFUSED),
    "collection:hide_topics": (NO_METHOD, ORGANIZER_REFUSED),  # they are scored
    "collection:topic": (MEMBERS, ORGANIZER_REFUSED),
    "collection:topic_versions": (ORGANIZER, NO_METHOD),
    "collection:documents": (ORGANIZER, ORGANIZER_DOES),
    "collection:document": (ORGANIZER, ORGANIZER_REFUSED),
    "collection:declare_collection": (NO_METHOD, ORGANIZER_DOES),
    "collection:delete_documents": (NO_METHOD, ORGANIZER_REFUSED),
    "collection:document_versions": (ORGANIZER, NO_METHOD),
    "collection:imports": (ORGANIZER, ORGANIZER_DOES),
    "collection:import": (ORGANIZER, ORGANIZER_DOES),
    "collection:discard_import": (NO_METHOD, ORGANIZER_DOES),
    "collection:undo_import": (NO_METHOD, ORGANIZER_DOES),
    "runs:runs": (TEAM, TEAM_DOES),
    "runs:runs_file": (TEAM, NO_METHOD),
    "runs:released_runs": (ORGANIZER, NO_METHOD),
    "runs:released_runs_file": (ORGANIZER, NO_METHOD),
    "runs:upload_runs": (NO_METHOD, TEAM_DOES),
    "runs:extensions": (ORGANIZER, ORGANIZER_DOES),
    "runs:run_states": (TEAM, NO_METHOD),
    "runs:run": (TEAM, NO_METHOD),
    "runs:run_file": (TEAM, NO_METHOD),
    "runs:run_errors": (TEAM, NO_METHOD),
    "runs:withdraw_run": (NO_METHOD, TEAM_DOES),
    "runs:move_run": (NO_METHOD, ORGANIZER_REFUSED),  # it is pooled
    "runs:move_to_round": (NO_METHOD, ORGANIZER_REFUSED),  # there is only one
    "runs:disqualify_run": (NO_METHOD, ORGANIZER_DOES),
    "runs:reinstate_run": (NO_METHOD, "302 404 404 403 422 422"),  # it is in
    "runs:recheck_run": (NO_METHOD, TEAM_DOES),
    "runs:describe_run": (NO_METHOD, TEAM_DOES),
    "campaigns:job": (ORGANIZER, NO_METHOD),
    "campaigns:retry_job": (NO_METHOD, ORGANIZER_TOO_LATE),
    "campaigns:people": (ORGANIZER, ORGANIZER_DOES),
    "campaigns:people_file": (ORGANIZER, NO_METHOD),
    "remove_member": (ORGANIZER, ORGANIZER_DOES),
    "campaigns:member": (ORGANIZER, NO_METHOD),
    "campaigns:make_reset": (NO_METHOD, ORGANIZER_DOES),
    "campaigns:withdraw_reset": (NO_METHOD, ORGANIZER_DOES),
    "runs:create_team": (NO_METHOD, ORGANIZER_DOES),
    "runs:team": (MY_TEAM, NO_METHOD),
    "runs:my_team": ("302 404 404 404 200 404", NO_METHOD),
    "runs:rename_team": (NO_METHOD, "302 404 404 404 403 302"),
    "runs:merge_team": ("302 404 404 404 403 200", "302 404 404 404 403 302"),
    "runs:delete_team": (NO_METHOD, "302 404 404 404 404 302"),
    "runs:leave_team": (NO_METHOD, "302 404 404 404 302 403"),
    "campaigns:withdraw_invitation": (NO_METHOD, ORGANIZER_DOES),
    "pooling:pool": (ORGANIZER, NO_METHOD),
    "pooling:extend": (ORGANIZER, NO_METHOD),
    "pooling:forecast": (ORGANIZER_IS_SENT_ON, ORGANIZER_DOES),
    "pooling:build": (NO_METHOD, ORGANIZER_DOES),
    "pooling:import_batch": (NO_METHOD, ORGANIZER_IS_TOLD),
    "pooling:build_again": (NO_METHOD, ORGANIZER_IS_TOLD),
    "pooling:delete": (NO_METHOD, ORGANIZER_IS_TOLD),
    "pooling:freeze": (ORGANIZER, ORGANIZER_IS_TOLD),
    "pooling:take_back": (ORGANIZER, ORGANIZER_IS_TOLD),
    "pooling:batch": (ORGANIZER, NO_METHOD),
    "pooling:compare": (ORGANIZER, NO_METHOD),
    "pooling:duplicates": (ORGANIZER, ORGANIZER_DOES),
    "pooling:batch_contributions": (ORGANIZER, NO_METHOD),
    "pooling:batch_lines": (ORGANIZER, NO_METHOD),
    "pooling:docnos": (ORGANIZER, NO_METHOD),
    "pooling:contributions": (ORGANIZER, NO_METHOD),
    "desk:judging": ("302 404 404 200 403 200", NO_METHOD),
    "rounds": (ORGANIZER, ORGANIZER_DOES),
    "take_back_round": (NO_METHOD, ORGANIZER_REFUSED),  # there is only one
    "change_round": (NO_METHOD, "302 404 404 403 403 404"),
    "rehearsal": (ORGANIZER, ORGANIZER_REFUSED),  # qrels are published
    "assess:assign": (NO_METHOD, ORGANIZER_DOES),
    "assess:distribute": (ORGANIZER, ORGANIZER_DOES),
    "assess:limits": (NO_METHOD, ORGANIZER_DOES),
    "assess:share": (NO_METHOD, ORGANIZER_DOES),
    "assess:shared": (ORGANIZER, ORGANIZER_DOES),
    "assess:take_back_unbegun": (NO_METHOD, ORGANIZER_TOO_LATE),
    "desk:assignment": (ORGANIZER, ORGANIZER_DOES),
    "desk:judge_page": (ASSESSOR, NO_METHOD),
    "desk:queue": (ASSESSOR, NO_METHOD),
    "desk:lend": (NO_METHOD, "302 404 404 200 404 403"),
    "desk:document": (ASSESSOR, NO_METHOD),
    "desk:words": (NO_METHOD, "302 404 404 409 404 403"),
    "desk:document_words": (ASSESSOR, NO_METHOD),
    "questions:note": (ASSESSOR, ASSESSOR.replace("200", "302")),
    "desk:entries": (ASSESSOR, NO_METHOD),
    "assess:judgments": (ORGANIZER, NO_METHOD),
    "questions:notes": (ORGANIZER, NO_METHOD),
    "questions:questions_file": (ORGANIZER, NO_METHOD),
    "practice:practice": ("302 404 404 302 403 302", NO_METHOD),  # to the judging page
    "practice:edit_practice": (ORGANIZER, ORGANIZER_DOES),
    "practice:practice_file": (ORGANIZER, NO_METHOD),
    "programs:programs": (ORGANIZER, ORGANIZER_DOES),
    "programs:program": (ORGANIZER, ORGANIZER_DOES),
    "programs:token": (NO_METHOD, ORGANIZER),  # the page again, with the token
    "programs:remove": (NO_METHOD, ORGANIZER_DOES),
    "programs:labels_file": (ORGANIZER, NO_METHOD),
    "agreement:program": (ORGANIZER, NO_METHOD),
    "agreement:controls": (ORGANIZER, ORGANIZER_DOES),
    "assess:earlier": (ORGANIZER, "302 404 404 403 403 422"),  # nothing is
    "agreement:remove_known": (NO_METHOD, ORGANIZER_DOES),
    "agreement:confirm_known": (NO_METHOD, ORGANIZER_DOES),
    "agreement:controls_file": (ORGANIZER, NO_METHOD),
    "agreement:quality": (ORGANIZER, NO_METHOD),
    "agreement:flagged": (ORGANIZER, NO_METHOD),
    "agreement:flags_file": (ORGANIZER, NO_METHOD),
    "agreement:flagged_file": (ORGANIZER, NO_METHOD),
    "assess:known_file": (ORGANIZER, NO_METHOD),
    "questions:ask": (ASSESSOR, ASSESSOR.replace("200", "302")),
    "questions:questions": (ORGANIZER, NO_METHOD),
    "questions:question": (ORGANIZER, ORGANIZER_DOES),
    "questions:withdraw_question": (NO_METHOD, "302 404 404 302 403 403"),
    "questions:see_answers": (NO_METHOD, "302 404 404 302 403 403"),
    "desk:assessors_file": (ORGANIZER, NO_METHOD),
    "desk:hours": ("302 404 404 200 403 200", NO_METHOD),
    "desk:hours_file": ("302 404 404 200 403 200", NO_METHOD),
    "assess:judgment_events": (ORGANIZER, NO_METHOD),
    "assess:ratings": (ORGANIZER, NO_METHOD),
    "assess:official_grades": (ORGANIZER, NO_METHOD),
    "assess:passages": (ORGANIZER, NO_METHOD),
    "agreement:agreement": (ORGANIZER, NO_METHOD),
    "agreement:agreement_file": (ORGANIZER, NO_METHOD),
    "agreement:disagreements": (ORGANIZER, NO_METHOD),
    "agreement:disagreements_file": (ORGANIZER, NO_METHOD),
    "agreement:weights_file": (ORGANIZER, NO_METHOD),
    "agreement:own": ("302 404 404 200 403 200", NO_METHOD),
    "agreement:adjudication": (ORGANIZER, ORGANIZER_IS_TOLD),
    "agreement:grades": (ORGANIZER, ORGANIZER_IS_TOLD),
    "qrels:qrels": (ORGANIZER, NO_METHOD),
    "qrels:publish_qrels": (NO_METHOD, ORGANIZER_DOES),
    "qrels:upload_qrels": (NO_METHOD, ORGANIZER_DOES),
    "qrels:qrels_import": (ORGANIZER, ORGANIZER_DOES),
    "qrels:discard_qrels": (NO_METHOD, ORGANIZER_DOES),
    "qrels:version": (ORGANIZER, ORGANIZER_IS_TOLD),  # what is released rests on it
    "qrels:reinstate_qrels": (NO_METHOD, ORGANIZER_DOES),
    "qrels:qrels_file": (ORGANIZER, NO_METHOD),
    "qrels:kept_judgments": (ORGANIZER, NO_METHOD),
    "evaluation:versions": (ORGANIZER, NO_METHOD),
    "evaluation:differences_file": (ORGANIZER, NO_METHOD),
    "report": (ORGANIZER, ORGANIZER_DOES),
    "report_file": ("302 404 404 403 403 404", NO_METHOD),
    "evaluation:leaderboard": (SCORES, NO_METHOD),
    "evaluation:evaluation": (SCORES, NO_METHOD),
    "evaluation:efficiency": ("302 404 404 403 404 200", NO_METHOD),  # of all runs
    "evaluation:evaluation_file": (SCORES, NO_METHOD),
    "evaluation:evaluations_file": (SCORES, NO_METHOD),
    "evaluation:pictures": (WHOLE_BOARD, NO_METHOD),
    "evaluation:compare": (SCORES, NO_METHOD),
    "evaluation:study": ("302 404 404 403 404 200", "302 404 404 403 404 302"),
    "evaluation:reusability": ("302 404 404 403 404 200", "302 404 404 403 404 302"),
    "evaluation:disagreement": ("302 404 404 403 404 200", "302 404 404 403 404 302"),
    "evaluation:completeness": (ORGANIZER, ORGANIZER_DOES),
    "evaluation:releases": (ORGANIZER, ORGANIZER_DOES),
    "evaluation:take_back": (NO_METHOD, ORGANIZER_DOES),
    "evaluation:replace": (NO_METHOD, ORGANIZER_DOES),
    "evaluation:score": (ORGANIZER, ORGANIZER_DOES),
    "evaluation:preliminary": (ORGANIZER, NO_METHOD),
    "evaluation:leaderboard_file": (SCORES, NO_METHOD),
    "evaluation:run_scores": (SCORES, NO_METHOD),
    "evaluation:two_runs": (SCORES, NO_METHOD),
    "evaluation:pairs_file": (SCORES, NO_METHOD),
    "evaluation:run_file": (SCORES, NO_METHOD),
    "evaluation:evaluation_run_file": (SCORES, NO_METHOD),
    "evaluation:ranking": (SCORES, NO_METHOD),
    "evaluation:topic_scores": ("302 404 404 403 404 200", NO_METHOD),
}


# Others, each like one of the cast but for some addresses: Quinn of another team, Ben who assesses
# too, and two who were removed: Rita, an assessor who had judged, and Rob, a participant.
JUDGING = (
    "desk:judge_page",
    "desk:queue",
    "desk:lend",
    "desk:document",
    "desk:words",
    "desk:document_words",
    "questions:note",
    "questions:ask",
    "questions:withdraw_question",
    "desk:entries",
)


ACTS_ON_A_RUN = (
    "withdraw_run move_run move_to_round disqualify_run reinstate_run recheck_run describe_run"
)


OF_A_RUN = [f"runs:{each}" for each in ["run", "run_file", "run_errors", *ACTS_ON_A_RUN.split()]]


OF_A_SCORE = tuple(
    f"evaluation:{each}" for each in ("run_scores", "two_runs", "pairs_file", "run_file", "ranking")
)


OF_A_TEAM = ("runs:team", "runs:rename_team", "runs:merge_team", "runs:leave_team")


# A link made before somebody was removed is no way back.
OLD_LINK = {("POST", "invitation"): 409}


TOLD_THAT_SHE_LEFT = {("GET", "practice:practice"): 403}


LIKE: dict[str, tuple[str, dict]] = {
    "quinn": ("pat", {**dict.fromkeys((*OF_A_RUN, *OF_A_SCORE, *OF_A_TEAM), 404)}),
    "ben": ("ada", dict.fromkeys(JUDGING, 404)),
    "rita": ("sam", OLD_LINK | TOLD_THAT_SHE_LEFT),
    "rob": ("sam", OLD_LINK),
}


# What staff of the site is answered in /admin/, by GET and by POST, whatever is sent; to all others
# only its sign-in is shown. Rows are looked at there, and accounts alone are changed.
LOOKED_AT = {
    "changelist": (200, 200),  # the list again: there is nothing to press
    "add": (403, 403),
    "history": (200, 200),
    "delete": (403, 403),
    "change": (200, 403),
}


ACCOUNTS = {
    "changelist": (200, 200),
    "add": (200, 200),
    "history": (200, 200),
    "delete": (403, 403),
    "change": (200, 200),  # with what is missing
}


LOOKED_AT_TABLES = (
    *("campaigns_campaign", "campaigns_team", "campaigns_membership", "campaigns_auditevent"),
    *("jobs_job", "collection_topic", "runs_run"),
)


ADMIN: dict[str, tuple[int, int]] = {
    "index": (200, 200),
    "password_change": (200, 200),
    "password_change_done": (200, 405),
    "jsi18n": (200, 405),
    "autocomplete": (403, 405),
    "app_list": (200, 200),
    "view_on_site": (404, 404),
    "auth_user_password_change": (200, 200),
    **{f"accounts_user_{act}": row for act, row in ACCOUNTS.items()},
    **{f"{table}_{act}": row for table in LOOKED_AT_TABLES for act, row in LOOKED_AT.items()},
}


def expected_of(person: str, name: str) -> dict[str, int]:
    """The status by method that somebody is answered at an address."""
    like, but = LIKE.get(person, (person, {}))
    both = zip(("GET", "POST"), DOORS[name], strict=True)
    statuses = {method: int(row.split()[CAST.index(like)]) for method, row in both}
    expected = {
        method: but.get((method, name), but.get(name, status)) if status != 405 else status
        for method, status in statuses.items()
    }
    if expected["GET"] == 405:
        expected["GET"] = 302  # to the page above, whose door has a lock of its own
    if expected["POST"] == 302 and person == "nobody" and name not in PUBLIC:
        expected["POST"] = 401
    return expected


def asked_by(person: str) -> Iterator[tuple[str, str]]:
    """What somebody is asked at who is like one of the cast: one address of each row, and those
    where the answers differ.
    """
    like, _ = LIKE.get(person, (person, {}))
    first_of = {row: name for name, row in reversed(DOORS.items()) if name in ADDRESSES}
    for name in DOORS.keys() & ADDRESSES.keys():
        like_them = expected_of(like, name)
        for method, status in expected_of(person, name).items():
            if name in first_of.values() or status != like_them[method]:
                yield method, name


def addresses(
    patterns: list[URLPattern | URLResolver], prefix: str = ""
) -> Iterator[tuple[str, list[str]]]:
    """Every address of the site, by name, with its arguments, but for the admin's and the API's."""
    for each in patterns:
        if isinstance(each, URLPattern):
            yield f"{prefix}{each.name}", list(each.pattern.converters)
        elif each.namespace not in {"admin", "api"}:
            inner = f"{each.namespace}:" if each.namespace else ""
            for name, arguments in addresses(each.url_patterns, prefix + inner):
                yield name, [*each.pattern.converters, *arguments]


ADDRESSES = dict(addresses(get_resolver().url_patterns))
