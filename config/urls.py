"""The root of all addresses."""

from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path
from drf_spectacular.views import SpectacularJSONAPIView

from agreement import api as agreement
from api import campaigns as of_campaigns
from assess import api as assess
from campaigns.web.people import invitation
from campaigns.web.resets import reset
from collection import api as collection
from config.handbook import help_page, help_pages
from config.health import health
from config.security_txt import security_txt
from desk import api as desk
from evaluation import api as evaluation
from overview import api as overview
from pooling import api as pooling
from programs import api as programs
from qrels import api as qrels
from questions import api as questions
from runs import api as runs

# What every campaign has, by the floor that it is on; last what is asked at every keystroke.
APPS = (
    of_campaigns,
    collection,
    runs,
    pooling,
    assess,
    questions,
    programs,
    qrels,
    agreement,
    evaluation,
    overview,
    desk,
)
# From the end: what an app adds to the nouns of a lower one comes before their records, whose names
# may be long.
IN_CAMPAIGN = [pattern for app in reversed(APPS) for pattern in app.urlpatterns]
API: list[URLPattern | URLResolver] = [
    path("openapi.json", SpectacularJSONAPIView.as_view(), name="schema"),
    path("campaigns/", include([*of_campaigns.whole, *overview.of_campaigns])),
    path("campaigns/<slug:slug>/", include(IN_CAMPAIGN)),
]
urlpatterns = [
    path("", include("accounts.urls")),
    path("invitations/<slug:token>/", invitation, name="invitation"),
    path("passwords/<slug:token>/", reset, name="reset"),
    path("account/", include("api.urls")),
    path("campaigns/", include("campaigns.urls")),
    path("campaigns/<slug:slug>/", include("collection.urls")),
    path("campaigns/<slug:slug>/", include("runs.urls")),
    path("campaigns/<slug:slug>/pool/", include("pooling.urls")),
    path("campaigns/<slug:slug>/", include("evaluation.urls")),
    path("campaigns/<slug:slug>/", include("assess.urls")),
    path("campaigns/<slug:slug>/", include("questions.urls")),
    path("campaigns/<slug:slug>/", include("practice.urls")),
    path("campaigns/<slug:slug>/", include("programs.urls")),
    path("campaigns/<slug:slug>/", include("desk.urls")),
    path("campaigns/<slug:slug>/", include("qrels.urls")),
    path("campaigns/<slug:slug>/", include("agreement.urls")),
    path("api/v1/", include((API, "api"))),
    path("", include("overview.urls")),
    path("help/", help_pages, name="help_pages"),
    path("help/<slug:name>/", help_page, name="help"),
    path("health/", health, name="health"),
    path(".well-known/security.txt", security_txt, name="security"),
    path("admin/", admin.site.urls),
]
handler400 = "config.errors.unreadable"
handler500 = "config.errors.server_error"
