/* drafts.c - `--issue-drafts`: the drafts of a result, before anything else is written. */
#include "base/path.h"
#include "cmd/cmd.h"
#include "report/drafts.h"

int drafts_make(struct cmd *c, const struct result *r, struct drafts *d, struct strbuf *said,
		struct err *err)
{
	struct assets assets;

	*d = (struct drafts){.dirfd = -1};
	if (!c->o.drafts)
		return 0;
	if (assets_load(&assets, &c->arena, c->o.run.rules_dir, err) ||
	    drafts_open(d, r, c->o.drafts, err))
		return -1;
	if (drafts_write(d, r, &assets, &c->arena, err)) {
		drafts_undo(d);
		return -1;
	}
	strbuf_addf(said, "pdmigrate: wrote %zu issue draft%s to ", d->names.nr,
		    d->names.nr == 1 ? "" : "s");
	path_print(said, c->o.drafts);
	strbuf_addch(said, '\n');
	return 0;
}
