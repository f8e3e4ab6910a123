"""Names of measures, and the page that lists them."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cleverdon.measures.family import Input
from cleverdon.measures.names import LEADERBOARD, parse
from cleverdon.measures.reference import PAGE, renewed
from cleverdon.measures.table import FAMILIES
from cleverdon.measures.usual_names import USUAL_NAMES, plain
from tests.core.measures.made import member

# As written, our name, and trec_eval's, - where it has none.
SPELLINGS = """AP AP map|map AP map|AP@5 AP@5 map_cut_5|map_cut.5 AP@5 map_cut_5
nDCG@10 nDCG@10 ndcg_cut_10|ndcg_cut_10 nDCG@10 ndcg_cut_10|ndcg nDCG ndcg|P@10 P@10 P_10
P.10 P@10 P_10|P(level=2)@5 P(level=2)@5 P_5|P(rel=2)@5 P(level=2)@5 P_5
recip_rank RR recip_rank|RR@10 RR@10 -|Rprec Rprec Rprec|bpref Bpref bpref
recall_1000 R@1000 recall_1000|Judged@10 Judged@10 -|num_rel_ret NumRelRet num_rel_ret"""


@pytest.mark.parametrize("spelling", SPELLINGS.replace("\n", "|").split("|"))
def test_both_spellings_are_read_and_the_first_is_printed(spelling):
    written, name, trec_eval = spelling.split()
    measure = parse(f" {written} ")
    assert (str(measure), measure.trec_eval or "-") == (name, trec_eval)


USUAL = """MRR@10 RR@10|MRR RR|mrr RR|MAP AP|MAP@100 AP@100|map@100 AP@100|map_10 AP@10
NDCG@10 nDCG@10|ndcg@10 nDCG@10|NDCG_CUT_10 nDCG@10|Recall@100 R@100|recall@100 R@100
Precision@10 P@10|p@10 P@10|Hits@10 Success@10|hit_rate@10 Success@10|success@10 Success@10
R-Precision Rprec|F1@10 F@10|BPref Bpref|MAP(rel=2)@10 AP(level=2)@10|err@20 ERR@20
alpha-nDCG@10 alpha_nDCG@10|S-Recall@5 StRecall@5"""


@pytest.mark.parametrize("pair", USUAL.replace("\n", "|").split("|"))
def test_names_that_are_usual_elsewhere_are_read(pair):
    usual, name = pair.split()
    assert str(parse(usual)) == name


def test_no_usual_name_is_another_familys():
    families = {plain(family.name): family.name for family in FAMILIES}
    assert len(families) == len(FAMILIES)
    assert set(USUAL_NAMES.values()) <= set(families.values())
    assert all(families.get(plain(usual), ours) == ours for usual, ours in USUAL_NAMES.items())


def test_the_documentation_lists_the_usual_names():
    _, _, section = PAGE.read_text().partition("## Names that are usual elsewhere")
    rows = re.findall(r"^\| `(\w+)` \| (.*) \|$", section.partition("\n## ")[0], re.MULTILINE)
    documented = {name: ours for ours, names in rows for name in names.split(", ")}
    assert documented == dict(USUAL_NAMES)


CUTOFFS, LEVELS = st.none() | st.integers(1, 10**9 - 1), st.none() | st.integers(1, 999)


@given(st.sampled_from(FAMILIES), CUTOFFS, LEVELS, st.booleans())
def test_a_printed_name_reads_back(family, cutoff, level, judged_only):
    given_ = {} if cutoff is None or family.cutoff == "never" else {"cutoff": cutoff}
    level = level if family.reads_level else None
    measure = member(family, level=level, judged_only=judged_only, **given_)
    assert parse(str(measure)) == measure


NAMES = """nDCG(gains={0:0,1:1,2:4})@10 nDCG(dcg='exp-log2')@20 RBP(p=0.95,graded=True)
RBP(p=0.5,graded=True)@10 IPrec@0.1 IAP(points=101) Rprec(mult=0.2) SetF(beta=2) F(alpha=0.3)@5
Utility(coefficients='2,-1,-1,0') AP(level=2,judged_only=True)@100 INST(T=2,max_rel=3)
NERR8(max_rel=2)@10 P(relative=True)@5"""


@pytest.mark.parametrize("name", NAMES.split())
def test_parameters_are_read_and_printed(name):
    assert str(parse(name)) == name


def test_a_default_is_not_printed():
    assert str(parse("RBP(p=0.8,graded=False)")) == "RBP(graded=False)"
    assert str(parse("SetF(beta=1)")) == "SetF"


@pytest.mark.parametrize(
    ("written", "sentence"),
    [
        ("MAPP", r"'MAPP' is not a measure. Did you mean AP or GMAP"),
        ("NDGC@10", r"'NDGC@10' is not a measure. Did you mean nDCG@10"),
        ("P10", r"'P10' is not a measure. Did you mean P@10"),
        ("NERR_10", "NERR10 needs max_rel"),
        ("Hits", "Success needs a cutoff: Success@10"),
        ("MRR@1.5", "'1.5' is not a whole number"),
        ("GMMAP@10", "GMAP has no cutoff"),
        ("xyzzy", r"'xyzzy' is not a measure.$"),
        ("RBP(q=1)", "RBP has no parameter q"),
        ("RBP(p=x)", "p=x: it must be"),
        ("RBP(p=0.5,p=0.6)", "are not parameters"),
        ("RBP(0.5)", "are not parameters"),
        ("IPrec", "IPrec needs recall"),
        ("ndcg_1=1,1=2", "it must be the gains of grades"),
        ("AP(judged_only=yes)", "neither True nor False"),
        ("", "'' is not a measure"),
        ("P@", "'P@' is not a measure"),
        ("P@٣", "is not a measure"),
        ("P", "P needs a cutoff"),
        ("P@0", "a cutoff is a rank, from 1"),
        ("Bpref@10", "Bpref has no cutoff"),
        ("nDCG(level=2)@10", "nDCG has no level"),
        ("AP(level=0)", "a level is a grade above 0"),
    ],
)
def test_a_name_that_cannot_be_read_is_refused_with_a_sentence(written, sentence):
    with pytest.raises(ValueError, match=sentence):
        parse(written)


def test_names_are_unique():
    assert len({family.name for family in FAMILIES}) == len(FAMILIES)
    assert len(set(LEADERBOARD)) == len(LEADERBOARD)


def test_the_documentation_lists_the_registry():
    page = PAGE.read_text()
    assert re.findall(r"^## Measures that read (.*)$", page, re.MULTILINE) == list(Input)
    assert renewed(page) == page
