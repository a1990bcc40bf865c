//! One entry of a TOML table that is written within braces, in and out, as text.
//!
//! Invariant: every other byte stays, comments included; what cannot be placed is `None`, and the
//! caller decides. Must not know: what an entry means.

use toml_edit::{Document, Item};

/// The text with a first entry in the inline table `group`; `None` if that is none.
pub(super) fn with_first(text: &str, group: &str, entry: &str) -> Option<String> {
    let document = Document::parse(text).ok()?;
    let item = document.get(group)?;
    let is_empty = item.as_inline_table()?.is_empty();
    let open = item.span()?.start + 1;
    let inside = text.get(open..)?;
    let line = inside.split_inclusive('\n').next()?;
    let bare = line.trim();
    // A table of several lines: the entry gets one of its own, below the comment of the first.
    if line.ends_with('\n') && (bare.is_empty() || bare.starts_with('#')) {
        let below = &inside[line.len()..];
        let indent = &below[..below.len() - below.trim_start_matches([' ', '\t']).len()];
        let (indent, comma) = match (is_empty, indent) {
            (true, _) => ("  ", ""),
            (false, indent) => (indent, ","),
        };
        let at = open + line.len();
        return Some(format!("{}{indent}{entry}{comma}\n{}", &text[..at], &text[at..]));
    }
    let after = match (is_empty, inside.starts_with('}')) {
        (true, true) => " ",
        (true, false) => "",
        (false, _) if inside.starts_with([' ', '\t']) => ",",
        (false, _) => ", ",
    };
    Some(format!("{} {entry}{after}{inside}", &text[..open]))
}

/// The text without an entry of `group` that is written as `key = value`, and without its comma;
/// `None` if it is written otherwise.
pub(super) fn without(text: &str, group: &str, key: &str) -> Option<String> {
    let document = Document::parse(text).ok()?;
    let above = document.get(group)?;
    let (name, value) = above.as_table_like()?.get_key_value(key)?;
    let (mut start, mut end) = (name.span()?.start, value.as_value().and_then(|v| v.span())?.end);
    if above.as_inline_table().is_some() {
        let rest = &text[end..];
        let gap = rest.len() - rest.trim_start().len();
        if rest[gap..].starts_with(',') {
            end += gap + 1;
        } else if let Some(before) = text[..start].trim_end().strip_suffix(',') {
            // The last one, unless a comment above ends with that comma.
            let line = before.rsplit('\n').next().unwrap_or_default();
            if !text[before.len()..start].contains('\n') || !line.contains('#') {
                start = before.len();
            }
        }
    }
    Some(cut(text, start, end))
}

/// Cuts a part out; a line that has nothing else goes whole, and else one of the spaces beside it.
fn cut(text: &str, start: usize, end: usize) -> String {
    let line = text[..start].rfind('\n').map_or(0, |at| at + 1);
    let rest = &text[end..];
    let blank = rest.len() - rest.trim_start_matches([' ', '\t']).len();
    let is_alone = text[line..start].trim().is_empty();
    match rest[blank..].strip_prefix('\n') {
        Some(below) if is_alone => format!("{}{below}", &text[..line]),
        None if text[..start].ends_with([' ', '\t', '\n']) && !rest[blank..].starts_with('#') => {
            format!("{}{}", &text[..start], &rest[blank..])
        }
        _ => format!("{}{rest}", &text[..start]),
    }
}

/// Whether a group is written within braces.
pub(super) fn is_inline(group: Option<&Item>) -> bool {
    group.is_some_and(|item| item.as_inline_table().is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn in_and_out() {
        for (text, with) in [
            ("m = { a = { x = 1 } }\n", "m = { co = {}, a = { x = 1 } }\n"),
            ("m = {a = 1}", "m = { co = {}, a = 1}"),
            ("m = {}\n", "m = { co = {} }\n"),
            ("m = { } # none\n", "m = { co = {} } # none\n"),
            ("m = { a.x = 1, b = 2 } # c\nz = 1\n", "m = { co = {}, a.x = 1, b = 2 } # c\nz = 1\n"),
            (
                "m = {\n  # a\n  a = 1, # of a\n}\n",
                "m = {\n  co = {},\n  # a\n  a = 1, # of a\n}\n",
            ),
            ("m = { # mine\n\ta = 1\n}\n", "m = { # mine\n\tco = {},\n\ta = 1\n}\n"),
            ("m = {\n}\n", "m = {\n  co = {}\n}\n"),
        ] {
            assert_eq!(with_first(text, "m", "co = {}").as_deref(), Some(with), "{text}");
            let without = without(with, "m", "co").expect("an entry");
            let tight = |text: &str| text.replace(' ', "");
            assert_eq!(tight(&without), tight(text), "{with}");
        }
        for text in ["m = 1\n", "[m]\na = 1\n", "m.a = 1\n", "a = 1\n"] {
            assert_eq!(with_first(text, "m", "co = {}"), None, "{text}");
        }
    }

    #[test]
    fn comments_and_neighbours_stay_wherever_the_entry_was_moved() {
        for (with, expected) in [
            ("m = { a = 1, co = {} }\n", "m = { a = 1 }\n"),
            ("m = { a = \"#\", co = {} }\n", "m = { a = \"#\" }\n"),
            ("m = { a = 1, co = {}, b = 2 }\n", "m = { a = 1, b = 2 }\n"),
            (
                "m = {\n  a = 1, # one, two,\n  co = {} # c\n}\n",
                "m = {\n  a = 1, # one, two,\n   # c\n}\n",
            ),
            ("m = {\n  a = 1,\n  co = {},\n  b = 2,\n}\n", "m = {\n  a = 1,\n  b = 2,\n}\n"),
            ("[m]\n# a,\nco = { x = 1 }\nb = 2\n", "[m]\n# a,\nb = 2\n"),
        ] {
            assert_eq!(without(with, "m", "co").as_deref(), Some(expected), "{with}");
        }
    }
}
