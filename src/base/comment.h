/*
 * comment.h - comments that have a line of their own, and lines above which one may stand.
 *
 * A lexical reading of the languages that an analysed tree is written in: strings over several
 * lines, block comments and lines that a backslash joins are known, nothing else. A line ends with
 * "\n", "\r\n" or a lone "\r". Offsets count bytes.
 */
#ifndef BASE_COMMENT_H
#define BASE_COMMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum comment_style {
	COMMENT_NONE,
	COMMENT_PYTHON,
	COMMENT_C,
	COMMENT_TOML,
	COMMENT_CMAKE,
	COMMENT_ROWS, /* requirements and cfg: a line is a comment or it is none */
};

/* A line that holds nothing but a comment to its end. */
struct comment {
	uint32_t line;	 /* first byte of the line */
	uint32_t indent; /* bytes of white space before the comment */
	uint32_t words;	 /* first byte behind the mark and one space */
	uint32_t end;	 /* behind the last byte of the line, without the line end */
	uint32_t next;	 /* first byte of the next line */
};

#define COMMENT_CLOSE_MAX 24

struct comment_scan {
	enum comment_style style;
	const char *text;
	size_t len, at;
	char close[COMMENT_CLOSE_MAX]; /* what ends the string or comment that is open, "": none */
	bool escapes;		       /* in it a backslash hides a byte */
	bool one_line;		       /* it ends with its line, unless a backslash joins the next */
	bool joined;		       /* a backslash joins the line to come with the one before */
	size_t tail;		       /* where a comment begins on the line read last; len: nowhere */
};

/* "#" or "//"; NULL for COMMENT_NONE. */
const char *comment_mark(enum comment_style style);
void comment_start(struct comment_scan *scan, enum comment_style style, const char *text, size_t len);
/* The next comment; false at the end of the text. */
bool comment_next(struct comment_scan *scan, struct comment *out);
/* As comment_next, and comments behind code too: their `indent` are the bytes before them. */
bool comment_next_any(struct comment_scan *scan, struct comment *out);
/*
 * The last line that begins at or before `line` and above which a comment may stand, into *out; false:
 * there is none.
 */
bool comment_place(enum comment_style style, const char *text, size_t len, uint32_t line,
		   uint32_t *out);

#endif
