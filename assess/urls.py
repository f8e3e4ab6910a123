"""Addresses of judging, below `/campaigns/<slug>/`."""

from django.urls import path

from assess import views

app_name = "assess"
urlpatterns = [
    path("judging/", views.judging, name="judging"),
    path("judging/assign/", views.assign, name="assign"),
    path("judging/distribute/", views.distribute, name="distribute"),
    path("judging/<int:pk>/", views.judge_page, name="judge_page"),
    path("judging/<int:pk>/judge/", views.judge, name="judge"),
    path("judging/<int:pk>/undo/", views.undo, name="undo"),
    path("judging/<int:pk>/documents/", views.entries, name="entries"),
    path("agreement/", views.agreement, name="agreement"),
    path("qrels/", views.qrels, name="qrels"),
    path("qrels/publish/", views.publish_qrels, name="publish_qrels"),
    path("qrels/<int:number>.txt", views.qrels_file, name="qrels_file"),
]
