#!/usr/bin/env bash
# Builds co for another system, or as a static program for Linux that needs nothing but git.
#
#   scripts/cross-build.sh TARGET [PROFILE]
#
# TARGET is x86_64-unknown-linux-musl, aarch64-unknown-linux-musl or x86_64-pc-windows-gnullvm, PROFILE
# a profile of cargo (release). Prints the path of the program. Releases are built by rustup's own
# toolchain; this uses what `scripts/check-platforms.sh` unpacked: a compiler with the sources of its
# standard library, and zig as C compiler and linker.
set -euo pipefail
target=${1:?usage: scripts/cross-build.sh TARGET [PROFILE]} profile=${2:-release} ending=''
flags='-C target-feature=+crt-static'
case $target in
    # zig brings what every C program begins with; musl's unwinder is Rust's own.
    *-unknown-linux-musl) of_zig=${target%%-*}-linux-musl flags+=' -C link-self-contained=no' ;;
    *-pc-windows-gnullvm) of_zig=${target%%-*}-windows-gnu ending=.exe ;;
    *)
        echo "cross-build.sh: \`$target\` is not one of the targets above" >&2
        exit 2
        ;;
esac
cd "$(dirname "$0")/.."
scratch=${CO_PLATFORMS:-${XDG_CACHE_HOME:-$HOME/.cache}/co-platforms}
[ -x "$scratch/rustc" ] && [ -x "$scratch/zig/bin/python" ] || {
    echo "cross-build.sh: run scripts/check-platforms.sh first, which unpacks the compiler" >&2
    exit 2
}
zig="$scratch/zig/bin/python -m ziglang"
tools=$scratch/tools-$target
mkdir -p "$tools"
# rustc names its own target; zig has another name for it.
cat >"$tools/zig-cc" <<EOF_CC
#!/usr/bin/env bash
arguments=()
for argument; do
    case \$argument in
        # A list of what a library that nobody loads would offer, which zig does not read.
        --target=* | -Wl,*.def) ;;
        # zig adds its own C library for Windows.
        -nolibc | -lmsvcrt | --unwindlib=none) ;;
        *) arguments+=("\$argument") ;;
    esac
done
exec $zig cc -target $of_zig "\${arguments[@]}"
EOF_CC
# What rustc makes libraries of Windows' own functions with.
for name in x86_64 aarch64; do
    printf '#!/usr/bin/env bash\nexec %s dlltool "$@"\n' "$zig" >"$tools/$name-w64-mingw32-dlltool"
done
printf '#!/usr/bin/env bash\nexec %s ar "$@"\n' "$zig" >"$tools/zig-ar"
chmod +x "$tools"/*
unset RUSTFLAGS CARGO_ENCODED_RUSTFLAGS
variable=${target//-/_}
export PATH=$tools:$PATH
export RUSTC=$scratch/rustc RUSTC_BOOTSTRAP=1 RUSTC_WRAPPER='' RUSTC_WORKSPACE_WRAPPER=''
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$scratch/target} CARGO_INCREMENTAL=0
export ZIG_GLOBAL_CACHE_DIR=$scratch/zig-cache ZIG_LOCAL_CACHE_DIR=$scratch/zig-cache
export CRATE_CC_NO_DEFAULTS=1 "CC_$variable=$tools/zig-cc" "AR_$variable=$tools/zig-ar"
export "CARGO_TARGET_${variable^^}_LINKER=$tools/zig-cc" "CARGO_TARGET_${variable^^}_RUSTFLAGS=$flags"
cargo build --locked --bin co --profile "$profile" --target "$target" -Zbuild-std=std,panic_unwind >&2
folder=$profile
[ "$profile" != dev ] || folder=debug
echo "$CARGO_TARGET_DIR/$target/$folder/co$ending"
