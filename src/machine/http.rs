//! Requests over HTTP and TLS, made in this process.
//!
//! Invariant: certificates are checked as this system checks them; no redirect is followed, no
//! cookie is kept and nothing personal is sent. Must not know: what is asked for, and whether its
//! address is allowed.

use std::{io::Read, time::Duration};
use ureq::{
    Agent, Body, Error, Proxy,
    config::Config,
    http::Response,
    tls::{RootCerts, TlsConfig},
};

/// How long a server may take.
#[derive(Clone, Copy)]
pub(super) struct Patience {
    pub connect: Duration,
    /// From the first byte sent to the last one received.
    pub whole: Duration,
}

pub(super) fn config(patience: Patience, proxy: Option<Proxy>) -> Config {
    let tls = TlsConfig::builder().root_certs(RootCerts::PlatformVerifier).build();
    Agent::config_builder()
        .tls_config(tls)
        .proxy(proxy)
        .max_redirects(0)
        .http_status_as_error(false)
        .user_agent(concat!("co/", env!("CARGO_PKG_VERSION")))
        .timeout_resolve(Some(patience.connect))
        .timeout_connect(Some(patience.connect))
        .timeout_global(Some(patience.whole))
        .build()
}

/// The bytes of a response, unpacked; `None` if they are more than `limit`.
pub(super) fn bytes(response: Response<Body>, limit: u64) -> Result<Option<Vec<u8>>, String> {
    let body = response.into_body();
    if body.content_length().is_some_and(|length| length > limit) {
        return Ok(None);
    }
    let (mut bytes, mut reader) = (Vec::new(), body.into_reader().take(limit.saturating_add(1)));
    let read = reader.read_to_end(&mut bytes).map_err(|error| said(&Error::from(error)))?;
    Ok(u64::try_from(read).is_ok_and(|read| read <= limit).then_some(bytes))
}

/// What went wrong, for the end of a sentence that names the URL.
pub(super) fn said(error: &Error) -> String {
    match error {
        Error::Io(error) => error.to_string(),
        Error::Timeout(_) => "it did not answer in time".to_owned(),
        error => error.to_string(),
    }
}

/// The proxy that the environment names for a URL, as other programs read it. `HTTP_PROXY` in
/// capitals is not read: behind a web server, a request could set it.
pub(super) fn proxy<'a>(
    url: &str,
    variable: impl Fn(&str) -> Option<&'a str>,
) -> Result<Option<Proxy>, String> {
    let of_scheme: &[&str] =
        if url.starts_with("https:") { &["https_proxy", "HTTPS_PROXY"] } else { &["http_proxy"] };
    let mut names = of_scheme.iter().chain(&["all_proxy", "ALL_PROXY"]);
    let Some((name, named)) = names.find_map(|name| Some((name, variable(name)?))) else {
        return Ok(None);
    };
    // It may contain a password, so it is not repeated.
    let wrong = |_: Error| format!("{name} is not the URL of a proxy");
    let proxy = Proxy::new(named).map_err(wrong)?;
    let mut built = Proxy::builder(proxy.protocol()).host(proxy.host()).port(proxy.port());
    if let Some(user) = proxy.username() {
        built = built.username(user);
    }
    if let Some(password) = proxy.password() {
        built = built.password(password);
    }
    let direct = variable("no_proxy").or_else(|| variable("NO_PROXY")).unwrap_or_default();
    for host in direct.split([',', ' ']).filter(|host| !host.is_empty()) {
        // A domain stands for its hosts as well, with or without a dot before it.
        let host = host.trim_start_matches('.');
        built = built.no_proxy(host).no_proxy(&format!(".{host}"));
    }
    built.build().map(Some).map_err(wrong)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ureq::http::Uri;

    /// `host:port` of the proxy, if one is used.
    fn used(url: &str, variables: &[(&str, &'static str)]) -> Option<String> {
        let variable =
            |name: &str| variables.iter().find(|(set, _)| *set == name).map(|(_, value)| *value);
        let proxy = proxy(url, variable).expect("a proxy's URL")?;
        let url: Uri = url.parse().expect("a URL");
        (!proxy.is_no_proxy(&url)).then(|| format!("{}:{}", proxy.host(), proxy.port()))
    }

    #[test]
    fn a_proxy_is_the_one_for_the_scheme_and_host() {
        let all: &[(&str, &str)] = &[
            ("https_proxy", "http://secure:1"),
            ("http_proxy", "http://me:pw@plain:2"),
            ("HTTP_PROXY", "http://from-a-request:3"),
            ("no_proxy", "localhost, .corp.example,127.0.0.1"),
        ];
        assert_eq!(used("https://x.org/v1", all).as_deref(), Some("secure:1"));
        assert_eq!(used("http://x.org/v1", all).as_deref(), Some("plain:2"));
        for direct in [
            "http://localhost:11434/api",
            "http://127.0.0.1:11434/",
            "https://corp.example/",
            "https://a.b.corp.example/",
        ] {
            assert_eq!(used(direct, all), None, "{direct}");
        }
        assert_eq!(used("https://notcorp.example/", all).as_deref(), Some("secure:1"));
        assert_eq!(used("http://localhost/", &[("https_proxy", "http://secure:1")]), None);
        assert_eq!(used("http://x.org/", &[("HTTP_PROXY", "http://from-a-request:3")]), None);
        let rest = &[("ALL_PROXY", "socks5h://tunnel:9")];
        assert_eq!(used("http://x.org/", rest).as_deref(), Some("tunnel:9"));
        let none = &[("ALL_PROXY", "http://tunnel:9"), ("NO_PROXY", "*")];
        assert_eq!(used("http://x.org/", none), None);
    }

    #[test]
    fn a_proxy_that_is_none_is_named_without_its_password() {
        let wrong = |_: &str| Some("fakeproto://me:hunter2@proxy");
        let said = proxy("https://x.org/", wrong).expect_err("no proxy");
        assert!(said.starts_with("https_proxy is not") && !said.contains("hunter2"), "{said}");
    }
}
