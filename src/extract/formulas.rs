//! Formulas on one line: `(a+b)/2`, `x^2`, `√(1-x)`; those of Office files.
//!
//! Invariant: brackets are added only around an operand of more than one token, and nowhere does
//! the line mean something else than the formula.

use super::xml::{DEEPEST, attribute, child, children, own_text};
use roxmltree::Node;

/// The bar below a letter.
const BELOW: &str = "\u{332}";

/// A part of a formula.
#[derive(Clone, Default)]
pub(super) struct Operand {
    text: String,
    tokens: usize,
    /// Whether a letter that follows would seem to belong to it.
    is_open: bool,
}

impl Operand {
    /// A number, name or sign.
    pub(super) fn token(text: &str) -> Operand {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let is_word = text.chars().count() > 1 && text.chars().all(char::is_alphabetic);
        Operand { tokens: usize::from(!text.is_empty()), text, is_open: is_word }
    }

    /// Tokens that nothing separates.
    fn run(text: &str) -> Operand {
        let kind = |letter: char| match letter {
            '.' | ',' => 0,
            _ if letter.is_alphabetic() => 1,
            _ if letter.is_numeric() => 0,
            _ => 2,
        };
        let (mut tokens, mut last) = (0, None);
        for letter in text.chars().filter(|letter| !letter.is_whitespace()) {
            let kind = kind(letter);
            tokens += usize::from(kind == 2 || last != Some(kind));
            last = Some(kind);
        }
        let mut last = text.chars().rev();
        let is_open = (0..2).all(|_| last.next().is_some_and(char::is_alphabetic));
        Operand { text: text.to_owned(), tokens, is_open }
    }

    /// Operands next to each other. Words stay apart, and so do numbers.
    pub(super) fn row(operands: Vec<Operand>) -> Operand {
        let mut row = Operand::default();
        for next in operands.into_iter().filter(|operand| !operand.text.is_empty()) {
            if row.tokens > 0 && runs_on(&row, &next) {
                row.text.push(' ');
            }
            row.text.push_str(&next.text);
            row.tokens += next.tokens;
            row.is_open = next.is_open;
        }
        row
    }

    pub(super) fn fraction(above: Operand, below: &Operand) -> Operand {
        if below.text.is_empty() {
            return above;
        }
        let text = format!("{}/{}", above.grouped(), below.grouped());
        Operand { text, tokens: above.tokens + below.tokens + 1, is_open: true }
    }

    /// One above the other without a line between them.
    pub(super) fn stacked(above: Operand, below: Operand) -> Operand {
        if below.text.is_empty() {
            return above;
        }
        Operand { is_open: true, ..Operand::fenced("", &[above, below], "; ", "") }
    }

    pub(super) fn root(index: &Operand, of: &Operand) -> Operand {
        if !index.text.is_empty() {
            // `3√x` would be three times a square root.
            let power = Operand::fraction(Operand::token("1"), index);
            return Operand::scripts(of.clone(), &Operand::default(), &power);
        }
        Operand { text: format!("√{}", of.grouped()), tokens: of.tokens + 1, is_open: true }
    }

    /// A base with what is below and above it.
    pub(super) fn scripts(base: Operand, below: &Operand, above: &Operand) -> Operand {
        if below.text.is_empty() && above.text.is_empty() {
            return base;
        }
        let mut all = Operand { text: base.grouped(), is_open: true, ..base };
        for (sign, script) in [('_', below), ('^', above)] {
            if !script.text.is_empty() {
                all.text.push(sign);
                all.text.push_str(&script.grouped());
                all.tokens += script.tokens + 1;
            }
        }
        all
    }

    /// A letter with a sign above or below it, or what is above a longer base.
    pub(super) fn accented(base: Operand, accent: &Operand) -> Operand {
        let mark = match accent.text.as_str() {
            "¯" | "‾" | "\u{305}" | "_" => '\u{304}',
            "^" | "ˆ" | "\u{302}" => '\u{302}',
            "~" | "˜" | "\u{303}" => '\u{303}',
            "→" | "\u{20d7}" => '\u{20d7}',
            "˙" | "\u{307}" => '\u{307}',
            BELOW => '\u{332}',
            _ => return Operand::scripts(base, &Operand::default(), accent),
        };
        let name = match mark {
            _ if base.text.chars().count() == 1 => {
                return Operand { text: format!("{}{mark}", base.text), ..base };
            }
            '\u{304}' => "overline",
            '\u{332}' => "underline",
            _ => return base,
        };
        // Without its bar, it would be another formula.
        let text = if base.text.is_empty() { base.text } else { format!("{name}({})", base.text) };
        Operand { tokens: usize::from(!text.is_empty()), text, is_open: true }
    }

    /// Operands within brackets.
    pub(super) fn fenced(open: &str, parts: &[Operand], between: &str, close: &str) -> Operand {
        let texts: Vec<&str> = parts.iter().map(|part| part.text.as_str()).collect();
        let tokens = parts.iter().map(|part| part.tokens).sum::<usize>() + 2;
        Operand { text: format!("{open}{}{close}", texts.join(between)), tokens, is_open: false }
    }

    /// `a, b; c, d`
    pub(super) fn table(rows: Vec<Vec<Operand>>) -> Operand {
        let rows: Vec<Operand> =
            rows.into_iter().map(|cells| Operand::fenced("", &cells, ", ", "")).collect();
        Operand::fenced("", &rows, "; ", "")
    }

    pub(super) fn into_text(self) -> String {
        self.text.trim().to_owned()
    }

    fn grouped(&self) -> String {
        if self.tokens > 1 && !self.is_enclosed() {
            format!("({})", self.text.trim())
        } else {
            self.text.trim().to_owned()
        }
    }

    /// Whether it has brackets around it already.
    fn is_enclosed(&self) -> bool {
        let mut deep = 0_usize;
        let end = self.text.trim().char_indices().find(|(_, letter)| {
            match letter {
                '(' => deep += 1,
                ')' => deep = deep.saturating_sub(1),
                _ => {}
            }
            deep == 0
        });
        let last = self.text.trim().len().saturating_sub(1);
        end.is_some_and(|(at, letter)| letter == ')' && at == last)
    }
}

/// Whether what follows would be read as a part of what is there.
fn runs_on(row: &Operand, next: &Operand) -> bool {
    let is_number = row.text.ends_with(char::is_numeric) && next.text.starts_with(char::is_numeric);
    let is_word = next.tokens == 1 && next.is_open && row.text.ends_with(char::is_alphanumeric);
    is_number || is_word || row.is_open && next.text.starts_with(char::is_alphanumeric)
}

/// A formula of an Office file, without what tracked changes deleted.
pub(super) fn of_office(formula: Node<'_, '_>) -> String {
    row_of(formula, 0).into_text()
}

fn row_of(node: Node<'_, '_>, deep: usize) -> Operand {
    let (mut operands, mut run) = (Vec::new(), String::new());
    if deep > DEEPEST {
        return Operand::default();
    }
    for part in children(node) {
        let name = part.tag_name().name();
        // A word may be divided into many runs.
        match name {
            "r" | "ins" | "moveTo" if is_plain(part) => run.push_str(&text_of(part)),
            "del" | "moveFrom" => {}
            _ if name.ends_with("Pr") => {}
            _ => {
                operands.push(Operand::run(&std::mem::take(&mut run)));
                operands.push(operand(part, deep + 1));
            }
        }
    }
    operands.push(Operand::run(&run));
    Operand::row(operands)
}

/// Whether a part is text only.
fn is_plain(part: Node<'_, '_>) -> bool {
    part.descendants().filter(Node::is_element).all(|node| {
        let name = node.tag_name().name();
        matches!(name, "r" | "t" | "ins" | "moveTo") || in_properties(node)
    })
}

fn in_properties(node: Node<'_, '_>) -> bool {
    node.ancestors().take(6).any(|above| above.tag_name().name().ends_with("Pr"))
}

fn text_of(part: Node<'_, '_>) -> String {
    part.descendants().filter(|node| node.tag_name().name() == "t").map(own_text).collect()
}

fn operand(node: Node<'_, '_>, deep: usize) -> Operand {
    let of = |name: &str| child(node, name).map(|of| row_of(of, deep)).unwrap_or_default();
    let none = Operand::default();
    match node.tag_name().name() {
        "f" if said(node, "fPr", "type") == Some("noBar") => Operand::stacked(of("num"), of("den")),
        "f" => Operand::fraction(of("num"), &of("den")),
        "rad" => Operand::root(&of("deg"), &of("e")),
        "sSup" | "sSub" | "sSubSup" | "sPre" => Operand::scripts(of("e"), &of("sub"), &of("sup")),
        "limLow" => Operand::scripts(of("e"), &of("lim"), &none),
        "limUpp" => Operand::scripts(of("e"), &none, &of("lim")),
        "nary" => {
            let sign = Operand::token(said(node, "naryPr", "chr").unwrap_or("∫"));
            Operand::row(vec![Operand::scripts(sign, &of("sub"), &of("sup")), of("e")])
        }
        "acc" => {
            let sign = Operand::token(said(node, "accPr", "chr").unwrap_or("\u{302}"));
            Operand::accented(of("e"), &sign)
        }
        "bar" => {
            let is_above = said(node, "barPr", "pos") == Some("top");
            Operand::accented(of("e"), &Operand::token(if is_above { "¯" } else { BELOW }))
        }
        // Room for what is not there.
        "phant" if matches!(said(node, "phantPr", "show"), Some("0" | "off" | "false")) => none,
        "d" => {
            let said = |name: &str, usual| said(node, "dPr", name).unwrap_or(usual);
            let parts = all(node, "e", deep);
            Operand::fenced(said("begChr", "("), &parts, said("sepChr", "|"), said("endChr", ")"))
        }
        "m" => {
            let rows = children(node).filter(|row| row.tag_name().name() == "mr");
            Operand::table(rows.map(|row| all(row, "e", deep)).collect())
        }
        "eqArr" => Operand::fenced("", &all(node, "e", deep), "; ", ""),
        "t" => Operand::run(&own_text(node)),
        "br" => Operand::run(" "),
        _ => row_of(node, deep),
    }
}

fn all(node: Node<'_, '_>, name: &str, deep: usize) -> Vec<Operand> {
    let parts = children(node).filter(|part| part.tag_name().name() == name);
    parts.map(|part| row_of(part, deep)).collect()
}

/// What the properties of a part say.
fn said<'a>(node: Node<'a, '_>, properties: &str, name: &str) -> Option<&'a str> {
    attribute(child(child(node, properties)?, name)?, "val")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(formula: &str) -> String {
        let xml = format!("<x xmlns:m=\"m\"><m:oMath>{formula}</m:oMath></x>");
        let document = roxmltree::Document::parse(&xml).expect("XML");
        let formula = document.root_element().first_element_child();
        of_office(formula.expect("a formula"))
    }

    fn of(name: &str, inner: &str) -> String {
        format!("<m:{name}>{inner}</m:{name}>")
    }

    fn r(text: &str) -> String {
        of("r", &of("t", text))
    }

    #[test]
    fn a_fraction_without_a_line_divides_nothing() {
        let fraction = |kind: &str, above: &str, below: &str| {
            let kind = of("fPr", &format!("<m:type m:val=\"{kind}\"/>"));
            of("f", &(kind + &of("num", &r(above)) + &of("den", &r(below))))
        };
        for (formula, wanted) in [
            (of("d", &of("e", &fraction("noBar", "n", "k"))), "(n; k)"),
            (of("d", &of("e", &fraction("noBar", "n+1", "k-1"))), "(n+1; k-1)"),
            (fraction("noBar", "a", ""), "a"),
            (fraction("noBar", "a", "b") + &r("c"), "a; b c"),
            (fraction("bar", "a", "b"), "a/b"),
            (fraction("lin", "a+1", "b"), "(a+1)/b"),
            (fraction("skw", "a", "b"), "a/b"),
        ] {
            assert_eq!(read(&formula), wanted, "{formula}");
        }
    }

    #[test]
    fn a_bar_stays_with_what_it_is_over() {
        let bar = |place: &str, inner: &str| {
            let place = if place.is_empty() {
                String::new()
            } else {
                of("barPr", &format!("<m:pos m:val=\"{place}\"/>"))
            };
            of("bar", &(place + &of("e", &r(inner))))
        };
        for (formula, wanted) in [
            (bar("top", "x"), "x\u{304}"),
            (bar("bot", "x"), "x\u{332}"),
            (bar("", "x"), "x\u{332}"),
            (bar("top", "x+y"), "overline(x+y)"),
            (bar("bot", "AB"), "underline(AB)"),
            (r("2") + &bar("top", "AB") + &r("c"), "2 overline(AB) c"),
            (bar("top", ""), ""),
        ] {
            assert_eq!(read(&formula), wanted, "{formula}");
        }
    }

    #[test]
    fn what_is_only_room_is_not_read() {
        let phantom = |show: &str| of("phant", &(of("phantPr", show) + &of("e", &r("x"))));
        for (show, wanted) in [
            ("<m:show m:val=\"0\"/>", "a+b"),
            ("<m:show m:val=\"off\"/><m:zeroWid/>", "a+b"),
            ("<m:show m:val=\"false\"/>", "a+b"),
            ("<m:show m:val=\"1\"/>", "a+xb"),
            ("<m:zeroAsc/>", "a+xb"),
        ] {
            let formula = r("a+") + &phantom(show) + &r("b");
            assert_eq!(read(&formula), wanted, "{show}");
        }
    }
}
