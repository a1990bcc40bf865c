//! git's variables around this process. git sets them for its hooks, and people for repositories
//! whose work tree lies elsewhere; they speak of that repository, which is rarely the identity's.
//!
//! Invariant: no library and no program that co starts sees them; who needs one asks for it by name,
//! through [`Env::env`](super::env::Env::env).

use std::{env, ffi::OsString, os::unix::process::CommandExt, process::Command};

/// What git calls repository-local. Source: `git rev-parse --local-env-vars`, and what names the
/// namespace and the quarantine of a push. `GIT_CONFIG_COUNT` is not among them here: only people
/// set it, for all of their repositories.
pub(super) const VARIABLES: &[&str] = &[
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_COMMON_DIR",
    "GIT_CONFIG",
    "GIT_CONFIG_PARAMETERS",
    "GIT_DIR",
    "GIT_GRAFT_FILE",
    "GIT_IMPLICIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_INTERNAL_SUPER_PREFIX",
    "GIT_NAMESPACE",
    "GIT_NO_REPLACE_OBJECTS",
    "GIT_OBJECT_DIRECTORY",
    "GIT_PREFIX",
    "GIT_QUARANTINE_PATH",
    "GIT_REPLACE_REF_BASE",
    "GIT_SHALLOW_FILE",
    "GIT_WORK_TREE",
];

/// How they are called once they are out of the way.
const PREFIX: &str = "CO_OUTER_";

/// Where a variable of the environment is kept.
pub(super) fn place_of(name: &str) -> String {
    if VARIABLES.contains(&name) { format!("{PREFIX}{name}") } else { name.to_owned() }
}

/// Every name under which such a variable may be found, for programs that must see none.
pub(super) fn all_places() -> impl Iterator<Item = String> {
    VARIABLES.iter().flat_map(|name| [(*name).to_owned(), format!("{PREFIX}{name}")])
}

/// Starts this program again without git's variables, in the place of this process, where there are
/// any: libraries read the environment by themselves, and a process cannot safely change its own.
///
/// # Errors
/// When the program cannot be started; without such variables it returns at once.
pub fn step_out(arguments: &[OsString]) -> std::io::Result<()> {
    let set = |name: &&&str| env::var_os(name).is_some();
    let outer: Vec<&&str> = VARIABLES.iter().filter(set).collect();
    if outer.is_empty() {
        return Ok(());
    }
    let mut command = Command::new(env::current_exe()?);
    command.args(arguments.iter().skip(1));
    for name in all_places() {
        command.env_remove(name);
    }
    for name in outer {
        if let Some(value) = env::var_os(name) {
            command.env(format!("{PREFIX}{name}"), value);
        }
    }
    Err(command.exec())
}
