/* py_python_helper.c - see py_python.h. */
#include "py_python.h"

#include "base/path.h"
#include "base/strbuf.h"

static const char *const roots[] = {"torch", NULL};
static const char *const target_roots[] = {"paddle", NULL};
static const char *const members[] = {"saved_tensors", "cuda_stream", NULL};
static const char *const watched[] = {"ctypes", "os.environ", "os.getenv", "sys.modules",
				      "importlib", NULL};
static const char *const literals[] = {"c10", "-lc10*", NULL};
static const char *const tensors[] = {"torch.zeros", "torch.tensor", "torch.Tensor.view",
				      "torch.Tensor.contiguous", NULL};
static const char *const streams[] = {"torch.cuda.current_stream", NULL};
static const char *const groups[] = {"torch.distributed.new_group", NULL};
static const char *const devices[] = {"torch.device", NULL};
static const struct vocab_type types[] = {{"torch.Tensor", tensors},
					  {"torch.cuda.Stream", streams},
					  {"torch.distributed.ProcessGroup", groups},
					  {"torch.device", devices},
					  {NULL, NULL}};
static const char *const tensor_attributes[] = {"torch.Tensor.grad", "torch.Tensor.T", NULL};
static const char *const device_attributes[] = {"torch.Tensor.device", NULL};
static const struct vocab_type attribute_types[] = {{"torch.Tensor", tensor_attributes},
						    {"torch.device", device_attributes},
						    {NULL, NULL}};
static const char *const extension_calls[] = {"torch.utils.cpp_extension.CUDAExtension",
					      "setuptools.Extension", NULL};

static const char *const switch_calls[] = {"paddle.guard", NULL};
static const char *const never_returns[] = {"sys.exit", "quit", "pytest.skip", ".skipTest", NULL};
static const char *const never_run[] = {"unittest.skip", NULL};
static const char *const entry_points[] = {"project.scripts", "project.entry-points",
					   "setup.entry_points", NULL};
static const char *const tensor_members[] = {"detach", "contiguous", "mul_", NULL};
static const char *const only_attributes[] = {"grad", NULL};
static const char *const number_groups[] = {"param_groups", NULL};
static const char *const number_groups_not[] = {"params", NULL};
static const char *const tensor_methods[] = {"max", "min", NULL};
static const char *const tensor_keywords[] = {"dim", NULL};
static const char *const object_makers[] = {"torch.library.custom_op", NULL};

void py_test_init(struct py_test *t)
{
	memset(t, 0, sizeof(*t));
	t->names.arena = &t->a;
	t->vocab.roots = roots;
	t->vocab.target_roots = target_roots;
	t->vocab.members = members;
	t->vocab.watched = watched;
	t->vocab.literals = literals;
	t->vocab.types = types;
	t->vocab.attribute_types = attribute_types;
	t->vocab.tensor = "torch.Tensor";
	t->vocab.extension_calls = extension_calls;
	t->vocab.switch_calls = switch_calls;
	t->vocab.never_returns = never_returns;
	t->vocab.never_run = never_run;
	t->vocab.object_makers = object_makers;
	t->vocab.entry_points = entry_points;
	t->vocab.tensor_members = tensor_members;
	t->vocab.tensor_attributes = only_attributes;
	t->vocab.number_groups = number_groups;
	t->vocab.number_groups_not = number_groups_not;
	t->vocab.tensor_methods = tensor_methods;
	t->vocab.tensor_keywords = tensor_keywords;
	t->repo.dirfd = -1;
	strings_add(&t->repo.packages, &t->a, "pkg");
	strings_add(&t->repo.package_roots, &t->a, "");
	t->source.path = "pkg/mod.py";
	t->source.module = "pkg.mod";
	t->source.lang = LANG_PYTHON;
	t->w = py_worker_new(&t->vocab, &t->repo, &t->a, &t->names);
}

void py_test_free(struct py_test *t)
{
	py_worker_free(t->w);
	arena_free(&t->a);
}

static int path_cmp(const void *a, const void *b)
{
	return strcmp((*(struct source *const *)a)->path, (*(struct source *const *)b)->path);
}

struct source *py_test_file(struct py_test *t, const char *path, const char *text)
{
	struct source *s = ARENA_NEW(&t->a, struct source);
	struct source **files = arena_array(&t->a, t->repo.nr_files + 1, sizeof(*files));
	char *module = arena_strdup(&t->a, path), *p;

	s->path = path;
	s->lang = str_ends(path, ".py") ? LANG_PYTHON : LANG_OTHER;
	if (s->lang == LANG_PYTHON) {
		module[strlen(module) - 3] = 0;
		for (p = module; *p; p++)
			if (*p == '/')
				*p = '.';
		s->is_package = str_ends(module, ".__init__");
		if (s->is_package)
			module[strlen(module) - 9] = 0;
		s->module = module;
	}
	if (t->repo.nr_files)
		memcpy(files, t->repo.files, t->repo.nr_files * sizeof(*files));
	files[t->repo.nr_files++] = s;
	qsort(files, t->repo.nr_files, sizeof(*files), path_cmp);
	t->repo.files = files;
	py_facts(t->w, s, text, strlen(text), &t->notices);
	return s;
}

static void print_args(struct strbuf *sb, const struct arg *args, size_t nr)
{
	size_t i;

	if (!nr)
		return;
	strbuf_addstr(sb, " (");
	for (i = 0; i < nr; i++) {
		strbuf_addf(sb, "%s%s", i ? ", " : "", args[i].splat ? "*" : "");
		if (args[i].keyword)
			strbuf_addf(sb, "%s=", args[i].keyword);
		strbuf_addstr(sb, value_kind_name(args[i].value));
		if (args[i].text)
			strbuf_addf(sb, ":%s", args[i].text);
	}
	strbuf_addstr(sb, ")");
}

static bool shows_text(const struct fact *f)
{
	size_t n;

	if (!f->text)
		return false;
	if (f->kind != FACT_IMPORT)
		return true;
	/* `import a.b` binds a, `from a import b` binds b: nothing to say. */
	n = strlen(f->text);
	if (f->flags & F_FROM)
		return !(str_ends(f->name, f->text) && f->name[strlen(f->name) - n - 1] == '.');
	return strcspn(f->name, ".") != n || strncmp(f->name, f->text, n);
}

static void print_fact(struct strbuf *sb, const struct source *s, const struct fact *f)
{
	int bit;

	strbuf_addf(sb, "%s %s", fact_kind_name(f->kind), f->name);
	for (bit = 0; fact_flag_name(bit); bit++)
		if (f->flags & 1u << bit)
			strbuf_addf(sb, " %s", fact_flag_name(bit));
	if (f->recv)
		strbuf_addf(sb, " recv=%s", f->recv);
	if (shows_text(f))
		strbuf_addf(sb, " text=%s", f->text);
	if (*f->symbol)
		strbuf_addf(sb, " in=%s", f->symbol);
	if (f->guard >= 0)
		strbuf_addf(sb, " guard=%s", guard_kind_name(s->guards[f->guard].kind));
	print_args(sb, f->args, f->nr_args);
	strbuf_addch(sb, '\n');
}

const char *py_test_print(struct py_test *t, const struct source *s)
{
	struct strbuf sb = STRBUF_INIT;
	const char *text;
	size_t i;

	for (i = 0; i < s->nr_facts; i++)
		print_fact(&sb, s, &s->facts[i]);
	text = arena_strdup(&t->a, sb.buf);
	strbuf_release(&sb);
	return text;
}

void facts_are_at(int line, const char *text, const char *expected)
{
	struct py_test t;
	const char *got;

	py_test_init(&t);
	py_facts(t.w, &t.source, text, strlen(text), &t.notices);
	got = py_test_print(&t, &t.source);
	ck_assert_msg(!strcmp(got, expected), "line %d: for\n%s\nexpected\n%s\ngot\n%s", line, text,
		      expected, got);
	py_test_free(&t);
}

static void print_guard(struct strbuf *sb, const struct guard *g, const char *text)
{
	strbuf_addf(sb, "%s", guard_kind_name(g->kind));
	if (g->parent >= 0)
		strbuf_addf(sb, " in=%d", g->parent);
	if (g->name)
		strbuf_addf(sb, " %s", g->name);
	if (g->negated)
		strbuf_addstr(sb, " negated");
	if (g->range)
		strbuf_addf(sb, " %s", g->range);
	if (g->catches)
		strbuf_addf(sb, " catches=%u", g->catches);
	if (g->reraises)
		strbuf_addstr(sb, " reraises");
	strbuf_addf(sb, " [%.*s|%.*s]\n", (int)(g->body.end - g->body.start), text + g->body.start,
		    (int)(g->other.end - g->other.start), text + g->other.start);
}

void guards_are_at(int line, const char *text, const char *expected)
{
	struct py_test t;
	struct strbuf sb = STRBUF_INIT;
	size_t i;

	py_test_init(&t);
	py_facts(t.w, &t.source, text, strlen(text), &t.notices);
	for (i = 0; i < t.source.nr_guards; i++)
		print_guard(&sb, &t.source.guards[i], text);
	ck_assert_msg(!strcmp(sb.buf, expected), "line %d: for\n%s\nexpected\n%s\ngot\n%s", line,
		      text, expected, sb.buf);
	strbuf_release(&sb);
	py_test_free(&t);
}
