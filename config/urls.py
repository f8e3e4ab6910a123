"""Every address of the site."""

from django.contrib import admin
from django.contrib.auth.views import LoginView, LogoutView
from django.urls import include, path

from campaigns.views.people import invitation, profile
from config import views

urlpatterns = [
    path("", views.home, name="home"),
    path("sign-in/", LoginView.as_view(), name="login"),
    path("sign-out/", LogoutView.as_view(), name="logout"),
    path("profile/", profile, name="profile"),
    path("invitations/<str:token>/", invitation, name="invitation"),
    path("campaigns/", include("campaigns.urls")),
    path("campaigns/<slug:slug>/", views.overview, name="overview"),
    path("campaigns/<slug:slug>/pool/", include("pooling.urls")),
    path("campaigns/<slug:slug>/leaderboard/", include("evaluation.urls")),
    path("campaigns/<slug:slug>/", include("assess.urls")),
    path("api/", include("config.api")),
    path("style/", views.style, name="style"),
    path("admin/", admin.site.urls),
]
