"""Addresses of the pool, below `/campaigns/<slug>/pool/`."""

from django.urls import path

from pooling import views

app_name = "pooling"
urlpatterns = [
    path("", views.pool, name="pool"),
    path("forecast/", views.forecast, name="forecast"),
    path("build/", views.build, name="build"),
    path("delete/", views.delete, name="delete"),
    path("freeze/", views.freeze, name="freeze"),
    path("unfreeze/", views.unfreeze, name="unfreeze"),
    path("docnos.txt", views.docnos, name="docnos"),
    path("pool.tsv", views.contributions, name="contributions"),
]
