// Registration blocks: a function, and a use of what their arguments name.
#define TORCH_LIBRARY(ns, m)                                                                   \
	static void pdm_library_##ns(torch::Library &);                                        \
	static const bool pdm_library_used_##ns = &pdm_library_##ns != nullptr;                \
	void pdm_library_##ns(torch::Library &m)
#define _TORCH_LIBRARY_FRAGMENT(ns, m, uid)                                                    \
	static void C10_CONCATENATE(pdm_fragment_##ns##_, uid)(torch::Library &);              \
	static const bool C10_CONCATENATE(pdm_fragment_used_##ns##_, uid) =                    \
		&C10_CONCATENATE(pdm_fragment_##ns##_, uid) != nullptr;                        \
	void C10_CONCATENATE(pdm_fragment_##ns##_, uid)(torch::Library &m)
#define TORCH_LIBRARY_FRAGMENT(ns, m) _TORCH_LIBRARY_FRAGMENT(ns, m, C10_UID)
#define _TORCH_LIBRARY_IMPL(ns, k, m, uid)                                                     \
	static void C10_CONCATENATE(pdm_impl_##ns##_##k##_, uid)(torch::Library &);            \
	static const auto C10_CONCATENATE(pdm_key_##ns##_##k##_, uid) = torch::DispatchKey::k; \
	void C10_CONCATENATE(pdm_impl_##ns##_##k##_, uid)(torch::Library &m)
#define TORCH_LIBRARY_IMPL(ns, k, m) _TORCH_LIBRARY_IMPL(ns, k, m, C10_UID)
