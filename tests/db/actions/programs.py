"""What organizers do with programs as assessors."""

from datetime import date
from uuid import UUID

from campaigns.models.campaign import Campaign
from programs import services
from programs.core import Verdict
from programs.models import Program
from tests.db.actions.doing import Action, Given, assigned, person

CARD = {
    "name": "judge-1",
    "model": "A model",
    "version": "2026-10",
    "prompt": "Grade this document from 0 to 3.",
    "parameters": "temperature 0",
    "labelled_on": date(2026, 11, 2),
}
LABELS = [Verdict(1, "1", "d1", "2", 0.9)]
NOT_ALONE = UUID("7f1f2f2e-5d0b-4a8e-9a52-6a1d0b3b7c11")


def registered(campaign: Campaign) -> Program:
    assigned(campaign)
    return services.register_program(user=person("olga"), campaign=campaign, **CARD)


def of_one(campaign: Campaign, **more: object) -> Given:
    return {"program": registered(campaign), **more}


PROGRAMS = [
    Action(
        services.register_program,
        "program.registered judge-1",
        lambda campaign: {"campaign": campaign, **CARD},
    ),
    Action(
        services.take_labels,
        "program.labelled judge-1: 1 label",
        lambda campaign: of_one(campaign, labels=LABELS),
    ),
    Action(
        services.make_program_token,
        "program.token judge-1",
        lambda campaign: of_one(campaign, client_id=NOT_ALONE),
    ),
    Action(services.remove_program, "program.removed judge-1", of_one),
    Action(services.download_labels, "labels.downloaded judge-1", of_one),
]
