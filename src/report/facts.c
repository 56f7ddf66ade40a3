/*
 * facts.c - the middle of the line, for rule authors: one line or one JSON record a fact.
 *
 * Facts hold offsets; lines come from reading the text again. Where the file is gone or has changed
 * since, the offset is printed in their place ("path:@120", or line and column null).
 */
#include <string.h>

#include "base/fs.h"
#include "base/json.h"
#include "base/lines.h"
#include "report/internal.h"

#define FACTS_FILE_MAX (64u << 20)

/* Lines of a source, or `known` false. */
struct fact_place {
	const struct source *source;
	struct lines lines;
	bool known;
};

static void facts_text_line(struct strbuf *out, const struct fact_place *p, const struct fact *f)
{
	uint32_t line, column;
	int bit;

	text_safe(out, p->source->path);
	if (p->known) {
		line = lines_at(&p->lines, f->span.start, &column);
		strbuf_addf(out, ":%u:%u", (unsigned)line, (unsigned)column);
	} else {
		strbuf_addf(out, ":@%u", (unsigned)f->span.start);
	}
	strbuf_addf(out, " %s ", fact_kind_name(f->kind));
	text_safe(out, f->name ? f->name : "-");
	for (bit = 0; fact_flag_name(bit); bit++)
		if (f->flags & 1u << bit)
			strbuf_addf(out, " %s", fact_flag_name(bit));
	if (f->recv) {
		strbuf_addstr(out, " recv=");
		text_safe(out, f->recv);
	}
	if (f->verdict != VERDICT_NONE)
		strbuf_addf(out, " %s", verdict_name(f->verdict));
	if (f->keyword) {
		strbuf_addstr(out, " rejects=");
		text_safe(out, f->keyword);
	}
	if (f->row) {
		strbuf_addch(out, ' ');
		text_safe(out, f->row);
	}
	strbuf_addch(out, '\n');
}

static void facts_args(struct json *j, const struct fact *f)
{
	size_t i;

	json_key(j, "args");
	json_open(j, '[');
	for (i = 0; i < f->nr_args; i++) {
		json_open(j, '{');
		json_kstr(j, "keyword", f->args[i].keyword);
		json_kstr(j, "value", value_kind_name(f->args[i].value));
		json_kstr(j, "text", f->args[i].text);
		json_kbool(j, "splat", f->args[i].splat);
		json_close(j, '}');
	}
	json_close(j, ']');
}

static void facts_place(struct json *j, const struct fact_place *p, const struct fact *f)
{
	uint32_t line = 0, column = 0;

	json_kstr(j, "path", p->source->path);
	if (p->known)
		line = lines_at(&p->lines, f->span.start, &column);
	json_key(j, "line");
	if (p->known)
		json_int(j, line);
	else
		json_null(j);
	json_key(j, "column");
	if (p->known)
		json_int(j, column);
	else
		json_null(j);
	json_kint(j, "start", f->span.start);
	json_kint(j, "end", f->span.end);
}

static void facts_json_line(struct strbuf *out, const struct fact_place *p, const struct fact *f)
{
	struct json j;
	int bit;

	json_init(&j, out, true);
	json_open(&j, '{');
	facts_place(&j, p, f);
	json_kstr(&j, "kind", fact_kind_name(f->kind));
	json_kstr(&j, "name", f->name);
	json_kstr(&j, "text", f->text);
	json_kstr(&j, "recv", f->recv);
	json_kstr(&j, "symbol", f->symbol);
	json_key(&j, "flags");
	json_open(&j, '[');
	for (bit = 0; fact_flag_name(bit); bit++)
		if (f->flags & 1u << bit)
			json_str(&j, fact_flag_name(bit));
	json_close(&j, ']');
	facts_args(&j, f);
	json_kstr(&j, "verdict", verdict_name(f->verdict));
	json_kstr(&j, "missing", f->missing);
	json_kstr(&j, "row", f->row);
	json_kstr(&j, "keyword", f->keyword);
	json_close(&j, '}');
	strbuf_addch(out, '\n');
}

static void facts_source(struct strbuf *out, const struct repo *repo, const struct source *s,
			 bool json)
{
	struct fact_place place = {.source = s};
	struct arena a = {0};
	struct fs_text text;
	struct err err;
	size_t i;

	if (!fs_read(repo->dirfd, s->path, FACTS_FILE_MAX, &text, &err)) {
		place.known = text.len == s->size && hash_bytes(text.data, text.len) == s->hash;
		lines_init(&place.lines, &a, text.data, text.len);
	}
	for (i = 0; i < s->nr_facts; i++) {
		if (json)
			facts_json_line(out, &place, &s->facts[i]);
		else
			facts_text_line(out, &place, &s->facts[i]);
	}
	fs_text_free(&text);
	arena_free(&a);
}

void report_facts(struct strbuf *out, const struct repo *repo, bool json)
{
	size_t i;

	for (i = 0; i < repo->nr_files; i++)
		if (repo->files[i]->nr_facts)
			facts_source(out, repo, repo->files[i], json);
}
