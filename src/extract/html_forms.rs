//! Forms of HTML: what their controls say.
//!
//! Invariant: words of two controls never run into each other; of a choice, what is chosen is read,
//! or else everything that there is to choose from.

use super::html_element::attribute;
use htmd::{
    Element, HtmlToMarkdownBuilder,
    element_handler::{HandlerResult, Handlers},
};

/// Stands where a control begins and ends: a space, if there is none.
const EDGE: char = '\u{6}';
/// These begin an entry of a list, and one that is chosen.
const ENTRY: char = '\u{7}';
const CHOSEN: char = '\u{8}';
const CONTROLS: [&str; 4] = ["button", "label", "option", "select"];

pub(super) fn added(converter: HtmlToMarkdownBuilder) -> HtmlToMarkdownBuilder {
    let control = |handlers: &dyn Handlers, element: Element| {
        let text = within(handlers, &element);
        Some(HandlerResult::from(format!("{EDGE}{text}{EDGE}")))
    };
    let entry = |handlers: &dyn Handlers, element: Element| {
        let is_chosen = value(&element, "selected").is_some();
        let sign = if is_chosen { CHOSEN } else { ENTRY };
        Some(HandlerResult::from(format!("{sign}{}", within(handlers, &element))))
    };
    let choice = |handlers: &dyn Handlers, element: Element| {
        let text = chosen(&within(handlers, &element));
        Some(HandlerResult::from(format!("{EDGE}{text}{EDGE}")))
    };
    // A search of the whole site is no text of the page.
    let form = |handlers: &dyn Handlers, element: Element| {
        if value(&element, "role").is_some_and(|role| role == "search") {
            return Some(HandlerResult::from(""));
        }
        let text = within(handlers, &element);
        Some(HandlerResult::from(format!("\n\n{text}\n\n")))
    };
    let converter = converter.add_handler(vec!["button", "label"], control);
    let converter =
        converter.add_handler(vec!["option"], entry).add_handler(vec!["select"], choice);
    converter.add_handler(vec!["form"], form)
}

fn within(handlers: &dyn Handlers, element: &Element) -> String {
    let is_around = |letter: char| letter == EDGE || letter.is_whitespace();
    handlers.walk_children(element.node).content.trim_matches(is_around).to_owned()
}

fn value(element: &Element, name: &str) -> Option<String> {
    attribute(element, name).map(|value| value.trim().to_ascii_lowercase())
}

/// The chosen ones of the entries that are marked, or all of them.
fn chosen(marked: &str) -> String {
    let (mut all, mut chosen) = (Vec::new(), Vec::new());
    let mut rest = marked;
    while let Some(at) = rest.find([ENTRY, CHOSEN]) {
        let is_chosen = rest[at..].starts_with(CHOSEN);
        // Both marks are one byte long.
        rest = &rest[at + 1..];
        let end = rest.find([ENTRY, CHOSEN]).unwrap_or(rest.len());
        let entry = rest[..end].replace(EDGE, " ").trim().to_owned();
        if entry.is_empty() {
            continue;
        }
        if is_chosen {
            chosen.push(entry.clone());
        }
        all.push(entry);
    }
    if chosen.is_empty() { all.join(", ") } else { chosen.join(", ") }
}

/// Parts the controls of a page: its converter would join those that are alike.
pub(super) fn parted(html: &str) -> String {
    let mut parted = String::with_capacity(html.len());
    let mut rest = html;
    while let Some(at) = memchr::memchr(b'<', rest.as_bytes()) {
        parted.push_str(&rest[..at]);
        rest = &rest[at..];
        if is_control(&rest[1..]) {
            parted.push(EDGE);
        }
        parted.push('<');
        rest = &rest[1..];
    }
    parted + rest
}

fn is_control(tag: &str) -> bool {
    CONTROLS.into_iter().any(|name| {
        let is_name = tag.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name));
        is_name && tag[name.len()..].starts_with(['>', '/', ' ', '\t', '\r', '\n'])
    })
}

/// The text with spaces where the edges of controls need them.
pub(super) fn spaced(text: &str) -> String {
    let mut spaced = String::with_capacity(text.len());
    let mut parts = text.split(EDGE).filter(|part| !part.is_empty());
    spaced.extend(parts.next());
    for part in parts {
        let needs_none = |letter: char| letter.is_whitespace() || ".,;:!?)]*_".contains(letter);
        let is_opening = |letter: char| letter.is_whitespace() || "([*_".contains(letter);
        let is_apart = spaced.is_empty() || spaced.ends_with(is_opening);
        if !is_apart && !part.starts_with(needs_none) {
            spaced.push(' ');
        }
        spaced.push_str(part);
    }
    spaced
}

#[cfg(test)]
mod tests {
    use crate::extract::html;

    #[test]
    fn what_controls_say_is_text() {
        for (form, text) in [
            ("<label>Name</label><input value=x>", "Name"),
            ("<label>Name</label>: <input>", "Name:"),
            ("<button>Save</button><button>Undo</button>", "Save Undo"),
            ("<label>Tree</label><select><option>Oak<option>Elm</select>", "Tree Oak, Elm"),
            ("<select><option>Oak</option><option selected>Elm</option></select>", "Elm"),
            (
                "<select multiple><option selected=''>Oak</option><option>Ash</option>\
                 <option SELECTED>Elm</option></select> trees",
                "Oak, Elm trees",
            ),
            (
                "<select><optgroup label=x><option>Oak</option><option>Elm</option></optgroup>\
                 </select>",
                "Oak, Elm",
            ),
            ("<p>Press <button>Save</button>, then wait</p>", "Press Save, then wait"),
        ] {
            for page in [format!("<form>{form}</form>"), format!("<div>{form}</div>")] {
                assert_eq!(html::read(page.as_bytes(), None).text.trim(), text, "{page}");
            }
        }
        for around in ["nav", "footer", "aside", "form role=search"] {
            let page = format!("<p>text</p><{around}><button>Go</button></{around}>");
            assert_eq!(html::read(page.as_bytes(), None).text.trim(), "text", "{around}");
        }
    }
}
