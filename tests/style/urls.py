"""All addresses, and that of the style page."""

from django.urls import include, path

from tests.style.views import style

urlpatterns = [path("style/", style, name="style"), path("", include("config.urls"))]
handler500 = "config.errors.server_error"
