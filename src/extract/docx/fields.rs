//! What the controls of a form in a DOCX show: the chosen entry of a list, the state of a checkbox.
//!
//! Invariant: a control that the file says nothing about shows nothing.

use crate::extract::xml::{attribute, child, children};
use roxmltree::Node;

/// What a content control shows that is a checkbox in letters that only its font knows.
pub(super) fn checkbox(control: Node<'_, '_>, letters: &str) -> Option<&'static str> {
    let checkbox = child(child(control, "sdtPr")?, "checkbox")?;
    let is_shown = !letters.chars().all(is_unknown);
    (!is_shown).then(|| state(child(checkbox, "checked").is_some_and(is_on)))
}

/// Whether a letter means nothing without its font.
fn is_unknown(letter: char) -> bool {
    letter.is_whitespace() || ('\u{e000}'..='\u{f8ff}').contains(&letter)
}

/// What the mark that begins a field of a form shows; `None` if the field has a result for that.
pub(super) fn shown(mark: Node<'_, '_>) -> Option<String> {
    let data = child(mark, "ffData")?;
    if let Some(checkbox) = child(data, "checkBox") {
        let checked = child(checkbox, "checked").or_else(|| child(checkbox, "default"));
        return Some(state(checked.is_some_and(is_on)).to_owned());
    }
    let list = child(data, "ddList")?;
    let number = |name: &str| attribute(child(list, name)?, "val")?.parse::<usize>().ok();
    let chosen = number("result").or_else(|| number("default")).unwrap_or(0);
    let mut entries = children(list).filter(|node| node.tag_name().name() == "listEntry");
    Some(attribute(entries.nth(chosen)?, "val")?.to_owned())
}

fn state(is_checked: bool) -> &'static str {
    if is_checked { "[x]" } else { "[ ]" }
}

/// A property is on if it is there, unless it says otherwise.
fn is_on(property: Node<'_, '_>) -> bool {
    !matches!(attribute(property, "val"), Some("0" | "false" | "off"))
}
