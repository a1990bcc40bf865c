//! The `- Key: value` items of a profile, one at a time: read, set, removed.
//!
//! Invariant: every other line keeps its bytes and its place, and what is set is read back as it
//! was given. Must not know: what a key means.

use super::blocks::{self, Block, Shape};

/// A field of a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Field {
    pub key: String,
    pub value: String,
}

/// Why a text cannot be a field.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoField {
    Key,
    Value,
}

fn field_of(block: &Block) -> Option<Field> {
    let key = block.field_key()?.trim_matches('*').to_owned();
    let (_, value) = block.bare.split_once(':')?;
    Some(Field { key, value: value.trim().to_owned() })
}

/// All fields, in their order.
pub fn all(body: &str) -> Vec<Field> {
    blocks::read(body).iter().filter_map(field_of).collect()
}

/// The item with this key and value.
fn item(key: &str, value: &str) -> Result<String, NoField> {
    let read_back = |text: &str| match blocks::read(text).as_slice() {
        [one] => field_of(one),
        _ => None,
    };
    let any = Field { key: key.to_owned(), value: "x".to_owned() };
    if read_back(&format!("- {key}: x")) != Some(any) {
        return Err(NoField::Key);
    }
    let text = format!("- {key}: {value}");
    let wanted = Field { key: key.to_owned(), value: value.to_owned() };
    if value.is_empty() || read_back(&text) != Some(wanted) {
        return Err(NoField::Value);
    }
    Ok(text)
}

/// The text with this field, in the place of the one that `is_it` names, or else behind the first
/// fields.
pub fn set(
    body: &str,
    (key, value): (&str, &str),
    is_it: impl Fn(&str) -> bool,
) -> Result<String, NoField> {
    let new = item(key, value)?;
    let mut blocks = blocks::read(body);
    let named = |block: &Block| field_of(block).is_some_and(|field| is_it(&field.key));
    match blocks.iter().position(named) {
        Some(at) => {
            let head = blocks[at].text.split_once(':').map(|(head, _)| head.to_owned());
            blocks[at].text = format!("{}: {value}", head.unwrap_or_default());
        }
        None => {
            let at = place(&blocks);
            let under = at.checked_sub(1).map(|before| blocks[before].under.clone());
            let follows_item = at > 0 && blocks[at - 1].shape == Shape::Item;
            let block = Block {
                under: under.unwrap_or_default(),
                shape: Shape::Item,
                bare: new.clone(),
                text: new,
                gap: String::new(),
                follows_item,
            };
            blocks.insert(at, block);
        }
    }
    Ok(written(&blocks, body))
}

/// Behind the first run of fields; without any, behind the heading at the top, if there is one.
fn place(blocks: &[Block]) -> usize {
    match blocks.iter().position(|block| block.field_key().is_some()) {
        Some(first) => {
            let run = blocks[first..].iter().take_while(|block| block.field_key().is_some());
            first + run.count()
        }
        None => usize::from(blocks.first().is_some_and(|first| first.shape == Shape::Heading)),
    }
}

/// The text without the field that `is_it` names; `None` if it has none.
pub fn without(body: &str, is_it: impl Fn(&str) -> bool) -> Option<String> {
    let mut blocks = blocks::read(body);
    let named = |block: &Block| field_of(block).is_some_and(|field| is_it(&field.key));
    let at = blocks.iter().position(named)?;
    blocks.remove(at);
    Some(written(&blocks, body))
}

/// With the line endings of the text before.
fn written(blocks: &[Block], before: &str) -> String {
    let text = blocks::write(blocks);
    if before.contains("\r\n") { text.replace('\n', "\r\n") } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set_in(body: &str, key: &str, value: &str) -> String {
        set(body, (key, value), |one| one.eq_ignore_ascii_case(key)).expect("a field")
    }

    #[test]
    fn a_field_is_set_in_its_place_and_everything_else_stays() {
        for (body, after) in [
            ("\n# Profile\n\n- Name: Ada\n", "\n# Profile\n\n- Name: Ada\n- Editor: vim\n"),
            ("\n# Profile\n", "\n# Profile\n\n- Editor: vim\n"),
            ("", "\n- Editor: vim\n"),
            ("\n- Editor: nano\n- Name: Ada\n", "\n- Editor: vim\n- Name: Ada\n"),
            ("\n* **editor**: nano\n\nText.\n", "\n* **editor**: vim\n\nText.\n"),
            (
                "\n# P\n\n- A: 1\n\n## More\n\n- B: 2\n",
                "\n# P\n\n- A: 1\n- Editor: vim\n\n## More\n\n- B: 2\n",
            ),
            (
                "\n# P\n\nText.\n\n- A: 1\n- loose\n",
                "\n# P\n\nText.\n\n- A: 1\n- Editor: vim\n- loose\n",
            ),
            ("\r\n# P\r\n\r\n- A: 1\r\n", "\r\n# P\r\n\r\n- A: 1\r\n- Editor: vim\r\n"),
        ] {
            assert_eq!(set_in(body, "Editor", "vim"), after, "{body:?}");
        }
    }

    #[test]
    fn a_field_is_removed_alone() {
        let is_b = |key: &str| key == "B";
        assert_eq!(
            without("\n- A: 1\n- B: 2\n- C: 3\n", is_b).as_deref(),
            Some("\n- A: 1\n- C: 3\n")
        );
        assert_eq!(without("\n# P\n\n- B: 2\n", is_b).as_deref(), Some("\n# P\n"));
        assert_eq!(without("\n- A: B: 2\n\nB: 3\n", is_b), None);
    }

    #[test]
    fn what_would_not_be_read_back_is_no_field() {
        fn set_in_none(key: &str, value: &str) -> Result<String, NoField> {
            set("", (key, value), |one| one == key)
        }
        for key in ["", "a: b", "`x`", "a\nb", " a", "[a]", &"x".repeat(41)] {
            assert_eq!(set_in_none(key, "1"), Err(NoField::Key), "{key:?}");
        }
        for value in ["", "a\nb", " a", "a\n\n# b"] {
            assert_eq!(set_in_none("Key", value), Err(NoField::Value), "{value:?}");
        }
        for value in ["a: b", "- x", "# 1", "`vim`", "日本", "https://a.example/?b=c"] {
            let body = set_in_none("Key", value).expect("a field");
            assert_eq!(all(&body), [Field { key: "Key".into(), value: value.into() }]);
        }
    }
}
