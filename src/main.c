/* main.c - set the process up, then cmd/ does the work. */
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "cmd/cmd.h"
#include "cxx/cxx.h"

/*
 * A closed standard stream would give its number to the next file that is opened. The stand-in
 * cannot be written, so that a result with nowhere to go is still an error.
 */
static void streams_hold(void)
{
	int fd;

	for (fd = 0; fd < 3; fd++)
		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", O_RDONLY) < 0)
			_exit(2);
}

int main(int argc, char **argv)
{
	streams_hold();
	/* A reader that goes away is a failed write, not the end of the process. */
	signal(SIGPIPE, SIG_IGN);
	if (argc == 2 && !strcmp(argv[1], CXX_WORKER_ARG))
		return cxx_worker();
	return cmd_main(argc, argv);
}
