"""Two more of the cast, for what people may not do to each other."""

import pytest

from campaigns.models import Role, Team
from tests import make


@pytest.fixture
def otto(db):
    """The organizer of another campaign: a stranger in this one."""
    otto = make.user("otto")
    make.campaign(otto)
    return otto


@pytest.fixture
def quinn(campaign):
    """A participant of another team."""
    quinn = make.user("quinn")
    team = Team.objects.create(campaign=campaign, name="Barbican")
    campaign.membership_set.create(user=quinn, role=Role.PARTICIPANT, team=team)
    return quinn
