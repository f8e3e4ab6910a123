"""Addresses of scores and of releases, below `/campaigns/<slug>/`."""

from django.urls import include, path

from evaluation.web import (
    boards,
    completeness,
    computed,
    files,
    pictures,
    releases,
    runs,
    scoring,
    topics,
    two_runs,
    versions,
)

app_name = "evaluation"
scores = [
    path("", boards.leaderboard, name="leaderboard"),
    path("score/", scoring.score, name="score"),
    path("preliminary/", boards.preliminary, name="preliminary"),
    path("leaderboard.<str:kind>", files.leaderboard_file, name="leaderboard_file"),
    path("evaluations.csv", files.evaluations_file, name="evaluations_file"),
    path("evaluations/<int:pk>/", boards.evaluation, name="evaluation"),
    path("evaluations/<int:pk>/pictures/", pictures.pictures, name="pictures"),
    *(
        path(f"evaluations/<int:pk>/{name}/", computed.computed, {"name": name}, name=name)
        for name in computed.PAGES
    ),
    path("evaluations/<int:pk>/efficiency/", boards.efficiency, name="efficiency"),
    path("evaluations/<int:pk>/replace/", releases.replace, name="replace"),
    path("evaluations/<int:pk>/pairs.csv", files.pairs_file, name="pairs_file"),
    path("evaluations/<int:pk>.<str:kind>", files.evaluation_file, name="evaluation_file"),
    path("evaluations/<int:pk>/topics/<docno:number>/", topics.topic_scores, name="topic_scores"),
    path("compare/", boards.compare, name="compare"),
    path("scores/<int:pk>/", runs.run_scores, name="run_scores"),
    path("scores/<int:pk>/compare/", two_runs.two_runs, name="two_runs"),
    path("scores/<int:pk>/topics/<docno:number>/", topics.ranking, name="ranking"),
    path("runs/<int:run>.<str:kind>", files.run_file, name="run_file"),
    path(
        "evaluations/<int:pk>/runs/<int:run>.<str:kind>", files.run_file, name="evaluation_run_file"
    ),
]
urlpatterns = [
    path("leaderboard/", include(scores)),
    path("qrels/compare/", versions.versions, name="versions"),
    path("qrels/compare.csv", versions.differences_file, name="differences_file"),
    path("pool/completeness/", completeness.completeness, name="completeness"),
    path("settings/releases/", releases.releases, name="releases"),
    path("settings/releases/take-back/", releases.take_back, name="take_back"),
]
