"""Addresses of the pages that draw on all apps: home and a campaign's overview."""

from django.urls import path

from overview.web import copying, leaving, pages, reports, rounds

urlpatterns = [
    path("", pages.front, name="home"),
    path("campaigns/<slug:slug>/", pages.overview, name="overview"),
    path("campaigns/<slug:slug>/pace/", pages.overview_people, name="overview_people"),
    path("campaigns/<slug:slug>/about/", pages.collection, name="collection"),
    path(
        "campaigns/<slug:slug>/people/<int:pk>/remove/", leaving.remove_member, name="remove_member"
    ),
    path("campaigns/<slug:slug>/rehearsal/", pages.rehearsal, name="rehearsal"),
    path("campaigns/<slug:slug>/settings/rounds/", rounds.rounds, name="rounds"),
    path(
        "campaigns/<slug:slug>/settings/rounds/back/",
        rounds.take_back_round,
        name="take_back_round",
    ),
    path(
        "campaigns/<slug:slug>/settings/rounds/<int:number>/topics/",
        rounds.change_round,
        name="change_round",
    ),
    path("campaigns/<slug:slug>/report/", reports.report, name="report"),
    path(
        "campaigns/<slug:slug>/report/<int:pk>.<str:kind>", reports.report_file, name="report_file"
    ),
    path("campaigns/<slug:slug>/copy/", copying.copy, name="copy"),
]
