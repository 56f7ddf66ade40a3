// Arrays of the binding library.
#pragma once
#include <pybind11/pybind11.h>
namespace pybind11 {
class dtype : public object {
    public:
	dtype();
	explicit dtype(const std::string &);
	template <class T> static dtype of();
	ssize_t itemsize() const;
	char kind() const;
};
class array : public buffer {
    public:
	enum { c_style = 1, f_style = 2, forcecast = 16 };
	array();
	template <class... A> explicit array(A &&...);
	pybind11::dtype dtype() const;
	ssize_t size() const;
	ssize_t itemsize() const;
	ssize_t nbytes() const;
	ssize_t ndim() const;
	const ssize_t *shape() const;
	ssize_t shape(ssize_t) const;
	const ssize_t *strides() const;
	ssize_t strides(ssize_t) const;
	template <class... I> const void *data(I...) const;
	template <class... I> void *mutable_data(I...);
	bool writeable() const;
	bool owndata() const;
};
template <class T, int Flags = array::forcecast> class array_t : public array {
    public:
	array_t();
	template <class... A> explicit array_t(A &&...);
	template <class... I> const T *data(I...) const;
	template <class... I> T *mutable_data(I...);
	template <class... I> const T &at(I...) const;
	template <class... I> T &mutable_at(I...);
	template <int N = 1> struct pdm_view { template <class... I> T &operator()(I...) const; ssize_t shape(ssize_t) const; ssize_t ndim() const; ssize_t size() const; };
	template <int N = -1> pdm_view<1> unchecked() const;
	template <int N = -1> pdm_view<1> mutable_unchecked();
};
} // namespace pybind11
