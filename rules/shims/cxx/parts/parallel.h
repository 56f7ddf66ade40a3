// ATen/Parallel.h: the serial form. Loops run on the calling thread, in one piece.
#pragma once
#include <c10/util/Exception.h>

#include <cstdint>

namespace at {

namespace internal {
// The upstream default of how many items one task takes.
constexpr int64_t GRAIN_SIZE = 32768;
}  // namespace internal

inline int get_num_threads() { return 1; }
inline int get_thread_num() { return 0; }
inline void set_num_threads(int) {}
inline bool in_parallel_region() { return false; }
inline int64_t divup(int64_t x, int64_t y) { return (x + y - 1) / y; }

template <class F>
inline void parallel_for(const int64_t begin, const int64_t end, const int64_t grain_size, const F& f) {
  (void)grain_size;
  if (begin < end) f(begin, end);
}

template <class T, class F, class SF>
inline T parallel_reduce(const int64_t begin, const int64_t end, const int64_t grain_size, const T ident,
                         const F& f, const SF& sf) {
  (void)grain_size;
  (void)sf;
  return begin < end ? f(begin, end, ident) : ident;
}

}  // namespace at
