"""Addresses of the page of access tokens, below `/account/tokens/`."""

from django.urls import path

from api.web import tokens

urlpatterns = [
    path("", tokens.tokens, name="tokens"),
    path("<int:pk>/revoke/", tokens.revoke, name="revoke_token"),
]
