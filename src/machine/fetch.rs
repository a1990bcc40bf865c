//! Fetches files from the web.
//!
//! Invariant: requests are made by `curl`, with the certificates of this machine, and only to
//! addresses that were checked before: never on this machine or its network without consent, not
//! even after a redirect. Nothing personal (`.curlrc`, cookies, logins) is sent.

use super::process::{End, Process};
use std::{
    io,
    net::{IpAddr, Ipv4Addr, Ipv6Addr, ToSocketAddrs},
};
use url::Url;

const MAX_REDIRECTS: usize = 5;
const TIMEOUT_SECONDS: &str = "30";
/// `--write-out` format: status, type and redirect of a response, on curl's standard error.
const WRITE_OUT_FORMAT: &str =
    "%{stderr}\nco-status %{http_code}\nco-type %{content_type}\nco-redirect %{redirect_url}\n";

/// Whether addresses of this machine and its network are allowed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum AddressPolicy {
    #[default]
    Public,
    /// With a person's consent.
    Anywhere,
}

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum FetchError {
    #[error("`{0}` is not an http or https URL")]
    NoUrl(String),
    #[error("{0} contains a login, so it is not saved")]
    Login(String),
    #[error("{host} is at {address}, on this machine or its local network")]
    Private { host: String, address: IpAddr },
    #[error("{0} could not be resolved: {1}")]
    Unknown(String, String),
    #[error("more than {MAX_REDIRECTS} redirects, the last to {0}")]
    Redirects(String),
    #[error("{0} answered with status {1}")]
    Status(String, String),
    #[error("it is larger than {0} MiB")]
    TooLarge(u64),
    #[error("{0}")]
    Curl(String),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fetched {
    /// The final URL after redirects, without its fragment.
    pub url: String,
    pub bytes: Vec<u8>,
    pub content_type: Option<String>,
}

/// Fetches at most `limit` bytes.
pub fn fetch(url: &str, limit: u64, reach: AddressPolicy) -> Result<Fetched, FetchError> {
    let mut url = parsed(url)?;
    for _ in 0..=MAX_REDIRECTS {
        let address = address(&url, reach)?;
        let answer = get(&url, address, limit)?;
        match answer.status {
            200..=299 => {
                url.set_fragment(None);
                let HttpResponse { bytes, content_type, .. } = answer;
                return Ok(Fetched { url: url.into(), bytes, content_type });
            }
            300..=399 if !answer.redirect.is_empty() => url = parsed(&answer.redirect)?,
            status => return Err(FetchError::Status(url.into(), status.to_string())),
        }
    }
    Err(FetchError::Redirects(url.into()))
}

fn parsed(text: &str) -> Result<Url, FetchError> {
    let url = Url::parse(text).ok().filter(|url| matches!(url.scheme(), "http" | "https"));
    // A name that curl would take for something else is not a host name.
    let is_name = |url: &Url| match url.host() {
        Some(url::Host::Domain(name)) => {
            name.starts_with(|first: char| first.is_ascii_alphanumeric())
                && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-_".contains(&byte))
        }
        Some(_) => true,
        None => false,
    };
    let url = url.filter(is_name).ok_or_else(|| FetchError::NoUrl(text.to_owned()))?;
    if url.username().is_empty() && url.password().is_none() {
        Ok(url)
    } else {
        Err(FetchError::Login(url.host_str().unwrap_or_default().to_owned()))
    }
}

/// The address to connect to: checked and then used, so that the name is not resolved twice.
fn address(url: &Url, reach: AddressPolicy) -> Result<IpAddr, FetchError> {
    let host = url.host_str().unwrap_or_default().to_owned();
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    let port = url.port_or_known_default().unwrap_or(443);
    let unknown = |error: io::Error| FetchError::Unknown(host.clone(), error.to_string());
    let addresses: Vec<IpAddr> =
        (bare, port).to_socket_addrs().map_err(unknown)?.map(|address| address.ip()).collect();
    if reach == AddressPolicy::Public
        && let Some(address) = addresses.iter().copied().find(|address| !is_public(*address))
    {
        return Err(FetchError::Private { host, address });
    }
    let first = addresses.first().copied();
    first.ok_or_else(|| FetchError::Unknown(host.clone(), "it has no address".to_owned()))
}

fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => match (address.to_ipv4_mapped(), address.segments()) {
            (Some(mapped), _) => is_public_v4(mapped),
            // NAT64 and 6to4 embed an IPv4 address.
            (None, [0x64, 0xff9b, 0, 0, 0, 0, high, low]) => is_public_v4(four(high, low)),
            (None, [0x2002, high, low, ..]) => is_public_v4(four(high, low)),
            (None, segments) => is_public_v6(address, segments[0]),
        },
    }
}

fn four(high: u16, low: u16) -> Ipv4Addr {
    let ([a, b], [c, d]) = (high.to_be_bytes(), low.to_be_bytes());
    Ipv4Addr::new(a, b, c, d)
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    let is_special = a == 0
        || a >= 240
        || (a == 100 && (64..128).contains(&b))
        || (a == 192 && b == 0 && c == 0)
        || (a == 198 && (18..20).contains(&b));
    !(is_special
        || address.is_loopback()
        || address.is_private()
        || address.is_link_local()
        || address.is_multicast()
        || address.is_broadcast()
        || address.is_documentation())
}

fn is_public_v6(address: Ipv6Addr, first: u16) -> bool {
    let [_, second, ..] = address.segments();
    // Teredo, and documentation addresses.
    let is_special = first == 0x2001 && (second == 0 || second == 0x0db8);
    first & 0xe000 == 0x2000 && !is_special
}

struct HttpResponse {
    bytes: Vec<u8>,
    status: u16,
    content_type: Option<String>,
    redirect: String,
}

/// curl without personal configuration: no `.curlrc`.
pub(crate) fn curl() -> Process {
    let mut curl = Process::new("curl");
    curl.args(["-q", "--silent", "--show-error", "--proto", "=http,https"]);
    curl
}

fn get(url: &Url, address: IpAddr, limit: u64) -> Result<HttpResponse, FetchError> {
    let failed = |error: io::Error| FetchError::Curl(format!("cannot run curl: {error}"));
    let host = url.host_str().unwrap_or_default();
    let port = url.port_or_known_default().unwrap_or(443);
    let at = if address.is_ipv6() { format!("[{address}]") } else { address.to_string() };
    let mut curl = curl();
    // A proxy would resolve the name again.
    curl.args(["--globoff", "--noproxy", "*", "--compressed"]);
    curl.args(["--max-redirs", "0", "--max-time", TIMEOUT_SECONDS, "--connect-timeout", "10"]);
    curl.args(["--max-filesize", &limit.to_string()]);
    curl.args(["--user-agent", concat!("co/", env!("CARGO_PKG_VERSION"))]);
    curl.args(["--resolve", &format!("{host}:{port}:{at}")]);
    curl.args(["--write-out", WRITE_OUT_FORMAT]);
    curl.arg("--url").arg(url.as_str());
    let output = curl.output_limit(limit).run().map_err(failed)?;
    let code = match output.end {
        End::TooMuchOutput => return Err(FetchError::TooLarge(limit / 1024 / 1024)),
        End::Exited(status) => status.and_then(|status| status.code()),
        _ => None,
    };
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let line = |key: &str| {
        let last = said.lines().rev().find_map(|line| line.strip_prefix(key));
        last.unwrap_or_default().trim().to_owned()
    };
    let (redirect, content_type) = (line("co-redirect "), line("co-type "));
    let status = line("co-status ").parse().ok();
    match (code, status) {
        (Some(0), Some(status)) => {
            let content_type = Some(content_type).filter(|kind| !kind.is_empty());
            Ok(HttpResponse { bytes: output.stdout, status, content_type, redirect })
        }
        (Some(63), _) => Err(FetchError::TooLarge(limit / 1024 / 1024)),
        _ => {
            let first =
                said.lines().find(|line| line.starts_with("curl:")).unwrap_or("curl failed");
            Err(FetchError::Curl(format!("{url}: {}", first.trim_start_matches("curl: "))))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_this_network_are_known_in_every_form() {
        let private = [
            "http://127.0.0.1/",
            "http://localhost:80/",
            "http://[::1]/",
            "http://0.0.0.0/",
            "http://10.0.0.1/",
            "http://192.168.1.1/",
            "http://169.254.169.254/latest/meta-data",
            "http://100.64.0.1/",
            "http://[::ffff:127.0.0.1]/",
            "http://[fd00::1]/",
            "http://[fe80::1]/",
            "http://2130706433/",
            "http://0x7f.1/",
            "http://017700000001/",
            "http://[64:ff9b::7f00:1]/",
            "http://[2002:7f00:1::]/",
            "http://[::127.0.0.1]/",
            "http://[2001::1]/",
            "http://255.255.255.255/",
        ];
        for url in private {
            let url = parsed(url).expect("a URL");
            assert!(
                matches!(address(&url, AddressPolicy::Public), Err(FetchError::Private { .. })),
                "{url}"
            );
            assert!(address(&url, AddressPolicy::Anywhere).is_ok(), "{url}");
        }
        assert!(
            address(&parsed("https://8.8.8.8/").expect("a URL"), AddressPolicy::Public).is_ok()
        );
        assert!(
            address(&parsed("https://[2606:4700::1111]/").expect("a URL"), AddressPolicy::Public)
                .is_ok()
        );
    }

    #[test]
    fn what_is_no_url() {
        for bad in [
            "file:///etc/passwd",
            "ftp://x.org/",
            "x.org",
            "http://",
            "javascript:x",
            "gopher://x",
            "http://+foo.invalid/",
            "http://-x/",
            "http://a{b,c}/",
        ] {
            assert!(matches!(parsed(bad), Err(FetchError::NoUrl(_))), "{bad}");
        }
        assert!(matches!(parsed("https://me:pw@x.org/"), Err(FetchError::Login(_))));
    }
}
