"""Addresses of scores, below `/campaigns/<slug>/leaderboard/`."""

from django.urls import path

from evaluation import views

app_name = "evaluation"
urlpatterns = [
    path("", views.leaderboard, name="leaderboard"),
    path("score/", views.score, name="score"),
    path("leaderboard.csv", views.leaderboard_csv, name="leaderboard_csv"),
    path("runs/<int:pk>/", views.run_scores, name="run_scores"),
    path("runs/<int:pk>.csv", views.run_csv, name="run_csv"),
]
