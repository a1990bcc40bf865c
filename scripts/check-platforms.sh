#!/usr/bin/env bash
# Type-checks co and its tests for macOS and Windows on Linux: this work tree as it is. Nothing is
# installed.
#
#   scripts/check-platforms.sh [TARGET…]
#
# TARGET is aarch64-apple-darwin, x86_64-apple-darwin or x86_64-pc-windows-gnullvm; without one, all
# three. Prints what the compiler says about co, and a line per target: `aarch64-apple-darwin: 0 errors,
# 0 warnings`. Ends with 0 if every line says so, with 1 if not, with 2 if something is missing here.
# Nothing is linked or run: this proves names and types, not behaviour. (`scripts/cross-build.sh`
# builds for Windows.)
#
# The standard library is checked from its sources by the compiler of the same version: the newest
# such pair that apt has. C is compiled by zig, which brings the headers of both systems and comes from
# pip. All of it is unpacked once into CO_PLATFORMS (~/.cache/co-platforms); that folder cannot be
# moved. Delete it for a newer compiler.
set -euo pipefail

die() {
    echo "check-platforms.sh: $*" >&2
    exit 2
}

[ $# -gt 0 ] || set -- aarch64-apple-darwin x86_64-apple-darwin x86_64-pc-windows-gnullvm
for target in "$@"; do
    [[ $target =~ ^(aarch64|x86_64)-(apple-darwin|pc-windows-gnullvm)$ ]] ||
        die "\`$target\` is none of the targets above"
done
for tool in apt-get apt-cache dpkg python3 cargo flock; do
    command -v "$tool" >/dev/null || die "\`$tool\` is missing"
done

cd "$(dirname "$0")/.."
scratch=${CO_PLATFORMS:-${XDG_CACHE_HOME:-$HOME/.cache}/co-platforms}
mkdir -p "$scratch"
scratch=$(cd "$scratch" && pwd -P)

# The machine's apt with its sources and keys, but with lists and archives of its own, so that it
# needs no root, and without the hooks that run after an update.
apt() {
    LC_ALL=C "$1" -qq -c "$scratch/apt/conf" \
        -o Dir::State="$scratch/apt" -o Dir::Cache="$scratch/apt" "${@:2}"
}

candidate() {
    apt apt-cache policy "$1" | awk '$1 == "Candidate:" && $2 != "(none)" { print $2 }'
}

# Prints the newest compiler that is packaged with its sources, and the version of both. Their names
# are rustc and rust-src, or rustc-X and rust-X-src.
find_compiler() {
    local oldest newest best compiler version sources
    oldest=$(sed -n 's/^rust-version = "\(.*\)"$/\1/p' Cargo.toml)
    newest=$oldest best=''
    while read -r sources _; do
        compiler=${sources/#rust/rustc} compiler=${compiler%-src}
        version=$(candidate "$compiler")
        [[ -n $version && $version = "$(candidate "$sources")" ]] || continue
        dpkg --compare-versions "$version" ge "$newest" || continue
        best=$compiler newest=$version
    done < <(apt apt-cache search --names-only '^rust(-.+)?-src$')
    [ -n "$best" ] || die "apt has no rustc of $oldest or later together with its sources"
    echo "$best $newest"
}

# Writes a script that is there as a whole or not at all.
wrapper() {
    printf '%s\n' '#!/usr/bin/env bash' "${@:2}" >"$1.new"
    chmod +x "$1.new"
    mv "$1.new" "$1"
}

unpack_compiler() {
    local compiler version package packages file rustc libs root=$scratch/rust
    rm -rf "$root" "$scratch/apt"
    mkdir -p "$root" "$scratch/apt/lists/partial" "$scratch/apt/archives/partial"
    printf '%s\n' '#clear APT::Update;' 'Debug::NoLocking "yes";' 'APT::Sandbox::User "";' \
        'Acquire::Languages "none";' 'Acquire::IndexTargets::deb::DEP-11::DefaultEnabled "no";' \
        >"$scratch/apt/conf"
    # A source that fails matters only if the compiler is missing afterwards.
    apt apt-get update >&2 || :
    read -r compiler version < <(find_compiler) || exit 2
    echo "   Unpacking $compiler $version and its sources" >&2
    packages=("$compiler=$version" "rust${compiler#rustc}-src=$version")
    # Libraries that are installed will do, but the standard library must lie beside the compiler.
    while read -r package; do
        [[ $package != libstd-rust* &&
            $(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) = installed* ]] ||
            packages+=("$package")
    done < <(apt apt-cache depends --important --recurse "$compiler" | grep '^lib[^:]*$')
    (cd "$scratch/apt/archives" && apt apt-get download "${packages[@]}" >&2) ||
        die "apt could not download ${packages[*]}"
    for file in "$scratch"/apt/archives/*.deb; do
        dpkg -x "$file" "$root"
    done
    rm -rf "$scratch/apt"
    rustc=$(find "$root" -path '*/bin/rustc*' -type f -not -path '*/src/*')
    libs=$(find "$root" -name '*.so*' -printf '%h\n' | sort -u | paste -sd :)
    [ -d "$(LD_LIBRARY_PATH=$libs "$rustc" --print sysroot)/lib/rustlib/src/rust/library" ] ||
        die "$compiler $version does not find its sources"
    # Written last: where it is, all is.
    wrapper "$scratch/rustc" "export LD_LIBRARY_PATH=${libs@Q}" "exec ${rustc@Q} \"\$@\""
}

# Counts what cargo's messages say about co, once although co is compiled with and without tests.
report='
import json, re, sys
target, manifest, status = sys.argv[1:]
found, tests_reached = {"error": set(), "warning": set()}, False
for message in (json.loads(line) for line in sys.stdin if line.startswith("{")):
    ours = message.get("manifest_path") == manifest
    tests_reached |= ours and message["target"]["kind"] == ["test"]
    said = message.get("message", {"level": "", "message": ""})
    level = said["level"].split(":")[0]
    summary = re.match(r"aborting due to|\d+ warnings? emitted", said["message"])
    if level not in found or summary or level == "warning" and not ours:
        continue
    key = said["message"], str([(at["file_name"], at["byte_start"]) for at in said["spans"]])
    if key not in found[level]:
        print(said["rendered"], file=sys.stderr)
    found[level].add(key)
errors, warnings = map(len, found.values())
note = ", cargo failed" * (status != "0" and not errors)
note += ", the tests were not reached" * (not tests_reached)
print(f"{target}: {errors} errors, {warnings} warnings{note}")
sys.exit(bool(note or errors or warnings))
'

# One run at a time.
exec 9>"$scratch/lock"
flock 9
[ -x "$scratch/rustc" ] || unpack_compiler
python=$scratch/zig/bin/python
if ! "$python" -m ziglang version >/dev/null 2>&1; then
    echo "   Unpacking zig" >&2
    rm -rf "$scratch/zig"
    python3 -m venv "$scratch/zig" >&2 || die "python3 cannot make a venv: is python3-venv missing?"
    "$python" -m pip -q install --no-cache-dir ziglang >&2 || die "pip could not install ziglang"
fi
zig="exec ${python@Q} -m ziglang"
wrapper "$scratch/ar" "$zig ar \"\$@\""

# Cargo is the machine's, with its settings and its store of crates; RUSTC_BOOTSTRAP lets it build
# std. Flags from outside might hide warnings, and warnings that are errors would hide the tests.
unset RUSTFLAGS CARGO_ENCODED_RUSTFLAGS
export RUSTC=$scratch/rustc RUSTC_BOOTSTRAP=1 RUSTC_WRAPPER='' RUSTC_WORKSPACE_WRAPPER=''
export CARGO_TARGET_DIR=$scratch/target CARGO_INCREMENTAL=0
export ZIG_GLOBAL_CACHE_DIR=$scratch/zig-cache ZIG_LOCAL_CACHE_DIR=$scratch/zig-cache
# Without it crates pass flags that only Apple's compiler knows.
export CRATE_CC_NO_DEFAULTS=1

clean=yes
for target in "$@"; do
    of_zig=${target%%-*}-macos
    [[ $target != *windows* ]] || of_zig=${target%%-*}-windows-gnu
    wrapper "$scratch/cc-$target" "$zig cc -target $of_zig \"\$@\""
    export "CC_${target//-/_}=$scratch/cc-$target" "AR_${target//-/_}=$scratch/ar"
    status=0
    cargo check --locked --keep-going --lib --bins --tests --target "$target" \
        -Zbuild-std=std,panic_abort,panic_unwind,test,proc_macro \
        --message-format=json >"$scratch/messages" || status=$?
    python3 -c "$report" "$target" "$PWD/Cargo.toml" "$status" <"$scratch/messages" || clean=
done
[ -n "$clean" ]
