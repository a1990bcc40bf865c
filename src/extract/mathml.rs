//! MathML in pages and books, as formulas on one line.
//!
//! Invariant: of the forms in which a formula is given, the one that readers see is read. What is
//! no well-formed MathML stays as it is.

use super::{
    formulas::Operand,
    html_element,
    xml::{DEEPEST, attribute, children},
};
use htmd::{
    Element,
    element_handler::{HandlerResult, Handlers},
};
use roxmltree::{Document, Node};

/// Where a formula is kept for its converter, which would join tokens that are alike.
const WRITTEN: &str = "data-written";
const NAMES: [&str; 3] = ["math", "m:math", "mml:math"];
/// How pages write invisible operators.
const INVISIBLE: [&str; 11] = [
    "\u{2061}",
    "\u{2062}",
    "\u{2063}",
    "\u{2064}",
    "\u{200b}",
    "&ApplyFunction;",
    "&af;",
    "&InvisibleTimes;",
    "&it;",
    "&InvisibleComma;",
    "&ic;",
];

/// Writes the formulas of a page out.
pub(super) fn written_out(html: &str) -> String {
    let mut written = String::with_capacity(html.len());
    let mut rest = html;
    // Behind the last end tag, no formula begins any more.
    let ends = NAMES.into_iter().filter_map(|name| html.rfind(&format!("</{name}>")));
    let last = ends.max().unwrap_or_default();
    while let Some(at) = memchr::memchr(b'<', rest.as_bytes()) {
        written.push_str(&rest[..at]);
        rest = &rest[at..];
        let is_before = html.len() - rest.len() < last;
        let length = is_before.then(|| length(rest)).flatten();
        let found = length.and_then(|length| Some((length, formula(&rest[..length])?)));
        let (length, part) = found.unwrap_or_else(|| (1, "<".to_owned()));
        written.push_str(&part);
        rest = &rest[length..];
    }
    written + rest
}

/// The length of the formula that a text begins with.
fn length(html: &str) -> Option<usize> {
    let name = NAMES.into_iter().find(|name| {
        let behind = html[1..].strip_prefix(*name);
        behind.is_some_and(|behind| behind.starts_with(['>', ' ', '\t', '\r', '\n']))
    })?;
    let end = format!("</{name}>");
    Some(html.find(&end)? + end.len())
}

/// A formula as an element that says how it is written; `None` if it cannot be read.
fn formula(html: &str) -> Option<String> {
    let math = with_known_references(html);
    let xml =
        format!("<x xmlns:m=\"m\" xmlns:mml=\"m\" xmlns:xlink=\"x\" xmlns:epub=\"e\">{math}</x>");
    let document = Document::parse(&xml).ok()?;
    let math = document.root_element().first_element_child()?;
    let read = operand(math, 0).into_text();
    let text = match read.as_str() {
        "" => attribute(math, "alttext").unwrap_or_default(),
        read => read,
    };
    let text = text.replace('"', "&quot;").replace('<', "&lt;");
    let display =
        if attribute(math, "display") == Some("block") { " display=\"block\"" } else { "" };
    Some(format!("<math {WRITTEN}=\"{text}\"{display}></math>"))
}

/// XML knows the numbers of letters, but not the names that HTML has for them: these stay as they
/// are.
fn with_known_references(html: &str) -> String {
    let mut parts = html.split('&');
    let mut known = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        known.push_str(&match numbered(part) {
            Some((code, behind)) => format!("&#{code};{behind}"),
            None => format!("&amp;{part}"),
        });
    }
    known
}

/// The number of the letter that a reference stands for, and what is behind it.
fn numbered(reference: &str) -> Option<(u32, &str)> {
    let (number, behind) = reference.strip_prefix('#')?.split_once(';')?;
    let code = match number.strip_prefix(['x', 'X']) {
        Some(number) => u32::from_str_radix(number, 16).ok()?,
        None => number.parse().ok()?,
    };
    let letter = char::from_u32(code)?;
    // An ampersand would begin another reference, and XML has none of the others.
    let is_other = letter.is_control() || matches!(letter, '&' | '\u{fffe}' | '\u{ffff}');
    (!is_other).then_some((code, behind))
}

/// The text of a formula that is written out.
pub(super) fn text(handlers: &dyn Handlers, element: Element) -> Option<HandlerResult> {
    let Some(written) = html_element::attribute(&element, WRITTEN).map(str::to_owned) else {
        return handlers.fallback(element);
    };
    let mut text = String::with_capacity(written.len());
    for letter in written.chars() {
        if matches!(letter, '\\' | '*' | '`' | '<') {
            text.push('\\');
        }
        text.push(letter);
    }
    let is_apart = html_element::attribute(&element, "display").is_some();
    Some(HandlerResult::from(if is_apart { format!("\n\n{text}\n\n") } else { text }))
}

fn operand(node: Node<'_, '_>, deep: usize) -> Operand {
    if deep > DEEPEST {
        return Operand::default();
    }
    let parts: Vec<Node<'_, '_>> = children(node).collect();
    let at = |at: usize| parts.get(at).map(|part| operand(*part, deep + 1)).unwrap_or_default();
    let row = || Operand::row(parts.iter().map(|part| operand(*part, deep + 1)).collect());
    let none = Operand::default();
    match node.tag_name().name() {
        "mi" | "mn" | "mo" | "mtext" | "ms" => token(node),
        "mfrac" if has_no_line(node) => Operand::stacked(at(0), at(1)),
        "mfrac" => Operand::fraction(at(0), &at(1)),
        "msqrt" => Operand::root(&none, &row()),
        "mroot" => Operand::root(&at(1), &at(0)),
        "msub" | "munder" => Operand::scripts(at(0), &at(1), &none),
        "msup" => Operand::scripts(at(0), &none, &at(1)),
        "mover" => Operand::accented(at(0), &at(1)),
        "msubsup" | "munderover" => Operand::scripts(at(0), &at(1), &at(2)),
        "mmultiscripts" => multiscripts(&parts, deep),
        "mfenced" => fenced(node, &parts, deep),
        "mtable" => Operand::table(parts.iter().map(|row| cells(*row, deep)).collect()),
        // The same again for programs, or room for what is not there.
        "annotation" | "annotation-xml" | "mphantom" | "mspace" | "none" | "mprescripts" => none,
        "semantics" | "maction" => at(0),
        _ if parts.is_empty() => token(node),
        _ => row(),
    }
}

fn token(node: Node<'_, '_>) -> Operand {
    let parts = node.descendants().filter(Node::is_text).filter_map(|part| part.text());
    let mut text: String = parts.collect();
    for sign in INVISIBLE {
        text = text.replace(sign, "");
    }
    Operand::token(&text)
}

fn has_no_line(fraction: Node<'_, '_>) -> bool {
    let thick = attribute(fraction, "linethickness").map(str::trim);
    thick.is_some_and(|thick| {
        let number = thick.trim_end_matches(|sign: char| sign == '%' || sign.is_alphabetic());
        number.parse::<f64>().is_ok_and(|number| number == 0.0)
    })
}

fn cells(row: Node<'_, '_>, deep: usize) -> Vec<Operand> {
    match row.tag_name().name() {
        "mtr" | "mlabeledtr" => children(row).map(|cell| operand(cell, deep + 1)).collect(),
        _ => vec![operand(row, deep + 1)],
    }
}

fn fenced(node: Node<'_, '_>, parts: &[Node<'_, '_>], deep: usize) -> Operand {
    let said = |name: &str, usual: &'static str| attribute(node, name).unwrap_or(usual).to_owned();
    let parts: Vec<Operand> = parts.iter().map(|part| operand(*part, deep + 1)).collect();
    let between = said("separators", ",");
    let between: String = between.trim().chars().take(1).collect();
    Operand::fenced(said("open", "(").trim(), &parts, &between, said("close", ")").trim())
}

/// Scripts in pairs: behind the base, and then before it.
fn multiscripts(parts: &[Node<'_, '_>], deep: usize) -> Operand {
    let mut parts = parts.iter().filter(|part| part.tag_name().name() != "mprescripts");
    let mut next = || parts.next().map(|part| operand(*part, deep + 1));
    let mut all = next().unwrap_or_default();
    while let Some(below) = next() {
        all = Operand::scripts(all, &below, &next().unwrap_or_default());
    }
    all
}

#[cfg(test)]
mod tests {
    use super::super::html::markdown;

    #[test]
    fn a_letter_is_the_same_by_its_number() {
        for (formula, wanted) in [
            ("<mo>&#x2211;</mo><mi>i</mi>", "∑i"),
            ("<mo>&#8721;</mo><mi>i</mi>", "∑i"),
            ("<mover><mi>&#x3b1;</mi><mo>&#xAF;</mo></mover>", "α\u{304}"),
            ("<mover><mi>x</mi><mo>&#175;</mo></mover>", "x\u{304}"),
            ("<mi>&#X3B1;</mi><mn>2</mn>", "α2"),
            ("<mi>sin</mi><mi>&#x3b1;</mi>", "sin α"),
            ("<mn>2</mn><mi>sin</mi><mo>&#8289;</mo><mi>x</mi>", "2 sin x"),
            ("<mi>a</mi><mo>&#60;</mo><mi>b</mi>", "a\\<b"),
            ("<mi>a</mi><mo>&lt;</mo><mi>b</mi>", "a\\<b"),
            ("<mi>&alpha;</mi><mo>&times;</mo><mi>b</mi>", "α×b"),
            ("<mtext>a&#38;lt;b</mtext>", "a&lt;b"),
        ] {
            let text = markdown(&format!("<p><math>{formula}</math></p>"));
            assert_eq!(text.trim(), wanted, "{formula}");
        }
    }

    #[test]
    fn a_fraction_without_a_line_divides_nothing() {
        for (thick, wanted) in
            [("0", "n; k"), ("0pt", "n; k"), (" 0.0em ", "n; k"), ("1", "n/k"), ("thin", "n/k")]
        {
            let text = markdown(&format!(
                "<math><mfrac linethickness=\"{thick}\"><mi>n</mi><mi>k</mi></mfrac></math>"
            ));
            assert_eq!(text.trim(), wanted, "{thick}");
        }
    }
}
