// As much of the interpreter's interface as extension modules show.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
extern "C" {
typedef ssize_t Py_ssize_t;
struct _typeobject;
typedef struct _object { Py_ssize_t ob_refcnt; _typeobject *ob_type; } PyObject;
typedef struct _typeobject PyTypeObject;
typedef PyObject *(*PyCFunction)(PyObject *, PyObject *);
struct PyMethodDef { const char *ml_name; PyCFunction ml_meth; int ml_flags; const char *ml_doc; };
struct PyModuleDef_Base { PyObject ob_base; };
struct PyModuleDef_Slot { int slot; void *value; };
struct PyModuleDef {
	PyModuleDef_Base m_base;
	const char *m_name, *m_doc;
	Py_ssize_t m_size;
	PyMethodDef *m_methods;
	PyModuleDef_Slot *m_slots;
	void *m_traverse, *m_clear, *m_free;
};
#define PyModuleDef_HEAD_INIT {{1, nullptr}}
#define PyMODINIT_FUNC extern "C" PyObject *
#define PyObject_HEAD PyObject ob_base;
#define METH_VARARGS 0x0001
#define METH_KEYWORDS 0x0002
#define METH_NOARGS 0x0004
#define METH_O 0x0008
#define PY_MAJOR_VERSION 3
#define PY_MINOR_VERSION 11
#define PY_VERSION_HEX 0x030b0000
extern PyObject _Py_NoneStruct;
extern PyObject _Py_TrueStruct;
extern PyObject _Py_FalseStruct;
#define Py_None (&_Py_NoneStruct)
#define Py_True (&_Py_TrueStruct)
#define Py_False (&_Py_FalseStruct)
#define Py_RETURN_NONE return Py_None
#define Py_RETURN_TRUE return Py_True
#define Py_RETURN_FALSE return Py_False
extern PyObject *PyExc_RuntimeError, *PyExc_ValueError, *PyExc_TypeError, *PyExc_IndexError;
extern PyObject *PyExc_ImportError, *PyExc_KeyError, *PyExc_MemoryError, *PyExc_Exception;
struct Py_buffer { void *buf; PyObject *obj; Py_ssize_t len, itemsize; int readonly, ndim; char *format; Py_ssize_t *shape, *strides; };
typedef struct _ts PyThreadState;
enum PyGILState_STATE { PyGILState_LOCKED, PyGILState_UNLOCKED };
void Py_INCREF(void *);
void Py_DECREF(void *);
void Py_XINCREF(void *);
void Py_XDECREF(void *);
PyObject *PyModule_Create(PyModuleDef *);
PyObject *PyModuleDef_Init(PyModuleDef *);
int PyModule_AddObject(PyObject *, const char *, PyObject *);
int PyModule_AddIntConstant(PyObject *, const char *, long);
PyObject *PyImport_ImportModule(const char *);
PyObject *PyObject_GetAttrString(PyObject *, const char *);
int PyObject_SetAttrString(PyObject *, const char *, PyObject *);
PyObject *PyObject_CallObject(PyObject *, PyObject *);
PyObject *PyObject_CallMethod(PyObject *, const char *, const char *, ...);
PyObject *PyObject_CallFunction(PyObject *, const char *, ...);
int PyObject_IsTrue(PyObject *);
void PyErr_SetString(PyObject *, const char *);
PyObject *PyErr_Format(PyObject *, const char *, ...);
PyObject *PyErr_Occurred(void);
void PyErr_Clear(void);
void PyErr_Print(void);
int PyArg_ParseTuple(PyObject *, const char *, ...);
int PyArg_ParseTupleAndKeywords(PyObject *, PyObject *, const char *, char **, ...);
PyObject *Py_BuildValue(const char *, ...);
PyObject *PyLong_FromLong(long);
PyObject *PyLong_FromLongLong(long long);
PyObject *PyLong_FromSize_t(size_t);
PyObject *PyLong_FromVoidPtr(void *);
long PyLong_AsLong(PyObject *);
long long PyLong_AsLongLong(PyObject *);
unsigned long long PyLong_AsUnsignedLongLong(PyObject *);
void *PyLong_AsVoidPtr(PyObject *);
PyObject *PyFloat_FromDouble(double);
double PyFloat_AsDouble(PyObject *);
PyObject *PyBool_FromLong(long);
PyObject *PyUnicode_FromString(const char *);
const char *PyUnicode_AsUTF8(PyObject *);
PyObject *PyBytes_FromStringAndSize(const char *, Py_ssize_t);
char *PyBytes_AsString(PyObject *);
PyObject *PyTuple_New(Py_ssize_t);
int PyTuple_SetItem(PyObject *, Py_ssize_t, PyObject *);
PyObject *PyTuple_GetItem(PyObject *, Py_ssize_t);
Py_ssize_t PyTuple_Size(PyObject *);
PyObject *PyList_New(Py_ssize_t);
int PyList_SetItem(PyObject *, Py_ssize_t, PyObject *);
int PyList_Append(PyObject *, PyObject *);
PyObject *PyList_GetItem(PyObject *, Py_ssize_t);
Py_ssize_t PyList_Size(PyObject *);
PyObject *PyDict_New(void);
int PyDict_SetItemString(PyObject *, const char *, PyObject *);
PyObject *PyDict_GetItemString(PyObject *, const char *);
PyObject *PyCapsule_New(void *, const char *, void (*)(PyObject *));
void *PyCapsule_GetPointer(PyObject *, const char *);
int PyCapsule_SetName(PyObject *, const char *);
int PyCapsule_IsValid(PyObject *, const char *);
PyGILState_STATE PyGILState_Ensure(void);
void PyGILState_Release(PyGILState_STATE);
PyThreadState *PyEval_SaveThread(void);
void PyEval_RestoreThread(PyThreadState *);
int PyLong_Check(PyObject *);
int PyFloat_Check(PyObject *);
int PyUnicode_Check(PyObject *);
int PyTuple_Check(PyObject *);
int PyList_Check(PyObject *);
int PyDict_Check(PyObject *);
int PyBool_Check(PyObject *);
int PyCallable_Check(PyObject *);
int PyCapsule_CheckExact(PyObject *);
}
#define PyTuple_GET_ITEM PyTuple_GetItem
#define PyTuple_GET_SIZE PyTuple_Size
#define PyTuple_SET_ITEM PyTuple_SetItem
#define PyList_GET_ITEM PyList_GetItem
#define PyList_GET_SIZE PyList_Size
#define Py_TYPE(o) (((PyObject *)(o))->ob_type)
