"""Addresses of practice, below `/campaigns/<slug>/`."""

from django.urls import path

from practice.web import practice, report

app_name = "practice"
urlpatterns = [
    path("judging/practice/", practice.practice, name="practice"),
    path("judging/practice/edit/", practice.edit, name="edit_practice"),
    path("judging/practice.csv", report.practice_file, name="practice_file"),
]
