// c10::irange: the integers from 0 or a first one up to, not with, a last one.
#pragma once
#include <cstddef>
#include <iterator>
#include <type_traits>

namespace c10 {

template <class I>
class IntegerRange {
 public:
  class iterator {
   public:
    using iterator_category = std::input_iterator_tag;
    using value_type = I;
    using difference_type = std::ptrdiff_t;
    using pointer = I*;
    using reference = I&;

    explicit iterator(I value) : value_(value) {}
    I operator*() const { return value_; }
    iterator& operator++() {
      ++value_;
      return *this;
    }
    bool operator!=(const iterator& other) const { return value_ != other.value_; }
    bool operator==(const iterator& other) const { return value_ == other.value_; }

   private:
    I value_;
  };

  IntegerRange(I first, I last) : first_(first), last_(last < first ? first : last) {}
  iterator begin() const { return iterator(first_); }
  iterator end() const { return iterator(last_); }

 private:
  I first_, last_;
};

template <class A, class B>
IntegerRange<B> irange(A first, B last) {
  return IntegerRange<B>(static_cast<B>(first), last);
}

template <class B>
IntegerRange<B> irange(B last) {
  return IntegerRange<B>(B(0), last);
}

}  // namespace c10
