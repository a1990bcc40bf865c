//! Boot id, and whether the machine was rebooted since the last command.
//!
//! Invariant: a mark in `local/`, written with the first operation after a boot; without it, no
//! restart is assumed.

use super::{env::Env, files};
use std::path::Path;

const FILE: &str = "boot";

/// An id of the current boot; `None` if the system provides none. Tests may set it
/// (`CO_TEST_BOOT_ID`).
pub fn id(env: &Env) -> Option<String> {
    if let Some(named) = env.env("CO_TEST_BOOT_ID") {
        return Some(named.to_owned());
    }
    of_system()
}

/// Read once: no process outlives a boot.
#[cfg(target_os = "linux")]
fn of_system() -> Option<String> {
    static ID: std::sync::OnceLock<Option<String>> = std::sync::OnceLock::new();
    let read = || {
        let text = files::read_text(Path::new("/proc/sys/kernel/random/boot_id")).ok()??;
        Some(text.trim().to_owned())
    };
    ID.get_or_init(read).clone()
}

/// The boot time in seconds.
#[cfg(not(target_os = "linux"))]
fn of_system() -> Option<String> {
    Some(super::platform::boot_time().to_string())
}

/// How far two start times may differ, because setting the clock is not a reboot.
const CLOCK_TOLERANCE_SECONDS: u64 = 120;

/// Whether two boot ids denote the same boot.
pub fn is_same(one: &str, other: &str) -> bool {
    let near = |one: i64, other: i64| one.abs_diff(other) <= CLOCK_TOLERANCE_SECONDS;
    one == other || matches!((one.parse(), other.parse()), (Ok(one), Ok(other)) if near(one, other))
}

/// Whether the machine was rebooted since the last command, whose mark is in this folder.
pub fn is_restarted(env: &Env, state: &Path) -> bool {
    let Ok(Some(last)) = files::read_text(&state.join(FILE)) else { return false };
    id(env).is_some_and(|now| !is_same(last.trim(), &now))
}

/// Writes the mark if there is none. After a reboot, `workspace::power_loss` writes it when it is
/// done.
pub fn mark_first(env: &Env, state: &Path) {
    if !files::exists(&state.join(FILE)) {
        mark(env, state);
    }
}

/// Writes the mark unless the current boot is already recorded.
pub fn mark(env: &Env, state: &Path) {
    let last = files::read_text(&state.join(FILE)).ok().flatten();
    match id(env) {
        Some(now) if last.is_none_or(|last| !is_same(last.trim(), &now)) => {
            let _ = files::write_private(&state.join(FILE), now.as_bytes());
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_that_was_set_is_no_restart() {
        assert!(is_same("5e0c", "5e0c") && !is_same("5e0c", "5e0d"));
        assert!(is_same("1700000000", "1700000090") && !is_same("1700000000", "1700009000"));
    }
}
