"""Addresses of scores, below `/campaigns/<slug>/leaderboard/`."""

from django.urls import path

from evaluation import views

app_name = "evaluation"
urlpatterns = [
    path("", views.leaderboard, name="leaderboard"),
    path("score/", views.score, name="score"),
    path("preliminary/", views.preliminary, name="preliminary"),
    path("leaderboard.<str:kind>", views.leaderboard_file, name="leaderboard_file"),
    path("runs/<int:pk>/", views.run_scores, name="run_scores"),
    path("runs/<int:pk>/bounds/", views.run_bounds, name="run_bounds"),
    path("runs/<int:pk>.<str:kind>", views.run_file, name="run_file"),
]
