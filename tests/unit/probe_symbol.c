/* Names in mangled symbols, and archives that are not what they say. */
#include "unit.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/intern.h"
#include "probe/probe.h"

UNIT_TEST(symbol_names)
{
	static const struct {
		const char *mangled, *name;
	} table[] = {
		{"_ZNK2at6Tensor4sizeEl", "at::Tensor::size"},
		{"_ZN3c106detail14torchCheckFailEPKcS2_jRKSs", "c10::detail::torchCheckFail"},
		{"_ZN2at4_ops5empty13memory_format4callEN3c108ArrayRefIlEE", "at::_ops::empty::memory_format::call"},
		{"_ZN3c105ErrorC1ENS_14SourceLocationENSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE",
		 "c10::Error::Error"},
		{"_ZN3c105ErrorD2Ev", "c10::Error::~Error"},
		{"_ZTVN5torch8autograd4NodeE", "torch::autograd::Node"},
		{"_ZN3c10lsERSoRKNS_6DeviceE", "c10::operator<<"},
		{"_ZNK2at6Tensor8data_ptrIfEEPT_v", "at::Tensor::data_ptr"},
		{"_ZN3c1013intrusive_ptrINS_10TensorImplENS_6detail34intrusive_target_default_null_typeIS1_EEE5resetEv",
		 "c10::intrusive_ptr::reset"},
		{"_ZN2at6detail1fILi3ELb1EEEvv", "at::detail::f"},
		/* No plain nested names. */
		{"_Z3fooi", NULL}, {"foo", NULL}, {"", NULL}, {"_Z", NULL}, {"_ZN", NULL}, {"_ZN2a", NULL},
		{"_ZN999999999999999999aE", NULL}, {"_ZN2atE", NULL}, {"_ZN2at1fIL", NULL}, {"_ZN2at1fI", NULL},
		{"_ZN2at1fIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIII", NULL},
		{"_ZN1a1b1c1d1e1f1g1h1i1j1k1l1m1n1o1p1q1rE", NULL}, {"_ZN2at1fIS", NULL},
	};
	struct arena a = {0};
	size_t i;

	for (i = 0; i < sizeof(table) / sizeof(*table); i++) {
		const char *got = symbol_name(&a, table[i].mangled);

		ck_assert_msg(str_eq(got, table[i].name), "%s: %s", table[i].mangled, got ? got : "-");
	}
	arena_free(&a);
}

static int count_members(void *ctx, const char *name, const char *data, size_t len, struct err *err)
{
	++*(int *)ctx;
	return 0;
}

/* An archive with one stored member x.so of four bytes. */
static const unsigned char archive[] = {
	'P', 'K', 3, 4, 20, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 4, 0, 0, 0, 4, 0, 0, 0,
	'x', '.', 's', 'o', 'd', 'a', 't', 'a',
	'P', 'K', 1, 2, 20, 0, 20, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 4, 0, 0, 0, 4, 0,
	0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 'x', '.', 's', 'o',
	'P', 'K', 5, 6, 0, 0, 0, 0, 1, 0, 1, 0, 50, 0, 0, 0, 38, 0, 0, 0, 0, 0,
};

static int zip_try(const unsigned char *data, size_t len, int *members)
{
	char path[] = P_tmpdir "/probe-zip-XXXXXX";
	struct err err = {{0}};
	int fd = mkstemp(path), ret;

	*members = 0;
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(fs_write_all(fd, data, len), 0);
	close(fd);
	ret = zip_each(path, count_members, members, &err);
	unlink(path);
	ck_assert(!ret || *err.msg);
	return ret;
}

UNIT_TEST(zip_members_and_broken_ones)
{
	unsigned char copy[sizeof(archive)];
	size_t i;
	int members;

	ck_assert_int_eq(zip_try(archive, sizeof(archive), &members), 0);
	ck_assert_int_eq(members, 1);
	/* Every truncation and every byte turned is an error or an answer, never a read beyond. */
	for (i = 0; i < sizeof(archive); i++)
		zip_try(archive, i, &members);
	for (i = 0; i < sizeof(archive); i++) {
		memcpy(copy, archive, sizeof(copy));
		copy[i] = 0xff;
		zip_try(copy, sizeof(copy), &members);
	}
}
