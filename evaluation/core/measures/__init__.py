"""The table of all measures, in the order they are shown."""

from evaluation.core.measures.accuracy import ACCURACY
from evaluation.core.measures.assessors import AP_AVG, P_AVG, RPREC_AVG
from evaluation.core.measures.average_precision import AP, GMAP, SET_AP
from evaluation.core.measures.bpref import BPREF, GMBPREF
from evaluation.core.measures.compatibility import COMPAT
from evaluation.core.measures.counts import COUNTS
from evaluation.core.measures.cumulated_gain import CG, DCG, IDCG, NDCG
from evaluation.core.measures.diversity import DIVERSITY
from evaluation.core.measures.expected_reciprocal_rank import ERR, NERR
from evaluation.core.measures.f_measure import SET_F, F
from evaluation.core.measures.fallout import FALLOUT, SET_FALLOUT
from evaluation.core.measures.gain_ratio import BING, G
from evaluation.core.measures.infap import INFAP
from evaluation.core.measures.inferred import INFNDCG, XINFAP
from evaluation.core.measures.inst import INST
from evaluation.core.measures.interpolated import IAP, IPREC
from evaluation.core.measures.judged import JUDGED
from evaluation.core.measures.micro import MICRO_F, MICRO_P, MICRO_R
from evaluation.core.measures.precision import RPREC, SET_P, P
from evaluation.core.measures.preferences import PREFERENCES
from evaluation.core.measures.q_measure import Q
from evaluation.core.measures.rbp import RBP, RBP_RESID
from evaluation.core.measures.recall import SET_R, R
from evaluation.core.measures.reciprocal_rank import RR
from evaluation.core.measures.relevance_gain import NDCG_REL, RNDCG
from evaluation.core.measures.search_length import ESL
from evaluation.core.measures.success import SUCCESS
from evaluation.core.measures.unjudged import UNJUDGED
from evaluation.core.measures.user_models import (
    BPM,
    INSQ,
    NERR8,
    NERR9,
    NERR10,
    NERR11,
    SDCG,
)
from evaluation.core.measures.utility import UTILITY
from evaluation.core.measures.yaap import YAAP

FAMILIES = (
    # Binary relevance, ranked.
    AP, GMAP, P, R, F, RR, SUCCESS, RPREC, IPREC, IAP, BPREF, GMBPREF, INFAP, RBP, RBP_RESID, ACCURACY, ESL, FALLOUT, YAAP,
    # Graded relevance.
    NDCG, DCG, IDCG, CG, NDCG_REL, RNDCG, G, BING, ERR, NERR, Q, COMPAT, SDCG, INSQ, INST, BPM, NERR8, NERR9, NERR10, NERR11,
    # The whole set retrieved.
    SET_P, SET_R, SET_F, SET_AP, SET_FALLOUT, UTILITY,
    # Over all documents of all topics.
    MICRO_P, MICRO_R, MICRO_F,
    # Counts and coverage.
    JUDGED, UNJUDGED, *COUNTS,
    # Grades by assessor.
    AP_AVG, P_AVG, RPREC_AVG,
    # Samples by stratum.
    XINFAP, INFNDCG,
    # Subtopics.
    *DIVERSITY,
    # Preferences.
    *PREFERENCES,
)  # fmt: skip
