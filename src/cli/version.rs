//! The version as people see it.

use std::ffi::OsString;

/// A release names its commit too: `1.0.0 (3e104a81d)`.
pub(super) const VERSION: &str = env!("CO_SHOWN_VERSION");

/// What is printed where nothing else is asked for: programs ask this at every start, and reading
/// the environment and the arguments takes longer than all the rest. `None` otherwise.
pub(super) fn answered(arguments: &[OsString]) -> Option<String> {
    let [_, only] = arguments else { return None };
    let is_asked = only == "--version" || only == "-V";
    is_asked.then(|| format!("co {VERSION}\n"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::commands::Cli;
    use clap::Parser;

    fn words(line: &str) -> Vec<OsString> {
        line.split(' ').map(OsString::from).collect()
    }

    #[test]
    fn the_answer_is_that_of_the_command_line() {
        for line in ["co --version", "co -V", "/usr/bin/co --version", "other -V"] {
            let words = words(line);
            let said = Cli::try_parse_from(&words).expect_err("a version").to_string();
            assert_eq!(answered(&words), Some(said), "{line}");
        }
    }

    #[test]
    fn whatever_else_is_asked_is_read_as_always() {
        for line in ["co", "co version", "co -v", "co --version --json", "co list -V", "co -qV"] {
            assert_eq!(answered(&words(line)), None, "{line}");
        }
    }
}
