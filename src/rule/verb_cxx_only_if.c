/*
 * verb_cxx_only_if.c - put the block or statement that holds the fact between #if and #endif.
 *
 * That is a macro with a body, MACRO(...) { ... }, or a call that is a statement. It must have its
 * lines to itself and stand in no other macro's definition.
 */
#include <ctype.h>
#include <string.h>

#include "rule/verb_cxx.h"

static uint32_t skip_space(const char *text, size_t len, uint32_t at)
{
	while (at < len && isspace((unsigned char)text[at]))
		at++;
	return at;
}

/* Behind `{ ... }` or `;` that ends what starts with a parenthesis at `open`; 0: neither. */
static uint32_t block_end(const char *text, size_t len, uint32_t open)
{
	uint32_t at = cxx_matching(text, len, open);

	if (!at)
		return 0;
	at = skip_space(text, len, at);
	if (at < len && text[at] == '{')
		return cxx_matching(text, len, at);
	return at < len && text[at] == ';' ? at + 1 : 0;
}

int verb_cxx_only_if(struct verb_call *c)
{
	const char *text = c->shape->text, *nl = c->shape->newline;
	const char *condition = place_block(c, c->step->text);
	size_t len = c->shape->len, n;
	uint32_t start, open, end;

	if (c->fact->flags & F_MACRO_BODY || c->fact->stmt.start >= len)
		return verb_refuse(c, "it stands in a macro");
	start = cxx_line_start(text, c->fact->stmt.start);
	n = strspn(text + start, " \t");
	open = start + (uint32_t)n;
	while (open < len && (isalnum((unsigned char)text[open]) || strchr("_.:", text[open])))
		open++;
	open = skip_space(text, len, open);
	end = open < len && text[open] == '(' ? block_end(text, len, open) : 0;
	if (!end || end <= c->fact->span.start)
		return verb_refuse(c, "it is no block or statement of its own");
	end += (uint32_t)strspn(text + end, " \t");
	if (end < len && !strchr("\r\n", text[end]))
		return verb_refuse(c, "something else stands on its last line");
	end = cxx_line_end(text, len, end);
	verb_edit(c, start, start, arena_fmt(c->arena, "#if %s%s", condition, nl));
	verb_edit(c, end, end,
		  arena_fmt(c->arena, "%s#endif%s", text[end - 1] == '\n' ? "" : nl, nl));
	c->encloses = true;
	return 0;
}
