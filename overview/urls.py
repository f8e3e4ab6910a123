"""Addresses of the pages that draw on all apps: home, a campaign's overview, the style page."""

from django.urls import path

from overview import views

urlpatterns = [
    path("", views.home, name="home"),
    path("campaigns/<slug:slug>/", views.overview, name="overview"),
    path("style/", views.style, name="style"),
]
