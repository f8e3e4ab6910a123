"""The table of all measures, in the order they are shown."""

from measures.accuracy import ACCURACY
from measures.assessors import AP_AVG, P_AVG, RPREC_AVG
from measures.average_precision import AP, GMAP, SET_AP
from measures.bpref import BPREF, GMBPREF
from measures.compatibility import COMPAT
from measures.counts import COUNTS
from measures.cumulated_gain import CG, DCG, IDCG, NDCG
from measures.diversity import DIVERSITY
from measures.expected_reciprocal_rank import ERR, NERR
from measures.f_measure import SET_F, F
from measures.fallout import FALLOUT, SET_FALLOUT
from measures.gain_ratio import BING, G
from measures.infap import INFAP
from measures.inferred import INFNDCG, XINFAP
from measures.inst import INST
from measures.interpolated import IAP, IPREC
from measures.judged import JUDGED
from measures.micro import MICRO_F, MICRO_P, MICRO_R
from measures.precision import RPREC, SET_P, P
from measures.preferences import PREFERENCES
from measures.q_measure import Q
from measures.rbp import RBP, RBP_RESID
from measures.recall import SET_R, R
from measures.reciprocal_rank import RR
from measures.relevance_gain import NDCG_REL, RNDCG
from measures.search_length import ESL
from measures.success import SUCCESS
from measures.unjudged import UNJUDGED
from measures.user_models import BPM, INSQ, NERR8, NERR9, NERR10, NERR11, SDCG
from measures.utility import UTILITY
from measures.yaap import YAAP

FAMILIES = (
    # Binary relevance, ranked.
    AP,
    GMAP,
    P,
    R,
    F,
    RR,
    SUCCESS,
    RPREC,
    IPREC,
    IAP,
    BPREF,
    GMBPREF,
    INFAP,
    RBP,
    RBP_RESID,
    ACCURACY,
    ESL,
    FALLOUT,
    YAAP,
    # Graded relevance.
    NDCG,
    DCG,
    IDCG,
    CG,
    NDCG_REL,
    RNDCG,
    G,
    BING,
    ERR,
    NERR,
    Q,
    COMPAT,
    SDCG,
    INSQ,
    INST,
    BPM,
    NERR8,
    NERR9,
    NERR10,
    NERR11,
    # The whole set retrieved.
    SET_P,
    SET_R,
    SET_F,
    SET_AP,
    SET_FALLOUT,
    UTILITY,
    # Over all documents of all topics.
    MICRO_P,
    MICRO_R,
    MICRO_F,
    # Counts and coverage.
    JUDGED,
    UNJUDGED,
    *COUNTS,
    # Grades by assessor.
    AP_AVG,
    P_AVG,
    RPREC_AVG,
    # Samples by stratum.
    XINFAP,
    INFNDCG,
    # Subtopics.
    *DIVERSITY,
    # Preferences.
    *PREFERENCES,
)
