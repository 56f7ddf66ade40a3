// The target's check is a statement with a stop of its own, and prints what it is given.
#define TORCH_CHECK(condition, ...)                                                            \
	do {                                                                                   \
		if (condition) {                                                               \
		}                                                                              \
		(void)sizeof(::pdmigrate::printed(0, ##__VA_ARGS__));                          \
	} while (0);
#define TORCH_INTERNAL_ASSERT(condition, ...) TORCH_CHECK(condition, ##__VA_ARGS__)
#define TORCH_CHECK_OP(left, right, op)                                                        \
	do {                                                                                   \
		if ((left)op(right)) {                                                         \
		}                                                                              \
		(void)sizeof(::pdmigrate::printed(0, left, right));                            \
	} while (false);
#define TORCH_CHECK_EQ(left, right) TORCH_CHECK_OP(left, right, ==)
#define TORCH_CHECK_NE(left, right) TORCH_CHECK_OP(left, right, !=)
#define TORCH_CHECK_LE(left, right) TORCH_CHECK_OP(left, right, <=)
#define TORCH_CHECK_LT(left, right) TORCH_CHECK_OP(left, right, <)
#define TORCH_CHECK_GE(left, right) TORCH_CHECK_OP(left, right, >=)
#define TORCH_CHECK_GT(left, right) TORCH_CHECK_OP(left, right, >)
#ifndef CHECK
#define CHECK(condition) TORCH_CHECK(condition)
#endif
#define C10_THROW_ERROR(kind, text) C10ThrowImpl(kind, text)
