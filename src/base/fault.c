/* fault.c - see fault.h. The counters are the one piece of process-wide state; without PD_FAULT both
 * functions are one load and a branch. */
#include "base/fault.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static long fault_at;
static const char *fault_suffix;
static atomic_long fault_count;

static void fault_init(void)
{
	const char *n = getenv("PD_FAULT");

	fault_at = n ? strtol(n, NULL, 10) : 0;
	fault_suffix = getenv("PD_FAULT_READ");
	if (fault_suffix && !*fault_suffix)
		fault_suffix = NULL;
}

bool fault_hit(enum fault_kind kind)
{
	pthread_once(&once, fault_init);
	if (!fault_at)
		return false;
	if (atomic_fetch_add(&fault_count, 1) + 1 != fault_at)
		return false;
	errno = kind == FAULT_ALLOC ? ENOMEM : EIO;
	return true;
}

bool fault_path(const char *path)
{
	size_t n, m;

	pthread_once(&once, fault_init);
	if (!fault_suffix)
		return false;
	n = strlen(path);
	m = strlen(fault_suffix);
	if (m > n || strcmp(path + n - m, fault_suffix))
		return false;
	errno = EACCES;
	return true;
}
