"""Addresses of the ground floor, below `/campaigns/`."""

from django.urls import path

from campaigns import views

app_name = "campaigns"
urlpatterns = [
    path("new/", views.create, name="create"),
    path("<slug:slug>/settings/", views.settings, name="settings"),
    path("<slug:slug>/topics/", views.topics, name="topics"),
    path("<slug:slug>/documents/", views.documents, name="documents"),
    path("<slug:slug>/documents/<path:docno>/", views.document, name="document"),
    path("<slug:slug>/runs/", views.runs, name="runs"),
    path("<slug:slug>/runs/states/", views.run_states, name="run_states"),
    path("<slug:slug>/runs/<int:pk>/", views.run, name="run"),
    path("<slug:slug>/runs/<int:pk>/file/", views.run_file, name="run_file"),
    path(
        "<slug:slug>/runs/<int:pk>/withdraw/", views.withdraw_run, name="withdraw_run"
    ),
    path("<slug:slug>/jobs/<int:pk>/", views.job, name="job"),
    path("<slug:slug>/jobs/<int:pk>/retry/", views.retry_job, name="retry_job"),
    path("<slug:slug>/people/", views.people, name="people"),
    path(
        "<slug:slug>/people/<int:pk>/remove/", views.remove_member, name="remove_member"
    ),
    path(
        "<slug:slug>/invitations/<int:pk>/withdraw/",
        views.withdraw_invitation,
        name="withdraw_invitation",
    ),
]
