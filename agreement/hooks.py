"""What this app tells the floors below it."""

from agreement.access import check_agreement_shown
from campaigns.from_above import TABS, Tab

TABS.append(Tab(420, "agreement", "agreement:agreement", check=check_agreement_shown))
