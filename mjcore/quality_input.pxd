# What quality and discard advice are asked with, read from Python values.

from mjcore.packed cimport hand_t
from mjcore.quality_kernels cimport article_t, melds_t, survival_t, targets_t, view_t
from mjcore.query cimport query_t


cdef class Targets:
    cdef targets_t c
    cdef readonly tuple rows


cdef class DangerValues:
    cdef double c[1156]     # 34 x 34: the tile let go, the opponent's discard


cdef int read_view(object rivers, object visible, view_t* view) except -99
cdef object read_question(object hand, object rules, object rivers, object visible, query_t* query, melds_t* melds,
                          view_t* view)
cdef int read_article(object article, double danger_weight, article_t* weights) except -99
cdef int read_survival(object survival, survival_t* chances) except -99
cdef int read_waits_before(object given, object hand, const query_t* query, const melds_t* melds,
                           const view_t* view) except -99
