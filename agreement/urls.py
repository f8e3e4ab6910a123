"""Addresses of agreement, adjudication and controls, below `/campaigns/<slug>/`."""

from django.urls import path

from agreement.web import (
    adjudication,
    agreement,
    controls,
    disagreements,
    grades,
    own,
    programs,
    quality,
)
from campaigns.converters import DOCNO

app_name = "agreement"
urlpatterns = [
    path("judging/controls/", controls.controls, name="controls"),
    path("judging/controls/remove/", controls.remove_known, name="remove_known"),
    path("judging/controls/confirm/", controls.confirm_known, name="confirm_known"),
    path("judging/controls.csv", controls.controls_file, name="controls_file"),
    path("judging/quality/", quality.quality, name="quality"),
    path("judging/quality/documents/", quality.documents, name="flagged"),
    path("judging/quality-flags.csv", quality.flags_file, name="flags_file"),
    path("judging/flagged-documents.csv", quality.documents_file, name="flagged_file"),
    path("judging/second-time/", own.own, name="own"),
    path("agreement/", agreement.agreement, name="agreement"),
    path("agreement.csv", agreement.agreement_file, name="agreement_file"),
    path("agreement/weights.csv", agreement.weights_file, name="weights_file"),
    path("agreement/adjudication/", adjudication.adjudication, name="adjudication"),
    path(f"agreement/topics/<int:pk>/documents/<{DOCNO}:docno>/", grades.grades, name="grades"),
    path("agreement/programs/<str:name>/", programs.program, name="program"),
    path("agreement/documents/", disagreements.disagreements, name="disagreements"),
    path("agreement/documents.csv", disagreements.disagreements_file, name="disagreements_file"),
]
