//! Values that documentation shows to everybody: they are let through, and named.
//!
//! Invariant: a sample is known by its whole text, never by how random it looks. Must not know: the
//! rules, or the caller.

use super::finder::Finder;
use std::{cmp::Reverse, ops::Range, sync::LazyLock};

/// Values from documentation that everybody copies. `¦` as in the rules.
const DOCUMENTED: &[&str] = &[
    "wJalrXUtnFEMI/K7MDENG/¦bPxRfiCYEXAMPLEKEY",
    "16C7e42F292c69¦12E7710c838347Ae178B4a",
    "16C7e42F292c69¦C2E7C10c838347Ae178B4a",
    "1B4a2e77838347a7E420ce178F2E7c6912E16924¦6c34E1ccbF66C46812d16D5B1A9Dc86A1498",
    "4eC39HqLyjWDarj¦tT1zdp7dc",
    "BQokikJOvBiI2Hl¦WgH4olfQ2",
    "26PHem9AhJZvU62¦3DfE1x4sd",
    "SflKxwRJSMeKKF2QT4fwpMeJf36POk6y¦JV_adQssw5c",
    "DaGmWKa4JsXZ-HjGw7ISLn_3¦namBGewQe",
    "D-9tSrke72PouQMnMX-a7eZS¦W0jkFMBWY",
    "17653672481-19874698323-¦pdFZKVeTuE8sk7oOcBrzbqgy",
    "1928471-qemwiiwglagjacakv¦qbvbfkmvbsvsuzn",
    "MTk4NjIyNDgzNDcxOTI1MjQ4.¦Cl2FMQ.ZnCjm1XVW7vRze4b7Cq4se7kKWs",
    "110201543:AAHdqTcvCH1vGWJxfSeof¦SAs0K5PALDsaw",
    "4839574812:AAFD39kkdpWt3ywyRZer¦gyOLMaJhac60qcK",
    "2YotnFZFEjr¦1zCsicMWpAA",
    "tGzv3JOkF0X¦G5Qx2TlKWIA",
    "QWxhZGRpbjpv¦cGVuIHNlc2FtZQ==",
    "QWxhZGRpbjpv¦cGVuc2VzYW1l",
    "JBSWY3DP¦EHPK3PXP",
    "ngeVfQFYQlKU0ufo8x5d1A.¦TwL2iGABf9DHoTf-09kqeF8tAmbihYzrnopKc-1s5cr",
    "94wBhPGp6KrrTH3KDch¦hKpRxZwd6dmHWLL",
    "HOruNAb7SOiCdshU7alg¦krq7FDsNSLAa_55e2f8be",
    "N7UND0UgjKTVK-Uodkm0¦Hg_xSvEMPvz",
    "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6¦IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==",
    "C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2n¦Q9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw==",
];

/// How AWS ends the identifiers of keys in its documentation.
const EXAMPLE: &str = "EXAMPLE";
const AWS: &[&str] = &["AKIA", "ASIA", "ABIA", "ACCA"];

/// The documented values and `EXAMPLE`.
static FINDER: LazyLock<Finder<String>> = LazyLock::new(|| {
    let known = DOCUMENTED.iter().map(|known| known.replace('¦', ""));
    Finder::new(known.chain([EXAMPLE.to_owned()]).collect())
});

/// A sample in a text that was let through.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize)]
pub struct Sample {
    /// From 1.
    pub line: usize,
    /// Its start.
    pub excerpt: String,
}

pub(super) fn is_documented(secret: &[u8]) -> bool {
    DOCUMENTED
        .iter()
        .any(|known| memchr::memmem::find(secret, known.replace('¦', "").as_bytes()).is_some())
}

/// The samples in `after` that are not in `before`, each once.
pub fn new_samples(before: &[u8], after: &[u8]) -> Vec<Sample> {
    let known = samples(before);
    let mut new: Vec<Sample> = Vec::new();
    for sample in samples(after) {
        if !known.iter().chain(&new).any(|other| other.excerpt == sample.excerpt) {
            new.push(sample);
        }
    }
    new
}

fn samples(text: &[u8]) -> Vec<Sample> {
    let (mut line, mut counted) = (1, 0);
    let mut found = Vec::new();
    for (part, known) in known_parts(text) {
        let token = token(text, part.clone());
        if known == EXAMPLE.as_bytes() && !is_of_aws(&text[token.clone()]) {
            continue;
        }
        line += memchr::memchr_iter(b'\n', &text[counted..part.start]).count();
        counted = part.start;
        found.push(Sample { line, excerpt: excerpt(&text[token]) });
    }
    found
}

/// Where something known is, in order, without overlaps; of what begins in one place, the longest.
fn known_parts(text: &[u8]) -> Vec<(Range<usize>, &'static [u8])> {
    let mut found: Vec<(Range<usize>, &'static [u8])> = Vec::new();
    FINDER.each(text, |number, start| {
        let known = FINDER.needle(number);
        found.push((start..start + known.len(), known));
    });
    found.sort_by_key(|(part, _)| (part.start, Reverse(part.end)));
    let mut end = 0;
    found.retain(|(part, _)| {
        let is_free = part.start >= end;
        if is_free {
            end = part.end;
        }
        is_free
    });
    found
}

/// The token around a part of it.
fn token(text: &[u8], part: Range<usize>) -> Range<usize> {
    let belongs = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    let before = text[..part.start].iter().rev().take_while(belongs).count();
    let after = text[part.end..].iter().take_while(belongs).count();
    part.start - before..part.end + after
}

fn is_of_aws(token: &[u8]) -> bool {
    token.len() == 20
        && token.ends_with(EXAMPLE.as_bytes())
        && AWS.iter().any(|head| token.starts_with(head.as_bytes()))
        && token.iter().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit())
}

fn excerpt(token: &[u8]) -> String {
    const SHOWN: usize = 12;
    let text = String::from_utf8_lossy(&token[..token.len().min(SHOWN)]);
    if token.len() > SHOWN { format!("{text}…") } else { text.into_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_documentation_shows_is_named_with_its_line() {
        let sample = |line, excerpt: &str| Sample { line, excerpt: excerpt.to_owned() };
        let text = b"id AKIAIOSFODNN7EXAMPLE.\nkey=wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY\n\
            sk_test_4eC39HqLyjWDarjtT1zdp7dc twice sk_test_4eC39HqLyjWDarjtT1zdp7dc";
        let found = new_samples(b"", text);
        let all = [
            sample(1, "AKIAIOSFODNN\u{2026}"),
            sample(2, "wJalrXUtnFEM\u{2026}"),
            sample(3, "sk_test_4eC3\u{2026}"),
        ];
        assert_eq!(found, all);
        assert_eq!(new_samples(text, text), []);
        for text in ["EXAMPLE", "AKIAEXAMPLE", "an EXAMPLE of AKIA", "ghp_xxxxxxxx", ""] {
            assert_eq!(new_samples(b"", text.as_bytes()), [], "{text}");
        }
    }
}
