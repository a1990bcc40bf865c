//! Values of frontmatter keys: a line reader for the common forms, and how values are written.
//!
//! Invariant: whatever the line reader accepts, a YAML parser reads the same way (a test checks
//! this); everything else is left to the parser.

use serde_json::Value as Json;
use std::borrow::Cow;

/// Scalars keep the text as typed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Value {
    Int(i64),
    /// Also stamps, booleans and anything else that a schema would type.
    Text(String),
    /// Only as it is written: read, it is the text `true` or `false`.
    Bool(bool),
    List(Vec<String>),
    Null,
    /// A mapping or a nested list: carried, never rewritten.
    Other,
}

impl Value {
    pub fn text(&self) -> Option<String> {
        self.as_text().map(Cow::into_owned)
    }

    /// As [`Value::text`], to look at only.
    pub fn as_text(&self) -> Option<Cow<'_, str>> {
        match self {
            Value::Int(number) => Some(number.to_string().into()),
            Value::Text(text) => Some(text.as_str().into()),
            Value::Bool(is) => Some(is.to_string().into()),
            Value::List(_) | Value::Null | Value::Other => None,
        }
    }

    /// The booleans of YAML, and the words that people write.
    pub fn truth(&self) -> Option<bool> {
        match self.as_text()?.trim().to_ascii_lowercase().as_str() {
            "true" | "yes" | "on" => Some(true),
            "false" | "no" | "off" => Some(false),
            _ => None,
        }
    }

    /// Whether [`Value::list`] can read it.
    pub fn is_list(&self) -> bool {
        *self != Value::Other
    }

    /// Also splits `a, b` in a single text, as people write tags.
    pub fn list(&self) -> Option<Vec<String>> {
        let text = match self {
            Value::List(items) => return Some(items.clone()),
            Value::Null => return Some(Vec::new()),
            Value::Other => return None,
            Value::Int(number) => number.to_string(),
            Value::Text(text) => text.clone(),
            Value::Bool(is) => is.to_string(),
        };
        let items = text.split(',').map(str::trim).filter(|item| !item.is_empty());
        Some(items.map(str::to_owned).collect())
    }

    /// The value as written after `key: `. Panics for [`Value::Other`], which is never rewritten.
    pub fn written(&self) -> String {
        match self {
            Value::Int(number) => number.to_string(),
            Value::Bool(is) => is.to_string(),
            Value::Text(text) => written_text(text, usual_scalar),
            Value::List(items) => {
                let items: Vec<String> =
                    items.iter().map(|item| written_text(item, usual_item)).collect();
                format!("[{}]", items.join(", "))
            }
            Value::Null => String::new(),
            Value::Other => unreachable!("because co never makes a value that it cannot read"),
        }
    }

    /// `007` and `1_000` are text, not numbers.
    pub(super) fn number(text: &str) -> Option<i64> {
        let digits = text.strip_prefix('-').unwrap_or(text);
        let whole = (1..18).contains(&digits.len())
            && digits.bytes().all(|byte| byte.is_ascii_digit())
            && (digits.len() == 1 || !digits.starts_with('0'));
        whole.then(|| text.parse().ok()).flatten()
    }

    pub(super) fn is_null(text: &str) -> bool {
        matches!(text, "" | "~" | "null" | "Null" | "NULL")
    }
}

fn written_text(text: &str, usual: fn(&str) -> Option<Value>) -> String {
    match usual(text) {
        Some(Value::Text(read)) if read == text && !looks_typed(text) => text.to_owned(),
        _ => Json::String(text.to_owned()).to_string(),
    }
}

/// A value on the same line as its key, if in a common form; skips a trailing comment.
pub fn usual(raw: &str) -> Option<Value> {
    let text = without_comment(raw.trim());
    if let Some(inner) = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        if inner.trim().is_empty() {
            return Some(Value::List(Vec::new()));
        }
        let plain = |item: &str| is_plain(item, &IN_ITEMS).then(|| item.to_owned());
        let items = inner.split(',').map(|item| plain(item.trim()));
        return items.collect::<Option<Vec<_>>>().map(Value::List);
    }
    if let Some(inner) = text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
        return (!inner.contains(['"', '\\', '\n', '\r'])).then(|| Value::Text(inner.to_owned()));
    }
    usual_scalar(text)
}

/// The comment after a value, with the whitespace before it.
pub(super) fn trailing_comment(raw: &str) -> &str {
    &raw[without_comment(raw).trim_end().len()..]
}

fn without_comment(text: &str) -> &str {
    if memchr::memchr(b'#', text.as_bytes()).is_none() {
        return text;
    }
    let mut quote = None;
    let mut before = ' ';
    let mut escaped = false;
    for (at, letter) in text.char_indices() {
        match quote {
            Some('"') if escaped => escaped = false,
            Some('"') if letter == '\\' => escaped = true,
            Some(open) if letter == open => quote = None,
            Some(_) => {}
            // A quote opens a string only where a string can begin, and one that ends.
            None if matches!(letter, '"' | '\'')
                && (at == 0 || "[,{: ".contains(before))
                && text[at + 1..].contains(letter) =>
            {
                quote = Some(letter);
            }
            None if letter == '#' && " \t".contains(before) && at > 0 => {
                return text[..at].trim_end();
            }
            None => {}
        }
        before = letter;
    }
    text
}

fn usual_scalar(text: &str) -> Option<Value> {
    let scalar = || match Value::number(text) {
        Some(number) => Value::Int(number),
        None if Value::is_null(text) => Value::Null,
        None => Value::Text(text.to_owned()),
    };
    is_plain(text, &IN_SCALARS).then(scalar)
}

fn usual_item(text: &str) -> Option<Value> {
    is_plain(text, &IN_ITEMS).then(|| Value::Text(text.to_owned()))
}

/// The ASCII characters of a plain scalar, and of an item of a list in brackets.
static IN_SCALARS: [bool; 128] = letters_and(b" _-./+,@=;()'!?&*%$^~<>|");
static IN_ITEMS: [bool; 128] = letters_and(b" _-./+@=;()'!?");

const fn letters_and(others: &[u8]) -> [bool; 128] {
    let mut allowed = [false; 128];
    let mut at = 0;
    while at < allowed.len() {
        allowed[at] = (at as u8).is_ascii_alphanumeric();
        at += 1;
    }
    let mut nth = 0;
    while nth < others.len() {
        allowed[others[nth] as usize] = true;
        nth += 1;
    }
    allowed
}

/// Whether a text begins with a letter or a digit, and goes on with what is allowed, with letters
/// beyond ASCII, and with colons inside.
fn is_plain(text: &str, allowed: &[bool; 128]) -> bool {
    // Hot: every value of every file goes through here.
    let bytes = text.as_bytes();
    let fits = |(at, byte): (usize, &u8)| match byte {
        b':' => bytes
            .get(at + 1)
            .is_some_and(|next| !matches!(next, b' ' | b'\t' | b',' | b'[' | b']' | b'{' | b'}')),
        _ => allowed.get(usize::from(*byte)).copied().unwrap_or(true),
    };
    let is_letter = |letter: char| letter.is_ascii() || letter.is_alphanumeric();
    text.starts_with(char::is_alphanumeric)
        && !text.ends_with(char::is_whitespace)
        && bytes.iter().enumerate().all(fits)
        && (text.is_ascii() || text.chars().all(is_letter))
}

/// Whether some YAML version reads the text as a number, a boolean or null.
fn looks_typed(text: &str) -> bool {
    let numeric = text.starts_with(|c: char| c.is_ascii_digit())
        && text.chars().all(|c| c.is_ascii_hexdigit() || "._+-xoXOeE:".contains(c))
        && !starts_with_date(text);
    let word = text.to_ascii_lowercase();
    numeric
        || matches!(
            word.as_str(),
            "null" | "true" | "false" | "yes" | "no" | "on" | "off" | "y" | "n" | "nan" | "inf"
        )
}

/// Dates look numeric but are text in the YAML core schema, and every memory has one.
fn starts_with_date(text: &str) -> bool {
    let bytes = text.as_bytes();
    let digits = |range: std::ops::Range<usize>| bytes[range].iter().all(u8::is_ascii_digit);
    bytes.len() >= 10
        && digits(0..4)
        && bytes[4] == b'-'
        && digits(5..7)
        && bytes[7] == b'-'
        && digits(8..10)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn by_yaml(raw: &str) -> Option<Value> {
        let pairs = super::super::yaml::read(&format!("key: {raw}\n")).ok()?;
        pairs.into_iter().next().map(|pair| pair.value)
    }

    #[test]
    fn usual_forms() {
        assert_eq!(usual("12"), Some(Value::Int(12)));
        assert_eq!(usual("2026-02-09T14:30:00Z"), Some(Value::Text("2026-02-09T14:30:00Z".into())));
        assert_eq!(
            usual("[python, c++] # two"),
            Some(Value::List(vec!["python".into(), "c++".into()]))
        );
        assert_eq!(usual("\"930\""), Some(Value::Text("930".into())));
        assert_eq!(usual("[]"), Some(Value::List(vec![])));
        assert_eq!(usual("yes"), Some(Value::Text("yes".into())));
        assert_eq!(usual("012"), Some(Value::Text("012".into())));
        assert_eq!(usual("[y, 1.10]"), Some(Value::List(vec!["y".into(), "1.10".into()])));
        assert_eq!(usual("a: b"), None);
        assert_eq!(usual("|"), None);
        assert_eq!(trailing_comment("12  # old"), "  # old");
        assert_eq!(trailing_comment("[a, \"c # d\"] # e"), " # e");
        assert_eq!(trailing_comment("it's # e"), " # e");
        assert_eq!(trailing_comment("the '90s # e"), " # e");
        assert_eq!(trailing_comment("a\t# e"), "\t# e");
        for raw in ["the '90s # e", "a\t# e", "[a 'b] # e"] {
            assert!(usual(raw).is_some() && by_yaml(raw) == usual(raw), "{raw}");
        }
    }

    #[test]
    fn what_a_plain_value_may_contain() {
        for letter in (1..0x2100).filter_map(char::from_u32) {
            let inside = format!("a{letter}b");
            let of_both = " _-./+@=;()'!?";
            let is_item = letter.is_alphanumeric() || letter == ':' || of_both.contains(letter);
            let is_scalar = is_item || ",&*%$^~<>|".contains(letter);
            let read = (usual_scalar(&inside).is_some(), usual_item(&inside).is_some());
            assert_eq!(read, (is_scalar, is_item), "{inside:?}");
            let begins = letter.is_alphanumeric();
            assert_eq!(usual_scalar(&format!("{letter}b")).is_some(), begins, "{letter:?}");
            let ends = is_scalar && letter != ' ' && letter != ':';
            assert_eq!(usual_scalar(&format!("b{letter}")).is_some(), ends, "{letter:?}");
        }
        for next in " \t,[]{}".chars() {
            assert_eq!(usual_scalar(&format!("a:{next}b")), None);
        }
        assert_eq!(usual_item("null"), Some(Value::Text("null".into())));
        assert_eq!(usual_item("12"), Some(Value::Text("12".into())));
        assert_eq!((usual_scalar(""), usual_item("")), (None, None));
    }

    #[test]
    fn written_values_are_quoted_where_needed() {
        assert_eq!(Value::Text("yes".into()).written(), "\"yes\"");
        assert_eq!(Value::Text("a: b".into()).written(), "\"a: b\"");
        assert_eq!(
            Value::List(vec!["a".into(), "b, c".into(), "7".into()]).written(),
            "[a, \"b, c\", \"7\"]"
        );
    }

    proptest! {
        #[test]
        fn the_line_reader_agrees_with_yaml(
            raw in r#"[ -~äß]{0,24}|[0-9xoe._:-]{1,12}|\[[a-z0-9, '#+.-]{0,16}\]|"[a-z0-9 #:']{0,12}"( #x)?"#
        ) {
            if let Some(value) = usual(&raw) {
                prop_assert_eq!(by_yaml(&raw), Some(value), "{}", raw);
            }
        }

        #[test]
        fn what_is_written_is_read_back(
            text in any::<String>(),
            items in prop::collection::vec("[ -~ä]{0,10}", 0..4),
        ) {
            let seen = |c: &char| !c.is_control() && !"\u{feff}\u{2028}\u{2029}".contains(*c);
            let clean: String = text.chars().filter(seen).collect();
            let value = Value::Text(clean);
            prop_assert_eq!(by_yaml(&value.written()), Some(value));
            let list = Value::List(items);
            prop_assert_eq!(by_yaml(&list.written()).and_then(|v| v.list()), list.list());
        }
    }
}
