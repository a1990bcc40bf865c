//! Rewrites XHTML so that a parser of HTML reads it correctly.
//!
//! Invariant: the text stays the same. Otherwise, an element that is closed within its own tag
//! would swallow the text after it, and CDATA would be lost.

/// Elements that have no end tag in HTML either.
const VOID: [&str; 14] = [
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source",
    "track", "wbr",
];
/// Elements whose content is no markup.
const RAW: [&str; 2] = ["script", "style"];

/// Gives `<title/>` an end tag, and turns CDATA into text.
pub(super) fn opened(xhtml: &str) -> String {
    let mut html = String::with_capacity(xhtml.len());
    let mut rest = xhtml;
    while let Some(at) = memchr::memchr(b'<', rest.as_bytes()) {
        html.push_str(&rest[..at]);
        rest = &rest[at..];
        let length = match () {
            () if rest.starts_with("<!--") => through(rest, "-->"),
            () if rest.starts_with("<![CDATA[") => {
                let end = rest.find("]]>").unwrap_or(rest.len());
                html.push_str(&escaped(&rest["<![CDATA[".len()..end]));
                rest = &rest[(end + "]]>".len()).min(rest.len())..];
                continue;
            }
            () => tag(rest),
        };
        let (part, after) = rest.split_at(length);
        rest = after;
        let name = name(part);
        match part.strip_suffix("/>").filter(|_| !name.is_empty() && !VOID.contains(&name)) {
            Some(open) => html.push_str(&format!("{open}></{name}>")),
            None => html.push_str(part),
        }
        if RAW.contains(&name) && !part.ends_with("/>") {
            let end = rest.find(&format!("</{name}")).unwrap_or(rest.len());
            html.push_str(&rest[..end]);
            rest = &rest[end..];
        }
    }
    html.push_str(rest);
    html
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// The length up to and with an end, or of everything.
fn through(text: &str, end: &str) -> usize {
    text.find(end).map_or(text.len(), |at| at + end.len())
}

/// The length of a tag, whose quoted values may contain `>`.
fn tag(text: &str) -> usize {
    let mut quote = None;
    for (at, byte) in text.bytes().enumerate() {
        match (byte, quote) {
            (b'>', None) => return at + 1,
            (b'"' | b'\'', None) => quote = Some(byte),
            (_, Some(opening)) if byte == opening => quote = None,
            _ => {}
        }
    }
    text.len()
}

/// The name of the element that a tag begins.
fn name(tag: &str) -> &str {
    let name = tag.trim_start_matches('<');
    let is_name = |letter: char| letter.is_alphanumeric() || "-_:.".contains(letter);
    let end = name.find(|letter| !is_name(letter)).unwrap_or(name.len());
    &name[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_xml_closes_is_closed_in_html() {
        for (xhtml, html) in [
            ("<title/><p>a</p>", "<title></title><p>a</p>"),
            (
                "<script src=\"a>b\" /><p>a<br/>b</p>",
                "<script src=\"a>b\" ></script><p>a<br/>b</p>",
            ),
            ("<a id='x'/>b < c", "<a id='x'></a>b < c"),
            ("<p><![CDATA[a < b & c]]></p>", "<p>a &lt; b &amp; c</p>"),
            ("<!-- <i/> --><i/>", "<!-- <i/> --><i></i>"),
            ("<style>a <b/> c</style>d", "<style>a <b/> c</style>d"),
            ("a <", "a <"),
        ] {
            assert_eq!(opened(xhtml), html);
        }
    }
}
