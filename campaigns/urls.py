"""Addresses of campaigns, below `/campaigns/`."""

from django.urls import path, register_converter
from django.urls.converters import PathConverter, StringConverter

from campaigns.forms.campaign import SECTIONS
from campaigns.views import (
    campaign,
    collection,
    copying,
    files,
    imports,
    leaving,
    people,
    resets,
    run,
    runs,
    teams,
)


class DocnoConverter(PathConverter):
    """A docno may contain slashes, and anything else that PostgreSQL stores: all but NUL."""

    regex = r"[^\x00]+"


class SectionConverter(StringConverter):
    """A section of the settings; the apps above have other pages beside them."""

    regex = "|".join(SECTIONS)


register_converter(DocnoConverter, "docno")
register_converter(SectionConverter, "section")

app_name = "campaigns"
urlpatterns = [
    path("new/", campaign.create, name="create"),
    path("new/preview/", campaign.preview_guidelines, name="preview_guidelines"),
    path("new/dates/", campaign.preview_dates, name="preview_dates"),
    path("<slug:slug>/activity/", campaign.activity, name="activity"),
    path("<slug:slug>/activity/events.csv", files.events, name="events_file"),
    path("<slug:slug>/settings/", campaign.settings, name="settings"),
    path(
        "<slug:slug>/settings/<section:section>/", campaign.settings, name="settings_of"
    ),
    path("<slug:slug>/archive/", campaign.archive, name="archive"),
    path("<slug:slug>/restore/", campaign.restore, name="restore"),
    path("<slug:slug>/copy/", copying.copy, name="copy"),
    path("<slug:slug>/delete/", campaign.delete, name="delete"),
    path("<slug:slug>/topics/", collection.topics, name="topics"),
    path("<slug:slug>/topics/topics.<str:kind>", files.topics, name="topics_file"),
    path("<slug:slug>/topics/delete/", collection.delete_topics, name="delete_topics"),
    path("<slug:slug>/topics/<int:pk>/", collection.topic, name="topic"),
    path(
        "<slug:slug>/topics/<int:pk>/versions/",
        collection.topic_versions,
        name="topic_versions",
    ),
    path("<slug:slug>/documents/", collection.documents, name="documents"),
    path("<slug:slug>/documents/<docno:docno>/", collection.document, name="document"),
    path("<slug:slug>/collection/", collection.declare, name="declare_collection"),
    path(
        "<slug:slug>/collection/delete/",
        collection.delete_documents,
        name="delete_documents",
    ),
    path(
        "<slug:slug>/collection/versions/<docno:docno>/",
        collection.document_versions,
        name="document_versions",
    ),
    path("<slug:slug>/imports/<int:pk>/", imports.show, name="import"),
    path(
        "<slug:slug>/imports/<int:pk>/discard/", imports.discard, name="discard_import"
    ),
    path("<slug:slug>/imports/<int:pk>/undo/", imports.undo, name="undo_import"),
    path("<slug:slug>/runs/", runs.runs, name="runs"),
    path("<slug:slug>/runs/runs.csv", files.runs, name="runs_file"),
    path("<slug:slug>/runs/released/", runs.released_runs, name="released_runs"),
    path(
        "<slug:slug>/runs/released.csv", files.released_runs, name="released_runs_file"
    ),
    path("<slug:slug>/runs/states/", runs.run_states, name="run_states"),
    path("<slug:slug>/runs/upload/", runs.upload_runs, name="upload_runs"),
    path("<slug:slug>/runs/check/", runs.recheck_runs, name="recheck_runs"),
    path("<slug:slug>/runs/extensions/", runs.extensions, name="extensions"),
    path("<slug:slug>/runs/<int:pk>/", run.run, name="run"),
    path("<slug:slug>/runs/<int:pk>/file/", run.run_file, name="run_file"),
    path("<slug:slug>/runs/<int:pk>/errors.csv", run.run_errors, name="run_errors"),
    path("<slug:slug>/runs/<int:pk>/withdraw/", run.withdraw_run, name="withdraw_run"),
    path("<slug:slug>/runs/<int:pk>/move/", run.move_run, name="move_run"),
    path(
        "<slug:slug>/runs/<int:pk>/disqualify/",
        run.disqualify_run,
        name="disqualify_run",
    ),
    path(
        "<slug:slug>/runs/<int:pk>/reinstate/", run.reinstate_run, name="reinstate_run"
    ),
    path("<slug:slug>/runs/<int:pk>/check/", run.recheck_run, name="recheck_run"),
    path("<slug:slug>/runs/<int:pk>/describe/", run.describe_run, name="describe_run"),
    path("<slug:slug>/jobs/<int:pk>/", campaign.job, name="job"),
    path("<slug:slug>/jobs/<int:pk>/retry/", campaign.retry_job, name="retry_job"),
    path("<slug:slug>/people/", people.people, name="people"),
    path("<slug:slug>/people/people.csv", files.people, name="people_file"),
    path(
        "<slug:slug>/people/<int:pk>/remove/",
        leaving.remove_member,
        name="remove_member",
    ),
    path("<slug:slug>/people/<int:pk>/", resets.member, name="member"),
    path("<slug:slug>/people/<int:pk>/reset/", resets.make_reset, name="make_reset"),
    path(
        "<slug:slug>/resets/<int:pk>/withdraw/",
        resets.withdraw_reset,
        name="withdraw_reset",
    ),
    path("<slug:slug>/team/", teams.my_team, name="my_team"),
    path("<slug:slug>/teams/", teams.create_team, name="create_team"),
    path("<slug:slug>/teams/<int:pk>/", teams.team, name="team"),
    path("<slug:slug>/teams/<int:pk>/rename/", teams.rename_team, name="rename_team"),
    path("<slug:slug>/teams/<int:pk>/merge/", teams.merge_team, name="merge_team"),
    path("<slug:slug>/teams/<int:pk>/delete/", teams.delete_team, name="delete_team"),
    path("<slug:slug>/teams/<int:pk>/leave/", teams.leave_team, name="leave_team"),
    path(
        "<slug:slug>/invitations/<int:pk>/withdraw/",
        people.withdraw_invitation,
        name="withdraw_invitation",
    ),
]
