//! Tests whether a remote is publicly readable, by an anonymous ls-remote.
//!
//! Invariant: asks as a stranger would: without a login, configuration or home folder of this
//! laptop. A remote that cannot be asked that way is assumed not to be public.

use super::{
    process::{self, Timeout},
    scratch, transport,
};
use crate::machine::process::Process;
use std::{path::Path, time::Duration};

/// Hosts where an ssh address has a public https counterpart.
const HOSTS: &[&str] = &["github.com", "gitlab.com", "codeberg.org", "bitbucket.org"];
/// How long the remote may be silent.
const PATIENCE: Timeout = Timeout { silence: Duration::from_secs(5), interactive: false };

/// Whether a remote lists its branches to somebody without a login.
pub fn anybody_reads(url: &str) -> bool {
    // A private folder: in a shared one, anybody's configuration would be obeyed.
    let Ok(folder) = scratch::repository(url) else { return false };
    // The name may be an alias for a folder.
    let Some(address) = open_address(&transport::real_url(folder.path(), url)) else {
        return false;
    };
    let mut asked = strange(folder.path());
    asked.args(["-c", "credential.helper=", "ls-remote", "--quiet", "--", &address]);
    process::run(asked, PATIENCE).is_ok_and(|answer| answer.ok)
}

/// git without the user's configuration.
fn strange(home: &Path) -> Process {
    let mut command = process::git(home, None);
    command.env("HOME", home).env("XDG_CONFIG_HOME", home).current_dir(home);
    command.env("GIT_CONFIG_NOSYSTEM", "1").env("GIT_CONFIG_GLOBAL", "/dev/null");
    for asks in ["GIT_ASKPASS", "SSH_ASKPASS"] {
        command.env(asks, "");
    }
    command
}

/// The URL that a stranger would use.
fn open_address(url: &str) -> Option<String> {
    if let Some((scheme @ ("http" | "https"), rest)) = url.split_once("://") {
        let host = rest.split('/').next().unwrap_or_default();
        let rest = host.rsplit_once('@').map_or(rest, |(user, _)| &rest[user.len() + 1..]);
        return Some(format!("{scheme}://{rest}"));
    }
    if url.starts_with("git://") {
        return Some(url.to_owned());
    }
    let rest = url.strip_prefix("ssh://").unwrap_or(url);
    let rest = rest.split_once('@').map_or(rest, |(_, rest)| rest);
    let known =
        |host: &&&str| rest.strip_prefix(**host).is_some_and(|path| path.starts_with([':', '/']));
    let host = HOSTS.iter().find(known)?;
    let path = rest[host.len() + 1..].trim_start_matches('/');
    Some(format!("https://{host}/{path}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_for_ssh_has_one_for_strangers_on_hosts_that_are_known() {
        let address = |url: &str| open_address(url).unwrap_or_default();
        assert_eq!(address("git@github.com:me/x.git"), "https://github.com/me/x.git");
        assert_eq!(address("ssh://git@codeberg.org/me/x.git"), "https://codeberg.org/me/x.git");
        assert_eq!(address("https://me:tok@host.example/x"), "https://host.example/x");
        assert_eq!(address("http://127.0.0.1:80/a@b/x"), "http://127.0.0.1:80/a@b/x");
        for unknown in
            ["git@host.example:me/x.git", "/srv/x.git", "file:///x", "git@github.com.evil:x"]
        {
            assert_eq!(open_address(unknown), None, "{unknown}");
        }
    }
}
