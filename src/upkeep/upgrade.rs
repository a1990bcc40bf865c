//! `co upgrade`: how this co was installed, and the commands that bring a newer one.
//!
//! Invariant: it only reads, and fetches nothing. The way is told by where the program lies and by
//! what the installers themselves left beside it.

use crate::identity::shell;
use crate::machine::{Context, files};
use percent_encoding::percent_decode_str;
use serde::Serialize;
use std::path::{Path, PathBuf};

/// The project's page, where releases are.
const PROJECT: &str = env!("CARGO_PKG_REPOSITORY");
/// The crate and the package.
const PACKAGE: &str = env!("CARGO_PKG_NAME");

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Way {
    /// By cargo, from a registry or from another repository.
    Cargo,
    /// By cargo, from a clone, as `scripts/start.sh` does.
    CargoFromClone,
    /// Built in a clone, and not installed.
    Clone,
    Homebrew,
    /// As a package of Debian or Ubuntu.
    Debian,
    /// By `install.sh`, or unpacked by hand.
    Download,
    /// By another package manager of the system.
    System,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Report {
    pub version: &'static str,
    pub program: PathBuf,
    pub way: Way,
    /// What to type, in this order.
    pub commands: Vec<String>,
    /// Whether co is compiled, which takes its time.
    pub builds: bool,
}

pub fn run(context: &Context) -> Report {
    let program = files::resolve(&context.program);
    let (way, commands) = told(context, &program);
    let builds = matches!(way, Way::Cargo | Way::CargoFromClone | Way::Clone);
    Report { version: env!("CARGO_PKG_VERSION"), program, way, commands, builds }
}

fn told(context: &Context, program: &Path) -> (Way, Vec<String>) {
    let has = |name: &str| program.components().any(|part| part.as_os_str() == name);
    if has("Cellar") {
        return (Way::Homebrew, vec!["brew update".to_owned(), "brew upgrade co".to_owned()]);
    }
    if let Some(clone) = built_in(program) {
        let manifest = word(context, &clone.join("Cargo.toml"));
        let build = format!("cargo build --release --manifest-path {manifest}");
        return (Way::Clone, vec![pull(context, &clone), build]);
    }
    let prefix = program.parent().and_then(Path::parent).unwrap_or(Path::new("/"));
    if let Some(source) = source_of_cargo(prefix) {
        return by_cargo(context, prefix, &source);
    }
    if prefix != Path::new("/usr") {
        return (Way::Download, by_installer(context, prefix).into_iter().collect());
    }
    if files::is_file(Path::new(&format!("/var/lib/dpkg/info/{PACKAGE}.list"))) {
        let only = format!("sudo apt install --only-upgrade {PACKAGE}");
        return (Way::Debian, vec!["sudo apt update".to_owned(), only]);
    }
    (Way::System, Vec::new())
}

/// `None` until the project has an address, and with it releases.
fn by_installer(context: &Context, prefix: &Path) -> Option<String> {
    let address = PROJECT.strip_prefix("https://github.com/")?;
    let is_usual = prefix == context.home.join(".local");
    let elsewhere = || format!("CO_PREFIX={} ", word(context, prefix));
    let elsewhere = if is_usual { String::new() } else { elsewhere() };
    let fetched = format!("curl -fsSL {PROJECT}/releases/latest/download/install.sh");
    (!address.starts_with("OWNER/")).then(|| format!("{fetched} | {elsewhere}sh"))
}

/// The clone whose `target` folder a program lies in.
fn built_in(program: &Path) -> Option<PathBuf> {
    let target = program.ancestors().find(|folder| folder.ends_with("target"))?;
    let clone = target.parent()?;
    files::is_file(&clone.join("Cargo.toml")).then(|| clone.to_owned())
}

/// Where cargo got it from, by the list that it keeps beside the programs that it installed:
/// `"co-cli 1.0.0 (registry+https://…)" = ["co"]`.
fn source_of_cargo(root: &Path) -> Option<String> {
    let list = files::read_text(&root.join(".crates.toml")).ok().flatten()?;
    source_in(&list)
}

fn source_in(list: &str) -> Option<String> {
    let row = list.lines().find(|line| line.starts_with(&format!("\"{PACKAGE} ")))?;
    let (_, rest) = row.split_once('(')?;
    Some(rest.split_once(")\"")?.0.to_owned())
}

fn by_cargo(context: &Context, root: &Path, source: &str) -> (Way, Vec<String>) {
    let usual = context.home.join(".cargo");
    let usual = context.env("CARGO_HOME").map_or(usual, PathBuf::from);
    let is_usual = files::resolve(&usual) == root;
    let root = if is_usual { String::new() } else { format!(" --root {}", word(context, root)) };
    let install = |from: &str| format!("cargo install --locked{root}{from}");
    if let Some(clone) = source.strip_prefix("path+file://") {
        let clone = PathBuf::from(percent_decode_str(clone).decode_utf8_lossy().into_owned());
        let from = format!(" --path {}", word(context, &clone));
        return (Way::CargoFromClone, vec![pull(context, &clone), install(&from)]);
    }
    let from = match source.strip_prefix("git+") {
        // Without the commit, and the branch that was asked for.
        Some(url) => {
            let url = url.split(['#', '?']).next().unwrap_or(url);
            format!(" --git {} {PACKAGE}", shell::quoted(url))
        }
        None => format!(" {PACKAGE}"),
    };
    (Way::Cargo, vec![install(&from)])
}

fn pull(context: &Context, clone: &Path) -> String {
    format!("git -C {} pull --ff-only", word(context, clone))
}

/// A path as it can be typed.
fn word(context: &Context, path: &Path) -> String {
    let shown = context.shown(path);
    let is_bare = |letter: char| letter.is_alphanumeric() || "-_./~\\:".contains(letter);
    if shown.chars().all(is_bare) { shown } else { shell::quoted(&path.display().to_string()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cargo_says_where_it_got_co_from() {
        let list = |row: &str| format!("[v1]\n\"ripgrep 14.1.0 (registry+x)\" = [\"rg\"]\n{row}\n");
        for (row, source) in [
            (
                "\"co-cli 1.0.0 (path+file:///home/x/co)\" = [\"co\"]",
                Some("path+file:///home/x/co"),
            ),
            ("\"co-cli 1.0.0 (registry+https://a/b)\" = [\"co\"]", Some("registry+https://a/b")),
            (
                "\"co-cli 1.0.0 (git+https://a/b?x=y#12)\" = [\"co\"]",
                Some("git+https://a/b?x=y#12"),
            ),
            (
                "\"co-cli 1.0.0 (path+file:///home/x/co%20(2))\" = []",
                Some("path+file:///home/x/co%20(2)"),
            ),
            ("\"co-cli-other 1.0.0 (registry+x)\" = [\"other\"]", None),
            ("", None),
        ] {
            assert_eq!(source_in(&list(row)).as_deref(), source, "{row}");
        }
    }
}
