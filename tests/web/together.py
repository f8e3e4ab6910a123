"""A page that somebody has open while others change what it shows."""

from django.test import Client

from campaigns.web.campaign_forms import SECTIONS
from tests.asked import sent_of


def settings_with(campaign, field: str) -> str:
    """The address of the page of the settings that has a field."""
    [section] = [
        name for name, (_, fields) in SECTIONS.items() if field.partition("-")[0] in fields
    ]
    return f"/campaigns/{campaign.slug}/settings/{section}/"


class Page:
    """A form as somebody has it open: the page's values, but for what was typed."""

    def __init__(self, user, address: str, form: str = "form", act: str = "") -> None:
        self.client, self.name, self.act = Client(), form, act or address
        self.client.force_login(user)
        self.read(self.client.get(address))

    def read(self, answer) -> None:
        self.form = form = answer.context[self.name]
        names = [name for name in form.fields if name not in {"keep", "criteria"}]
        shown = {name: form[name].value() for name in names}
        self.data = {
            name: _typed(form[name], value)
            for name, value in shown.items()
            if value is not None and value is not False
        }
        if "criteria" in form.fields:
            self.data |= sent_of(form.rows)
        assert f'name="seen" value="{form.seen_now}"' in answer.text
        self.data["seen"] = form.seen_now

    def save(self, **typed):
        if "criteria-0-name" in typed:  # all rows
            rows = [name for name in self.data if name.startswith("criteria-")]
            self.data = {name: self.data[name] for name in self.data if name not in rows}
        self.data |= typed
        answer = self.client.post(self.act, self.data)
        if answer.status_code == 422:
            self.read(answer)
        return answer


def _typed(field, value) -> str:
    """A value as the browser sends it back: with its own line ends."""
    if value is True:
        return "on"
    sent = field.field.widget.format_value(value)
    return str(sent[0] if isinstance(sent, list) else sent or "").replace("\n", "\r\n")
