/*
 * step_launch.c - the launch's child: a kernel through the driver on a stream of its own, checked; then
 * what driver and runtime say of device, stream and pointers.
 *
 * Names and numbers are those of cuda.h and cuda_runtime_api.h; the headers are not needed to build.
 */
#include <dlfcn.h>
#include <string.h>
#include <unistd.h>

#include "probe/step.h"

#define COUNT	     4096
#define BLOCK	     128
#define NON_BLOCKING 1 /* CU_STREAM_NON_BLOCKING */
#define MEMORY_TYPE  2 /* CU_POINTER_ATTRIBUTE_MEMORY_TYPE */
#define INPUT_MAX    (1u << 20)

/* CUdeviceptr */
typedef uint64_t address;

struct api {
	int (*init)(unsigned);
	int (*get)(int *, int);
	int (*retain)(void **, int);
	int (*set_current)(void *);
	int (*context_device)(int *);
	int (*module_load)(void **, const void *);
	int (*module_function)(void **, void *, const char *);
	int (*stream_create)(void **, unsigned);
	int (*stream_context)(void *, void **);
	int (*stream_synchronize)(void *);
	int (*allocate)(address *, size_t);
	int (*release)(address);
	int (*allocate_host)(void **, size_t, unsigned);
	int (*to_device)(address, const void *, size_t);
	int (*to_host)(void *, address, size_t);
	int (*launch)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
		      void *, void **, void **);
	int (*attribute)(void *, int, address);
};

static const struct {
	const char *name;
	size_t offset;
} symbols[] = {
	{"cuInit", offsetof(struct api, init)},
	{"cuDeviceGet", offsetof(struct api, get)},
	{"cuDevicePrimaryCtxRetain", offsetof(struct api, retain)},
	{"cuCtxSetCurrent", offsetof(struct api, set_current)},
	{"cuCtxGetDevice", offsetof(struct api, context_device)},
	{"cuModuleLoadData", offsetof(struct api, module_load)},
	{"cuModuleGetFunction", offsetof(struct api, module_function)},
	{"cuStreamCreate", offsetof(struct api, stream_create)},
	{"cuStreamGetCtx", offsetof(struct api, stream_context)},
	{"cuStreamSynchronize", offsetof(struct api, stream_synchronize)},
	{"cuMemAlloc_v2", offsetof(struct api, allocate)},
	{"cuMemFree_v2", offsetof(struct api, release)},
	{"cuMemHostAlloc", offsetof(struct api, allocate_host)},
	{"cuMemcpyHtoD_v2", offsetof(struct api, to_device)},
	{"cuMemcpyDtoH_v2", offsetof(struct api, to_host)},
	{"cuLaunchKernel", offsetof(struct api, launch)},
	{"cuPointerGetAttribute", offsetof(struct api, attribute)},
};

static bool api_load(struct api *d, void *handle)
{
	size_t i;

	for (i = 0; i < sizeof(symbols) / sizeof(*symbols); i++) {
		void *at = step_symbol(handle, symbols[i].name);

		if (!at)
			return false;
		*(void **)((char *)d + symbols[i].offset) = at;
	}
	return true;
}

static int failed(const char *what, int ret)
{
	if (ret)
		step_say("words", "%s gives error %d", what, ret);
	return ret;
}

/* "device", "host" or "unknown", as the driver tells a pointer. */
static const char *memory_name(const struct api *d, address at)
{
	unsigned type = 0;

	if (d->attribute(&type, MEMORY_TYPE, at))
		return "unknown";
	return type == 1 ? "host" : type == 2 ? "device" : type == 4 ? "managed" : "other";
}

static void say_pointers(const struct api *d, address device, void *pinned)
{
	int plain[1];

	step_say("pointer.device", "%s", memory_name(d, device));
	if (pinned)
		step_say("pointer.pinned", "%s", memory_name(d, (address)(uintptr_t)pinned));
	/* Only what CUDA knows has a type: memory of malloc or the stack gives an error. */
	step_say("pointer.plain", "%s", memory_name(d, (address)(uintptr_t)plain));
}

static int kernel_run(const struct api *d, void *function, void *stream, address in, address out)
{
	unsigned n = COUNT;
	void *args[] = {&out, &in, &n};

	return failed("cuLaunchKernel", d->launch(function, (COUNT + BLOCK - 1) / BLOCK, 1, 1, BLOCK,
						  1, 1, 0, stream, args, NULL)) ||
	       failed("cuStreamSynchronize", d->stream_synchronize(stream));
}

static int kernel_check(const struct api *d, void *function, void *stream)
{
	unsigned *host = xcalloc(COUNT, sizeof(*host)), i, wrong = 0;
	size_t bytes = COUNT * sizeof(*host);
	address in = 0, out = 0;
	void *pinned = NULL;
	int bad;

	for (i = 0; i < COUNT; i++)
		host[i] = i * 5 + 1;
	bad = failed("cuMemAlloc", d->allocate(&in, bytes)) ||
	      failed("cuMemAlloc", d->allocate(&out, bytes)) ||
	      failed("cuMemcpyHtoD", d->to_device(in, host, bytes)) ||
	      kernel_run(d, function, stream, in, out) ||
	      failed("cuMemcpyDtoH", d->to_host(host, out, bytes));
	for (i = 0; !bad && i < COUNT; i++)
		wrong += host[i] != 3 * (i * 5 + 1) + 7;
	if (!bad)
		step_say("result", "%s", wrong ? "wrong" : "right");
	step_say("stage", "pointers");
	if (!bad && !failed("cuMemHostAlloc", d->allocate_host(&pinned, bytes, 0)))
		say_pointers(d, out, pinned);
	free(host);
	return bad || wrong;
}

/* What the driver has as current, and whether the runtime agrees and takes the driver's stream. */
static void say_current(const struct api *d, void *context, void *stream, const char *runtime)
{
	int (*get_device)(int *), (*query)(void *), device = -1, ret;
	void *of_stream = NULL, *handle;

	if (!d->context_device(&device))
		step_say("driver.device", "%d", device);
	if (!d->stream_context(stream, &of_stream))
		step_say("driver.stream", "%s",
			 of_stream == context ? "own, in the current context" : "of another context");
	if (!strcmp(runtime, "none"))
		return;
	step_say("stage", "runtime");
	handle = step_open(runtime, RTLD_NOW | RTLD_LOCAL);
	*(void **)&get_device = handle ? step_symbol(handle, "cudaGetDevice") : NULL;
	*(void **)&query = handle ? step_symbol(handle, "cudaStreamQuery") : NULL;
	if (!get_device || !query)
		return;
	ret = get_device(&device);
	if (ret)
		step_say("runtime.device", "error %d", ret);
	else
		step_say("runtime.device", "%d", device);
	step_say("runtime.takes_driver_stream", "error %d", query(stream));
	step_say("runtime.default_stream", "error %d", query(NULL));
}

static char *input_read(void)
{
	char *text = xcalloc(INPUT_MAX + 1, 1);
	size_t got = 0;
	ssize_t n;

	while (got < INPUT_MAX && (n = read(STDIN_FILENO, text + got, INPUT_MAX - got)) > 0)
		got += (size_t)n;
	return text;
}

int step_launch(const char *const *args)
{
	void *handle, *context = NULL, *module = NULL, *function = NULL, *stream = NULL;
	char *kernel = input_read();
	struct api d = {0};
	int device = 0, bad;

	step_say("stage", "load");
	handle = step_open(args[0], RTLD_NOW | RTLD_LOCAL);
	if (!handle || !api_load(&d, handle))
		return 1;
	step_say("stage", "context");
	if (failed("cuInit", d.init(0)) || failed("cuDeviceGet", d.get(&device, 0)) ||
	    failed("cuDevicePrimaryCtxRetain", d.retain(&context, device)) ||
	    failed("cuCtxSetCurrent", d.set_current(context)))
		return 1;
	step_say("stage", "module");
	if (failed("cuModuleLoadData", d.module_load(&module, kernel)) ||
	    failed("cuModuleGetFunction", d.module_function(&function, module, "probe_kernel")) ||
	    failed("cuStreamCreate", d.stream_create(&stream, NON_BLOCKING)))
		return 1;
	step_say("stage", "launch");
	bad = kernel_check(&d, function, stream);
	say_current(&d, context, stream, args[1]);
	return bad;
}
