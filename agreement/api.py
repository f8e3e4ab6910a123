"""The addresses of controls: how assessors answer documents whose grade is known."""

from agreement.web.controls import CONTROLS
from api.doors import doors
from assess.nouns import noun_of_file

ANSWERS = noun_of_file(CONTROLS)
urlpatterns = doors(ANSWERS)
