"""The table of all measures, in the order they are shown."""

from cleverdon.measures.assessors import AP_AVG, P_AVG, RPREC_AVG
from cleverdon.measures.average_precision import AP, GMAP, SET_AP, YAAP
from cleverdon.measures.bpref import ACCURACY, BPREF, GMBPREF
from cleverdon.measures.compatibility import COMPAT
from cleverdon.measures.counts import COUNTS, JUDGED, UNJUDGED
from cleverdon.measures.cumulated_gain import CG, DCG, IDCG, NDCG
from cleverdon.measures.diversity import DIVERSITY
from cleverdon.measures.expected_reciprocal_rank import ERR, NERR
from cleverdon.measures.family import Family
from cleverdon.measures.gain_ratio import BING, G
from cleverdon.measures.inferred import INFAP, INFNDCG, XINFAP
from cleverdon.measures.inst import INST
from cleverdon.measures.interpolated import IAP, IPREC
from cleverdon.measures.nonrelevant import ESL, FALLOUT, SET_FALLOUT, UTILITY
from cleverdon.measures.precision_recall import (
    MICRO_F,
    MICRO_P,
    MICRO_R,
    RPREC,
    SET_F,
    SET_P,
    SET_R,
    F,
    P,
    R,
)
from cleverdon.measures.preferences import PREFERENCES
from cleverdon.measures.q_measure import Q
from cleverdon.measures.rbp import RBP, RBP_RESID
from cleverdon.measures.reciprocal_rank import RR, SUCCESS
from cleverdon.measures.relevance_gain import NDCG_REL, RNDCG
from cleverdon.measures.user_models import BPM, INSQ, NERR8, NERR9, NERR10, NERR11, SDCG

RANKED: tuple[Family, ...] = (
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
)
RANKED += (RBP, RBP_RESID, ACCURACY, ESL, FALLOUT, YAAP)
GRADED = (NDCG, DCG, IDCG, CG, NDCG_REL, RNDCG, G, BING, ERR, NERR, Q, COMPAT)
USER_MODELS = (SDCG, INSQ, INST, BPM, NERR8, NERR9, NERR10, NERR11)
WHOLE_SET = (SET_P, SET_R, SET_F, SET_AP, SET_FALLOUT, UTILITY)
OVER_TOPICS = (MICRO_P, MICRO_R, MICRO_F)
BY_ASSESSOR = (AP_AVG, P_AVG, RPREC_AVG)
SAMPLED = (XINFAP, INFNDCG)

FAMILIES: tuple[Family, ...] = (*RANKED, *GRADED, *USER_MODELS, *WHOLE_SET, *OVER_TOPICS)
FAMILIES += (JUDGED, UNJUDGED, *COUNTS, *BY_ASSESSOR, *SAMPLED, *DIVERSITY, *PREFERENCES)
