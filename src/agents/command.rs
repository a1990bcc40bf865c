//! The command line by which agents start co, with shell quoting.

use std::collections::BTreeMap;

/// A program, and what it needs to find the identity.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Command {
    /// Absolute: agents start servers with only part of a person's PATH.
    pub program: String,
    /// What co must be given because agents do not pass on the environment: `CO_CONFIG_DIR`.
    pub env: BTreeMap<String, String>,
}

impl Command {
    /// A shell command line: `co hook session-start …`.
    pub fn line(&self, words: &str) -> String {
        let env: String =
            self.env.iter().map(|(key, value)| format!("{key}={} ", quoted(value))).collect();
        format!("{env}{} {words}", quoted(&self.program))
    }
}

/// A word as a POSIX shell reads it. A path of Windows gets slashes and double quotes, which both
/// its shell and that of Git understand.
fn quoted(word: &str) -> String {
    if word.as_bytes().get(1..3) == Some(br":\") {
        return format!("\"{}\"", word.replace('\\', "/"));
    }
    let plain = |letter: char| letter.is_alphanumeric() || "-_./~@%+=:,".contains(letter);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

/// Whether this is co's program, wherever it is or was installed.
pub fn is_co(program: &str) -> bool {
    let name = program.trim_matches(|letter| letter == '\'' || letter == '"');
    let name = name.rsplit(['/', '\\']).next().unwrap_or(name);
    name == "co" || name == "co.exe"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_for_a_shell() {
        let env = BTreeMap::from([("CO_CONFIG_DIR".to_owned(), "/a b".to_owned())]);
        let command = Command { program: "/opt/it's/co".into(), env };
        assert_eq!(command.line("mcp"), "CO_CONFIG_DIR='/a b' '/opt/it'\\''s/co' mcp");
        let command = Command { program: r"C:\Program Files\co.exe".into(), env: BTreeMap::new() };
        assert_eq!(command.line("hook"), "\"C:/Program Files/co.exe\" hook");
        assert!(is_co("/usr/bin/co") && is_co("co") && is_co("'/opt/my tools/co'"));
        assert!(!is_co("/usr/bin/cowsay") && !is_co("/opt/co/bin/x"));
    }
}
