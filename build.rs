//! Links the program so that it starts quickly.
#![allow(clippy::disallowed_methods, reason = "cargo tells a build script through the environment")]

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let target = |key: &str| std::env::var(format!("CARGO_CFG_TARGET_{key}")).unwrap_or_default();
    // Tens of thousands of addresses are adjusted at every start of a position-independent program;
    // packed, the list of them takes kilobytes instead of megabytes.
    if target("OS") == "linux" && target("ENV") == "gnu" {
        println!("cargo:rustc-link-arg-bins=-Wl,-z,pack-relative-relocs");
    }
}
