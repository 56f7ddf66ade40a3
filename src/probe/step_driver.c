/*
 * step_driver.c - the driver's child: its version and the devices it has.
 *
 * Names and numbers are those of the driver API (cuda.h); the header is not needed to build.
 */
#include <dlfcn.h>
#include <string.h>

#include "probe/step.h"

#define CAPABILITY_MAJOR 75 /* CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR */
#define CAPABILITY_MINOR 76
#define DEVICES_MAX	 64
#define NAME_SIZE	 256
#define UUID_SIZE	 16

struct driver {
	int (*init)(unsigned);
	int (*version)(int *);
	int (*count)(int *);
	int (*get)(int *, int);
	int (*name)(char *, int, int);
	int (*attribute)(int *, int, int);
	int (*memory)(size_t *, int);
	int (*uuid)(unsigned char *, int);
};

static void say_device(const struct driver *d, int i)
{
	unsigned char uuid[UUID_SIZE] = {0};
	char name[NAME_SIZE] = "", hex[2 * UUID_SIZE + 1] = "";
	int device = 0, major = 0, minor = 0, k;
	size_t bytes = 0;

	if (d->get(&device, i) || d->name(name, sizeof(name) - 1, device))
		return;
	d->attribute(&major, CAPABILITY_MAJOR, device);
	d->attribute(&minor, CAPABILITY_MINOR, device);
	d->memory(&bytes, device);
	if (d->uuid && !d->uuid(uuid, device))
		for (k = 0; k < UUID_SIZE; k++)
			snprintf(hex + 2 * k, 3, "%02x", uuid[k]);
	step_say("device", "%s", name);
	step_say("capability", "%d.%d", major, minor);
	step_say("memory", "%zu", bytes >> 20);
	step_say("uuid", "%s", hex);
}

static void say_devices(const struct driver *d)
{
	int nr = 0, i, ret = d->count(&nr);

	if (ret)
		step_say("words", "cuDeviceGetCount gives error %d", ret);
	for (i = 0; !ret && i < nr && i < DEVICES_MAX; i++)
		say_device(d, i);
}

/* The kernel module's version, which the management library knows without the driver API. */
static void say_version(const char *management)
{
	void *handle = dlopen(management, RTLD_NOW | RTLD_LOCAL);
	int (*init)(void), (*version)(char *, unsigned);
	char text[NAME_SIZE] = "";

	if (!handle)
		return;
	*(void **)&init = dlsym(handle, "nvmlInit_v2");
	*(void **)&version = dlsym(handle, "nvmlSystemGetDriverVersion");
	if (init && version && !init() && !version(text, sizeof(text) - 1))
		step_say("version", "%s", text);
}

static bool driver_symbols(struct driver *d, void *handle)
{
	*(void **)&d->init = step_symbol(handle, "cuInit");
	*(void **)&d->version = step_symbol(handle, "cuDriverGetVersion");
	*(void **)&d->count = step_symbol(handle, "cuDeviceGetCount");
	*(void **)&d->get = step_symbol(handle, "cuDeviceGet");
	*(void **)&d->name = step_symbol(handle, "cuDeviceGetName");
	*(void **)&d->attribute = step_symbol(handle, "cuDeviceGetAttribute");
	*(void **)&d->memory = step_symbol(handle, "cuDeviceTotalMem_v2");
	*(void **)&d->uuid = dlsym(handle, "cuDeviceGetUuid");
	return d->init && d->version && d->count && d->get && d->name && d->attribute && d->memory;
}

int step_driver(const char *const *args)
{
	struct driver d = {0};
	void *handle;
	Dl_info info;
	int n = 0, ret;

	step_say("stage", "load");
	handle = step_open(args[0], RTLD_NOW | RTLD_LOCAL);
	if (!handle || !driver_symbols(&d, handle))
		return 1;
	if (dladdr(*(void **)&d.init, &info) && info.dli_fname)
		step_say("path", "%s", info.dli_fname);
	if (!d.version(&n))
		step_say("cuda", "%d.%d", n / 1000, n % 1000 / 10);
	step_say("stage", "cuInit");
	ret = d.init(0);
	if (ret) {
		step_say("words", "cuInit gives error %d", ret);
		return 1;
	}
	step_say("stage", "devices");
	say_devices(&d);
	step_say("stage", "management");
	say_version(args[1]);
	return 0;
}
