"""Addresses of campaigns, below `/campaigns/`."""

from django.urls import path, register_converter
from django.urls.converters import StringConverter

from campaigns.web import campaign, files, people, resets, viewing
from campaigns.web.campaign_forms import SECTIONS


class SectionConverter(StringConverter):
    """A section of the settings; the apps above have other pages beside them."""

    regex = "|".join(SECTIONS)


register_converter(SectionConverter, "section")

app_name = "campaigns"
urlpatterns = [
    path("new/", campaign.create, name="create"),
    path("new/preview/", campaign.preview_guidelines, name="preview_guidelines"),
    path("new/dates/", campaign.preview_dates, name="preview_dates"),
    path("<slug:slug>/activity/", campaign.activity, name="activity"),
    path("<slug:slug>/activity/events.csv", files.events, name="events_file"),
    path("<slug:slug>/settings/", campaign.settings, name="settings"),
    path("<slug:slug>/settings/<section:section>/", campaign.settings, name="settings_of"),
    path("<slug:slug>/view-as/", viewing.begin_viewing, name="view_as"),
    path("<slug:slug>/view-as/end/", viewing.end_viewing, name="end_viewing"),
    path("<slug:slug>/archive/", campaign.archive, name="archive"),
    path("<slug:slug>/restore/", campaign.restore, name="restore"),
    path("<slug:slug>/delete/", campaign.delete, name="delete"),
    path("<slug:slug>/jobs/<int:pk>/", campaign.job, name="job"),
    path("<slug:slug>/jobs/<int:pk>/retry/", campaign.retry_job, name="retry_job"),
    path("<slug:slug>/people/", people.people, name="people"),
    path("<slug:slug>/people/people.csv", files.people, name="people_file"),
    path("<slug:slug>/people/<int:pk>/", resets.member, name="member"),
    path("<slug:slug>/people/<int:pk>/reset/", resets.make_reset, name="make_reset"),
    path("<slug:slug>/resets/<int:pk>/withdraw/", resets.withdraw_reset, name="withdraw_reset"),
    path(
        "<slug:slug>/invitations/<int:pk>/withdraw/",
        people.withdraw_invitation,
        name="withdraw_invitation",
    ),
]
