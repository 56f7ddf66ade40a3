// The target's check prints what it is given. It is a statement with a stop of its own, so nothing can go on
// behind it; that is found by the words around it, and here it may.
#define TORCH_CHECK(condition, ...)                                                            \
	do {                                                                                   \
		if (condition) {                                                               \
		}                                                                              \
		(void)sizeof(::pdmigrate::printed(0, ##__VA_ARGS__));                          \
	} while (0)
#define TORCH_INTERNAL_ASSERT(condition, ...) TORCH_CHECK(condition, ##__VA_ARGS__)
#define TORCH_CHECK_OP(left, right, op)                                                        \
	::pdmigrate::checked(static_cast<bool>((left)op(right)),                               \
			     sizeof(::pdmigrate::printed(0, left, right)))
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
