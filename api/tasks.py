"""What beat asks of this app."""

from celery import shared_task

from api.models import Upload
from api.uploads import delete_upload


@shared_task
def clear_uploads() -> int:
    """Delete the uploads whose time is over; return how many."""
    over = list(Upload.objects.over())
    for each in over:
        delete_upload(each)
    return len(over)
