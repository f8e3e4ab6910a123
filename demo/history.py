"""The past of an example: filled within seconds, it is shown as if it had taken days."""

from datetime import timedelta

from django.apps import apps
from django.conf import settings
from django.db import models, transaction
from django.db.models import ExpressionWrapper, F, Value
from django.utils import timezone

from campaigns.models.campaign import Campaign

DAYS = 12


@transaction.atomic
def stretch(campaign: Campaign, days: int = DAYS) -> None:
    """Move all that has happened since the campaign was created back in time, in proportion, so that it began so many days ago.

    The order of things stays. What lies ahead, such as the end of an invitation, stays where it is.
    """
    now, began = timezone.now(), campaign.created_at
    factor = timedelta(days=days) / (now - began)
    moment, time = (models.DateTimeField[object, object](), models.DurationField[object, object]())
    ours = [apps.get_app_config(name) for name in settings.OUR_APPS if name != "accounts"]
    for model in (model for app in ours for model in app.get_models()):
        for field in model._meta.fields:
            if isinstance(field, models.DateTimeField):
                past = {f"{field.name}__gte": began, f"{field.name}__lte": now}
                ago = ExpressionWrapper(Value(now) - F(field.name), output_field=time)
                before = ExpressionWrapper(ago * Value(factor), output_field=time)
                at = ExpressionWrapper(Value(now) - before, output_field=moment)
                model._base_manager.filter(**past).update(**{field.name: at})
