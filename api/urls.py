"""Addresses of the pages of access tokens and of files on the way, below `/account/`."""

from django.urls import path

from api.web import tokens, uploads

urlpatterns = [
    path("tokens/", tokens.tokens, name="tokens"),
    path("tokens/<int:pk>/revoke/", tokens.revoke, name="revoke_token"),
    path("uploads/", uploads.uploads, name="own_uploads"),
    path("uploads/<int:pk>/delete/", uploads.delete, name="delete_upload"),
]
