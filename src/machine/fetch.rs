//! Fetches files from the web.
//!
//! Invariant: requests go only to addresses that were checked before: never on this machine or its
//! network without consent, not even after a redirect, and never through a proxy, which would look
//! the name up again. Nothing personal (cookies, logins) is sent.

use super::http::{self, Patience};
use std::{
    io,
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, ToSocketAddrs},
    time::Duration,
};
use ureq::{
    Agent,
    config::Config,
    http::Uri,
    unversioned::{
        resolver::{ResolvedSocketAddrs, Resolver},
        transport::{DefaultConnector, NextTimeout},
    },
};
use url::Url;

const MAX_REDIRECTS: usize = 5;
const PATIENCE: Patience =
    Patience { connect: Duration::from_secs(10), whole: Duration::from_secs(30) };

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
    #[error("{host} is at {address}, on this laptop or its local network")]
    Private { host: String, address: IpAddr },
    #[error("{0} could not be resolved: {1}")]
    Unknown(String, String),
    #[error("more than {MAX_REDIRECTS} redirects, the last to {0}")]
    Redirects(String),
    #[error("{0} answered with status {1}")]
    Status(String, String),
    #[error("it is larger than {0} MiB")]
    TooLarge(u64),
    #[error("{url}: {why}")]
    NoAnswer { url: String, why: String },
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
        let HttpResponse { bytes, status, content_type, location } = get(&url, address, limit)?;
        match (status, location) {
            (200..=299, _) => {
                url.set_fragment(None);
                return Ok(Fetched { url: url.into(), bytes, content_type });
            }
            (300..=399, Some(place)) => url = redirected(&url, &place)?,
            (status, _) => return Err(FetchError::Status(url.into(), status.to_string())),
        }
    }
    Err(FetchError::Redirects(url.into()))
}

/// Where a redirect leads, from the page that it stands for.
fn redirected(from: &Url, place: &str) -> Result<Url, FetchError> {
    let to = from.join(place).map_err(|_| FetchError::NoUrl(place.to_owned()))?;
    parsed(to.as_str())
}

fn parsed(text: &str) -> Result<Url, FetchError> {
    let url = Url::parse(text).ok().filter(|url| matches!(url.scheme(), "http" | "https"));
    // A name that a resolver would take for something else is not a host name.
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
fn address(url: &Url, reach: AddressPolicy) -> Result<SocketAddr, FetchError> {
    let host = url.host_str().unwrap_or_default().to_owned();
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    let port = url.port_or_known_default().unwrap_or(443);
    let unknown = |error: io::Error| FetchError::Unknown(host.clone(), error.to_string());
    let addresses: Vec<SocketAddr> = (bare, port).to_socket_addrs().map_err(unknown)?.collect();
    if reach == AddressPolicy::Public
        && let Some(address) = addresses.iter().map(SocketAddr::ip).find(|ip| !is_public(*ip))
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

/// The one address that was checked, whatever the name.
#[derive(Debug)]
struct Checked(SocketAddr);

impl Resolver for Checked {
    fn resolve(
        &self,
        _: &Uri,
        _: &Config,
        _: NextTimeout,
    ) -> Result<ResolvedSocketAddrs, ureq::Error> {
        let mut addresses = self.empty();
        addresses.push(self.0);
        Ok(addresses)
    }
}

struct HttpResponse {
    bytes: Vec<u8>,
    status: u16,
    content_type: Option<String>,
    location: Option<String>,
}

fn get(url: &Url, address: SocketAddr, limit: u64) -> Result<HttpResponse, FetchError> {
    let no_answer = |why: String| FetchError::NoAnswer { url: url.to_string(), why };
    let connector = DefaultConnector::new();
    let agent = Agent::with_parts(http::config(PATIENCE, None), connector, Checked(address));
    let got = agent.get(url.as_str()).call();
    let response = got.map_err(|error| no_answer(http::said(&error)))?;
    let header = |name: &str| {
        let value = response.headers().get(name)?;
        Some(String::from_utf8_lossy(value.as_bytes()).into_owned())
    };
    let (content_type, location) = (header("content-type"), header("location"));
    let status = response.status().as_u16();
    match http::bytes(response, limit).map_err(no_answer)? {
        Some(bytes) => Ok(HttpResponse { bytes, status, content_type, location }),
        None => Err(FetchError::TooLarge(limit / 1024 / 1024)),
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
