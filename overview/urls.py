"""Addresses of the pages that draw on all apps: home, a campaign's overview, the style page."""

from django.urls import path

from assess.views import rehearsal
from overview import views

urlpatterns = [
    path("", views.home, name="home"),
    path("campaigns/<slug:slug>/", views.overview, name="overview"),
    path("campaigns/<slug:slug>/pace/", views.overview_people, name="overview_people"),
    path("campaigns/<slug:slug>/about/", views.collection, name="collection"),
    path("campaigns/<slug:slug>/rehearsal/", rehearsal.rehearsal, name="rehearsal"),
    path("style/", views.style, name="style"),
]
