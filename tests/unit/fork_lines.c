/* fork_lines.c - the search for lines that differ. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "fork/fork.h"

#define LINES 12

static size_t random_text(char *out, unsigned *seed)
{
	size_t n = rand_r(seed) % LINES, i, len = 0;

	for (i = 0; i < n; i++) {
		out[len++] = (char)('a' + rand_r(seed) % 3);
		out[len++] = '\n';
	}
	return len;
}

/* Lines that both have in common, by the table. */
static size_t common(const char *a, size_t n, const char *b, size_t m)
{
	size_t t[LINES + 1][LINES + 1] = {{0}}, i, k;

	for (i = 1; i <= n; i++)
		for (k = 1; k <= m; k++)
			t[i][k] = a[2 * i - 2] == b[2 * k - 2]	? t[i - 1][k - 1] + 1
				  : t[i - 1][k] > t[i][k - 1]	? t[i - 1][k]
								: t[i][k - 1];
	return t[n][m];
}

UNIT_TEST(shortest_and_true)
{
	char a[2 * LINES], b[2 * LINES], got[2 * LINES];
	unsigned seed = 1;
	int round;

	for (round = 0; round < 5000; round++) {
		size_t n = random_text(a, &seed), m = random_text(b, &seed), i, at = 0, len = 0, nr = 0;
		struct arena arena = {0};
		struct line_changes c;
		struct line_text x, y;

		line_text_init(&x, &arena, a, n);
		line_text_init(&y, &arena, b, m);
		line_diff(&c, &arena, &x, &y);
		for (i = 0; i < c.nr; i++) {
			memcpy(got + len, a + 2 * at, 2 * (c.v[i].old - at));
			len += 2 * (c.v[i].old - at);
			memcpy(got + len, b + 2 * c.v[i].new, 2 * c.v[i].new_nr);
			len += 2 * c.v[i].new_nr;
			at = c.v[i].old + c.v[i].old_nr;
			nr += c.v[i].old_nr + c.v[i].new_nr;
		}
		memcpy(got + len, a + 2 * at, n - 2 * at);
		len += n - 2 * at;
		ck_assert_uint_eq(len, m);
		ck_assert_mem_eq(got, b, m);
		ck_assert_uint_eq(nr, n / 2 + m / 2 - 2 * common(a, n / 2, b, m / 2));
		arena_free(&arena);
	}
}
