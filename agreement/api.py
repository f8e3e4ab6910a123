"""The addresses of agreement, and of controls: how assessors answer documents of known grade."""

from agreement.nouns import AGREEMENT, DISAGREEMENTS, WEIGHTS
from agreement.web.controls import CONTROLS
from agreement.web.programs import BESIDE
from agreement.web.quality import FLAGGED, FLAGS
from api.doors import doors
from assess.nouns import noun_of_file
from programs.nouns import PROGRAMS

ANSWERS = noun_of_file(CONTROLS)
urlpatterns = [
    *doors(AGREEMENT),
    *doors(DISAGREEMENTS),
    *doors(WEIGHTS),
    *doors(ANSWERS),
    *doors(BESIDE, of=PROGRAMS),
    *doors(FLAGS),
    *doors(FLAGGED),
]
