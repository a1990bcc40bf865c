//! git's environment variables. git sets them for its hooks, and people for repositories whose work
//! tree is elsewhere; they point to that repository, which is usually not the identity's.
//!
//! Invariant: neither libraries nor programs started by co see them; code that needs one asks for
//! it by name, through [`Env::env`](super::env::Env::env).

use super::process::Process;
use std::{env, ffi::OsString};

/// git's repository-local variables. Source: `git rev-parse --local-env-vars`, plus the namespace
/// and the quarantine of a push. Without `GIT_CONFIG_COUNT`: people set it for all their
/// repositories.
pub(crate) const VARIABLES: &[&str] = &[
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

/// Prefix of their names once they are set aside.
const PREFIX: &str = "CO_OUTER_";

/// The name under which a variable is now found; git's own have been set aside.
pub(crate) fn place_of(name: &str) -> String {
    if VARIABLES.contains(&name) { format!("{PREFIX}{name}") } else { name.to_owned() }
}

/// All names that such a variable may have, for programs that must not see any.
pub(crate) fn all_places() -> impl Iterator<Item = String> {
    VARIABLES.iter().flat_map(|name| [(*name).to_owned(), format!("{PREFIX}{name}")])
}

/// Replaces this process with the same program without git's variables: libraries read the
/// environment directly, and a process cannot safely change its own. Returns `Ok` only if there are
/// no such variables.
pub fn reexec_without_git_env(arguments: &[OsString]) -> std::io::Result<()> {
    let set = |name: &&&str| env::var_os(name).is_some();
    let outer: Vec<&&str> = VARIABLES.iter().filter(set).collect();
    if outer.is_empty() {
        return Ok(());
    }
    let mut command = Process::new(env::current_exe()?);
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
