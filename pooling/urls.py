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
    path(
        "forecasts/<int:pk>/size-by-depth.<str:kind>",
        views.size_by_depth_file,
        name="size_by_depth",
    ),
    path("docnos.txt", views.docnos, name="docnos"),
    path("pool.tsv", views.contributions, name="contributions"),
]
