// torch::RegisterOperators on the target's registry: op(name, function or lambda without captures).
#pragma once
#include <torch/library.h>

#include <string>
#include <utility>

namespace torch {

class RegisterOperators {
 public:
  RegisterOperators() = default;

  template <class Func>
  explicit RegisterOperators(const std::string& name, Func&& func) {
    op(name, std::forward<Func>(func));
  }

  template <class Func>
  RegisterOperators& op(const std::string& name_or_schema, Func&& func) {
    const std::string name = name_or_schema.substr(0, name_or_schema.find('('));
    const std::string::size_type colon = name.find("::");
    Library library(Library::FRAGMENT, name.substr(0, colon));
    library.def(name_or_schema.substr(colon + 2), pointer(std::forward<Func>(func)));
    return *this;
  }

 private:
  template <class R, class... Args>
  static auto pointer(R (*func)(Args...)) {
    return func;
  }
  // The registry takes function pointers only; a lambda without captures turns into one.
  template <class Lambda>
  static auto pointer(Lambda&& lambda) -> decltype(+lambda) {
    return +lambda;
  }
};

}  // namespace torch
