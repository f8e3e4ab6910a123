"""Addresses of signing in, signing out and one's account."""

from django.contrib.auth.views import LogoutView
from django.urls import path

from accounts import views

urlpatterns = [
    path("sign-in/", views.SignIn.as_view(), name="login"),
    path("sign-out/", LogoutView.as_view(), name="logout"),
    path("account/", views.account, name="account"),
    path("account/keys/", views.keys, name="keys"),
    path("account/reading/", views.reading, name="reading"),
    path("account/password/", views.password, name="password"),
]
