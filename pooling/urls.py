"""Addresses of the pool, below `/campaigns/<slug>/pool/`."""

from django.urls import path

from pooling.web import batches, choosing, comparing, downloads, duplicates

app_name = "pooling"
urlpatterns = [
    path("", choosing.pool, name="pool"),
    path("extend/", choosing.extend, name="extend"),
    path("forecast/", choosing.forecast, name="forecast"),
    path("build/", choosing.build, name="build"),
    path("import/", choosing.import_batch, name="import_batch"),
    path("compare/", comparing.compare, name="compare"),
    path("duplicates/", duplicates.duplicates, name="duplicates"),
    path("batches/<int:pk>/", batches.batch, name="batch"),
    path("batches/<int:pk>/build-again/", batches.build_again, name="build_again"),
    path("batches/<int:pk>/delete/", batches.delete, name="delete"),
    path("batches/<int:pk>/freeze/", batches.freeze, name="freeze"),
    path("batches/<int:pk>/take-back/", batches.take_back, name="take_back"),
    path("batches/<int:pk>/batch.tsv", downloads.batch_contributions, name="batch_contributions"),
    path("batches/<int:pk>/batch.jsonl", downloads.batch_lines, name="batch_lines"),
    path("docnos.txt", downloads.docnos, name="docnos"),
    path("pool.tsv", downloads.contributions, name="contributions"),
]
