#define TORCH_CHECK_CONSTEXPR(condition, text) ((condition) ? 0 : throw text)
