"""Addresses of the API, below `/api/`."""

from django.urls import path

from assess.api import Judgments, Lending

app_name = "api"
urlpatterns = [
    path("assignments/<int:pk>/judgments/", Judgments.as_view(), name="judgments"),
    path("assignments/<int:pk>/lend/", Lending.as_view(), name="lend"),
]
