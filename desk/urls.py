"""Addresses of the desk, below `/campaigns/<slug>/`."""

from django.urls import path

from desk.web import assignment, hours, judge, judging, words, workbench

app_name = "desk"
urlpatterns = [
    path("judging/", judging.judging, name="judging"),
    path("judging/<int:pk>/assignment/", assignment.assignment, name="assignment"),
    path("judging/<int:pk>/", judge.judge_page, name="judge_page"),
    path("judging/<int:pk>/words/", words.words, name="words"),
    path(
        "judging/<int:pk>/documents/<int:number>/words/",
        words.document_words,
        name="document_words",
    ),
    path("judging/<int:pk>/queue/", workbench.queue, name="queue"),
    path("judging/<int:pk>/lend/", workbench.lend, name="lend"),
    path("judging/<int:pk>/documents/<int:number>/", workbench.document, name="document"),
    path("judging/<int:pk>/documents/", judge.entries, name="entries"),
    path("judging/hours/", hours.hours, name="hours"),
    path("judging/hours.csv", hours.hours_file, name="hours_file"),
    path("judging/assessors.csv", judging.assessors, name="assessors_file"),
]
