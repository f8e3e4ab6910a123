"""What can be released, what it is called, and what a release keeps from being withdrawn."""

from accounts.access import Refused
from campaigns.access.windows import shown
from campaigns.models.campaign import Campaign
from campaigns.models.releases import Release
from evaluation.access import check_stands
from evaluation.models.scores import Evaluation
from qrels.models import Qrels

What, Audience = Release.What, Release.Audience


def named(release: Release) -> str:
    """Return what is released, as sentences begin: "The scores against qrels v2"."""
    what = release.what
    if what == What.SCORES:
        return f"The scores against {Evaluation.objects.get(pk=_key(release)).against}"
    if what == What.QRELS:
        return str(Qrels.objects.get(pk=_key(release))).capitalize()
    return f"The {release.get_what_display().lower()}"


def is_or_will_be(release: Release) -> str:
    if not release.is_in_force:
        return "will be"
    return "is" if release.what in {What.POOL, What.AGREEMENT} else "are"


def _key(release: Release) -> int:
    """Return the id of the evaluation or version released; 0, which no row has, for none."""
    return release.subject_id or 0


def described(release: Release | None) -> str:
    """Return a release in words, by which a change of it is noticed; "" for none."""
    if release is None:
        return ""
    at = shown(release.campaign, release.from_at)
    which = f" ({release.subject_id})" if release.subject_id else ""
    return f"{named(release)}{which} to {release.get_audience_display().lower()} from {at}"


def released(campaign: Campaign, what: str) -> str:
    """Return in words who has something, or will have."""
    rows = campaign.releases.filter(what=what).order_by("audience")
    return "; ".join(map(described, rows)) or "nothing"


def check_can_release(release: Release) -> None:
    """Refuse what cannot be released, or not to this audience; the campaign is locked."""
    campaign, key = release.campaign, _key(release)
    if release.what == What.SCORES:
        evaluation = Evaluation.objects.finished(campaign).filter(pk=key).first()
        if evaluation is None:
            raise Refused("Choose the evaluation whose scores are to be released.")
        check_stands(evaluation.qrels)
    elif release.what == What.QRELS:
        qrels = Qrels.objects.filter(campaign=campaign, pk=key).first()
        if qrels is None:
            raise Refused("Choose the version of the qrels that is to be released.")
        check_stands(qrels)
    elif (release.what, release.audience) == (What.TOPICS, Audience.PARTICIPANTS):
        raise Refused("The teams see the topics from the date in the settings: change it there.")


def check_is_other(before: Release | None, now: Release) -> None:
    """Refuse to release what people have already, or to hide it until something else is shown."""
    if before is None:
        return
    if before.subject_id == now.subject_id and (
        before.from_at == now.from_at or (before.is_in_force and now.is_in_force)
    ):
        raise Refused(f"{described(before)}: this is so already.")
    if before.is_in_force and not now.is_in_force:
        raise Refused(
            f"{described(before)}: that would be hidden until {shown(now.campaign, now.from_at)}. "
            "Release this from now on, or take that back first."
        )


def reason_to_stand(qrels: Qrels) -> str:
    """Return why a version must not be withdrawn: a release of it or of its scores; or ""."""
    evaluations = Evaluation.objects.filter(qrels=qrels).values("pk")
    of_campaign = qrels.campaign.releases
    scores = of_campaign.filter(what=What.SCORES, subject_id__in=evaluations)
    found = scores.union(of_campaign.filter(what=What.QRELS, subject_id=qrels.pk))
    for release in found.order_by("audience"):
        audience = release.get_audience_display().lower()
        return (
            f"{named(release)} {is_or_will_be(release)} released to {audience}. "
            "Under Settings → Releases, take that back or release others; "
            f"then withdraw v{qrels.number}."
        )
    return ""
