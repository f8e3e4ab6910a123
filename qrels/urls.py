"""Addresses of qrels, below `/campaigns/<slug>/`."""

from django.urls import path

from qrels.web import importing, publishing

app_name = "qrels"
urlpatterns = [
    path("qrels/", publishing.qrels, name="qrels"),
    path("qrels/publish/", publishing.publish_qrels, name="publish_qrels"),
    path("qrels/upload/", publishing.upload_qrels, name="upload_qrels"),
    path("qrels/imports/<int:pk>/", importing.qrels_import, name="qrels_import"),
    path("qrels/imports/<int:pk>/discard/", importing.discard_qrels, name="discard_qrels"),
    path("qrels/<int:number>/", publishing.version, name="version"),
    path("qrels/<int:number>/reinstate/", publishing.reinstate_qrels, name="reinstate_qrels"),
    path("qrels/<int:number>.txt", publishing.qrels_file, name="qrels_file"),
    path("qrels/<int:number>/judgments.csv", publishing.kept_judgments, name="kept_judgments"),
]
