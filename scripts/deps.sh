#!/bin/sh
# Install what the build needs: Debian packages (as root, when one is missing) and the pinned grammar
# sources of grammars/LOCK. Archives are downloaded and unpacked, nothing of them is executed. A wrong
# checksum stops.
set -eu
cd "$(dirname "$0")/.."

packages="gcc g++ make git patch pkg-config python3 python3-venv libclang-19-dev libclang-common-19-dev
libcjson-dev libyaml-dev libgit2-dev libelf-dev libxxhash-dev zlib1g-dev check"
missing=""
for p in $packages; do
	dpkg-query -W -f '${Status}' "$p" 2>/dev/null | grep -q 'ok installed' || missing="$missing $p"
done
if [ -n "$missing" ]; then
	if [ "$(id -u)" != 0 ]; then
		echo "deps: these Debian packages are missing; install them as root:$missing" >&2
		exit 1
	fi
	echo "deps: installing$missing"
	apt-get update -q
	DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $missing
fi

src=grammars/src
mkdir -p "$src" build
fetch() { # name version file sha256
	[ -f "$src/$3" ] && echo "$4  $src/$3" | sha256sum -c --status && return 0
	rm -f "$src/$3"
	if [ ! -x build/venv/bin/unearth ]; then
		python3 -m venv build/venv
		build/venv/bin/pip install -q 'unearth==0.19.0'
	fi
	echo "deps: fetching $1 $2"
	build/venv/bin/unearth --no-binary -d "$src" "$1==$2" >/dev/null
	if ! echo "$4  $src/$3" | sha256sum -c --status; then
		echo "deps: $src/$3: checksum is not the one in grammars/LOCK" >&2
		sha256sum "$src/$3" >&2 || :
		exit 1
	fi
}
grep -v '^#' grammars/LOCK | while read -r name version file sum licence part; do
	fetch "$name" "$version" "$file" "$sum"
	dir="$src/$name-$version"
	[ -f "$dir/.unpacked" ] && continue
	rm -rf "$dir"
	mkdir -p "$dir"
	tar -xzf "$src/$file" -C "$dir" --strip-components=1 --no-same-owner
	: >"$dir/.unpacked"
done
# The headers of ABI 14, for the grammars whose archives lack them.
rt="$src/tree-sitter-0.23.2/tree_sitter/core/lib/src"
mkdir -p "$src/abi14/tree_sitter"
for h in parser.h array.h alloc.h ts_assert.h; do
	cp "$rt/$h" "$src/abi14/tree_sitter/$h"
done
: >"$src/.done"
