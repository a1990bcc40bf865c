//! XML of office documents and books.
//!
//! Invariant: a document type is skipped, so no entity of a file is ever expanded. Names are
//! compared without their namespaces, which differ between the versions of a format.

use super::{Unreadable, plain};
use roxmltree::{Document, Node};

/// Maximum nesting of elements; no person's document has more.
pub(super) const DEEPEST: usize = 200;

/// The text of a part, without its document type.
pub(super) fn text(bytes: &[u8]) -> String {
    let text = plain::decoded(bytes, None);
    let text = text.trim_start();
    match doctype(text) {
        Some((from, to)) => format!("{}{}", &text[..from], &text[to..]),
        None => text.to_owned(),
    }
}

pub(super) fn parsed<'a>(xml: &'a str, format: &'static str) -> Result<Document<'a>, Unreadable> {
    Document::parse(xml).map_err(|error| Unreadable::Broken(format, error.to_string()))
}

/// The name of the first element of a text without a document type.
pub(super) fn root(text: &str) -> Option<&str> {
    let is_blank = |letter: char| letter.is_whitespace() || letter == '\u{feff}';
    let mut rest = text.trim_start_matches(is_blank);
    while let Some(length) = aside(rest) {
        rest = rest[length..].trim_start();
    }
    let ends = |letter: char| letter.is_whitespace() || "/>".contains(letter);
    let name = rest.strip_prefix('<')?.split(ends).next()?;
    Some(name.rsplit_once(':').map_or(name, |(_, name)| name))
}

/// Where the document type begins and ends, which is before the first element.
fn doctype(text: &str) -> Option<(usize, usize)> {
    let mut at = 0;
    loop {
        at += text[at..].find('<')?;
        let rest = &text[at..];
        if rest.starts_with("<!DOCTYPE") {
            return Some((at, at + length(rest)?));
        }
        at += aside(rest)?;
    }
}

/// The length of the comment or instruction that a text begins with.
fn aside(text: &str) -> Option<usize> {
    let end = match () {
        () if text.starts_with("<!--") => "-->",
        () if text.starts_with("<?") => "?>",
        () => return None,
    };
    Some(text.find(end)? + end.len())
}

/// The length of the document type that a text begins with: declarations within `[` and `]`, quoted
/// texts and comments may contain `>`.
fn length(text: &str) -> Option<usize> {
    let (mut at, mut is_within) = (1, false);
    loop {
        at += text[at..].find(['"', '\'', '[', ']', '<', '>'])?;
        let rest = &text[at..];
        at += match rest.as_bytes()[0] {
            b'>' if !is_within => return Some(at + 1),
            quote @ (b'"' | b'\'') => rest[1..].find(char::from(quote))? + 2,
            b'<' => aside(rest).unwrap_or(1),
            b'[' => {
                is_within = true;
                1
            }
            b']' => {
                is_within = false;
                1
            }
            _ => 1,
        };
    }
}

/// The elements directly within an element.
pub(super) fn children<'a, 'b>(node: Node<'a, 'b>) -> impl Iterator<Item = Node<'a, 'b>> {
    node.children().filter(Node::is_element)
}

/// The first element of a name directly within an element.
pub(super) fn child<'a, 'b>(node: Node<'a, 'b>, name: &str) -> Option<Node<'a, 'b>> {
    children(node).find(|child| child.tag_name().name() == name)
}

/// The first element of a name at any depth.
pub(super) fn first<'a, 'b>(node: Node<'a, 'b>, name: &str) -> Option<Node<'a, 'b>> {
    node.descendants().find(|node| node.tag_name().name() == name)
}

pub(super) fn attribute<'a>(node: Node<'a, '_>, name: &str) -> Option<&'a str> {
    node.attributes().find(|attribute| attribute.name() == name).map(|attribute| attribute.value())
}

/// The relation that an element refers to: `r:id`, as distinct from its own `id`.
pub(super) fn relation<'a>(node: Node<'a, '_>) -> Option<&'a str> {
    let is_relation = |namespace: Option<&str>| {
        namespace.is_some_and(|namespace| namespace.ends_with("/relationships"))
    };
    let mut attributes = node.attributes();
    let found = attributes.find(|one| one.name() == "id" && is_relation(one.namespace()));
    found.map(|attribute| attribute.value())
}

/// The text directly within an element. A comment may divide it.
pub(super) fn own_text(node: Node<'_, '_>) -> String {
    node.children().filter(Node::is_text).filter_map(|part| part.text()).collect()
}

/// Whether any of the elements of a name has letters.
pub(super) fn has_letters(node: Node<'_, '_>, name: &str) -> bool {
    let mut named = node.descendants().filter(|node| node.tag_name().name() == name);
    named.any(|node| own_text(node).chars().any(char::is_alphabetic))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_type_is_skipped_with_its_entities() {
        for before in [
            "<!DOCTYPE a>",
            "<?xml version='1.0'?>\n<!-- <!DOCTYPE x> -->\n<!DOCTYPE a SYSTEM \"a>b.dtd\">",
            "<!DOCTYPE a PUBLIC '-//x' 'y' [ <!-- it's > ]> --> <!ENTITY b \"]>\"> ]>",
            "  <!DOCTYPE a [<!ELEMENT a (#PCDATA)>]>",
        ] {
            let xml = text(format!("{before}<a>text <!-- b -->of it</a>").as_bytes());
            let document = parsed(&xml, "XML").expect("XML");
            assert_eq!(own_text(document.root_element()), "text of it", "{before}");
        }
        let bomb = text(b"<!DOCTYPE a [<!ENTITY b \"bbbb\"><!ENTITY c \"&b;&b;\">]><a>&c;</a>");
        assert!(parsed(&bomb, "XML").is_err());
        let whole = "<a><![CDATA[<!DOCTYPE a>]]></a>";
        assert_eq!(text(whole.as_bytes()), whole);
        assert_eq!(text(b"<!DOCTYPE a [ <"), "<!DOCTYPE a [ <");
    }
}
