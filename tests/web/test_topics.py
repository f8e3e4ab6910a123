"""The pages of topics: how far each is, for organizers, and the way from one to the next."""

from assess.models.assigning import Assignment
from tests import make


def shown(client, user, played, path: str = "topics/") -> str:
    client.force_login(user)
    return client.get(f"/campaigns/{played.slug}/{path}").content.decode()


def test_organizers_alone_see_how_far_topics_are_and_who_judges_them(
    client, played, olga, ada, ben
):
    topic = played.topic_set.get(number="1")
    work = Assignment.objects.get(topic=topic, assessor=ada)
    make.judgment(work, work.entries.exclude(judgment__state="judged").first().docno, 1)
    work.refresh_from_db()
    pooled = topic.poolentry_set.count()
    decided = f'{work.n_judged} <span class="quiet">of {pooled}</span>'
    link = f"/campaigns/{played.slug}/judging/{work.pk}/assignment/"
    for path in ("topics/", f"topics/{topic.pk}/"):
        assert decided in shown(client, olga, played, path), path
        for other in (ada, ben):
            theirs = shown(client, other, played, path)
            assert '<span class="quiet">of' not in theirs, path
            assert "Judged" not in theirs, path
    assert link in shown(client, olga, played, f"topics/{topic.pk}/")
    assert link not in shown(client, ada, played, f"topics/{topic.pk}/")


def test_topics_follow_each_other_in_natural_order(client, campaign, ada):
    campaign.topic_set.all().delete()
    made = {n: campaign.topic_set.create(number=n, title=n) for n in ("10", "2", "003")}
    client.force_login(ada)
    around = {
        number: client.get(f"/campaigns/{campaign.slug}/topics/{topic.pk}/").context["neighbors"]
        for number, topic in made.items()
    }
    two, three, ten = (made[number] for number in ("2", "003", "10"))
    assert around == {"2": (None, three), "003": (two, ten), "10": (three, None)}
