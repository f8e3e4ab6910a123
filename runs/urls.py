"""Addresses of runs and teams, below `/campaigns/<slug>/`."""

from django.urls import path

from runs.web import lists, run, runs, teams

app_name = "runs"
urlpatterns = [
    path("runs/", runs.runs, name="runs"),
    path("runs/runs.csv", lists.runs_file, name="runs_file"),
    path("runs/released/", runs.released_runs, name="released_runs"),
    path("runs/released.csv", lists.released_runs_file, name="released_runs_file"),
    path("runs/states/", runs.run_states, name="run_states"),
    path("runs/upload/", runs.upload_runs, name="upload_runs"),
    path("runs/extensions/", teams.extensions, name="extensions"),
    path("runs/<int:pk>/", run.run, name="run"),
    path("runs/<int:pk>/file/", run.run_file, name="run_file"),
    path("runs/<int:pk>/errors.csv", run.run_errors, name="run_errors"),
    path("runs/<int:pk>/withdraw/", run.withdraw_run, name="withdraw_run"),
    path("runs/<int:pk>/move/", run.move_run, name="move_run"),
    path("runs/<int:pk>/round/", run.move_to_round, name="move_to_round"),
    path("runs/<int:pk>/disqualify/", run.disqualify_run, name="disqualify_run"),
    path("runs/<int:pk>/reinstate/", run.reinstate_run, name="reinstate_run"),
    path("runs/<int:pk>/check/", run.recheck_run, name="recheck_run"),
    path("runs/<int:pk>/describe/", run.describe_run, name="describe_run"),
    path("team/", teams.my_team, name="my_team"),
    path("teams/", teams.create_team, name="create_team"),
    path("teams/<int:pk>/", teams.team, name="team"),
    path("teams/<int:pk>/rename/", teams.rename_team, name="rename_team"),
    path("teams/<int:pk>/merge/", teams.merge_team, name="merge_team"),
    path("teams/<int:pk>/delete/", teams.delete_team, name="delete_team"),
    path("teams/<int:pk>/leave/", teams.leave_team, name="leave_team"),
]
