#!/bin/sh
# `probe` on a machine with a GPU.
#
#	tests/probe_gpu.sh pack [DIR]	here: the program and its libraries into DIR (default build/gpu)
#	tests/probe_gpu.sh run [DIR]	there: everything, results as JSON into $OUT (default: DIR/out)
#
# The machine of `run` needs nvcc and a python3 with the upstream framework; it reaches nothing else.
# CUDA12_SITE names a site-packages with nvidia/cuda_runtime of CUDA 12, so that there are two runtimes. TREE
# is a repository that loads a native library at import, TREE_PARTS the parts of it to take along, TREE_LIB where
# it looks for the library, TREE_DIRS folders it insists on, TREE_STANDINS packages that the machine lacks (the
# upstream framework too: with it the symbols would be global). The last line counts what held.
set -eu
cd "$(dirname "$0")/.."
action=${1:-run}
dir=${2:-build/gpu}

pack() {
	rm -rf "$dir"
	mkdir -p "$dir/lib"
	# DT_RPATH, so that the libraries find each other too, without LD_LIBRARY_PATH, which is looked at.
	# shellcheck disable=SC2016
	make -j2 B=build/gpu-obj ${SRC:+SRC="$SRC"} LDFLAGS='-Wl,--disable-new-dtags,-rpath,\$$ORIGIN/lib' build/gpu-obj/pdmigrate
	cp build/gpu-obj/pdmigrate "$dir/"
	strip "$dir/pdmigrate"
	ldd "$dir/pdmigrate" | awk '$3 ~ /^\// {print $3}' | grep -vE '/(libc|libm|libdl|libpthread|librt|libresolv)\.so' |
		while read -r lib; do cp -L "$lib" "$dir/lib/"; done
	if [ -n "${CUDA12_SITE:-}" ]; then
		mkdir -p "$dir/cu12/nvidia/cuda_runtime/lib"
		cp "$CUDA12_SITE"/nvidia/cuda_runtime/lib/libcudart.so.12 "$dir/cu12/nvidia/cuda_runtime/lib/"
	fi
	if [ -n "${TREE:-}" ]; then
		mkdir -p "$dir/tree"
		# shellcheck disable=SC2086
		tar cf - -C "$TREE" ${TREE_PARTS:-.} | tar xf - -C "$dir/tree"
		for d in ${TREE_DIRS:-}; do mkdir -p "$dir/tree/$d" && : >"$dir/tree/$d/.keep"; done
		printf 'lib=%s\nstandins=%s\n' "$TREE_LIB" "${TREE_STANDINS:-}" >"$dir/tree.env"
	fi
	cp -r fixtures/probe/sources/stand-ins "$dir/"
	cp fixtures/probe/sources/fast.cu fixtures/probe/sources/fast/__init__.py "$dir/"
	du -sh "$dir"
}

# The same three ways to get at the runtime that nvcc has, and one more runtime in the process.
build_libraries() {
	nvcc=$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)
	for kind in none shared static; do
		"$nvcc" -shared -Xcompiler -fPIC -cudart "$kind" -o "$work/libfast_$kind.so" "$dir/fast.cu"
	done
	mkdir -p "$work/pkg/fast" "$work/two"
	cp "$dir/__init__.py" "$work/pkg/fast/"
	cp "$work/libfast_none.so" "$work/pkg/fast/libfast_cuda.so"
	printf 'import ctypes\nctypes.CDLL("%s")\n' "$(pwd)/$dir/cu12/nvidia/cuda_runtime/lib/libcudart.so.12" \
		>"$work/two/sitecustomize.py"
}

run() {
	OUT=${OUT:-$dir/out}
	mkdir -p "$OUT"
	work=$(mktemp -d)
	python=${PYTHON:-$(command -v python3)}
	bin=$dir/pdmigrate
	build_libraries
	nvidia-smi --query-gpu=name,driver_version,compute_cap,memory.total,uuid --format=csv,noheader \
		>"$OUT/smi.txt"
	ldconfig -p | grep -E 'libcuda\.so|libcudart' >"$OUT/ldconfig.txt" || :
	libs="--lib $work/libfast_none.so --lib $work/libfast_shared.so --lib $work/libfast_static.so"
	# shellcheck disable=SC2086
	"$bin" probe --json --timeout 90 --python "$python" $libs >"$OUT/probe.json"
	if [ -d "$dir/cu12" ]; then
		# shellcheck disable=SC2086
		PYTHONPATH=$work/two:$(pwd)/$dir/cu12 "$bin" probe --json --timeout 90 --python "$python" $libs \
			>"$OUT/probe-two.json"
	fi
	"$bin" probe --json --timeout 90 --python "$python" --repo "$work/pkg" --verify-patch >"$OUT/probe-patch.json"
	if [ -d "$dir/tree" ]; then
		. "./$dir/tree.env"
		mkdir -p "$(dirname "$dir/tree/$lib")"
		cp "$work/libfast_none.so" "$dir/tree/$lib"
		PROBE_STANDINS=$standins PYTHONPATH=$(pwd)/$dir/stand-ins "$bin" probe --json --timeout 90 \
			--python "$python" --repo "$dir/tree" --verify-patch >"$OUT/probe-tree.json"
	fi
	site=$("$python" -c 'import os, torchvision; print(os.path.dirname(torchvision.__file__))' 2>/dev/null || :)
	if [ -n "$site" ]; then
		"$bin" probe --json --no-launch --static "$site" >"$OUT/probe-static.json"
	fi
	"$bin" probe -v --python "$python" --timeout 90 >"$OUT/probe.txt"
	OUT="$OUT" "$python" tests/probe_gpu_check.py
	rm -rf "$work"
}

case $action in
pack) pack ;;
run) run ;;
*) echo "usage: $0 pack|run [DIR]" >&2; exit 2 ;;
esac
