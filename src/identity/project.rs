//! The name of a project: the same on every laptop, wherever its folder is.
//!
//! Invariant: a name is a single folder name on every file system, and contains no login. Two forks
//! are two projects; one repository reached over two protocols is one. Parses URLs and paths as
//! text; runs no git and reads no file.

use super::hash::ContentHash;
use std::fmt;

/// `github.com+bin+billing`
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Project(String);

/// Maximum length of a name, in bytes; a longer one ends with its hash.
const MAX_LEN: usize = 120;
/// Separates the parts of a name.
const BETWEEN: char = '+';
/// git protocols whose URLs contain a host.
const SCHEMES: &[&str] = &["ssh", "git", "http", "https", "git+ssh", "ssh+git"];
/// Hosts that serve ssh for another host.
const DOORS: &[(&str, &str)] = &[
    ("ssh.github.com", "github.com"),
    ("altssh.gitlab.com", "gitlab.com"),
    ("altssh.bitbucket.org", "bitbucket.org"),
    ("ssh.dev.azure.com", "dev.azure.com"),
];

impl Project {
    /// `None` for a URL that is only valid on one laptop: a path.
    pub fn of_remote(url: &str) -> Option<Project> {
        let (host, path) = split(url.trim())?;
        let host = host.to_lowercase();
        let host = host.trim_end_matches('.');
        let host = DOORS.iter().find(|(door, _)| *door == host).map_or(host, |(_, behind)| behind);
        let path = path.split(['?', '#']).next().unwrap_or_default().to_lowercase();
        let path = path.trim_matches('/');
        let path = path.strip_suffix(".git").unwrap_or(path).trim_end_matches('/');
        // Azure adds the protocol version, or a marker for repositories.
        let is_azure = host == "dev.azure.com";
        let parts: Vec<&str> = path
            .split('/')
            .filter(|part| !part.is_empty())
            .filter(|part| !is_azure || !matches!(*part, "v3" | "_git"))
            .collect();
        if host.is_empty() || parts.is_empty() {
            return None;
        }
        Some(Project::joined([host].into_iter().chain(parts)))
    }

    /// For a repository without a remote that others can reach: by its first commit.
    pub fn of_first_commit(hex: &str) -> Project {
        Project::joined(["commit", &hex[..hex.len().min(16)]])
    }

    /// For a folder outside any repository: the same place on two laptops is one project.
    pub fn of_folder(below_home: Option<&str>, whole: &str) -> Project {
        let first = if below_home.is_some() { "home" } else { "root" };
        let parts = below_home.unwrap_or(whole).split('/').filter(|part| !part.is_empty());
        Project::joined([first].into_iter().chain(parts))
    }

    /// For a repository that cannot be read, and so cannot be identified.
    pub fn unknown() -> Project {
        Project("unknown+project".to_owned())
    }

    /// For an agent that keeps the notes of all projects in one folder.
    pub fn every() -> Project {
        Project("every+project".to_owned())
    }

    /// From the name of a folder below `agents/NAME/`.
    pub fn named(name: &str) -> Project {
        Project(name.to_owned())
    }

    fn joined<'a>(parts: impl IntoIterator<Item = &'a str>) -> Project {
        let parts: Vec<String> = parts.into_iter().map(encoded).collect();
        let name = parts.join(&BETWEEN.to_string());
        if name.len() <= MAX_LEN {
            return Project(name);
        }
        let hash = ContentHash::of_bytes(name.as_bytes()).short(12);
        let end = name.floor_char_boundary(MAX_LEN - hash.len() - 1);
        Project(format!("{}-{hash}", &name[..end]))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// As people write it: `github.com/bin/billing`.
    pub fn shown(&self) -> String {
        decoded(&self.0.replace(BETWEEN, "/"))
    }

    /// The last part: `billing`.
    pub fn short(&self) -> &str {
        self.0.rsplit(BETWEEN).next().unwrap_or(&self.0)
    }

    /// Whether a pattern matches: `github.com/acme/*`, `*/billing`; without `*` also all below it.
    pub fn matches(&self, pattern: &str) -> bool {
        let pattern = as_path(pattern);
        let whole = self.shown().to_lowercase();
        let Some((first, rest)) = pattern.split_once('*') else {
            let below = whole.strip_prefix(&pattern);
            return !pattern.is_empty()
                && below.is_some_and(|r| r.is_empty() || r.starts_with('/'));
        };
        let Some(mut left) = whole.strip_prefix(first) else { return false };
        let mut pieces = rest.split('*').collect::<Vec<&str>>();
        let last = pieces.pop().unwrap_or_default();
        for piece in pieces {
            let Some(at) = left.find(piece) else { return false };
            left = &left[at + piece.len()..];
        }
        left.ends_with(last)
    }
}

impl fmt::Display for Project {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A pattern in the form in which names are shown, even if typed as a URL.
fn as_path(pattern: &str) -> String {
    let pattern = pattern.trim().trim_end_matches('/').to_lowercase();
    let pattern = pattern.strip_suffix(".git").unwrap_or(&pattern);
    let (scheme, rest) = pattern.split_once("://").unwrap_or(("", pattern));
    let rest = match rest.split_once('@') {
        Some((user, host)) if !user.contains(['/', '*']) => host,
        _ => rest,
    };
    match rest.split_once(':') {
        Some((host, path)) if scheme.is_empty() => format!("{host}/{path}"),
        _ => rest.to_owned(),
    }
}

/// A name with its escaped characters restored.
fn decoded(name: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = name;
    while let Some((before, after)) = rest.split_once('%') {
        bytes.extend(before.bytes());
        let byte = after.get(..2).and_then(|hex| u8::from_str_radix(hex, 16).ok());
        bytes.push(byte.unwrap_or(b'%'));
        rest = if byte.is_some() { &after[2..] } else { after };
    }
    bytes.extend(rest.bytes());
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Host and path of a URL, or of git's scp-like form `user@host:path`.
fn split(url: &str) -> Option<(&str, &str)> {
    if let Some((scheme, rest)) = url.split_once("://") {
        let known = SCHEMES.contains(&scheme.to_lowercase().as_str());
        let (place, path) = rest.split_once('/')?;
        let host = place.rsplit_once('@').map_or(place, |(_, host)| host);
        return known.then(|| (without_port(host), path));
    }
    let (place, path) = url.split_once(':')?;
    // A path with a colon in it, or a Windows drive.
    let is_path = place.contains(['/', '\\']) || place.len() < 2 || url.starts_with('.');
    let host = place.rsplit_once('@').map_or(place, |(_, host)| host);
    (!is_path).then_some((host, path))
}

fn without_port(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    }
}

/// Keeps characters that are safe on every file system; escapes all others as their bytes.
fn encoded(part: &str) -> String {
    let mut text = String::new();
    for byte in part.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' => text.push(char::from(byte)),
            // Windows drops a trailing dot, and `..` leads up.
            b'.' if !text.is_empty() => text.push('.'),
            _ => text.push_str(&format!("%{byte:02x}")),
        }
    }
    match text.strip_suffix('.') {
        Some(rest) => format!("{rest}%2e"),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(url: &str) -> Option<String> {
        Project::of_remote(url).map(|project| project.to_string())
    }

    #[test]
    fn one_repository_has_one_name() {
        for url in [
            "git@github.com:bin/billing.git",
            "ssh://git@github.com/bin/billing",
            "ssh://git@ssh.github.com:443/bin/billing.git",
            "https://github.com/bin/billing.git/",
            "https://bin:token@GitHub.com:443/Bin/Billing",
            "git://github.com/bin/billing.git",
            "github.com:bin/billing",
            "https://github.com/bin/billing?x=1",
        ] {
            assert_eq!(of(url).as_deref(), Some("github.com+bin+billing"), "{url}");
        }
        let azure = of("https://dev.azure.com/acme/shop/_git/web");
        assert_eq!(azure, of("git@ssh.dev.azure.com:v3/acme/shop/web"));
        assert_ne!(of("git@github.com:ann/billing"), of("git@github.com:bin/billing"));
    }

    #[test]
    fn a_path_is_no_name() {
        for url in ["/srv/git/billing.git", "../billing", "file:///srv/x", "C:\\x", "./a:b", ""] {
            assert_eq!(of(url), None, "{url}");
        }
    }

    #[test]
    fn a_name_is_one_folder_name() {
        assert_eq!(of("https://h/../a+b/é").as_deref(), Some("h+%2e%2e+a%2bb+%c3%a9"));
        let long = of(&format!("https://h/{}", "x".repeat(400))).expect("a name");
        assert!(long.len() <= MAX_LEN, "{long}");
        let here = Project::of_folder(Some("src/app"), "/home/ann/src/app");
        assert_eq!((here.as_str(), here.short()), ("home+src+app", "app"));
        assert_eq!(Project::of_folder(None, "/srv/app").as_str(), "root+srv+app");
        assert_eq!(
            Project::of_first_commit("0123456789abcdef0123").as_str(),
            "commit+0123456789abcdef"
        );
    }

    #[test]
    fn patterns() {
        let project = Project::of_remote("git@github.com:acme/shop").expect("a name");
        for pattern in
            ["github.com/acme/*", "*/shop", "*acme*", "github.com/acme", "GitHub.com/*/shop"]
        {
            assert!(project.matches(pattern), "{pattern}");
        }
        for pattern in ["https://github.com/acme/*", "git@github.com:acme/shop.git"] {
            assert!(project.matches(pattern), "{pattern}");
        }
        let odd = Project::of_remote("https://git.sr.ht/~acme/c++").expect("a name");
        assert!(odd.matches("git.sr.ht/~acme/*") && odd.matches("*/c++"));
        for pattern in ["github.com/acm", "", "github.com/acme/shop/x", "*/shops", "gitlab.com/*"] {
            assert!(!project.matches(pattern), "{pattern}");
        }
    }
}
