"""The admin pages of topics."""

from django.contrib import admin

from accounts.admin import ReadOnly
from collection.models.texts import Topic

admin.site.register(Topic, ReadOnly)
