/* Places whose tile brings a hand nearer, for three lanes at once, by packed profiles: suit_tables.pxd says what
   they are.  What the rest of the hand adds to a lane is two words; `bound` is 256 more than the distance in every
   field.  All bits of the numbers whose sums are the distance are set first, the places that lower one of them stay,
   and the five fields of both words are drawn together: the places of each lane are nine bits of the answer. */
#ifndef MJCORE_LOWERING_H
#define MJCORE_LOWERING_H

#include <stdint.h>

#define MJCORE_FIELD_ONES 0x1008040201ULL      /* 1 in every field */

typedef struct { uint64_t own[2], places[2]; } mjcore_lowering_t;

#if (defined(__SSE2__) || defined(_M_X64)) && !defined(MJCORE_NO_SSE2)
#include <emmintrin.h>
static inline __m128i mjcore_lowered(const mjcore_lowering_t* lane, const uint64_t* rest, __m128i bound) {
    __m128i equal = _mm_sub_epi64(_mm_sub_epi64(bound, _mm_loadu_si128((const __m128i*)lane->own)),
                                  _mm_loadu_si128((const __m128i*)rest));
    equal = _mm_and_si128(equal, _mm_set1_epi64x(MJCORE_FIELD_ONES << 8));
    equal = _mm_sub_epi64(_mm_add_epi64(equal, equal), _mm_srli_epi64(equal, 8));
    return _mm_and_si128(equal, _mm_loadu_si128((const __m128i*)lane->places));
}
static inline __m128i mjcore_fold(__m128i fields) {
    fields = _mm_or_si128(fields, _mm_or_si128(_mm_srli_epi64(fields, 9), _mm_srli_epi64(fields, 36)));
    return _mm_or_si128(fields, _mm_srli_epi64(fields, 18));
}
static inline uint64_t mjcore_three_lanes(
        const mjcore_lowering_t* a, const uint64_t* rest_a, const mjcore_lowering_t* b, const uint64_t* rest_b,
        const mjcore_lowering_t* c, const uint64_t* rest_c, uint64_t bound) {
    __m128i bounds = _mm_set1_epi64x((long long)bound);
    __m128i of_a = mjcore_lowered(a, rest_a, bounds), of_b = mjcore_lowered(b, rest_b, bounds);
    __m128i of_c = mjcore_lowered(c, rest_c, bounds);
    __m128i of_ab = mjcore_fold(_mm_or_si128(_mm_unpacklo_epi64(of_a, of_b), _mm_unpackhi_epi64(of_a, of_b)));
    of_c = mjcore_fold(_mm_or_si128(of_c, _mm_unpackhi_epi64(of_c, of_c)));
    return ((uint64_t)_mm_cvtsi128_si64(of_ab) & 0x1FF)
        | ((uint64_t)_mm_cvtsi128_si64(_mm_unpackhi_epi64(of_ab, of_ab)) & 0x1FF) << 9
        | ((uint64_t)_mm_cvtsi128_si64(of_c) & 0x1FF) << 18;
}
#else
static inline uint64_t mjcore_lowered(const mjcore_lowering_t* lane, const uint64_t* rest, uint64_t bound) {
    uint64_t places = 0, equal;
    int eyes;
    for (eyes = 0; eyes < 2; eyes++) {
        equal = (bound - lane->own[eyes] - rest[eyes]) & (MJCORE_FIELD_ONES << 8);
        places |= lane->places[eyes] & (equal + equal - (equal >> 8));
    }
    places |= (places >> 9) | (places >> 36);
    return (places | places >> 18) & 0x1FF;
}
static inline uint64_t mjcore_three_lanes(
        const mjcore_lowering_t* a, const uint64_t* rest_a, const mjcore_lowering_t* b, const uint64_t* rest_b,
        const mjcore_lowering_t* c, const uint64_t* rest_c, uint64_t bound) {
    return mjcore_lowered(a, rest_a, bound) | mjcore_lowered(b, rest_b, bound) << 9
        | mjcore_lowered(c, rest_c, bound) << 18;
}
#endif
#endif
