"""What this app tells the floors below it: its tab."""

from agreement.access import check_agreement_shown
from campaigns.web.frame import register_tab

register_tab(420, "agreement", "agreement:agreement", check=check_agreement_shown)
