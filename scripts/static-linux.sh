#!/usr/bin/env bash
# Builds co as a static program for Linux, which needs nothing but git on the machine it runs on.
#
#   scripts/static-linux.sh [TARGET [PROFILE]]
#
# TARGET is x86_64-unknown-linux-musl (the default) or aarch64-unknown-linux-musl, PROFILE a profile of
# cargo (release). Prints the path of the program. Releases are built by rustup's own toolchain; this
# uses what `scripts/check-platforms.sh` unpacked: a compiler with the sources of its standard library,
# and zig as C compiler and linker.
set -euo pipefail
target=${1:-x86_64-unknown-linux-musl} profile=${2:-release}
cd "$(dirname "$0")/.."
scratch=${CO_PLATFORMS:-${XDG_CACHE_HOME:-$HOME/.cache}/co-platforms}
[ -x "$scratch/rustc" ] && [ -x "$scratch/zig/bin/python" ] || {
    echo "static-linux.sh: run scripts/check-platforms.sh first, which unpacks the compiler" >&2
    exit 2
}
zig="$scratch/zig/bin/python -m ziglang"
cc=$scratch/cc-$target
# rustc names its own target; zig has another name for it.
cat >"$cc" <<EOF
#!/usr/bin/env bash
arguments=()
for argument; do
    case \$argument in --target=*) ;; *) arguments+=("\$argument") ;; esac
done
exec $zig cc -target ${target%%-*}-linux-musl "\${arguments[@]}"
EOF
chmod +x "$cc"
unset RUSTFLAGS CARGO_ENCODED_RUSTFLAGS
variable=${target//-/_}
export RUSTC=$scratch/rustc RUSTC_BOOTSTRAP=1 RUSTC_WRAPPER='' RUSTC_WORKSPACE_WRAPPER=''
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$scratch/target} CARGO_INCREMENTAL=0
export ZIG_GLOBAL_CACHE_DIR=$scratch/zig-cache ZIG_LOCAL_CACHE_DIR=$scratch/zig-cache
export CRATE_CC_NO_DEFAULTS=1 "CC_$variable=$cc" "AR_$variable=$scratch/ar"
export "CARGO_TARGET_${variable^^}_LINKER=$cc"
# zig brings what every C program begins with; musl's unwinder is Rust's own.
export "CARGO_TARGET_${variable^^}_RUSTFLAGS=-C target-feature=+crt-static -C link-self-contained=no"
cargo build --locked --bin co --profile "$profile" --target "$target" -Zbuild-std=std,panic_unwind >&2
folder=$profile
[ "$profile" != dev ] || folder=debug
echo "$CARGO_TARGET_DIR/$target/$folder/co"
