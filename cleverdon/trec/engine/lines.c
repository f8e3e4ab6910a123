/* Lines of columns, and what is done with millions of them: split, read numbers, hash, rank, find.

   Each function reads bytes between bounds that its caller gives, and writes arrays that its
   caller has made, of the size that it says. Nothing here allocates more than a table for one
   topic, and nothing a file says is believed before it is compared. Plain C11, called by ctypes,
   which lets other threads run meanwhile. `plain.py` says the same in Python. */

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Splitting */

enum { BLANKS = 1, MORE = 2, COMMENTS = 4 };  /* lines that may be there, see Layout */
enum { WORD, SPACE, END, CONTROL, RETURN, NUL };

static const uint8_t KINDS[256] = {
    NUL, CONTROL, CONTROL, CONTROL, CONTROL, CONTROL, CONTROL, CONTROL, CONTROL, SPACE, END, SPACE,
    SPACE, RETURN, CONTROL, CONTROL, CONTROL, CONTROL, CONTROL, CONTROL, CONTROL, CONTROL, CONTROL,
    CONTROL, CONTROL, CONTROL, CONTROL, CONTROL, CONTROL, CONTROL, CONTROL, CONTROL, SPACE,
    /* from "!" on words, whose bytes above 127 may have to be UTF-8 */
};

/* Split the lines of text[at:end], `n_lines` with their ends, into n columns. Writes where each
   field begins and ends, [n x n_lines], and the number of each row's line, counted from `line`.
   Returns the number of rows, or -1 if some line is not one that everybody reads alike: then a
   slower reader says what is wrong with it. Sets *has_high if there are bytes above 127. */
int64_t lines_split(const uint8_t *text, int64_t at, int64_t end, int64_t line, int64_t n_lines,
                    int64_t n, int64_t allowed, int64_t longest, int32_t *starts, int32_t *ends,
                    int64_t *numbers, uint8_t *has_high)
{
    int64_t rows = 0;
    uint64_t high = 0;
    const int64_t last = line + n_lines;
    for (; at < end; line++) {
        const int64_t begin = at;
        if (line == last) return -1;
        int64_t found = 0;
        bool is_comment = false, is_odd = false, has_return = false;
        if (end - at > 2 && text[at] == 0xEF && text[at + 1] == 0xBB && text[at + 2] == 0xBF)
            return -1;  /* a byte order mark */
        for (;;) {
            while (at < end && KINDS[text[at]] == SPACE) at++;
            if (at == end) return -1;
            if (KINDS[text[at]] == RETURN) {  /* not between fields */
                has_return = found > 0;
                at++;
                continue;
            }
            if (text[at] == '\n') break;
            if (has_return) return -1;
            const int64_t start = at;
            if (found == 0 && text[at] == '#') is_comment = true;
            for (; at + 8 <= end; at += 8) {
                uint64_t word;
                memcpy(&word, text + at, 8);
                high |= word;
                if (((word - 0x2121212121212121u) & ~word & 0x8080808080808080u) != 0) break;
            }
            for (; at < end; at++) {  /* text[end - 1] is a line end */
                const uint8_t byte = text[at], kind = KINDS[byte];
                if (kind == WORD) {
                    high |= byte;
                    continue;
                }
                if (kind == CONTROL) is_odd |= found < n;
                else if (kind == NUL) return -1;
                else break;
            }
            if (found < n) {
                starts[found * n_lines + rows] = (int32_t)start;
                ends[found * n_lines + rows] = (int32_t)at;
            }
            found++;
        }
        if (at - begin >= longest) return -1;
        at++;
        if (is_comment && (allowed & COMMENTS)) continue;
        if (found == 0 && (allowed & (BLANKS | COMMENTS))) continue;
        if (found < n || (found > n && !(allowed & MORE))) return -1;
        if (is_odd) return -1;
        numbers[rows++] = line;
    }
    *has_high = (high & 0x8080808080808080u) != 0;
    return rows;
}

/* Numbers */

typedef struct {
    const uint8_t *text;
    const int64_t *starts, *ends;
    const uint32_t *hashes;  /* where they are needed */
} Fields;

/* 5^0 to 5^27, which fit 64 bits, and the powers of ten that are doubles. */
static uint64_t FIVES[28];
static double TENS[23];

__attribute__((constructor)) static void lines_tables(void)
{
    FIVES[0] = 1;
    TENS[0] = 1;
    for (int n = 1; n < 28; n++) FIVES[n] = FIVES[n - 1] * 5;
    for (int n = 1; n < 23; n++) TENS[n] = TENS[n - 1] * 10;
}

__extension__ typedef unsigned __int128 Wide;

/* digits / 10^n, rounded to the nearest double, half to even; digits > 0 and n <= 27. */
static double quotient(uint64_t digits, int n)
{
    const int shift = __builtin_clzll(digits);
    const Wide numerator = (Wide)(digits << shift) << 64;
    Wide whole = numerator / FIVES[n];
    bool is_more = whole * FIVES[n] != numerator;
    int exponent = -64 - shift - n;
    /* To 54 bits, the last of which decides, with what lies below it. */
    const uint64_t top = (uint64_t)(whole >> 64);
    const int bits = top ? 128 - __builtin_clzll(top) : 64 - __builtin_clzll((uint64_t)whole);
    const int extra = bits - 54;
    if (extra > 0) {
        is_more |= (whole & (((Wide)1 << extra) - 1)) != 0;
        whole >>= extra;
        exponent += extra;
    }
    uint64_t mantissa = (uint64_t)whole;
    const bool is_half = mantissa & 1;
    mantissa >>= 1;
    if (is_half && (is_more || (mantissa & 1))) mantissa++;
    return ldexp((double)mantissa, exponent + 1);
}

typedef struct {
    uint64_t digits;
    int n_decimals;  /* digits after the point, less the exponent */
    bool is_negative, has_point, has_exponent, is_number, is_exact;
} Decimal;

static Decimal decimal(const uint8_t *at, const uint8_t *end)
{
    Decimal it = {0, 0, false, false, false, false, true};
    int64_t n_digits = 0, n_kept = 0, n_decimals = 0;
    if (at < end && (*at == '-' || *at == '+')) it.is_negative = *at++ == '-';
    for (; at < end; at++) {
        const uint8_t digit = (uint8_t)(*at - '0');
        if (digit < 10) {
            n_digits++;
            n_decimals += it.has_point;
            if (n_kept == 0 && digit == 0) continue;
            if (n_kept < 19) it.digits = it.digits * 10 + digit;
            else it.is_exact = false;
            n_kept++;
        } else if (*at == '.' && !it.has_point) {
            it.has_point = true;
        } else {
            break;
        }
    }
    if (n_digits == 0) return it;
    if (at < end && (*at == 'e' || *at == 'E')) {
        it.has_exponent = true;
        bool is_below = false;
        int64_t exponent = 0, n = 0;
        if (++at < end && (*at == '-' || *at == '+')) is_below = *at++ == '-';
        for (; at < end && (uint8_t)(*at - '0') < 10; at++, n++)
            if (exponent < 1000000) exponent = exponent * 10 + (*at - '0');
        if (n == 0) return it;
        n_decimals += is_below ? exponent : -exponent;
    }
    it.is_number = at == end;
    it.is_exact &= n_decimals > -1000000 && n_decimals < 1000000;
    it.n_decimals = it.is_exact ? (int)n_decimals : 0;
    return it;
}

enum { READ = 0, NOT_READ = 1, SLOWLY = 2 };

/* Read each field as a finite double, as Python's float does. `states` says of each whether it is
   READ, NOT_READ as it is no decimal number, or to be read SLOWLY, by Python. */
void lines_scores(const Fields *of, int64_t n, double *values, uint8_t *states)
{
    for (int64_t row = 0; row < n; row++) {
        const Decimal it = decimal(of->text + of->starts[row], of->text + of->ends[row]);
        double value = (double)it.digits;
        uint8_t state = READ;
        if (!it.is_number) {
            state = NOT_READ;
            value = 0;
        } else if (!it.is_exact) {
            state = SLOWLY;
        } else if (it.digits == 0 || it.n_decimals == 0) {
            /* 64 bits become the nearest double. */
        } else if (it.digits <= (uint64_t)1 << 53 && it.n_decimals > 0 && it.n_decimals <= 22) {
            value /= TENS[it.n_decimals];
        } else if (it.digits <= (uint64_t)1 << 53 && it.n_decimals < 0 && it.n_decimals >= -22) {
            value *= TENS[-it.n_decimals];
        } else if (it.n_decimals > 0 && it.n_decimals <= 27) {
            value = quotient(it.digits, it.n_decimals);
        } else {
            state = SLOWLY;
        }
        values[row] = it.is_negative ? -value : value;
        states[row] = state;
    }
}

/* Read each field as a whole number smaller than `below` in size; `states` as above. */
void lines_whole(const Fields *of, int64_t n, uint64_t below, int64_t *values, uint8_t *states)
{
    for (int64_t row = 0; row < n; row++) {
        const Decimal it = decimal(of->text + of->starts[row], of->text + of->ends[row]);
        const bool is_whole = it.is_number && !it.has_point && !it.has_exponent && it.is_exact;
        const bool is_read = is_whole && it.digits < below;
        const int64_t value = is_read ? (int64_t)it.digits : 0;
        values[row] = it.is_negative ? -value : value;
        states[row] = is_read ? READ : NOT_READ;
    }
}

/* Fields */

static uint64_t word_at(const uint8_t *at, int64_t n)
{
    uint64_t word = 0;  /* as memory holds it, zeros after the end */
    memcpy(&word, at, n < 8 ? (size_t)n : 8);
    return word;
}

/* The 32-bit hash of each field; equal hashes prove nothing. */
void lines_hash(const Fields *of, int64_t n, uint32_t *hashes)
{
    for (int64_t row = 0; row < n; row++) {
        const uint8_t *at = of->text + of->starts[row];
        int64_t left = of->ends[row] - of->starts[row];
        uint64_t total = (uint64_t)left, factor = 0x9E3779B97F4A7C15u;
        for (; left > 0; left -= 8, at += 8) {
            total += word_at(at, left) * factor;
            factor *= 0x9E3779B97F4A7C15u;
        }
        total ^= total >> 29;
        hashes[row] = (uint32_t)((total * 0xC2B2AE3D27D4EB4Fu) >> 32);
    }
}

static bool same(const Fields *of, int64_t row, const Fields *in, int64_t other)
{
    const int64_t n = of->ends[row] - of->starts[row];
    return n == in->ends[other] - in->starts[other]
        && memcmp(of->text + of->starts[row], in->text + in->starts[other], (size_t)n) == 0;
}

/* Write the fields one after the other, a line end after each. */
void lines_compact(const Fields *of, int64_t n, uint8_t *content)
{
    for (int64_t row = 0; row < n; row++) {
        const int64_t length = of->ends[row] - of->starts[row];
        memcpy(content, of->text + of->starts[row], (size_t)length);
        content += length;
        *content++ = '\n';
    }
}

/* Write the first row of each group of equal fields that follow one another; return how many. */
int64_t lines_spans(const Fields *of, int64_t n, int64_t *firsts)
{
    int64_t found = 0;
    for (int64_t row = 0; row < n; row++)
        if (row == 0 || !same(of, row, of, row - 1))
            firsts[found++] = row;
    return found;
}

/* Ranking */

typedef struct {
    double score;
    int64_t row;
} Ranked;

/* Whether the first may be ranked before the second, which it is if they are equal. */
static bool may_precede(const Fields *of, bool is_ascending, Ranked one, Ranked other)
{
    if (one.score != other.score) return one.score > other.score;
    const int64_t n = of->ends[one.row] - of->starts[one.row];
    const int64_t m = of->ends[other.row] - of->starts[other.row];
    const int order = memcmp(of->text + of->starts[one.row], of->text + of->starts[other.row],
                             (size_t)(n < m ? n : m));
    if (order) return is_ascending ? order < 0 : order > 0;
    return is_ascending ? n <= m : n >= m;
}

/* Sort rows[0:n] from the bottom up, by merging into `other`, of the same size. */
static void sort(const Fields *of, bool is_ascending, Ranked *rows, Ranked *other, int64_t n)
{
    Ranked *from = rows, *to = other;
    for (int64_t width = 1; width < n; width *= 2) {
        for (int64_t low = 0; low < n; low += 2 * width) {
            const int64_t middle = low + width < n ? low + width : n;
            const int64_t high = low + 2 * width < n ? low + 2 * width : n;
            int64_t left = low, right = middle;
            for (int64_t at = low; at < high; at++) {
                const bool takes_left = left < middle
                    && (right == high || may_precede(of, is_ascending, from[left], from[right]));
                to[at] = from[takes_left ? left++ : right++];
            }
        }
        Ranked *swap = from;
        from = to;
        to = swap;
    }
    if (from != rows) memcpy(rows, from, (size_t)n * sizeof *rows);
}

/* Rank each topic's rows in place: those of topic t are order[offsets[t]:offsets[t + 1]]. Scores
   are compared as floats if `single`. Returns 1 if any row has moved, 0 if none has, and -1
   without memory. */
int64_t lines_rank(const Fields *of, const double *scores, int64_t single, int64_t is_ascending,
                   const int64_t *offsets, int64_t n_topics, int64_t *order)
{
    Ranked *rows = NULL, *other = NULL;
    int64_t room = 0, has_moved = 0;
    for (int64_t topic = 0; topic < n_topics; topic++) {
        int64_t *its = order + offsets[topic];
        const int64_t n = offsets[topic + 1] - offsets[topic];
        if (n > room) {
            free(rows);
            free(other);
            room = n;
            rows = malloc((size_t)room * sizeof *rows);
            other = malloc((size_t)room * sizeof *other);
            if (rows == NULL || other == NULL) {
                has_moved = -1;
                break;
            }
        }
        bool is_ranked = true;
        for (int64_t at = 0; at < n; at++) {
            const double score = scores[its[at]];
            rows[at] = (Ranked){single ? (double)(float)score : score, its[at]};
            if (at && is_ranked) is_ranked = may_precede(of, is_ascending, rows[at - 1], rows[at]);
        }
        if (is_ranked) continue;
        sort(of, is_ascending, rows, other, n);
        for (int64_t at = 0; at < n; at++) its[at] = rows[at].row;
        has_moved = 1;
    }
    free(rows);
    free(other);
    return has_moved;
}

/* Looking up */

/* How often a row may meet a slot that is taken by another: on average, where hashes are as they
   come, hardly ever. */
static int64_t patience(int64_t n) { return 1024 + 64 * n; }

/* Whether a field may come twice among order[offsets[t]:offsets[t + 1]] of some topic t: 0 if none
   does, and 1 also where so many hashes are alike that somebody has made them so. -1 without
   memory. */
int64_t lines_repeat(const Fields *of, const int64_t *offsets, int64_t n_topics,
                     const int64_t *order)
{
    int64_t *slots = NULL, room = 0, found = 0;
    for (int64_t topic = 0; topic < n_topics && !found; topic++) {
        const int64_t n = offsets[topic + 1] - offsets[topic], size = 2 * n + 1;
        if (size > room) {
            free(slots);
            room = size;
            slots = malloc((size_t)room * sizeof *slots);
            if (slots == NULL) return -1;
        }
        memset(slots, 0, (size_t)size * sizeof *slots);  /* a row's number + 1; 0 is free */
        int64_t n_steps = 0;
        for (int64_t at = offsets[topic]; at < offsets[topic + 1] && !found; at++) {
            const int64_t row = order[at];
            int64_t slot = (int64_t)(((uint64_t)of->hashes[row] * (uint64_t)size) >> 32);
            for (; slots[slot] && !found; slot = slot + 1 < size ? slot + 1 : 0) {
                const int64_t there = slots[slot] - 1;
                found = of->hashes[there] == of->hashes[row] && same(of, there, of, row);
                found |= ++n_steps > patience(n);
            }
            slots[slot] = row + 1;
        }
    }
    free(slots);
    return found;
}

/* Write the first row of each different field, in order, and each row's number among these.
   Returns how many there are, or -1 where so many hashes are alike that somebody has made them so.
   `slots`, of which there are more than rows, are 0. */
int64_t lines_distinct(const Fields *of, int64_t n, int64_t size, int64_t *slots, int64_t *firsts,
                       int64_t *numbers)
{
    int64_t found = 0, n_steps = 0;
    for (int64_t row = 0; row < n; row++) {
        int64_t slot = (int64_t)(((uint64_t)of->hashes[row] * (uint64_t)size) >> 32);
        for (; slots[slot]; slot = slot + 1 < size ? slot + 1 : 0) {
            const int64_t there = firsts[slots[slot] - 1];
            if (of->hashes[there] == of->hashes[row] && same(of, there, of, row)) break;
            if (++n_steps > patience(n)) return -1;
        }
        if (slots[slot] == 0) {
            firsts[found++] = row;
            slots[slot] = found;
        }
        numbers[row] = slots[slot] - 1;
    }
    return found;
}

/* Fill the slots of each topic, slots[bounds[t]:bounds[t + 1]], more than it has entries, with its
   entries' numbers + 1; free ones are 0. Returns 0, or -1 where hashes have been made alike. */
int64_t lines_index(const uint32_t *hashes, const int64_t *offsets, int64_t n_topics,
                    const int64_t *bounds, int64_t *slots)
{
    int64_t n_steps = 0;
    for (int64_t topic = 0; topic < n_topics; topic++) {
        int64_t *its = slots + bounds[topic];
        const int64_t size = bounds[topic + 1] - bounds[topic];
        for (int64_t entry = offsets[topic]; entry < offsets[topic + 1]; entry++) {
            int64_t slot = (int64_t)(((uint64_t)hashes[entry] * (uint64_t)size) >> 32);
            for (; its[slot]; slot = slot + 1 < size ? slot + 1 : 0)
                if (++n_steps > patience(offsets[n_topics])) return -1;
            its[slot] = entry + 1;
        }
    }
    return 0;
}

/* Find rows among entries: those of group g are offsets[g]:offsets[g + 1], of the topic topics[g],
   none if that is below 0. Writes each entry found and its row; returns how many, or -1 where
   hashes have been made alike. */
int64_t lines_find(const Fields *entries, const int64_t *bounds, const int64_t *slots,
                   const Fields *rows, const int64_t *offsets, const int64_t *topics,
                   int64_t n_groups, int64_t *found, int64_t *at)
{
    int64_t n = 0, n_steps = 0;
    for (int64_t group = 0; group < n_groups; group++) {
        if (topics[group] < 0) continue;
        const int64_t *its = slots + bounds[topics[group]];
        const int64_t size = bounds[topics[group] + 1] - bounds[topics[group]];
        for (int64_t row = offsets[group]; row < offsets[group + 1]; row++) {
            const uint64_t hash = rows->hashes[row];
            int64_t slot = (int64_t)((hash * (uint64_t)size) >> 32);
            for (; its[slot]; slot = slot + 1 < size ? slot + 1 : 0) {
                const int64_t entry = its[slot] - 1;
                if (entries->hashes[entry] != hash || !same(entries, entry, rows, row)) {
                    if (++n_steps > patience(offsets[n_groups] - offsets[0])) return -1;
                    continue;
                }
                found[n] = entry;
                at[n++] = row;
                break;
            }
        }
    }
    return n;
}
