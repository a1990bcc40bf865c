//! The arguments of ssh with which a person can try out the login at a remote.
//!
//! Invariant: `None` unless the URL is one for ssh whose user and host no shell would interpret; a
//! password in it is dropped.

/// What to pass to ssh.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SshLogin {
    /// `git@host`, or the host alone.
    pub login: String,
    pub host: String,
    pub port: Option<u16>,
}

impl SshLogin {
    /// From `git@host:path` or `ssh://git@host:22/path`.
    pub fn parse(url: &str) -> Option<SshLogin> {
        let schemes = ["ssh://", "git+ssh://", "ssh+git://"];
        let (user, host, port) = match schemes.iter().find_map(|scheme| url.strip_prefix(scheme)) {
            Some(rest) => {
                let place = rest.split('/').next()?;
                let (user, place) = match place.rsplit_once('@') {
                    Some((user, place)) => (user.split(':').next(), place),
                    None => (None, place),
                };
                let (host, port) = match place.rsplit_once(':') {
                    Some((host, port)) if !port.contains(']') => (host, Some(port.parse().ok()?)),
                    _ => (place, None),
                };
                (user, host.trim_matches(['[', ']']), port)
            }
            None if url.contains("://") => return None,
            None => {
                let (place, _) = url.split_once(':')?;
                let (user, host) = match place.rsplit_once('@') {
                    Some((user, host)) => (Some(user), host),
                    None => (None, place),
                };
                // A drive of Windows, or a folder with a colon in its name.
                if host.len() < 2 || host.contains(['/', '\\', '[']) {
                    return None;
                }
                (user, host, None)
            }
        };
        let user = user.filter(|user| !user.is_empty());
        let login = user.map_or_else(|| host.to_owned(), |user| format!("{user}@{host}"));
        let is_plain = |one: char| one.is_ascii_alphanumeric() || ".-_@:%+".contains(one);
        let is_sound = !host.is_empty()
            && !host.starts_with('-')
            && !login.starts_with('-')
            && login.chars().all(is_plain);
        is_sound.then(|| SshLogin { login, host: host.to_owned(), port })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_login_is_read_from_either_form_of_url() {
        let login = |url: &str| SshLogin::parse(url).map(|ssh| (ssh.login, ssh.host, ssh.port));
        let of = |login: &str, host: &str, port| Some((login.to_owned(), host.to_owned(), port));
        assert_eq!(login("git@host.org:me/x.git"), of("git@host.org", "host.org", None));
        assert_eq!(login("host.org:x.git"), of("host.org", "host.org", None));
        assert_eq!(login("ssh://me@host:2222/x"), of("me@host", "host", Some(2222)));
        assert_eq!(login("ssh://me:secret@host/x"), of("me@host", "host", None));
        assert_eq!(login("ssh://git@[::1]:22/x"), of("git@::1", "::1", Some(22)));
        assert_eq!(login("git+ssh://host/x"), of("host", "host", None));
        for other in
            ["https://host/x", "/home/me/x", "C:\\x", "./a:b", "-x:y", "ssh:///x", "$(a):b"]
        {
            assert_eq!(login(other), None, "{other}");
        }
    }
}
