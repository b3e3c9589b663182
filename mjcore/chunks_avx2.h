/* Rows of hands into chunk numbers and sums, with AVX2 where the machine has it.  chunks.pyx says what
   the fields mean and reads the same rows without it; the tests compare the two. */
#ifndef MJCORE_CHUNKS_AVX2_H
#define MJCORE_CHUNKS_AVX2_H

#include <stdint.h>
#include <string.h>

typedef struct {
    uint8_t number[64][16];
    uint8_t size[64], bad[64], n_kinds[64], n_pairs[64], n_orphans[64], special[64];
} mjcore_block_t;

#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__)) && !defined(MJCORE_NO_AVX2)
#define MJCORE_HAS_AVX2_CODE 1
#include <immintrin.h>
#define MJCORE_AVX2 __attribute__((target("avx2,popcnt")))

static int mjcore_has_avx2(void) {
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt");
}

/* Two lanes of nine counts (seven for honors), one byte each: a holds m and p, b holds s and z.
   Within a lane the bytes are three to a chunk with a gap after each, all other bytes zero.
   `ask_hu` as in chunks.pxd. */
MJCORE_AVX2 static inline void mjcore_store_row(__m256i a, __m256i b, int ask_hu, mjcore_block_t *out, ptrdiff_t i) {
    const __m256i zero = _mm256_setzero_si256(), one = _mm256_set1_epi8(1), words = _mm256_set1_epi16(1);
    const __m256i weights = _mm256_set1_epi32(1 | 5 << 8 | 25 << 16);
    /* terminals and honors among the bytes, m and s low, p and z high */
    const uint64_t orphans = 0x0401ULL | 0x0401ULL << 16 | 0x0401ULL << 32 | 0x0177ULL << 48;
    __m256i sums = _mm256_sad_epu8(_mm256_add_epi8(a, b), zero);
    __m128i size = _mm_add_epi64(_mm256_castsi256_si128(sums), _mm256_extracti128_si256(sums, 1));
    uint64_t kinds = (uint32_t)_mm256_movemask_epi8(_mm256_cmpgt_epi8(a, zero))
        | (uint64_t)(uint32_t)_mm256_movemask_epi8(_mm256_cmpgt_epi8(b, zero)) << 32;
    uint64_t pairs = (uint32_t)_mm256_movemask_epi8(_mm256_cmpgt_epi8(a, one))
        | (uint64_t)(uint32_t)_mm256_movemask_epi8(_mm256_cmpgt_epi8(b, one)) << 32;
    __m256i numbers = _mm256_packus_epi32(_mm256_madd_epi16(_mm256_maddubs_epi16(a, weights), words),
                                          _mm256_madd_epi16(_mm256_maddubs_epi16(b, weights), words));
    size = _mm_add_epi64(size, _mm_unpackhi_epi64(size, size));
    _mm_storeu_si128((__m128i *)out->number[i],
                     _mm_packus_epi16(_mm256_castsi256_si128(numbers), _mm256_extracti128_si256(numbers, 1)));
    out->size[i] = (uint8_t)_mm_cvtsi128_si32(size);
    if (ask_hu) {       /* of at most 14 tiles, which is asked of the size */
        out->special[i] = (__builtin_popcountll(pairs) != 7) & ((kinds != orphans) | (pairs == 0));
        return;
    }
    out->n_kinds[i] = (uint8_t)__builtin_popcountll(kinds);
    out->n_pairs[i] = (uint8_t)__builtin_popcountll(pairs);
    out->n_orphans[i] = (uint8_t)(__builtin_popcountll(kinds & orphans) + ((pairs & orphans) != 0));
}

MJCORE_AVX2 static inline int mjcore_any_bit(__m256i x) {
    return !_mm256_testz_si256(x, x);
}

/* Seven pairs and thirteen orphans, many rows at once: all numbers are bytes. */
MJCORE_AVX2 static void mjcore_special(ptrdiff_t n, mjcore_block_t *out) {
    ptrdiff_t i;
    for (i = 0; i < n; i++) {
        uint8_t kinds = out->n_kinds[i] < 7 ? out->n_kinds[i] : 7;
        uint8_t gone = (uint8_t)(out->n_pairs[i] + kinds);
        uint8_t nearest = gone > out->n_orphans[i] ? gone : out->n_orphans[i];
        out->special[i] = (uint8_t)(14 - (nearest < 14 ? nearest : 14));
    }
}

/* What is wrong with rows is gathered, and looked for row by row only where there is anything: a row is then loaded
   again, and all of it is read anew, as another thread may write meanwhile.  Each of the two readers is made for what
   is asked and for whether rows are `doubted`; it returns whether anything is wrong. */

MJCORE_AVX2 static inline int mjcore_read_lanes(const char *base, ptrdiff_t stride, ptrdiff_t n, int ask_hu,
                                                int doubted, mjcore_block_t *out) {
    const __m256i low = _mm256_set1_epi8(15), four = _mm256_set1_epi8(4);
    const __m256i spare = _mm256_set_epi64x((long long)~0xFFFFFFFULL, (long long)~0xFFFFFFFFFULL,
                                            (long long)~0xFFFFFFFFFULL, (long long)~0xFFFFFFFFFULL);
    const __m256i gaps = _mm256_setr_epi8(0, 1, 2, -1, 3, 4, 5, -1, 6, 7, 8, -1, -1, -1, -1, -1,
                                          0, 1, 2, -1, 3, 4, 5, -1, 6, 7, 8, -1, -1, -1, -1, -1);
    __m256i all = _mm256_setzero_si256(), most = _mm256_setzero_si256();
    ptrdiff_t i;
    for (i = 0; i < n; i++) {
        __m256i lanes = _mm256_loadu_si256((const __m256i *)(base + i * stride));
        __m256i even = _mm256_and_si256(lanes, low), odd = _mm256_and_si256(_mm256_srli_epi16(lanes, 4), low);
        if (doubted)
            out->bad[i] = (uint8_t)mjcore_any_bit(_mm256_or_si256(
                _mm256_and_si256(lanes, spare), _mm256_subs_epu8(_mm256_max_epu8(even, odd), four)));
        all = _mm256_or_si256(all, lanes);
        most = _mm256_max_epu8(most, _mm256_max_epu8(even, odd));
        mjcore_store_row(_mm256_shuffle_epi8(_mm256_unpacklo_epi8(even, odd), gaps),
                         _mm256_shuffle_epi8(_mm256_unpackhi_epi8(even, odd), gaps), ask_hu, out, i);
    }
    return mjcore_any_bit(_mm256_or_si256(_mm256_and_si256(all, spare), _mm256_subs_epu8(most, four)));
}

/* 34 bytes a row, next to each other. */
MJCORE_AVX2 static inline int mjcore_read_counts(const char *base, ptrdiff_t stride, ptrdiff_t n, int ask_hu,
                                                 int doubted, mjcore_block_t *out) {
    const __m256i four = _mm256_set1_epi8(4);
    const __m256i m_p = _mm256_setr_epi8(0, 1, 2, -1, 3, 4, 5, -1, 6, 7, 8, -1, -1, -1, -1, -1,
                                         0, 1, 2, -1, 3, 4, 5, -1, 6, 7, 8, -1, -1, -1, -1, -1);
    const __m256i s_z = _mm256_setr_epi8(0, 1, 2, -1, 3, 4, 5, -1, 6, 7, 8, -1, -1, -1, -1, -1,
                                         9, 10, 11, -1, 12, 13, 14, -1, 15, -1, -1, -1, -1, -1, -1, -1);
    __m256i most = _mm256_setzero_si256();
    ptrdiff_t i;
    for (i = 0; i < n; i++) {
        const char *row = base + i * stride;
        /* each byte is used of one load only */
        __m128i m = _mm_loadu_si128((const __m128i *)row), s = _mm_loadu_si128((const __m128i *)(row + 9));
        __m128i p_z = _mm_loadu_si128((const __m128i *)(row + 18));
        __m256i a = _mm256_inserti128_si256(_mm256_castsi128_si256(m), p_z, 1);
        __m256i b = _mm256_inserti128_si256(_mm256_castsi128_si256(s), p_z, 1);
        a = _mm256_shuffle_epi8(a, m_p);
        b = _mm256_shuffle_epi8(b, s_z);
        if (doubted)
            out->bad[i] = (uint8_t)mjcore_any_bit(_mm256_subs_epu8(_mm256_max_epu8(a, b), four));
        most = _mm256_max_epu8(most, _mm256_max_epu8(a, b));
        mjcore_store_row(a, b, ask_hu, out, i);
    }
    return mjcore_any_bit(_mm256_subs_epu8(most, four));
}

#define MJCORE_READER(name, read)                                                                              \
    MJCORE_AVX2 static void name(const char *base, ptrdiff_t stride, ptrdiff_t n, int ask_hu, void *block) {   \
        mjcore_block_t *out = (mjcore_block_t *)block;                                                         \
        memset(out->bad, 0, sizeof(out->bad));                                                                 \
        if (ask_hu) {                                                                                          \
            if (read(base, stride, n, 1, 0, out)) read(base, stride, n, 1, 1, out);                            \
        } else {                                                                                               \
            if (read(base, stride, n, 0, 0, out)) read(base, stride, n, 0, 1, out);                            \
            mjcore_special(n, out);                                                                            \
        }                                                                                                      \
    }
MJCORE_READER(mjcore_lanes_avx2, mjcore_read_lanes)
MJCORE_READER(mjcore_counts_avx2, mjcore_read_counts)

#else
static int mjcore_has_avx2(void) { return 0; }
static void mjcore_lanes_avx2(const char *base, ptrdiff_t stride, ptrdiff_t n, int ask_hu, void *block) {
    (void)base; (void)stride; (void)n; (void)ask_hu; (void)block;
}
static void mjcore_counts_avx2(const char *base, ptrdiff_t stride, ptrdiff_t n, int ask_hu, void *block) {
    (void)base; (void)stride; (void)n; (void)ask_hu; (void)block;
}
#endif
#endif
