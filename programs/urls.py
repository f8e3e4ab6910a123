"""Addresses of programs as assessors, below `/campaigns/<slug>/`."""

from django.urls import path

from programs.web import programs

app_name = "programs"
urlpatterns = [
    path("judging/programs/", programs.programs, name="programs"),
    path("judging/programs/<str:name>/", programs.program, name="program"),
    path("judging/programs/<str:name>/token/", programs.make_token, name="token"),
    path("judging/programs/<str:name>/remove/", programs.remove, name="remove"),
    path("judging/programs/<str:name>/labels.csv", programs.labels_file, name="labels_file"),
]
