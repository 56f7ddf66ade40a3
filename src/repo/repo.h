/*
 * repo.h - which files there are and what each is for.
 *
 * In: a folder. Out: struct repo with its sources (walk), and later, when the front ends have added facts
 * and linked them, layers, lists, entries and type (classify).
 */
#ifndef REPO_REPO_H
#define REPO_REPO_H

#include "model.h"

/* Files bigger than this are listed, not read: bytes. */
#define REPO_FILE_MAX (16u << 20)

/*
 * Walk the folder (or file) `path`: ignore rules, languages, Python module names and package roots, roles
 * that follow from paths. What cannot be looked at becomes a notice. -1 only when `path` itself cannot
 * be analysed. Everything lives in `a`.
 */
int repo_walk(struct repo **out, struct arena *a, const struct vocab *vocab, const char *path,
	      struct notices *notices, struct err *err);

/*
 * After linking and marking: layer and reason of each file, type of the repository, entries, both lists
 * with ranks, reach. Tables come from layers.yml. -1 when layers.yml is wrong.
 */
int repo_classify(struct repo *repo, struct arena *a, const struct assets *assets,
		  const struct vocab *vocab, struct err *err);

/* Close descriptors. */
void repo_close(struct repo *repo);

#endif
