"""What there is of runs: their list, what their check found, and those that are released."""

from datetime import datetime

from django import forms

from campaigns.models.ordering import natural
from campaigns.noun import Field, Key, Noun
from campaigns.sorting import Column, Shown, Sorting
from runs.access.runs import Runs, released_to
from runs.core.efficiency import EFFICIENCY, FIGURES
from runs.models import Run


class RunFilterForm(forms.Form):
    q = forms.CharField(required=False, max_length=60, label="tag or team")
    of_round = forms.IntegerField(required=False, min_value=1, max_value=32_767, label="round")
    show = forms.ChoiceField(
        required=False,
        label="state",
        choices=[
            ("", "any"),
            *Run.State.choices,
            ("pooled", "pooled"),
            ("late", "late"),
            ("warned", "with warnings"),
        ],
    )


# Counts are those of the last check, None before it.
FIELDS = {
    "run_id": Field(int, lambda run: run.pk, "its number in the addresses of pages"),
    "tag": Field(str),
    "team": Field(str, lambda run: run.team.name),
    "state": Field(str, choices=Run.State.values),
    "round": Field(int),
    "pooled": Field(bool, lambda run: run.is_pooled),
    "late": Field(bool, lambda run: run.is_late),
    "manual": Field(bool | None, lambda run: run.is_manual, "whether people intervened"),
    "priority": Field(int | None),
    "topics": Field(int | None, lambda run: (run.report or {}).get("n_topics")),
    "lines": Field(int | None, lambda run: (run.report or {}).get("n_lines")),
    "errors": Field(int | None, lambda run: (run.report or {}).get("n_errors")),
    "warnings": Field(int | None, lambda run: len(run.report["warnings"]) if run.report else None),
    "submitted_by": Field(str, lambda run: run.submitted_by.username),
    "submitted_at": Field(datetime),
    "file": Field(str, lambda run: run.file_name),
    "sha256": Field(str),
    "out_at": Field(datetime | None, help="when it was withdrawn or disqualified"),
    "out_reason": Field(str),
    "description": Field(str),
    **{
        each.name: Field(int | None if each.of_unit > 1 else float | None, help=each.words)
        for each in FIGURES
    },
    "hardware": Field(str),
}
# For others than the run's team and the organizers.
RELEASED = ("run_id", "tag", "team", "manual", "file", "sha256", "description", *EFFICIENCY)
RUN = Column(natural("tag"))
TEAM = Column(natural("team__name"))
COLUMNS: dict[str, Shown] = {
    "run": RUN,
    "team": TEAM,
    "state": Column("state"),
    "topics_answered": Column("n_topics", has_gaps=True),
    "lines": Column("n_lines", is_number=True, has_gaps=True),
    "errors": Column("n_errors", is_number=True, has_gaps=True),
    "warnings": Column("n_warnings", is_number=True, has_gaps=True),
    "uploaded": Column("submitted_at", is_date=True),
}
RUNS = Noun(
    name="runs",
    see=Runs.see_list,
    rows=Run.objects.visible_to,
    filters=RunFilterForm,
    found=lambda rows, **filters: rows.matching(**filters),
    fields=FIELDS,
    sorts=Sorting("runs", unasked="", **COLUMNS),
    model=Run,
    key=Key("tag", "tag__iexact"),
    help="The runs that you may see: all of them, or those of your team.",
)


def _reported(name: str) -> Field:
    return Field(int | None, lambda run: (run.report or {}).get(f"n_{name}"))


REPORTS = Noun(
    name="report",
    see=Runs.see_report,
    rows=lambda _, run: [run],
    fields={
        "state": Field(str, choices=Run.State.values),
        "checked_at": Field(datetime | None),
        **{
            name: _reported(name) for name in ("lines", "topics", "documents", "missing", "unknown")
        },
        "errors": _reported("errors"),
        "first_errors": Field(list, lambda run: (run.report or {}).get("errors", [])),
        "warnings": Field(list, lambda run: (run.report or {}).get("warnings", [])),
        "is_cut": Field(bool, lambda run: (run.report or {}).get("is_cut", False)),
    },
    is_one=True,
    help="What the last check found; errors.csv has every error.",
)
RELEASED_RUNS = Noun(
    name="released-runs",
    see=Runs.see_released,
    rows=released_to,
    sorts=Sorting("released-runs", run=RUN, team=TEAM, how_it_was_made=Column("description")),
    fields={name: FIELDS[name] for name in RELEASED},
    key=Key("tag", "tag__iexact"),
)
