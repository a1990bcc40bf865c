//! The page: one document with its style and its script, and the policy that lets nothing else run.
//!
//! Invariant: the policy names style and script by hash; nothing is loaded from another host.

use base64::{Engine, prelude::BASE64_STANDARD};
use sha2::{Digest, Sha256};

const FRAME: &str = include_str!("page/index.html");
const STYLE: &str = include_str!("page/style.css");
/// In this order: later ones use earlier ones.
const SCRIPT: &str = concat!(
    include_str!("page/core.js"),
    include_str!("page/markdown.js"),
    include_str!("page/now.js"),
    include_str!("page/facts.js"),
    include_str!("page/fact.js"),
    include_str!("page/review.js"),
    include_str!("page/documents.js"),
    include_str!("page/context.js"),
    include_str!("page/main.js"),
);

pub struct Page {
    pub html: String,
    /// Of the header `Content-Security-Policy`.
    pub policy: String,
}

impl Page {
    /// `server` names this run of the server, so that tabs of an earlier one are told apart.
    pub fn new(server: &str) -> Page {
        let hash = |text: &str| BASE64_STANDARD.encode(Sha256::digest(text.as_bytes()));
        let policy = format!(
            "default-src 'none'; script-src 'sha256-{}'; style-src 'sha256-{}'; connect-src \
             'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
            hash(SCRIPT),
            hash(STYLE)
        );
        let html = FRAME.replace("/* server */", server);
        let html = html.replace("/* style */", STYLE).replace("/* script */", SCRIPT);
        Page { html, policy }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_comes_from_elsewhere_and_no_text_becomes_markup() {
        let page = Page::new("a-run");
        assert!(page.html.contains(STYLE) && page.html.contains(SCRIPT));
        assert!(!page.policy.contains("unsafe"));
        for way in ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval("] {
            assert!(!SCRIPT.contains(way), "{way}");
        }
        for way in ["http://", "https://", "style=", " src=", "onclick"] {
            assert!(!FRAME.contains(way), "{way}");
        }
    }
}
