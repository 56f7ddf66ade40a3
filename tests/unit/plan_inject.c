/* plan_inject.c - functions of the bridge as members of the class. */
#include "unit.h"

#include <string.h>

#include "plan/shim.h"

static const char *const classes[] = {"fw::T", NULL};

static void section_set(struct shim_section *s, const char *name, const char *text)
{
	s->kind = "member";
	s->name = name;
	s->text = text;
	s->len = strlen(text);
}

/* The text that one section gives, "" where it gives none. */
static const char *injected(struct arena *a, const char *name, const char *text)
{
	struct shim_section section = {0};
	struct shims s = {.space = "bridge",
			  .body = "fw/T.h",
			  .base = "Base",
			  .between = "Members",
			  .classes = classes,
			  .members = "class {\n//@ declarations\n};\n//@ definitions\nend\n",
			  .sections = &section,
			  .nr_sections = 1};
	struct strbuf out = STRBUF_INIT;
	const bool used[] = {true};
	const char *copy;

	section_set(&section, name, text);
	if (!shim_can_inject(&s, a, 0))
		return "";
	shim_inject_text(&s, a, used, &out);
	copy = arena_strndup(a, out.buf, out.len);
	strbuf_release(&out);
	return copy;
}

UNIT_TEST(inject_passes_what_the_member_is_given)
{
	struct arena a = {0};

	ck_assert_str_eq(injected(&a, "cut",
				  "//@ member cut\nnamespace bridge {\n"
				  "inline fw::T cut(const fw::T& self, int64_t dim, bool keep = false,\n"
				  "                 std::optional<std::pair<int, int>> by = none()) {\n}\n"
				  "inline fw::T helper(const fw::T& self) {\n}\n}\n"),
			 "class {\n"
			 "  fw::T cut(int64_t dim, bool keep = false, "
			 "std::optional<std::pair<int, int>> by = none()) const;\n};\n"
			 "inline fw::T Members::cut(int64_t dim, bool keep, "
			 "std::optional<std::pair<int, int>> by) const {\n"
			 "  return bridge::cut(static_cast<const fw::T&>(*this), dim, keep, by);\n}\n"
			 "end\n");
	arena_free(&a);
}

UNIT_TEST(inject_names_the_types_of_a_template)
{
	struct arena a = {0};

	ck_assert_str_eq(injected(&a, "view",
				  "//@ member view\n"
				  "template <class A, template <typename U> class P = fw::Plain>\n"
				  "inline View<A, P> view(const fw::T& self) {\n}\n"),
			 "class {\n"
			 "  template <class A, template <typename U> class P = fw::Plain>\n"
			 "  decltype(auto) view() const;\n};\n"
			 "template <class A, template <typename U> class P>\n"
			 "inline decltype(auto) Members::view() const {\n"
			 "  return bridge::view<A, P>(static_cast<const fw::T&>(*this));\n}\nend\n");
	arena_free(&a);
}

UNIT_TEST(inject_takes_functions_of_that_form_alone)
{
	struct arena a = {0};

	ck_assert_str_eq(injected(&a, "cut", "//@ member cut\nint cut(const fw::T& self);\n"), "");
	ck_assert_str_eq(injected(&a, "cut", "//@ member cut\ninline int cut(const fw::T& t) {}\n"),
			 "");
	ck_assert_str_eq(injected(&a, "cut", "//@ member cut\ninline int cut"), "");
	arena_free(&a);
}

UNIT_TEST(inject_wants_a_template_with_both_marks)
{
	ck_assert(!shim_inject_template(NULL));
	ck_assert(!shim_inject_template("//@ definitions\n//@ declarations\n"));
	ck_assert(shim_inject_template("//@ declarations\n//@ definitions\n"));
}
