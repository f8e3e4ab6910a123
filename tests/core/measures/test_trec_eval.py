"""What the command of trec_eval can be asked for."""

import pytest

from cleverdon.measures.trec_eval import MEASURE_NAMES, SETS, columns, measures
from tests.core.measures.made import NINE, TEN


def names(*requests: str, rules: str = NINE) -> list[str]:
    return [column.name for column in columns(requests, rules)]


def test_columns_come_in_the_order_of_trec_eval_with_cutoffs_rising():
    asked = "ndcg.1=1,2=3 P.7,5 map num_q relstring.20 set_F.0.5 yaap rbp.p=0.5"
    expected = "num_q map P_5 P_7 relstring_20 ndcg_1=1,2=3 set_F_0.5 yaap rbp_p=0.5"
    assert names(*asked.split()) == expected.split()


def test_a_name_without_parameters_has_the_defaults_of_trec_eval():
    expected = "success_1 success_5 success_10 unj_5 unj_10 unj_20"
    assert names("success", "unj") == expected.split()
    recalls = [f"iprec_at_recall_{recall}" for recall in ("0.00", "0.50", "1.00")]
    assert names("iprec_at_recall")[::5] == recalls
    assert len(names("P_avgjg")) == 9
    assert names("Rprec_mult_avgjg")[0] == "Rprec_mult_avgjg_0.20"


def test_a_list_is_divided_at_commas_and_blanks_outside_brackets():
    asked = "AP, map;P.5,10 utility.1,-1,0,0,RBP(p=0.5, graded=True),11pt_avg rbp.p=0.5,1=2"
    expected = "map P_5 P_10 utility_1,-1,0,0 11pt_avg rbp_p=0.5,1=2 AP RBP(p=0.5,graded=True)"
    assert names(asked) == expected.split()
    assert [str(each) for each in measures("RR,MAP, P.5,10")] == ["RR", "AP", "P@5", "P@10"]


def test_the_first_parameters_of_a_name_count():
    assert names("P.5", "P.10") == ["P_5"]
    assert names("official", "P.10", "P.5")[-1] == "P_10"
    assert names("P.10", "official", "P")[-1] == "P_10"


def test_sets_have_the_measures_of_their_rules():
    assert names("all_trec", rules=TEN)[-5:] == ["rbp", "rbp_resid", "unj_5", "unj_10", "unj_20"]
    assert names("all_trec")[-1] == "num_nonrel_judged_ret"
    assert names("qrels_jg")[:3] == ["runid", "num_q", "map_avgjg"]
    assert len(names("prefs")) == 8
    assert len(names("all_prefs")) == 16
    in_sets = {name for each in SETS.values() for set_ in each.values() for name in set_}
    assert in_sets <= {each.name for each in MEASURE_NAMES}


def test_columns_say_where_and_how_they_print():
    asked = columns(["all_trec", "all_prefs", "relstring.7"], TEN)
    by_name = {column.name: column for column in asked}
    whole = {"num_q", "num_ret", "num_rel", "num_rel_ret", "num_nonrel_judged_ret"}
    whole |= {"prefs_num_prefs_poss", "prefs_num_prefs_ful", "prefs_num_prefs_ful_ret"}
    assert {name for name, column in by_name.items() if column.is_count} == whole
    of_all = {name for name, column in by_name.items() if not column.per_topic}
    assert of_all == {"runid", "num_q", "gm_map", "gm_bpref"}
    assert {name for name, column in by_name.items() if not column.in_summary} == {"relstring_7"}
    without = {name for name, column in by_name.items() if column.measure is None}
    assert without == {"runid", "relstring_7"}
    assert by_name["relstring_7"].length == 7


def test_every_column_is_a_measure_that_knows_its_name_in_trec_eval():
    everything = columns([each.name for each in MEASURE_NAMES if each.family], TEN)
    own = {column.name: column.measure.trec_eval for column in everything if column.measure}
    assert own.pop("Rprec_mult_1.00") == "Rprec"
    assert not own.pop("Rprec_mult_avgjg_1.00")
    assert list(own) == list(own.values())


def test_rbp_has_trec_evals_p_unless_another_is_given():
    assert [str(column.measure) for column in columns(["rbp", "rbp_resid"])] == [
        "RBP(p=0.9,graded=True)",
        "RBPresid(p=0.9,tail=False)",
    ]
    (column,) = columns(["rbp.p=0.5,1=0.3,2=1"])
    assert str(column.measure) == "RBP(p=0.5,graded=True,gains={1:0.3,2:1})"


@pytest.mark.parametrize(
    ("request_", "sentence"),
    [
        ("ndgc", "'ndgc' is not a measure. Did you mean ndcg"),
        ("P.0,5", "a cutoff is a rank"),
        ("P.-1", "not a whole number"),
        ("P.5,5", "P.5,5: a number comes twice"),
        ("P.,5", "'' is not a whole number"),
        ("AP,,ndgc", "'ndgc' is not a measure"),
        ("RBP(p=0.5 AP", r"'RBP\(p=0.5 AP' is not a measure"),
        ("P.", "parameters follow the name"),
        ("official.5", "parameters follow the name"),
        ("map.5", "map takes no parameters"),
        ("runid.5", "runid takes no parameters"),
        ("prefs_simp.5", "prefs_simp takes no parameters"),
        ("ndcg.1", "gains=1"),
        ("ndcg.1=2,1=3", "gains=1=2,1=3"),
        ("ndcg.x=1", "gains=x=1"),
        ("ndcg.-1=1", "it must be the gains of grades"),
        ("G.1=", "gains=1="),
        ("iprec_at_recall.1.5", "it must be a recall from 0 to 1"),
        ("iprec_at_recall.0.5,.5", "a number comes twice"),
        ("Rprec_mult.0", "it must be a number above 0"),
        ("set_F.x", "weight=x"),
        ("set_F.1e51", "it is too large: at most 1e\\+50"),
        ("Rprec_mult.1e300", "it is too large: at most 1e\\+50"),
        ("ndcg.1=1e300", "it is too large: at most 1e\\+50"),
        ("utility.1e300,1,1,1", "four numbers"),
        ("IAP(points=10002)", "at most 10,001"),
        ("P.9999999999", "9999999999 is too large: at most 999,999,999"),
        ("relstring.9999999999", "how many ranks"),
        ("set_F.-1", "it must be instead of beta"),
        ("utility.1,2", "four numbers"),
        ("utility.inf,1,2,3", "four numbers"),
        ("11pt_avg.0.5,2", "recall points"),
        ("11pt_avg.x", "recall points"),
        ("relstring.x", "how many ranks"),
        ("rbp.p=1", "between 0 and 1"),
        ("rbp.p=0.5,p=0.6", "p comes twice"),
        ("rbp.1=-2", "gains"),
        ("rbp_resid.1=2", "RBPresid has no parameter gains"),
    ],
)
def test_a_request_that_cannot_be_read_is_refused_with_a_sentence(request_, sentence):
    with pytest.raises(ValueError, match=sentence):
        columns([request_])


def test_a_rule_set_there_is_not_is_refused():
    with pytest.raises(ValueError, match="these are: trec_eval-9, trec_eval-10"):
        columns(["map"], "trec_eval-8")
