//! Links of office documents as markdown.
//!
//! Invariant: only addresses that mean the same outside of the file become links; of any other link
//! its text stays.

/// A text with its address; the text alone if it is its own address, or leads to another part of
/// the file.
pub(super) fn linked(text: &str, address: &str) -> String {
    let (core, address) = (text.trim(), address.trim());
    let lower = address.to_ascii_lowercase();
    let leads_out = ["http://", "https://", "mailto:"].iter().any(|begin| lower.starts_with(begin));
    // A link within a link is one already.
    if !leads_out || core.is_empty() || core.contains("](") || bare(core) == bare(address) {
        return text.to_owned();
    }
    let begin = &text[..text.len() - text.trim_start().len()];
    let end = &text[text.trim_end().len()..];
    let core = core.replace('[', "\\[").replace(']', "\\]");
    let address: String = address.chars().map(escaped).collect();
    format!("{begin}[{core}]({address}){end}")
}

/// Without what people leave out of an address.
fn bare(address: &str) -> String {
    let lower = address.to_lowercase();
    let begin =
        ["mailto:", "https://", "http://"].iter().find_map(|begin| lower.strip_prefix(begin));
    begin.unwrap_or(&lower).trim_end_matches('/').to_owned()
}

fn escaped(letter: char) -> String {
    match letter {
        '(' | ')' => format!("\\{letter}"),
        '<' => "%3C".to_owned(),
        '>' => "%3E".to_owned(),
        letter if letter.is_whitespace() => "%20".to_owned(),
        letter => letter.to_string(),
    }
}

/// The address in the code of a field: `HYPERLINK "https://e.org" \l "part"`.
pub(super) fn of_field(code: &str) -> Option<String> {
    const NAME: &str = "HYPERLINK";
    let (name, rest) = code.trim_start().split_at_checked(NAME.len())?;
    if !name.eq_ignore_ascii_case(NAME) {
        return None;
    }
    let address = word(rest).filter(|word| !word.starts_with('\\'))?;
    let part = rest.split_once("\\l ").and_then(|(_, behind)| word(behind));
    Some(part.map_or_else(|| address.to_owned(), |part| format!("{address}#{part}")))
}

/// The first word, or what is in quotation marks.
fn word(text: &str) -> Option<&str> {
    let text = text.trim_start();
    match text.strip_prefix('"') {
        Some(quoted) => quoted.split('"').next(),
        None => text.split_whitespace().next(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_has_its_address() {
        for (text, address, wanted) in [
            ("the guide", "https://e.org/a?b=c", "[the guide](https://e.org/a?b=c)"),
            (" a [b] ", "http://e.org/x_(y)", " [a \\[b\\]](http://e.org/x_\\(y\\)) "),
            ("Ada", "mailto:ada@e.org", "[Ada](mailto:ada@e.org)"),
            ("ada@e.org", "mailto:ada@e.org", "ada@e.org"),
            ("https://e.org", "https://e.org/", "https://e.org"),
            ("e.org", "https://e.org", "e.org"),
            ("part", "#part", "part"),
            ("run", "javascript:x()", "run"),
            ("file", "file:///etc/passwd", "file"),
            ("a", "https://e.org/a b", "[a](https://e.org/a%20b)"),
            ("", "https://e.org", ""),
        ] {
            assert_eq!(linked(text, address), wanted, "{text} {address}");
        }
    }

    #[test]
    fn fields_that_are_links() {
        for (code, address) in [
            (" HYPERLINK \"https://e.org\" ", Some("https://e.org")),
            ("HYPERLINK https://e.org \\o \"a tip\"", Some("https://e.org")),
            (" hyperlink \"https://e.org\" \\l \"part\"", Some("https://e.org#part")),
            (" HYPERLINK \\l \"part\" \\h", None),
            (" PAGE ", None),
            ("HYPERLINK", None),
        ] {
            assert_eq!(of_field(code).as_deref(), address, "{code}");
        }
    }
}
