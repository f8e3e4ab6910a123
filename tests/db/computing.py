"""The addresses and the words of pages that a job computes."""


def page_of(evaluation, name: str) -> str:
    slug = evaluation.campaign.slug
    return f"/campaigns/{slug}/leaderboard/evaluations/{evaluation.pk}/{name}/"


def words(response) -> str:
    return " ".join(response.content.decode().replace("&nbsp;", " ").split())
