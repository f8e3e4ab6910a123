"""The admin pages of people."""

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin

from accounts.forms import StaffSignInForm
from accounts.models import User

admin.site.register(User, UserAdmin)
admin.site.login_form = StaffSignInForm
