"""What the commands take, each with examples; nothing slow is imported here."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

CAMPAIGN = "CLEVERDON_CAMPAIGN"
WIDTH = 78
KEEPS_LINES = argparse.RawDescriptionHelpFormatter
LISTS = """
agreement answers assessors assignments batches completeness controls disagreements documents
duplicates evaluations events evidence flagged-documents forecast hours imports invitations jobs
judgment-events judgments known-grades notes official-grades people programs qrels-differences
qrels-imports quality-flags questions ratings released-runs releases rounds runs settings
shared-topics teams topics uploads weights work
"""
WHAT = f"""\
board      a leaderboard, a line a run: the newest, or that of evaluation KEY
scores     the same, a line for each measure; --by-topic adds the topic
qrels      the newest version of the qrels, or version KEY; --list has them
pool       the documents of the pool, with the runs that contributed them
docnos     their docnos alone
run TAG    the file of a run

{fill(f"or any list of the site: {', '.join(LISTS.split())}. KEY is what a row is called.", WIDTH)}
"""
# Words that a shell offers too, where the parser takes any or others have their own.
OFFERED = {
    "cleverdon": ("evaluate", "pool"),
    "cleverdon get": ("board", "scores", "qrels", "pool", "docnos", "run", *LISTS.split()),
}
# What `get` is told, of a command that lists.
LISTED = {"key": None, "list": True, "by_topic": False}
LAYOUT = "JSON, and CSV, have every field; a table those that there is room for."


def parsed(arguments: Sequence[str]) -> argparse.Namespace:
    """Return the options of a command, wherever they stand among its words."""
    at, words = parser(), [*arguments]
    if words[0] == "completion":  # what is typed may look like anything
        return at.parse_args(words[:2], argparse.Namespace(typed=words[2:]))
    while (below := commands_of(at)) and words and words[0] in below:
        at = below[words.pop(0)]
    return at.parse_args(words) if below else at.parse_intermixed_args(words)


def commands_of(at: Any) -> dict[str, Any]:
    """Return the commands below a parser by their words, none of a command's own."""
    groups = [each.choices for each in vars(at)["_actions"] if isinstance(each.choices, dict)]
    return groups[0] if groups else {}


def parser() -> argparse.ArgumentParser:
    """Return the parser of all commands; what was parsed has the command as `does`."""
    top = argparse.ArgumentParser("cleverdon")
    commands = top.add_subparsers(required=True, metavar="COMMAND")
    _signing(commands)
    verbs = "check|submit|list|report|withdraw"
    _runs(_group(commands, "runs", verbs, "runs check alpha.txt\nruns submit alpha.txt"))
    verbs = "list|create|export"
    _campaigns(_group(commands, "campaigns", verbs, "campaigns create --from campaign.toml"))
    _get(commands)
    _others(commands)
    return top


def _group(commands: Any, name: str, verbs: str, examples: str) -> Any:
    group = commands.add_parser(name, epilog=_shown(examples), formatter_class=KEEPS_LINES)
    return group.add_subparsers(required=True, metavar=verbs)


def _command(
    commands: Any, name: str, does: str, about: str, examples: str
) -> argparse.ArgumentParser:
    """Add a command that module and function `does` do."""
    paragraphs = about if "\n" in about else fill(about, WIDTH)
    added: argparse.ArgumentParser = commands.add_parser(
        name,
        help=about,
        description=paragraphs,
        epilog=_shown(examples),
        formatter_class=KEEPS_LINES,
    )
    added.set_defaults(does=does)
    return added


def _shown(examples: str) -> str:
    return "examples:\n" + "".join(f"  cleverdon {line}\n" for line in examples.splitlines())


def _signing(commands: Any) -> None:
    login = _command(
        commands,
        "login",
        "signing.login",
        "Keep an access token of a site, made there under Your account → Access tokens.",
        "login https://example.org\nlogin https://example.org --token-stdin < token.txt",
    )
    login.add_argument("url", metavar="URL")
    login.add_argument("--token-stdin", action="store_true", help="read the token there")
    logout = _command(
        commands,
        "logout",
        "signing.logout",
        "Forget the token of a site, the last one that was signed in to unless it is named.",
        "logout",
    )
    logout.add_argument("url", metavar="URL", nargs="?", default="")


def _runs(commands: Any) -> None:
    _check_and_submit(commands)
    listed = _command(
        commands, "list", "getting.get", "List the runs that you may see.", "runs list --json"
    )
    _add_layout(listed)
    listed.set_defaults(what="runs", **LISTED)
    about = "Show what the check of a run found."
    report = _command(commands, "report", "runs.report", about, "runs report alpha")
    withdraw = _command(
        commands,
        "withdraw",
        "runs.withdraw",
        "Take a run out; its file and its report stay.",
        "runs withdraw alpha --reason 'trained on the topics'",
    )
    withdraw.add_argument("--reason", default="", metavar="TEXT")
    _add_accept(withdraw)
    for each in (report, withdraw):
        each.add_argument("tag", metavar="TAG")
        each.add_argument("--json", action="store_true")
        _add_campaign(each)


def _check_and_submit(commands: Any) -> None:
    check = _command(
        commands,
        "check",
        "runs.check",
        "Check run files as the site does, without sending them. Its topics and depth are asked "
        "for once a day.",
        "runs check alpha.txt --campaign trec-2027\nruns check *.txt.gz --topics topics.xml",
    )
    check.add_argument("--topics", type=Path, metavar="FILE", help="topics, qrels or numbers")
    check.add_argument("--depth", type=int, metavar="N", help="documents allowed for each topic")
    submit = _command(
        commands,
        "submit",
        "runs.submit",
        "Check run files, upload them, and wait until the site has checked them.",
        "runs submit alpha.txt --campaign trec-2027 --automatic --priority 1\n"
        "runs submit beta.txt.gz --team Aldgate --description 'BM25, RM3'",
    )
    submit.set_defaults(topics=None, depth=None)
    submit.add_argument("--description", metavar="TEXT", help="how the system works")
    kind = submit.add_mutually_exclusive_group()
    kind.add_argument("--manual", dest="is_manual", action="store_true", default=None)
    kind.add_argument("--automatic", dest="is_manual", action="store_false")
    submit.add_argument("--priority", type=int, metavar="N", help="1: pool this run first")
    submit.add_argument(
        "--team", metavar="TEAM", help="of organizers; without it the run is a baseline"
    )
    for each in (check, submit):
        _add_campaign(each)
        each.add_argument("runs", metavar="RUN", nargs="+", type=Path, help="gzip or not")
        each.add_argument("--json", action="store_true", help="print the reports as JSON")
        each.add_argument("--tag", default="", help="unless it is that of the first line")


def _campaigns(commands: Any) -> None:
    listed = _command(
        commands, "list", "getting.get", "List your campaigns.", "campaigns list --json"
    )
    _add_layout(listed, of_campaign=False)
    listed.set_defaults(what="campaigns", **LISTED)
    create = _command(
        commands,
        "create",
        "campaigns.create",
        "Make a campaign as a file says, or change one to be so. What is so already is left alone.",
        "campaigns create --from campaign.toml\ncampaigns create --from campaign.toml --pool",
    )
    create.add_argument("--from", dest="file", type=Path, required=True, metavar="FILE")
    create.add_argument("--pool", action="store_true", help="build a batch by the recipe of [pool]")
    _add_accept(create)
    export = _command(
        commands,
        "export",
        "campaigns.export",
        "Print a campaign as the file that makes it again, or write it with its topics and "
        "documents beside it. Runs and judgments are not in it.",
        "campaigns export trec-2027\ncampaigns export trec-2027 --to campaign.toml",
    )
    export.add_argument(
        "--to", type=Path, metavar="FILE", help="write it there, with topics and documents beside"
    )
    export.add_argument("slug", metavar="SLUG")


def _get(commands: Any) -> None:
    get = _command(
        commands,
        "get",
        "getting.get",
        f"Get something of a campaign.\n\n{WHAT}\n{LAYOUT}",
        "get board --campaign trec-2027\nget qrels 1 -o qrels.txt\n"
        "get topics --fields number,title --csv\nget teams Aldgate --json\n"
        "get assignments --where assessor=ada",
    )
    get.add_argument("what", metavar="WHAT")
    get.add_argument("key", metavar="KEY", nargs="?")
    _add_layout(get)
    get.add_argument("--list", action="store_true", help="the versions, not the file of one")
    get.add_argument("--by-topic", action="store_true", help="scores on each topic")


def _others(commands: Any) -> None:
    watch = _command(
        commands,
        "watch",
        "others.watch",
        "Wait until a job has ended, and print what came of it.",
        "watch --campaign trec-2027\nwatch 0190d3f6-0b5c-7e70-8a2e-5c0c4a4b1f11",
    )
    about = "its id, as get jobs lists it; else the newest one"
    watch.add_argument("job", metavar="JOB", nargs="?", help=about)
    _add_campaign(watch)
    api = _command(
        commands,
        "api",
        "others.api",
        "Ask the API for whatever no other command does, and print its answer. PATH is what "
        "follows /api/v1/. Values are name=text, name:=JSON and name@FILE.",
        "api GET campaigns/trec-2027/settings/\n"
        "api POST campaigns/trec-2027/teams/ name=Aldgate\n"
        "api POST campaigns/trec-2027/change/ run_depth:=100\n"
        "api POST campaigns/trec-2027/known-grades/ file@known.txt",
    )
    api.add_argument("method", choices=("GET", "POST"), type=str.upper, metavar="METHOD")
    api.add_argument("path", metavar="PATH")
    api.add_argument("values", metavar="VALUE", nargs="*")
    _completion(commands)


def _completion(commands: Any) -> None:
    completion = _command(
        commands,
        "completion",
        "completing.complete",
        "Print what makes a shell complete the words of this command; it reads it as it begins.",
        "completion bash >> ~/.bashrc\n"
        "completion zsh >> ~/.zshrc\n"
        "completion fish > ~/.config/fish/completions/cleverdon.fish",
    )
    shells = ("bash", "zsh", "fish")
    completion.add_argument("shell", choices=shells, metavar="|".join(shells))


def _add_layout(command: argparse.ArgumentParser, *, of_campaign: bool = True) -> None:
    if of_campaign:
        _add_campaign(command)
    layout = command.add_mutually_exclusive_group()
    layout.add_argument("--json", action="store_true", help="print JSON")
    layout.add_argument("--csv", action="store_true", help="print CSV")
    command.add_argument("--fields", metavar="A,B", help="only these")
    command.add_argument("--sort", metavar="NAME", help="by this; --sort=-NAME is downwards")
    command.add_argument(
        "--where", metavar="NAME=VALUE", action="append", default=[], help="only such rows"
    )
    command.add_argument("-o", "--output", type=Path, metavar="FILE", help="write it there")
    command.set_defaults(is_of_campaign=of_campaign)


def _add_campaign(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--campaign",
        metavar="SLUG",
        default=os.environ.get(CAMPAIGN),
        help=f"its name in addresses; else the variable {CAMPAIGN}",
    )


def _add_accept(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--accept", action="store_true", help="also if it has a consequence that the site names"
    )
