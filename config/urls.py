"""The root of all addresses."""

from django.contrib import admin
from django.urls import include, path

from assess.api import Judgments, Lending
from campaigns.web.people import invitation
from campaigns.web.resets import reset
from config.handbook import help_page, help_pages
from config.health import health
from config.security_txt import security_txt

API = [
    path("assignments/<int:pk>/judgments/", Judgments.as_view(), name="judgments"),
    path("assignments/<int:pk>/lend/", Lending.as_view(), name="lend"),
]
urlpatterns = [
    path("", include("accounts.urls")),
    path("invitations/<slug:token>/", invitation, name="invitation"),
    path("passwords/<slug:token>/", reset, name="reset"),
    path("account/tokens/", include("api.urls")),
    path("campaigns/", include("campaigns.urls")),
    path("campaigns/<slug:slug>/", include("collection.urls")),
    path("campaigns/<slug:slug>/", include("runs.urls")),
    path("campaigns/<slug:slug>/pool/", include("pooling.urls")),
    path("campaigns/<slug:slug>/", include("evaluation.urls")),
    path("campaigns/<slug:slug>/", include("assess.urls")),
    path("campaigns/<slug:slug>/", include("questions.urls")),
    path("campaigns/<slug:slug>/", include("practice.urls")),
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
