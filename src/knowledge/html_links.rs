//! Links in the HTML of a markdown text: `<img src="…">`, `<a href="…">`.
//!
//! Invariant: a comment, a script or a style contains no link. A value with entities (`&amp;`) is
//! left alone, since it does not say its path letter for letter.

use super::names::LinkUse;
use std::ops::Range;

/// Attributes whose value may be a file.
const LINKS: &[(&str, &[&str])] = &[
    ("a", &["href"]),
    ("audio", &["src"]),
    ("embed", &["src"]),
    ("img", &["src"]),
    ("source", &["src"]),
    ("track", &["src"]),
    ("video", &["src", "poster"]),
];
/// Elements whose content is not HTML.
const RAW: &[&str] = &["script", "style", "textarea"];

/// The positions of the targets, in order. Only `<a>` leads away from the page.
pub(super) fn targets(html: &str) -> Vec<(Range<usize>, LinkUse)> {
    let (mut found, mut at) = (Vec::new(), 0);
    while let Some(next) = html[at..].find('<') {
        at += next + 1;
        let rest = &html[at..];
        if let Some(comment) = rest.strip_prefix("!--") {
            let Some(length) = comment.find("-->") else { break };
            at += length + "!---->".len();
            continue;
        }
        let length = rest.find(|letter: char| !letter.is_ascii_alphanumeric());
        let name = rest[..length.unwrap_or(rest.len())].to_ascii_lowercase();
        if name.is_empty() {
            continue;
        }
        let (attributes, end) = attributes(html, at + name.len());
        let links = LINKS.iter().find(|(known, _)| *known == name).map_or(&[][..], |(_, of)| *of);
        let is_link = |name: &str| links.iter().any(|link| name.eq_ignore_ascii_case(link));
        let values = attributes.into_iter().filter(|(name, _)| is_link(name));
        let purpose = if name == "a" { LinkUse::Opened } else { LinkUse::Shown };
        let of_tag = values.filter_map(|(_, value)| target(html, value));
        found.extend(of_tag.map(|range| (range, purpose)));
        at = end;
        if RAW.contains(&name.as_str()) {
            let rest = html[at..].to_ascii_lowercase();
            let Some(length) = rest.find(&format!("</{name}")) else { break };
            at += length;
        }
    }
    found
}

/// A value without the blanks around it.
fn target(html: &str, value: Range<usize>) -> Option<Range<usize>> {
    let text = &html[value.clone()];
    let start = value.start + (text.len() - text.trim_start().len());
    let text = text.trim();
    let is_plain = !text.is_empty() && !text.contains(['&', '\n', '<', '>']);
    is_plain.then(|| start..start + text.len())
}

/// The attributes of a tag, with the positions of their values, and where the tag ends. `at` is
/// the end of the tag's name.
fn attributes(html: &str, mut at: usize) -> (Vec<(&str, Range<usize>)>, usize) {
    let mut found = Vec::new();
    loop {
        at = after(html, at, |letter| letter.is_whitespace() || letter == '/' || letter == '=');
        let end = after(html, at, |letter| !letter.is_whitespace() && !"/>=".contains(letter));
        let name = &html[at..end];
        if name.is_empty() {
            return (found, at);
        }
        let equals = after(html, end, char::is_whitespace);
        if !html[equals..].starts_with('=') {
            at = end;
            continue;
        }
        let start = after(html, equals + 1, char::is_whitespace);
        let quote = html[start..].chars().next().filter(|letter| matches!(letter, '"' | '\''));
        let value = match quote {
            Some(quote) => {
                let Some(length) = html[start + 1..].find(quote) else {
                    return (found, html.len());
                };
                start + 1..start + 1 + length
            }
            None => start..after(html, start, |letter| !letter.is_whitespace() && letter != '>'),
        };
        at = value.end + quote.map_or(0, char::len_utf8);
        found.push((name, value));
    }
}

/// Where the letters of a kind end that begin at a place.
fn after(html: &str, at: usize, is_of_kind: fn(char) -> bool) -> usize {
    html[at..].find(|letter| !is_of_kind(letter)).map_or(html.len(), |length| at + length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_are_in_the_attributes_of_whole_tags() {
        for (html, found) in [
            ("<img src=\"a.png\">", &["a.png"][..]),
            ("<IMG alt='x > y' SRC = ' b c.png ' />", &["b c.png"]),
            ("<img src=a.png/>", &["a.png/"]),
            ("<img width=9 src=a.png>", &["a.png"]),
            ("<a\n  href=\"x.md#y\"\n>x</a> <a name=\"z\">", &["x.md#y"]),
            ("<video poster=\"p.png\" controls><source src='v.mp4'></video>", &["p.png", "v.mp4"]),
            (
                "<audio src=\"s.ogg\"><track src=s.vtt></audio><embed src=e.pdf>",
                &["s.ogg", "s.vtt", "e.pdf"],
            ),
            ("<!-- <img src=\"a.png\"> --><img src=\"b.png\">", &["b.png"]),
            ("<script>x = '<img src=\"a.png\">'</script><img src=b.png>", &["b.png"]),
            ("<img data-src=\"a.png\" alt=\"src='b.png'\">", &[]),
            ("<div src=\"a.png\"></a href=\"b\"><link href=\"c.css\">", &[]),
            ("<img src=\"\"> <img src> <img src=\"a&amp;b.png\"> 1 < 2", &[]),
            ("<img src=\"a.png", &[]),
            ("<img src=", &[]),
            ("<!-- <img src=a.png>", &[]),
            ("<ä <img alt='ü' src='ö.png'>", &["ö.png"]),
        ] {
            let targets: Vec<&str> =
                targets(html).into_iter().map(|(range, _)| &html[range]).collect();
            assert_eq!(targets, found, "{html}");
        }
    }

    proptest::proptest! {
        #[test]
        fn no_text_is_a_panic(html in "[<>/='\"! aimgsrcö-]{0,60}") {
            for (range, _) in targets(&html) {
                assert!(!html[range].is_empty());
            }
        }
    }
}
