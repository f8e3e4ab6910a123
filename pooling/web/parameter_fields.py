"""The fields that ask for the parameters of strategies."""

from collections.abc import Mapping
from typing import Any

from django import forms

from cleverdon.pictures.markup import Drawn
from cleverdon.pools.strategy.parameters import Choice, Documents, Parameter, WholeNumber
from cleverdon.pools.strategy.record import Strategy
from pooling.core.pictures import sketch

MOST_TEXT = 1_000_000  # characters of a list of documents


class RecipeForm(forms.Form):
    """The parameters of a strategy, under names that begin with its own."""

    def __init__(self, strategy: Strategy, data: Mapping[str, Any] | None, **options: Any) -> None:
        super().__init__(data, prefix=strategy.name, **options)
        self.strategy = strategy
        self.fields |= {each.name: field_of(each) for each in strategy.parameters}

    def sketch(self) -> Drawn:
        return sketch(self.strategy.sketch)

    def usual(self) -> dict[str, Any]:
        """Return what its fields begin with, read."""
        return {
            each.name: each.read(str(self.get_initial_for_field(self.fields[each.name], each.name)))
            for each in self.strategy.parameters
        }


def field_of(parameter: Parameter) -> forms.Field:
    """Return the field that asks for a parameter of a strategy."""
    asked: dict[str, Any] = {"initial": parameter.usual, "help_text": parameter.help}
    if isinstance(parameter, WholeNumber | Choice):
        asked["label"] = parameter.label
    if isinstance(parameter, WholeNumber):
        return forms.IntegerField(min_value=parameter.least, max_value=parameter.most, **asked)
    if isinstance(parameter, Choice):
        return forms.ChoiceField(choices=[*parameter.options.items()], **asked)
    return ReadField(parameter, **asked)


class ReadField(forms.CharField):
    """A field whose text is read by a parameter."""

    def __init__(self, parameter: Parameter, **options: Any) -> None:
        if isinstance(parameter, Documents):
            options["widget"] = forms.Textarea(attrs={"rows": 6})
        super().__init__(max_length=MOST_TEXT, **options)
        self.parameter = parameter

    def clean(self, value: str) -> Any:
        try:
            return self.parameter.read(super().clean(value))
        except ValueError as error:
            raise forms.ValidationError(str(error)) from error
