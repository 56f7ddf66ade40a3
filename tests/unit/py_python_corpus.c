/*
 * py_python_corpus.c - texts that are large or hostile, and trees of the machine.
 *
 * PDM_PY_CORPUS=DIR[:DIR] runs the front end over every .py file below the folders and prints what
 * it costs beside parsing alone.
 */
#include "py_python.h"

#include <dirent.h>
#include <time.h>

#include "base/fs.h"
#include "base/strbuf.h"

/* ---- hostile texts ------------------------------------------------------------------------------
 */

static void add_times(struct strbuf *sb, const char *text, int times)
{
	while (times--)
		strbuf_addstr(sb, text);
}

/* `before`, `piece` many times, `after`: must come to an end and find `uses` uses. */
static void many_is(const char *before, const char *piece, const char *after, size_t uses,
		    enum analysis analysis)
{
	struct strbuf sb = STRBUF_INIT;
	struct py_test t;
	size_t i, nr = 0;

	py_test_init(&t);
	strbuf_addf(&sb, "import torch\n%s", before);
	add_times(&sb, piece, 5000);
	strbuf_addstr(&sb, after);
	py_facts(t.w, &t.source, sb.buf, sb.len, &t.notices);
	for (i = 0; i < t.source.nr_facts; i++)
		nr += t.source.facts[i].kind == FACT_USE;
	ck_assert_msg(nr == uses, "%s: %zu uses", piece, nr);
	ck_assert_msg(t.source.analysis == analysis, "%s: %s", piece,
		      analysis_name(t.source.analysis));
	ck_assert_int_eq(t.notices.nr, analysis == ANALYSIS_FULL ? 0 : 1);
	strbuf_release(&sb);
	py_test_free(&t);
}

UNIT_TEST(py_many)
{
	many_is("x = ", "f(", "torch.a", 1, ANALYSIS_PARTIAL);
	many_is("x = ", "lambda: ", "torch.a\n", 0, ANALYSIS_PARTIAL);
	many_is("x = torch", ".a", "\n", 1, ANALYSIS_FULL);
	many_is("x = torch.a", " + torch.a", "\n", 5001, ANALYSIS_FULL);
	many_is("if torch.a: pass\n", "elif torch.b: torch.c\n", "", 10001, ANALYSIS_FULL);
	many_is("def f():\n  if a:\n    torch.a\n", "  # c\n", "    torch.b\n", 2, ANALYSIS_FULL);
	many_is("x = torch.a", "\\\n", " + torch.b\n", 2, ANALYSIS_FULL);
	many_is("def f(x: torch.a", " | torch.a", "): x.y\n", 5001, ANALYSIS_FULL);
	many_is("", "torch = torch.a\n", "torch.b\n", 0, ANALYSIS_FULL);
}

UNIT_TEST(py_comment_runs)
{
	struct strbuf sb = STRBUF_INIT;
	struct py_test t;

	/* lines that look like comments in a string stay one string, and offsets stay */
	py_test_init(&t);
	strbuf_addstr(&sb, "import torch\nx = '''\n");
	add_times(&sb, "# c\n", 100);
	strbuf_addstr(&sb, "'''\ntorch.a\n");
	py_facts(t.w, &t.source, sb.buf, sb.len, &t.notices);
	ck_assert_str_eq(py_test_print(&t, &t.source), "import torch\nuse torch.a\n");
	ck_assert_uint_eq(t.source.facts[1].span.start, sb.len - 8);
	strbuf_release(&sb);
	py_test_free(&t);
}

/* ---- trees of the machine
 * ------------------------------------------------------------------------ */

struct corpus {
	struct py_test t;
	size_t files, bytes, facts, partial;
	double parse, whole;
};

static double seconds(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec * 1e-9;
}

static void corpus_file(struct corpus *c, int dirfd, const char *path)
{
	struct source s = {.path = path, .lang = LANG_PYTHON};
	struct fs_text text;
	struct err err;
	double start;

	if (fs_read(dirfd, path, 16 << 20, &text, &err))
		return;
	start = seconds();
	py_parse_only(c->t.w, text.data, text.len);
	c->parse += seconds() - start;
	start = seconds();
	py_facts(c->t.w, &s, text.data, text.len, &c->t.notices);
	c->whole += seconds() - start;
	c->files++;
	c->bytes += text.len;
	c->facts += s.nr_facts;
	c->partial += s.analysis != ANALYSIS_FULL;
	fs_text_free(&text);
}

static void corpus_folder(struct corpus *c, int dirfd, const char *path, int depth)
{
	struct err err;
	int fd = fs_open_subdir(dirfd, path, &err);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;

	while (dir && depth < 30 && (entry = readdir(dir))) {
		char *below = arena_fmt(&c->t.a, "%s%s%s", path, *path ? "/" : "", entry->d_name);

		if (entry->d_name[0] == '.')
			continue;
		if (entry->d_type == DT_DIR)
			corpus_folder(c, dirfd, below, depth + 1);
		else if (entry->d_type == DT_REG && str_ends(below, ".py"))
			corpus_file(c, dirfd, below);
	}
	if (dir)
		closedir(dir);
}

UNIT_TEST(py_corpus)
{
	const char *dirs = getenv("PDM_PY_CORPUS");
	size_t n;

	for (; dirs && *dirs; dirs += n + (dirs[n] == ':')) {
		struct corpus c = {0};
		struct err err = {""};
		char *path;
		int fd;

		n = strcspn(dirs, ":");
		py_test_init(&c.t);
		path = arena_strndup(&c.t.a, dirs, n);
		fd = fs_open_dir(path, &err);
		ck_assert_msg(fd >= 0, "%s", err.msg);
		corpus_folder(&c, fd, "", 0);
		fprintf(stderr,
			"%s: %zu files, %.1f MB, %zu facts, %zu not in full; facts %.2f x parse\n",
			path, c.files, (double)c.bytes / 1e6, c.facts, c.partial,
			c.whole / c.parse);
		py_test_free(&c.t);
	}
}
