// The shape of the binding library: what is bound is not judged, so that most calls take anything.
#pragma once
#include <Python.h>

#include <complex>
#include <cstring>
#include <exception>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <typeindex>
#include <unordered_map>
#include <utility>
#include <vector>

#define PYBIND11_VERSION_MAJOR 2
#define PYBIND11_VERSION_MINOR 13
#define PYBIND11_NAMESPACE pybind11
#define PYBIND11_EXPORT
#define PYBIND11_NOINLINE
#define PYBIND11_CONCAT(a, b) a##b
#define PYBIND11_MODULE(name, m, ...)                                                          \
	static void PYBIND11_CONCAT(pdm_pybind_, name)(::pybind11::module_ &);                 \
	void PYBIND11_CONCAT(pdm_pybind_, name)(::pybind11::module_ & m)
#define PYBIND11_DECLARE_HOLDER_TYPE(type, ...)
#define PYBIND11_MAKE_OPAQUE(...)
#define PYBIND11_OVERRIDE(ret, cls, fn, ...) return ::pybind11::pdm_any<ret>()
#define PYBIND11_OVERRIDE_PURE(ret, cls, fn, ...) return ::pybind11::pdm_any<ret>()
#define PYBIND11_TYPE_CASTER(type, py_name)                                                    \
    protected:                                                                                 \
	type value;                                                                            \
                                                                                               \
    public:                                                                                    \
	static constexpr auto name = py_name;                                                  \
	operator type *();                                                                     \
	operator type &();                                                                     \
	template <class T> using cast_op_type = T

namespace pybind11 {
template <class T> T pdm_any();
using ssize_t = Py_ssize_t;
using size_t = std::size_t;
class object;
class module_;
class str;
class iterator;
template <class T> class pdm_accessor;
enum class return_value_policy : uint8_t {
	automatic,
	automatic_reference,
	take_ownership,
	copy,
	move,
	reference,
	reference_internal
};

class handle {
    public:
	handle();
	handle(PyObject *);
	PyObject *ptr() const;
	PyObject *&ptr();
	const handle &inc_ref() const;
	const handle &dec_ref() const;
	template <class T> T cast() const;
	explicit operator bool() const;
	bool operator==(const handle &) const;
	bool operator!=(const handle &) const;
	bool is(const handle &) const;
	bool is_none() const;
	bool equal(const handle &) const;
	pdm_accessor<int> attr(const char *) const;
	pdm_accessor<int> attr(const handle &) const;
	template <class K> pdm_accessor<int> operator[](K &&) const;
	template <class... A> object operator()(A &&...) const;
	template <class T> bool contains(T &&) const;
	iterator begin() const;
	iterator end() const;
	handle get_type() const;
	str str() const;
};
class object : public handle {
    public:
	object();
	template <class... A> explicit object(const handle &, A...);
	object(const object &);
	object(object &&) noexcept;
	object &operator=(const object &);
	object &operator=(object &&) noexcept;
	handle release();
	template <class T> T cast() const &;
	template <class T> T cast() &&;
};
template <class T> class pdm_accessor : public object {
    public:
	template <class V> const pdm_accessor &operator=(V &&) const;
	operator object() const;
	template <class V> V cast() const;
};
class iterator : public object {
    public:
	iterator &operator++();
	handle operator*() const;
	bool operator==(const iterator &) const;
	bool operator!=(const iterator &) const;
};
struct stolen_t {};
struct borrowed_t {};
template <class T> T reinterpret_borrow(handle);
template <class T> T reinterpret_steal(handle);

#define PDM_TYPE(N, ...)                                                                       \
	class N : public object {                                                              \
	    public:                                                                            \
		N();                                                                           \
		N(const object &);                                                             \
		N(object &&);                                                                  \
		__VA_ARGS__                                                                    \
	};
PDM_TYPE(str, str(const char *); str(const std::string &); str(std::string_view); explicit str(handle);
	 operator std::string() const; template <class... A> str format(A &&...) const;)
PDM_TYPE(bytes, bytes(const char *); bytes(const std::string &); bytes(const char *, size_t);
	 operator std::string() const; operator std::string_view() const;)
PDM_TYPE(bytearray, bytearray(const char *); bytearray(const std::string &); bytearray(const char *, size_t);
	 size_t size() const; operator std::string() const;)
PDM_TYPE(bool_, bool_(bool); operator bool() const;)
PDM_TYPE(int_, template <class T, class = std::enable_if_t<std::is_integral_v<T>>> int_(T);
	 template <class T, class = std::enable_if_t<std::is_integral_v<T>>> operator T() const;)
PDM_TYPE(float_, float_(double); operator double() const;)
PDM_TYPE(none, )
PDM_TYPE(ellipsis, )
PDM_TYPE(slice, slice(ssize_t, ssize_t, ssize_t); template <class... A> bool compute(A &&...) const;)
PDM_TYPE(type, static handle of(handle); template <class T> static handle of();)
PDM_TYPE(tuple, explicit tuple(size_t); size_t size() const; bool empty() const;)
PDM_TYPE(list, explicit list(size_t); size_t size() const; bool empty() const;
	 template <class T> void append(T &&); template <class T> void insert(size_t, T &&);)
PDM_TYPE(anyset, )
PDM_TYPE(frozenset, )
PDM_TYPE(set, size_t size() const; template <class T> bool add(T &&);)
PDM_TYPE(args, size_t size() const; bool empty() const;)
PDM_TYPE(kwargs, size_t size() const; bool empty() const;
	 template <class T> bool contains(T &&) const;)
PDM_TYPE(sequence, size_t size() const; bool empty() const;)
PDM_TYPE(iterable, )
PDM_TYPE(function, bool is_cpp_function() const;)
PDM_TYPE(buffer, struct buffer_info request(bool = false) const;)
PDM_TYPE(memoryview, template <class... A> static memoryview from_memory(A &&...);)
PDM_TYPE(weakref, weakref(handle, handle);)
class dict : public object {
    public:
	dict();
	dict(const object &);
	template <class A, class = decltype(std::declval<A>().name), class... B> explicit dict(A &&, B &&...);
	size_t size() const;
	bool empty() const;
	template <class T> bool contains(T &&) const;
	struct pdm_iterator {
		pdm_iterator &operator++();
		std::pair<handle, handle> operator*() const;
		bool operator!=(const pdm_iterator &) const;
	};
	pdm_iterator begin() const;
	pdm_iterator end() const;
};
class capsule : public object {
    public:
	capsule();
	template <class... A> capsule(const void *, A &&...);
	capsule(const object &);
	operator void *() const;
	template <class T> operator T *() const;
	template <class T = void> T *get_pointer() const;
	const char *name() const;
};
#undef PDM_TYPE
struct buffer_info {
	void *ptr;
	ssize_t itemsize, size, ndim;
	std::string format;
	std::vector<ssize_t> shape, strides;
	template <class... A> buffer_info(A &&...);
};

// Errors.
class error_already_set : public std::exception {
    public:
	error_already_set();
	const char *what() const noexcept override;
	bool matches(handle) const;
	void restore();
	void discard_as_unraisable(const char *);
	const object &type() const;
	const object &value() const;
};
#define PDM_ERROR(N)                                                                           \
	class N : public std::runtime_error {                                                  \
	    public:                                                                            \
		using std::runtime_error::runtime_error;                                       \
		N();                                                                           \
		void set_error() const;                                                        \
	};
PDM_ERROR(builtin_exception)
PDM_ERROR(stop_iteration)
PDM_ERROR(index_error)
PDM_ERROR(key_error)
PDM_ERROR(value_error)
PDM_ERROR(type_error)
PDM_ERROR(buffer_error)
PDM_ERROR(import_error)
PDM_ERROR(attribute_error)
PDM_ERROR(cast_error)
PDM_ERROR(reference_cast_error)
#undef PDM_ERROR
[[noreturn]] void pybind11_fail(const std::string &);
void set_error(const handle &, const char *);

// What stands behind the function in def().
struct arg_v;
struct arg {
	const char *name;
	constexpr explicit arg(const char *n = nullptr) : name(n) {}
	template <class T> arg_v operator=(T &&) const;
	arg &noconvert(bool = true);
	arg &none(bool = true);
};
struct arg_v : arg {
	template <class T> arg_v(const char *, T &&, const char * = nullptr);
	arg_v &noconvert(bool = true);
	arg_v &none(bool = true);
};
inline namespace literals {
constexpr arg operator""_a(const char *n, size_t) { return arg(n); }
} // namespace literals
struct kw_only {};
struct pos_only {};
struct is_method { is_method(const handle &); };
struct is_operator {};
struct is_final {};
struct scope { scope(const handle &); };
struct doc { doc(const char *); };
struct name { name(const char *); };
struct sibling { sibling(const handle &); };
struct prepend {};
struct module_local { constexpr module_local(bool = true) {} };
struct dynamic_attr {};
struct buffer_protocol {};
struct arithmetic {};
struct multiple_inheritance {};
template <class T> struct base {};
template <size_t, size_t> struct keep_alive {};
template <class... T> struct call_guard {};
struct gil_scoped_acquire {
	gil_scoped_acquire();
	~gil_scoped_acquire();
};
struct gil_scoped_release {
	explicit gil_scoped_release(bool = false);
	~gil_scoped_release();
};
namespace detail {
template <class... A> struct pdm_init {};
template <class T, class = void> struct type_caster {
	template <class U> static handle cast(U &&, return_value_policy, handle);
	bool load(handle, bool);
};
template <class T> using make_caster = type_caster<T>;
template <size_t N> struct descr { constexpr descr(const char (&)[N]) {} };
template <size_t N> constexpr descr<N> const_name(const char (&t)[N]) { return descr<N>(t); }
template <size_t N> constexpr descr<N> _(const char (&t)[N]) { return descr<N>(t); }
struct function_call;
} // namespace detail
template <class... A> detail::pdm_init<A...> init();
template <class F, class... X> detail::pdm_init<F> init(F &&, X &&...);
template <class... F> detail::pdm_init<F...> init_alias(F &&...);
template <class G, class S> detail::pdm_init<G, S> pickle(G &&, S &&);
template <class... A> struct overload_cast_impl {
	template <class R> constexpr auto operator()(R (*f)(A...)) const -> R (*)(A...);
	template <class R, class C>
	constexpr auto operator()(R (C::*f)(A...), std::false_type = {}) const -> R (C::*)(A...);
	template <class R, class C>
	constexpr auto operator()(R (C::*f)(A...) const, std::true_type) const -> R (C::*)(A...) const;
};
template <class... A> constexpr overload_cast_impl<A...> overload_cast = {};
constexpr auto const_ = std::true_type{};

class cpp_function : public function {
    public:
	cpp_function();
	template <class F, class... X> cpp_function(F &&, const X &...);
};
class module_ : public object {
    public:
	explicit module_(const char *, const char * = nullptr);
	module_(const object &);
	template <class F, class... X> module_ &def(const char *, F &&, const X &...);
	module_ def_submodule(const char *, const char * = nullptr);
	static module_ import(const char *);
	void reload();
	void add_object(const char *, handle, bool = false);
	pdm_accessor<int> doc();
};
using module = module_;
template <class T, class... O> class class_ : public object {
    public:
	using type = T;
	template <class... X> class_(handle, const char *, const X &...);
	template <class... X> class_ &def(X &&...);
	template <class... X> class_ &def_static(X &&...);
	template <class... X> class_ &def_readwrite(X &&...);
	template <class... X> class_ &def_readonly(X &&...);
	template <class... X> class_ &def_readwrite_static(X &&...);
	template <class... X> class_ &def_readonly_static(X &&...);
	template <class... X> class_ &def_property(X &&...);
	template <class... X> class_ &def_property_readonly(X &&...);
	template <class... X> class_ &def_property_static(X &&...);
	template <class... X> class_ &def_property_readonly_static(X &&...);
	template <class... X> class_ &def_buffer(X &&...);
};
template <class T> class enum_ : public class_<T> {
    public:
	template <class... X> enum_(const handle &, const char *, const X &...);
	enum_ &value(const char *, T, const char * = nullptr);
	enum_ &export_values();
};
template <class T> class exception : public object {
    public:
	exception(handle, const char *, handle = {});
	template <class... A> void operator()(A &&...) const;
};
template <class T, class... A> exception<T> &register_exception(handle, const char *, A &&...);
template <class F> void register_exception_translator(F &&);
template <class T> T cast(const handle &);
template <class T, class = std::enable_if_t<!std::is_base_of_v<handle, std::decay_t<T>>>>
object cast(T &&, return_value_policy = return_value_policy::automatic, handle = {});
template <class T> bool isinstance(handle);
bool isinstance(handle, handle);
template <class... A> tuple make_tuple(A &&...);
template <class... A> iterator make_iterator(A &&...);
template <class... A> iterator make_key_iterator(A &&...);
template <class... A> void print(A &&...);
template <class T> type type_of();
bool hasattr(handle, const char *);
bool hasattr(handle, handle);
object getattr(handle, const char *);
template <class D> object getattr(handle, const char *, D &&);
template <class V> void setattr(handle, const char *, V &&);
void delattr(handle, const char *);
size_t len(handle);
str repr(handle);
size_t hash(handle);
dict globals();
object eval(const str &, object = {}, object = {});
void exec(const str &, object = {}, object = {});
template <class T> function get_override(const T *, const char *);
template <class A, class B> void implicitly_convertible();
void initialize_interpreter();
void finalize_interpreter();
class scoped_interpreter {};
struct options { options &disable_function_signatures(); options &enable_function_signatures(); options &disable_user_defined_docstrings(); };
struct scoped_ostream_redirect { template <class... A> scoped_ostream_redirect(A &&...); };
} // namespace pybind11
