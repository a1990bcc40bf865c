//! The text of a paragraph in a DOCX: its runs, fields, links and symbols, and the boxes in it.
//!
//! Invariant: of a field, its result is read and not its code; of a link, its address as well.

use super::{fields, reader::Reader, symbols::SymbolFont};
use crate::extract::{
    Omitted, Unreadable,
    blocks::Block,
    charts::Chart,
    drawing::{diagram, forms},
    formulas::of_office,
    links,
    xml::{DEEPEST, attribute, child, children, own_text, relation},
};
use roxmltree::Node;

/// The text of a paragraph, and what is beside it.
#[derive(Default)]
pub(super) struct Line {
    pub(super) text: String,
    pub(super) boxes: Vec<Block>,
    /// The font of the run, if it shows symbols.
    font: Option<SymbolFont>,
    /// The links that fields began and did not end.
    links: Vec<OpenLink>,
}

struct OpenLink {
    /// How many fields were open, with its own.
    fields: usize,
    /// Where its text begins.
    start: usize,
    address: String,
}

impl Line {
    /// Makes a link of the text from `start` on.
    fn link(&mut self, start: usize, address: &str) {
        let text = self.text.split_off(start.min(self.text.len()));
        self.text.push_str(&links::linked(&text, address));
    }

    /// Ends the link of the innermost of so many fields.
    fn end_links(&mut self, fields: usize) {
        while let Some(open) = self.links.pop_if(|open| open.fields >= fields) {
            self.link(open.start, &open.address);
        }
    }

    /// Ends what goes on in another paragraph.
    pub(super) fn end(&mut self) {
        self.end_links(0);
    }

    fn push(&mut self, text: &str) {
        match self.font {
            Some(font) => self.text.extend(text.chars().map(|letter| font.shown(letter))),
            None => self.text.push_str(text),
        }
    }
}

impl Reader<'_, '_> {
    pub(super) fn inline(
        &mut self,
        node: Node<'_, '_>,
        deep: usize,
        line: &mut Line,
    ) -> Result<(), Unreadable> {
        if deep > DEEPEST {
            self.omitted.insert(Omitted::Nested);
            return Ok(());
        }
        children(node).try_for_each(|part| self.part_of_line(part, deep, line))
    }

    pub(super) fn part_of_line(
        &mut self,
        part: Node<'_, '_>,
        deep: usize,
        line: &mut Line,
    ) -> Result<(), Unreadable> {
        let is_hidden = self.fields.hides();
        match part.tag_name().name() {
            "fldChar" => self.field(part, line),
            "instrText" => self.fields.add_code(&own_text(part)),
            "hyperlink" | "fldSimple" => {
                let start = line.text.len();
                self.inline(part, deep + 1, line)?;
                if let Some(address) = self.address(part) {
                    line.link(start, &address);
                }
            }
            "del" | "moveFrom" | "pPr" | "rPr" | "sdtPr" | "sdtEndPr" | "fldData" => {}
            "r" => {
                let around = line.font;
                line.font = font(part);
                self.inline(part, deep + 1, line)?;
                line.font = around;
            }
            "t" | "tab" | "ptab" | "br" | "cr" | "noBreakHyphen" | "sym" if is_hidden => {}
            "oMath" if !is_hidden => line.text.push_str(&of_office(part)),
            "t" => line.push(&own_text(part)),
            "tab" | "ptab" => line.text.push('\t'),
            "br" | "cr" => line.text.push('\n'),
            "noBreakHyphen" => line.text.push('-'),
            "sym" => line.text.extend(symbol(part)),
            "sdt" => self.control(part, deep, line)?,
            "ruby" => self.ruby(part, deep, line)?,
            "footnoteReference" | "endnoteReference" => {
                line.text.extend(self.notes.marker(part));
            }
            "AlternateContent" => self.forms_of_line(part, deep, line)?,
            // The elements of a text box: in files of today, and of older programs.
            "txbxContent" | "txBody" => self.blocks(part, deep + 1, &mut line.boxes)?,
            "textpath" => {
                line.boxes.extend(attribute(part, "string").and_then(Block::paragraph));
            }
            "relIds" => match diagram(self.archive, &self.relations, part)? {
                Some(lines) => {
                    line.boxes.extend(lines.iter().filter_map(|text| Block::paragraph(text)));
                }
                None => self.omit(Omitted::Diagrams),
            },
            "chart" => self.chart(part, line)?,
            "OLEObject" => self.omit(Omitted::Objects),
            _ => self.inline(part, deep + 1, line)?,
        }
        Ok(())
    }

    /// A mark of a field, whose result may be a link.
    fn field(&mut self, mark: Node<'_, '_>, line: &mut Line) {
        let kind = attribute(mark, "fldCharType");
        if kind == Some("end") {
            line.end_links(self.fields.open.len());
        }
        self.fields.mark(kind);
        if let Some(shown) = fields::shown(mark).filter(|_| kind == Some("begin")) {
            if !self.fields.hides() {
                line.text.push_str(&shown);
            }
            self.fields.show();
        }
        let code = self.fields.codes.last().filter(|_| kind == Some("separate"));
        if let Some(address) = code.and_then(|code| links::of_field(code)) {
            let (fields, start) = (self.fields.open.len(), line.text.len());
            line.links.push(OpenLink { fields, start, address });
        }
    }

    /// Where a link leads to.
    fn address(&self, node: Node<'_, '_>) -> Option<String> {
        if let Some(code) = attribute(node, "instr") {
            return links::of_field(code);
        }
        let address = self.relations.address(relation(node)?)?;
        let part = attribute(node, "anchor").filter(|_| !address.contains('#'));
        Some(part.map_or_else(|| address.to_owned(), |part| format!("{address}#{part}")))
    }

    fn chart(&mut self, node: Node<'_, '_>, line: &mut Line) -> Result<(), Unreadable> {
        let chart = Chart::of(self.archive, &self.relations, node)?;
        if !chart.is_whole {
            self.omit(Omitted::Charts);
        }
        line.boxes.extend(if self.cells > 0 { chart.paragraphs() } else { chart.blocks() });
        Ok(())
    }

    fn control(
        &mut self,
        node: Node<'_, '_>,
        deep: usize,
        line: &mut Line,
    ) -> Result<(), Unreadable> {
        let start = line.text.len();
        self.inline(node, deep + 1, line)?;
        if let Some(state) = fields::checkbox(node, line.text.get(start..).unwrap_or_default()) {
            line.text.truncate(start);
            line.text.push_str(state);
        }
        Ok(())
    }

    fn omit(&mut self, what: Omitted) {
        self.omitted.insert(what);
    }

    /// The first form that says anything: what follows says it again, for older programs.
    fn forms_of_line(
        &mut self,
        node: Node<'_, '_>,
        deep: usize,
        line: &mut Line,
    ) -> Result<(), Unreadable> {
        let before = (line.text.len(), line.boxes.len(), self.omitted.len());
        for form in forms(node) {
            self.inline(form, deep + 1, line)?;
            if (line.text.len(), line.boxes.len(), self.omitted.len()) != before {
                break;
            }
        }
        Ok(())
    }

    /// Ruby text above a word says how it is read: `東京(とうきょう)`.
    fn ruby(&mut self, node: Node<'_, '_>, deep: usize, line: &mut Line) -> Result<(), Unreadable> {
        if let Some(base) = child(node, "rubyBase") {
            self.inline(base, deep + 1, line)?;
        }
        let mut above = Line::default();
        if let Some(reading) = child(node, "rt") {
            self.inline(reading, deep + 1, &mut above)?;
        }
        if !above.text.trim().is_empty() {
            line.text.push_str(&format!("({})", above.text.trim()));
        }
        Ok(())
    }
}

fn font(run: Node<'_, '_>) -> Option<SymbolFont> {
    let fonts = child(child(run, "rPr")?, "rFonts")?;
    SymbolFont::named(attribute(fonts, "ascii").or_else(|| attribute(fonts, "hAnsi"))?)
}

fn symbol(node: Node<'_, '_>) -> Option<char> {
    let letter = char::from_u32(u32::from_str_radix(attribute(node, "char")?, 16).ok()?)?;
    let font = attribute(node, "font").and_then(SymbolFont::named);
    Some(font.map_or(letter, |font| font.shown(letter)))
}
