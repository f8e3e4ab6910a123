"""Addresses of questions and notes, below `/campaigns/<slug>/`."""

from django.urls import path

from questions.web import notes, questions

app_name = "questions"
urlpatterns = [
    path("judging/questions/", questions.questions, name="questions"),
    path("judging/questions/seen/", questions.see, name="see_answers"),
    path("judging/questions/<int:pk>/", questions.question, name="question"),
    path("judging/questions/<int:pk>/withdraw/", questions.withdraw, name="withdraw_question"),
    path("judging/<int:pk>/questions/", questions.ask, name="ask"),
    path("judging/<int:pk>/note/", notes.note, name="note"),
    path("judging/notes.csv", notes.notes_file, name="notes"),
    path("judging/questions.csv", questions.questions_file, name="questions_file"),
]
