"""Addresses of practice, below `/campaigns/<slug>/`."""

from django.urls import path

from practice import views

app_name = "practice"
urlpatterns = [
    path("judging/practice/", views.practice, name="practice"),
    path("judging/practice/answer/", views.answer, name="answer_practice"),
    path("judging/practice/skip/", views.skip, name="skip_practice"),
    path("judging/practice/edit/", views.edit, name="edit_practice"),
    path("judging/practice.csv", views.practice_file, name="practice_file"),
]
