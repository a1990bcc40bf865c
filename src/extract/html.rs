//! HTML as markdown.
//!
//! Invariant: what a reader does not see (scripts, styles, navigation) is not text; a link never
//! runs anything.

use super::{
    Extracted, FileFormat, html_element::attribute, html_forms, html_tables, mathml, plain, xhtml,
};
use encoding_rs::Encoding;
use htmd::{Element, HtmlToMarkdown, element_handler::Handlers};

/// What surrounds the text of a page.
const AROUND: [&str; 12] = [
    "script", "style", "nav", "noscript", "template", "iframe", "svg", "search", "datalist",
    "aside", "footer", "head",
];
/// What surrounds the text of a chapter. Its notes are asides.
const AROUND_CHAPTER: [&str; 9] =
    ["script", "style", "nav", "noscript", "template", "iframe", "svg", "datalist", "head"];

pub(super) fn is_html(bytes: &[u8], name: &str) -> bool {
    let ending = name.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase());
    if ending.is_some_and(|ending| ["html", "htm", "xhtml"].contains(&ending.as_str())) {
        return true;
    }
    let start = plain::decoded(&bytes[..bytes.len().min(1024)], None).to_ascii_lowercase();
    let start = start.trim_start_matches(['\u{feff}', ' ', '\n', '\r', '\t']);
    start.starts_with("<!doctype html") || start.starts_with("<html")
}

pub(super) fn read(bytes: &[u8], content_type: Option<&str>) -> Extracted {
    let encoding = content_type.and_then(charset_of).or_else(|| declared(bytes));
    let html = plain::decoded_as(bytes, encoding, language(bytes).as_deref());
    let is_xml = html.trim_start().starts_with("<?xml");
    let html = if is_xml { xhtml::opened(&html) } else { html };
    let missing = if is_cut_off(&html) { vec!["its end".to_owned()] } else { Vec::new() };
    let text = markdown(main_part(&html));
    Extracted { title: title(&html), missing, ..Extracted::new(FileFormat::Html, text) }
}

/// The text of a chapter of a book, as markdown.
pub(super) fn chapter(bytes: &[u8]) -> String {
    let html = plain::decoded_as(bytes, declared(bytes), language(bytes).as_deref());
    converted(&xhtml::opened(&html), &AROUND_CHAPTER)
}

/// Whether a page has a start but no end: the download stopped in the middle.
fn is_cut_off(html: &str) -> bool {
    let lower = html.to_ascii_lowercase();
    let begins = lower.contains("<html") && lower.contains("<body");
    begins && !lower.contains("</body") && !lower.contains("</html")
}

/// Returns markdown, or an empty text if the conversion fails.
pub(super) fn markdown(html: &str) -> String {
    converted(html, &AROUND)
}

fn converted(html: &str, around: &[&str]) -> String {
    let converter =
        HtmlToMarkdown::builder().skip_tags(around.to_vec()).add_handler(vec!["a"], link);
    let converter = converter.add_handler(vec!["math"], mathml::text);
    let converter = html_tables::added(converter.add_handler(vec!["img"], image));
    let html = html_forms::parted(&mathml::written_out(&as_code(html)));
    let text = html_forms::added(converter).build().convert(&html).unwrap_or_default();
    html_forms::spaced(&text)
}

/// Preformatted text is code, even where the page does not call it that.
fn as_code(html: &str) -> String {
    let lower = html.to_ascii_lowercase();
    let (mut code, mut at) = (String::with_capacity(html.len()), 0);
    while let Some(found) = lower[at..].find("<pre") {
        let open = at + found;
        let behind = open + "<pre".len();
        let is_pre =
            lower[behind..].starts_with(|next: char| next == '>' || next.is_ascii_whitespace());
        if !is_pre {
            code.push_str(&html[at..behind]);
            at = behind;
            continue;
        }
        let Some(start) = lower[behind..].find('>').map(|end| behind + end + 1) else { break };
        let Some(end) = lower[start..].find("</pre").map(|end| start + end) else { break };
        let inner = &html[start..end];
        code.push_str(&html[at..start]);
        at = end;
        if inner.trim().is_empty() || lower[start..end].contains("<code") {
            code.push_str(inner);
            continue;
        }
        // A parser drops the line end at the beginning only directly behind the tag.
        let inner = inner.strip_prefix('\r').unwrap_or(inner);
        let inner = inner.strip_prefix('\n').unwrap_or(inner);
        code.push_str(&format!("<code>{inner}</code>"));
    }
    code + &html[at..]
}

/// Whether a link has the same meaning outside the page.
fn leads_somewhere(target: &str) -> bool {
    target.contains("://") || target.starts_with("mailto:")
}

/// An image embedded in the page, or relative to it, is reduced to its description.
fn image(
    handlers: &dyn Handlers,
    element: Element,
) -> Option<htmd::element_handler::HandlerResult> {
    let value = |name: &str| {
        attribute(&element, name).map(|value| value.trim().to_owned()).unwrap_or_default()
    };
    // The picture of a formula that is there as well.
    if value("class").contains("mwe-math-fallback") {
        return Some("".into());
    }
    if leads_somewhere(&value("src")) {
        handlers.fallback(element)
    } else {
        Some(value("alt").into())
    }
}

/// Keeps a link with an absolute target; of any other, only the text.
fn link(handlers: &dyn Handlers, element: Element) -> Option<htmd::element_handler::HandlerResult> {
    let target = attribute(&element, "href").map(|target| target.trim().to_ascii_lowercase());
    let runs = |target: &String| {
        let scheme: String = target.chars().filter(|c| !c.is_whitespace()).take(12).collect();
        ["javascript:", "data:", "vbscript:"].iter().any(|bad| scheme.starts_with(bad))
    };
    match target {
        Some(target) if runs(&target) || !leads_somewhere(&target) => {
            Some(handlers.walk_children(element.node))
        }
        None => Some(handlers.walk_children(element.node)),
        Some(_) => handlers.fallback(element),
    }
}

/// The part that the page marks as its main text.
fn main_part(html: &str) -> &str {
    let lower = html.to_ascii_lowercase();
    for tag in ["main", "article"] {
        let (open, close) = (format!("<{tag}"), format!("</{tag}>"));
        if lower.matches(&open).count() != 1 {
            continue;
        }
        let (Some(start), Some(end)) = (lower.find(&open), lower.rfind(&close)) else { continue };
        if start < end {
            return &html[start..end + close.len()];
        }
    }
    html
}

pub(super) fn title(html: &str) -> Option<String> {
    let lower = html.to_ascii_lowercase();
    let start = lower.find("<title")?;
    let start = start + lower[start..].find('>')? + 1;
    let end = start + lower[start..].find("</title")?;
    // Its entities are the same as in any text.
    let text = htmd::convert(&format!("<p>{}</p>", &html[start..end])).ok()?;
    Some(text.replace('\\', ""))
}

/// The encoding that a `<meta>` or an XML declaration names.
fn declared(bytes: &[u8]) -> Option<&'static Encoding> {
    let start = String::from_utf8_lossy(&bytes[..bytes.len().min(2048)]).to_ascii_lowercase();
    charset_of(&start).or_else(|| {
        let start = start.split("encoding=").nth(1)?;
        Encoding::for_label(label(start)?.as_bytes())
    })
}

/// `en` of `<html lang="en-GB">`.
fn language(bytes: &[u8]) -> Option<String> {
    let start = String::from_utf8_lossy(&bytes[..bytes.len().min(2048)]).to_ascii_lowercase();
    let language = label(start.split(" lang=").nth(1)?)?.get(..2)?;
    language.bytes().all(|byte| byte.is_ascii_lowercase()).then(|| language.to_owned())
}

fn charset_of(text: &str) -> Option<&'static Encoding> {
    let lower = text.to_ascii_lowercase();
    let label = label(lower.split("charset=").nth(1)?)?.to_owned();
    Encoding::for_label(label.as_bytes())
}

fn label(text: &str) -> Option<&str> {
    let text = text.trim_start_matches(['"', '\'', ' ']);
    let end =
        text.find(|letter: char| !(letter.is_ascii_alphanumeric() || "-_:.".contains(letter)));
    Some(&text[..end.unwrap_or(text.len())]).filter(|label| !label.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_its_text() {
        let html = "<html><head><title>A &amp; B</title><style>p{}</style></head><body>\
            <nav>Home</nav><p><a href=\"java\nscript:x()\">click</a> <a href=\"https://x.org\">x</a></p>\
            <table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>\
            <pre><code class=\"language-py\">x = 1</code></pre></body></html>";
        let page = read(html.as_bytes(), None);
        assert_eq!(page.title.as_deref(), Some("A & B"));
        assert!(page.text.contains("click [x](https://x.org)"), "{}", page.text);
        assert!(page.text.contains("```py\nx = 1\n```"), "{}", page.text);
        assert!(page.text.contains('|') && !page.text.contains("Home"), "{}", page.text);
    }

    #[test]
    fn what_is_set_as_it_stands_is_code() {
        for (html, text) in [
            ("<pre>a  = 1\n  b</pre>", "```\na  = 1\n  b\n```"),
            ("<PRE class=x>\na  b\n</PRE>", "```\na  b\n```"),
            ("<p>x</p><pre><span>a_b</span> *c*\n# d</pre>", "x\n\n```\na_b *c*\n# d\n```"),
            ("<pre>a ``` b</pre>", "````\na ``` b\n````"),
            ("<pre>a</pre><pre><code>b</code></pre>", "```\na\n```\n\n```\nb\n```"),
            ("<pre>a &lt;b&gt;</pre>", "```\na <b>\n```"),
            ("<prefix>a</prefix>", "a"),
            ("<pre> </pre><p>a</p>", "a"),
        ] {
            assert_eq!(read(html.as_bytes(), None).text.trim(), text, "{html}");
        }
    }

    #[test]
    fn encodings_are_those_that_are_declared() {
        let page = read(b"<meta charset=iso-8859-1><p>caf\xe9</p>", None);
        assert_eq!(page.text, "café");
        assert_eq!(read(b"<p>caf\xe9</p>", Some("text/html; charset=ISO-8859-1")).text, "café");
    }
}
