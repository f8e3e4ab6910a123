"""Addresses of the pool, below `/campaigns/<slug>/pool/`."""

from django.urls import path

from pooling.web import choosing, downloads, freezing

app_name = "pooling"
urlpatterns = [
    path("", choosing.pool, name="pool"),
    path("forecast/", choosing.forecast, name="forecast"),
    path("build/", choosing.build, name="build"),
    path("delete/", freezing.delete, name="delete"),
    path("freeze/", freezing.freeze, name="freeze"),
    path("unfreeze/", freezing.unfreeze, name="unfreeze"),
    path("docnos.txt", downloads.docnos, name="docnos"),
    path("pool.tsv", downloads.contributions, name="contributions"),
]
