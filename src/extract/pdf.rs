//! PDF as lines of text.
//!
//! Invariant: letters come in the order of the file; blanks and lines are read off their places.

use super::{Extracted, Format, Unreadable, operators, widths};
use pdf_extract::{Document, Error, MediaBox, OutputDev, OutputError, Transform};

/// Corners of what is to be seen of a page.
type ArtBox = (f64, f64, f64, f64);

pub(super) fn read(bytes: &[u8]) -> Result<Extracted, Unreadable> {
    let broken = |why: String| Unreadable::Broken("PDF", why);
    let mut document = Document::load_mem(bytes).map_err(|error| match error {
        Error::Decryption(_) => Unreadable::Encrypted,
        error => broken(error.to_string()),
    })?;
    if document.is_encrypted() {
        document.decrypt("").map_err(|_| Unreadable::Encrypted)?;
    }
    if document.get_pages().is_empty() {
        return Err(Unreadable::NoText);
    }
    operators::write_out(&mut document);
    widths::write_out(&mut document);
    let mut lines = Lines::default();
    pdf_extract::output_doc(&document, &mut lines).map_err(|error| broken(error.to_string()))?;
    Ok(Extracted { format: Format::Pdf, title: title(&document), text: lines.text })
}

/// What the file says of itself, unless a program wrote a file's name there.
fn title(document: &Document) -> Option<String> {
    let info = document.trailer.get(b"Info").ok()?;
    let info = document.dereference(info).ok()?.1.as_dict().ok()?;
    let title = pdf_extract::decode_text_string(info.get(b"Title").ok()?).ok()?;
    let is_file = [".doc", ".docx", ".indd", ".tex", ".dvi", ".html"].iter();
    let is_title = !is_file.clone().any(|end| title.ends_with(end)) && title != "untitled";
    is_title.then_some(title)
}

/// The text so far, and where its last letter ended.
#[derive(Default)]
struct Lines {
    text: String,
    /// The line that is being read.
    line: Vec<Letter>,
    end: f64,
    height: f64,
    /// A letter of another run of text: it may stand in another line.
    begins: bool,
}

struct Letter {
    text: String,
    /// The room before it, in parts of its height.
    gap: f64,
}

/// Gaps in parts of the letters' height: from this on a blank, a new line, a new paragraph.
/// Kerning moves letters by up to a tenth.
const BLANK: f64 = 0.17;
const LINE: f64 = 0.5;
const PARAGRAPH: f64 = 1.9;
/// Letters that are set apart from each other stand nearer than this.
const APART: f64 = 0.6;
/// Fewer gaps say nothing about how letters are set.
const FEW: usize = 4;

impl Lines {
    /// Writes the line, with its blanks: the programs leave them out, or write them as gaps.
    fn end(&mut self, ending: &str) {
        let line = std::mem::take(&mut self.line);
        let blank = BLANK + spread(&line);
        for letter in line {
            let is_blank = |letter: char| letter.is_whitespace();
            let after_blank = self.text.chars().next_back().is_none_or(is_blank);
            if letter.gap > blank && !after_blank && !letter.text.starts_with(is_blank) {
                self.text.push(' ');
            }
            self.text.push_str(&letter.text);
        }
        if !self.text.is_empty() {
            self.text.push_str(ending);
        }
    }
}

/// How far all letters of a line are set apart from each other, as in the title of a book.
fn spread(line: &[Letter]) -> f64 {
    let is_blank = |letter: &Letter| letter.text.trim().is_empty();
    let pairs = line.windows(2).filter(|pair| !pair.iter().any(is_blank));
    let mut gaps: Vec<f64> = pairs.map(|pair| pair[1].gap).collect();
    gaps.sort_by(f64::total_cmp);
    let middle = gaps.get(gaps.len() / 2).copied().unwrap_or_default();
    if gaps.len() >= FEW && middle < APART { middle.max(0.0) } else { 0.0 }
}

impl OutputDev for Lines {
    fn begin_page(&mut self, _: u32, _: &MediaBox, _: Option<ArtBox>) -> Result<(), OutputError> {
        self.begins = true;
        self.end = f64::INFINITY;
        Ok(())
    }

    fn end_page(&mut self) -> Result<(), OutputError> {
        self.end("\n\n");
        Ok(())
    }

    fn output_character(
        &mut self,
        place: &Transform,
        width: f64,
        _: f64,
        size: f64,
        letters: &str,
    ) -> Result<(), OutputError> {
        let scale = (place.m11 * place.m22 - place.m12 * place.m21).abs().sqrt();
        let size = (size * scale).max(f64::EPSILON);
        let (x, y) = (place.m31, place.m32);
        let down = (y - self.height).abs() / size;
        if self.begins && !self.line.is_empty() {
            if down > PARAGRAPH {
                self.end("\n\n");
            } else if down > LINE && x < self.end {
                self.end("\n");
            }
        }
        let gap = (x - self.end) / size;
        self.line.push(Letter { text: without_ligatures(letters), gap });
        self.begins = false;
        self.height = y;
        self.end = x + width * size;
        Ok(())
    }

    fn begin_word(&mut self) -> Result<(), OutputError> {
        self.begins = true;
        Ok(())
    }

    fn end_word(&mut self) -> Result<(), OutputError> {
        Ok(())
    }

    fn end_line(&mut self) -> Result<(), OutputError> {
        Ok(())
    }
}

/// `ﬁ` is two letters for whoever searches.
fn without_ligatures(letters: &str) -> String {
    let mut plain = String::new();
    for letter in letters.chars() {
        match letter {
            'ﬀ' => plain.push_str("ff"),
            'ﬁ' => plain.push_str("fi"),
            'ﬂ' => plain.push_str("fl"),
            'ﬃ' => plain.push_str("ffi"),
            'ﬄ' => plain.push_str("ffl"),
            'ﬅ' | 'ﬆ' => plain.push_str("st"),
            '\u{ad}' | '\0' => {}
            // Some programs name their blank so.
            '\t' | '\u{a0}' => plain.push(' '),
            letter => plain.push(letter),
        }
    }
    plain
}
