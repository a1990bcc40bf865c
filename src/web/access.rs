//! Who is let in: the key of the address, the token that it is exchanged for, and the checks that
//! keep other sites out.
//!
//! Invariant: pure but for the time that is passed in. A key works once, within [`KEY_LIFE`];
//! without the token no call is answered. The token is no cookie: a browser sends cookies of
//! 127.0.0.1 to every port of it, so that any other local server would be given it. A request that
//! another site could have caused (a foreign `Host`, `Origin` or `Sec-Fetch-Site`) is refused
//! before its token is looked at.

use crate::identity::ContentHash;
use hyper::{HeaderMap, Method, header};
use std::{
    sync::{Mutex, PoisonError},
    time::Duration,
};

const KEY_LIFE: Duration = Duration::from_secs(60);

/// Why a request is refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Denied {
    /// The name of another server: DNS rebinding.
    Host,
    /// Another site sent it.
    Origin,
    Method,
    /// A form of another site could send it without asking.
    Type,
    /// A key that was used, is too old, or was never given out.
    Key,
    /// No token, or a wrong one.
    Token,
}

pub struct Door {
    port: u16,
    key: Mutex<Option<String>>,
    token: String,
}

impl Door {
    pub fn new(port: u16, key: String, token: String) -> Door {
        Door { port, key: Mutex::new(Some(key)), token }
    }

    /// The key is in the fragment, which a browser keeps to itself: it is in no request and no log.
    pub fn address(&self) -> String {
        let key = self.key.lock().unwrap_or_else(PoisonError::into_inner);
        format!("http://{}/#key={}", self.host(), key.as_deref().unwrap_or_default())
    }

    fn host(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    /// Refuses a request under another name than this server's.
    pub fn named(&self, headers: &HeaderMap) -> Result<(), Denied> {
        let is_single = headers.get_all(header::HOST).iter().count() == 1;
        let is_own = text(headers, "host") == Some(&self.host());
        if is_single && is_own { Ok(()) } else { Err(Denied::Host) }
    }

    /// Refuses a call that is not JSON posted by the page itself.
    pub fn call(&self, method: &Method, headers: &HeaderMap) -> Result<(), Denied> {
        if method != Method::POST {
            return Err(Denied::Method);
        }
        if text(headers, "origin") != Some(&format!("http://{}", self.host())) {
            return Err(Denied::Origin);
        }
        if text(headers, "sec-fetch-site").is_some_and(|site| site != "same-origin") {
            return Err(Denied::Origin);
        }
        if text(headers, "content-type") != Some("application/json") {
            return Err(Denied::Type);
        }
        Ok(())
    }

    /// Refuses a call without the token.
    pub fn authorized(&self, headers: &HeaderMap) -> Result<(), Denied> {
        let given = text(headers, "authorization").and_then(|value| value.strip_prefix("Bearer "));
        if given.is_some_and(|given| is_same(given, &self.token)) {
            Ok(())
        } else {
            Err(Denied::Token)
        }
    }

    /// The token for the key, which then no longer works. `age` is that of the server.
    pub fn exchange(&self, given: &str, age: Duration) -> Result<String, Denied> {
        let mut key = self.key.lock().unwrap_or_else(PoisonError::into_inner);
        if age > KEY_LIFE || !key.as_ref().is_some_and(|key| is_same(key, given)) {
            return Err(Denied::Key);
        }
        *key = None;
        Ok(self.token.clone())
    }
}

fn text<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name).map(|value| value.to_str().unwrap_or("?"))
}

/// Compares hashes, so that it takes no longer for a better guess.
fn is_same(one: &str, other: &str) -> bool {
    ContentHash::of_bytes(one.as_bytes()) == ContentHash::of_bytes(other.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use hyper::header::HeaderValue;

    const SOON: Duration = Duration::from_secs(1);

    fn door() -> Door {
        Door::new(4711, "the-key".into(), "the-token".into())
    }

    fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for (name, value) in pairs {
            headers.append(*name, HeaderValue::from_str(value).expect("a value"));
        }
        headers
    }

    #[test]
    fn a_key_works_once_and_for_a_minute() {
        let door = door();
        assert_eq!(door.address(), "http://127.0.0.1:4711/#key=the-key");
        assert_eq!(door.exchange("other", SOON), Err(Denied::Key));
        assert_eq!(door.exchange("", SOON), Err(Denied::Key));
        assert_eq!(door.exchange("the-key", KEY_LIFE + SOON), Err(Denied::Key));
        assert_eq!(door.exchange("the-key", SOON), Ok("the-token".into()));
        assert_eq!(door.exchange("the-key", SOON), Err(Denied::Key));
        assert_eq!(door.exchange("", SOON), Err(Denied::Key));
    }

    #[test]
    fn other_names_are_refused() {
        let door = door();
        let own = ("host", "127.0.0.1:4711");
        assert_eq!(door.named(&headers(&[own])), Ok(()));
        for host in ["localhost:4711", "evil.example:4711", "127.0.0.1", "127.0.0.1:4712"] {
            assert_eq!(door.named(&headers(&[("host", host)])), Err(Denied::Host), "{host}");
        }
        assert_eq!(door.named(&headers(&[])), Err(Denied::Host));
        assert_eq!(door.named(&headers(&[own, ("host", "x")])), Err(Denied::Host));
    }

    #[test]
    fn a_call_is_json_from_the_page_itself() {
        let door = door();
        let origin = ("origin", "http://127.0.0.1:4711");
        let kind = ("content-type", "application/json");
        let call = |pairs: &[_]| door.call(&Method::POST, &headers(pairs));
        assert_eq!(call(&[origin, kind]), Ok(()));
        assert_eq!(call(&[origin, kind, ("sec-fetch-site", "same-origin")]), Ok(()));
        assert_eq!(call(&[kind]), Err(Denied::Origin));
        for other in ["null", "http://evil.example", "https://127.0.0.1:4711", "http://127.0.0.1"] {
            assert_eq!(call(&[("origin", other), kind]), Err(Denied::Origin), "{other}");
        }
        for site in ["cross-site", "same-site", "none"] {
            let sent = [origin, kind, ("sec-fetch-site", site)];
            assert_eq!(call(&sent), Err(Denied::Origin), "{site}");
        }
        assert_eq!(call(&[origin, ("content-type", "text/plain")]), Err(Denied::Type));
        let get = door.call(&Method::GET, &headers(&[origin, kind]));
        assert_eq!(get, Err(Denied::Method));
    }

    #[test]
    fn a_token_is_given_whole() {
        let door = door();
        let given = |value| door.authorized(&headers(&[("authorization", value)]));
        assert_eq!(given("Bearer the-token"), Ok(()));
        for wrong in ["Bearer the-toke", "Bearer the-token2", "the-token", "Basic the-token", ""] {
            assert_eq!(given(wrong), Err(Denied::Token), "{wrong}");
        }
        let cookie = headers(&[("cookie", "token=the-token")]);
        assert_eq!(door.authorized(&cookie), Err(Denied::Token));
    }
}
