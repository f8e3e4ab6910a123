"""Files of which each line is taken or told."""

from collections.abc import Callable
from typing import TypeVar

from django import forms

from accounts.access import Refused
from assess.access.known_grades import BadLines
from campaigns.web.frame import check_is_of_the_state

Result = TypeVar("Result")


def lines_taken(form: forms.Form, act: Callable[[], Result]) -> Result | None:
    """Take the file of a form; each line that cannot be taken becomes a sentence at the field."""
    try:
        return act()
    except BadLines as refusal:
        for sentence in refusal.sentences:
            form.add_error("file", sentence)
    except Refused as refusal:
        check_is_of_the_state(refusal)
        form.add_error(None, str(refusal))
    return None
