"""The page of agreement: its figures in all, by topic, by week, by pair and by assessor."""

from collections.abc import Mapping
from typing import Any

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from accounts.pages import UserRequest
from agreement.access import AgreementFigures
from agreement.core.differences import far_topics, sides
from agreement.nouns import AGREEMENT, RULES, WEIGHTS, AgreementFilter, Asked, Seen, differences
from agreement.tallies import documents, weighing
from agreement.web import figures
from agreement.web.disagreements import has_shared, with_titles
from agreement.web.drawing import pair_triangle
from agreement.web.figures import Headline, Links, Row, Rows
from agreement.web.matrices import grade_matrix, pair_matrix
from assess.models.official import OfficialGrade
from campaigns.models.campaign import Campaign
from campaigns.web.frame import guarded, listed, open_to_visitors, page
from campaigns.web.lists import csv_of
from cleverdon.agreement.measured import ENOUGH, FEW_TOPICS, Groups, in_order

agreement_file = csv_of(AGREEMENT, open_to_visitors, as_asked=True)
weights_file = csv_of(WEIGHTS)

FAR = 10  # disagreements before "All 23"
LEANINGS = 6  # before "n more between them"
FEW = 8  # a shorter list of topics would leave a gap next to the disagreements


def _far(campaign: Campaign, asked: Asked, filters: Mapping[str, Any], *, whole: bool) -> Any:
    """Return how many grades are two or more steps apart, and the first documents of them."""
    n, topics = far_topics(asked.ratings, None if whole else FAR)
    rows = differences(campaign, topics, **filters, at_least=2)
    return {"n": n, "rows": with_titles(campaign, rows[: None if whole else FAR])}


@open_to_visitors
@require_safe
def agreement(request: UserRequest, slug: str) -> HttpResponse:
    """Show coefficients, and where they come from: by grade, pair, topic, week and document.

    Only organizers see the names of assessors, and documents.
    """
    campaign = guarded(request, slug, AgreementFigures.see)
    form = AgreementFilter(request.GET)
    filters = form.cleaned_data if form.is_valid() else {}
    seen = Seen.by(request.user, campaign)
    asked = seen.asked(**filters)
    links = Links(slug, filters, seen.with_names)
    context: dict[str, Any] = {
        "asked": asked,
        "n": asked.ratings.n_items,
        "documents": documents(asked.ratings),
        "weighing": weighing(asked.ratings),
        "filters": filters,
        "is_filtered": any(filters.values()),
        "is_unknown": not seen.knows(filters.get("rule", "")),
        "choices": {**_choices(seen), "rules": _rules(seen, filters.get("rule", ""))},
        "scale": campaign.scale,
        "n_enough": ENOUGH,
        "n_few_topics": FEW_TOPICS,
        "has_shared": has_shared(campaign),
        "as_of": seen.version,
        "further": _further(seen),
        "pictures": {},
    }
    if asked.ratings.n_items:
        context |= _figures(request, seen, asked, links)
        if seen.with_names:  # pictures and disagreements name assessors
            context |= _people(request, asked, links)
            whole = request.GET.get("whole") == "disagreements"
            context["disagreements"] = _far(campaign, asked, filters, whole=whole)
            context["far_href"] = links.to(at_least=2)
    return page(request, "agreement/agreement.html", campaign, "agreement", **context)


def _choices(seen: Seen) -> dict[str, Any]:
    """Return what the figures can be filtered by."""
    ratings, criteria = seen.tallies.grades, seen.campaign.every_criterion
    titles = dict(seen.campaign.topic_set.values_list("number", "title"))
    people = figures.short_names(ratings.raters) if seen.with_names else {}
    return {
        "topics": [(each, titles.get(each, "")) for each in ratings.topics],
        "people": sorted(people.items(), key=lambda each: each[1]),
        "criteria": [each.name for each in criteria] if len(criteria) > 1 else [],
        "levels": [each.value for each in seen.campaign.scale.grades[1:] if each.value > 0],
    }


def _rules(seen: Seen, asked: str) -> list[tuple[str, str]]:
    """Return the rules that have given an official grade, that of a version, and the one asked."""
    campaign = seen.campaign
    found = OfficialGrade.objects.current().in_campaign(campaign).order_by()
    given = {*found.values_list("rule", flat=True).distinct()}
    its = {seen.version.rule} if seen.version else set()
    return [each for each in RULES if each[0] in given | its | {"", asked}]


def _further(seen: Seen) -> list[tuple[Any, ...]]:
    """Return each further criterion that several have answered, with kappa or alpha."""
    rows: list[tuple[Any, ...]] = []
    for each in seen.campaign.every_criterion[1:]:
        asked = seen.asked(criterion=each.name)
        if asked.ratings.n_items:
            groups, key = asked.groups(), Headline.of(asked).relevance
            [figure], [raw] = groups.figures(key, "grades"), groups.figures("raw", "grades")
            rows.append((each, figure, raw))
    return rows


def _figures(request: UserRequest, seen: Seen, asked: Asked, links: Links) -> dict[str, Any]:
    """Return the figures that name nobody."""
    groups, headline = asked.groups(), Headline.of(asked)
    graded = figures.grades_card(asked, groups, headline, links)
    relevant = None
    if asked.level is not None:
        relevant = figures.relevance_card(asked, groups, headline, links)
    main = (relevant or graded).figure
    titles = dict(seen.campaign.topic_set.values_list("number", "title"))
    topics = Rows.of(figures.topics(asked, titles, headline, links), main.value)
    weeks = figures.weeks(asked, headline)
    by = figures.topics_by(headline.name)
    return {
        "headline": headline,
        "relevant": relevant,
        "graded": graded,
        "main": main,
        "every": _every(asked, groups),
        "matrix": grade_matrix(in_order(asked.ratings), asked.criterion.answers, links),
        "topics": topics,
        "is_short": len(topics.rows) < FEW,
        "shown_topics": listed(request, topics.rows, by, name="topics-page"),
        "weeks": Rows.of(weeks, main.value) if len(weeks) > 1 else None,
    }


def _every(asked: Asked, groups: Groups) -> dict[str, list[Any]]:
    """Return every coefficient, on relevance and on grades."""
    found: dict[str, list[Any]] = {}
    for (figure,) in asked.every(groups):
        found.setdefault(figure.on, []).append(figure)
    return found


def _people(request: UserRequest, asked: Asked, links: Links) -> dict[str, Any]:
    """Return the figures of pairs of assessors, and of each one beside the others."""
    names = figures.short_names(asked.ratings.raters)
    whole = request.GET.get("whole", "")
    by_pair = figures.pairs(asked, names, links)
    matrix, main = pair_matrix(by_pair, names), Headline.of(asked).relevance
    rows = Rows.of(by_pair.values(), None)
    everybody: list[Any] = []
    if asked.level is not None:
        everybody = figures.called(sides(asked.ratings, asked.level, main), names, links)
    at_ends = figures.both_ends(everybody, None if whole == "assessors" else LEANINGS)
    is_drawn = matrix.is_drawn
    return {
        "has_matrix": len(by_pair) > 1 and (matrix.is_small or is_drawn),
        "by_pair": matrix,
        "pictures": {"pairs": pair_triangle(matrix) if is_drawn else None},
        "leanings": at_ends,
        "n_more_leanings": len(everybody) - len(at_ends),
        "sides": Rows.of((_row(side) for side, _ in everybody), None),
        "shown_sides": listed(request, everybody, figures.SIDES, name="sides-page"),
        "grade_names": [str(each) for each in asked.ratings.grades],
        "pairs": rows,
        "shown_pairs": listed(request, rows.rows, figures.PAIRS, name="pairs-page"),
    }


def _row(side: Any) -> Row:
    return Row(side.name, "", "", side.figure, side.figure, None)
