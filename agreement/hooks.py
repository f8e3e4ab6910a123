"""What this app tells the floors below it."""

from agreement.access import AgreementFigures
from campaigns.from_above import TABS, Tab

TABS.append(Tab(420, "agreement", "agreement:agreement", verb=AgreementFigures.see))
