"""Addresses of judging, below `/campaigns/<slug>/`."""

from django.urls import path

from assess.web import assigning, earlier, records, sharing

app_name = "assess"
urlpatterns = [
    path("judging/assign/", assigning.assign, name="assign"),
    path("judging/distribute/", assigning.distribute, name="distribute"),
    path("judging/limits/", assigning.limits, name="limits"),
    path("judging/share/", sharing.share, name="share"),
    path("judging/shared/<int:pk>/", sharing.shared, name="shared"),
    path("judging/take-back/", assigning.take_back_unbegun, name="take_back_unbegun"),
    path("judging/judgments.csv", records.judgments, name="judgments"),
    path("judging/earlier/", earlier.earlier, name="earlier"),
    path("judging/known-grades.txt", records.known_grades, name="known_file"),
    path("judging/judgment-events.csv", records.judgment_events, name="judgment_events"),
    path("judging/ratings.csv", records.ratings, name="ratings"),
    path("judging/official-grades.csv", records.official_grades, name="official_grades"),
    path("judging/evidence.csv", records.passages, name="passages"),
]
