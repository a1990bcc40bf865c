//! PDF as lines of text.
//!
//! Invariant: characters come in file order; blanks and lines are inferred from their positions.

use super::{Extracted, FileFormat, Unreadable, operators, widths};
use pdf_extract::{Document, Error, MediaBox, Object, ObjectId, OutputDev, OutputError, Transform};

/// Corners of the visible part of a page.
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
    let pages = document.get_pages();
    let is_picture = |page: &u32| pages.get(page).is_some_and(|id| shows_a_picture(&document, *id));
    let pictures = lines.sparse.into_iter().filter(is_picture).collect();
    let title = title(&document);
    Ok(Extracted { title, pictures, ..Extracted::new(FileFormat::Pdf, lines.text) })
}

/// Whether a page shows an image, or a form that may contain one.
fn shows_a_picture(document: &Document, page: ObjectId) -> bool {
    let Ok((own, others)) = document.get_page_resources(page) else { return false };
    let others = others.into_iter().filter_map(|id| document.get_dictionary(id).ok());
    let shown = own.into_iter().chain(others).filter_map(|resources| {
        let shown = resources.get(b"XObject").ok()?;
        document.dereference(shown).ok()?.1.as_dict().ok()
    });
    let is_picture = |object: &Object| {
        let stream =
            document.dereference(object).ok().and_then(|(_, object)| object.as_stream().ok());
        let kind = stream.and_then(|stream| stream.dict.get(b"Subtype").ok()?.as_name().ok());
        kind.is_some_and(|kind| kind == b"Image" || kind == b"Form")
    };
    let inline = || {
        document
            .get_page_content(page)
            .is_ok_and(|content| memchr::memmem::find(&content, b"BI").is_some())
    };
    shown.flat_map(|shown| shown.iter()).any(|(_, object)| is_picture(object)) || inline()
}

/// The title in the file's metadata, unless a program put a file name there.
fn title(document: &Document) -> Option<String> {
    let info = document.trailer.get(b"Info").ok()?;
    let info = document.dereference(info).ok()?.1.as_dict().ok()?;
    let title = pdf_extract::decode_text_string(info.get(b"Title").ok()?).ok()?;
    let is_file = [".doc", ".docx", ".indd", ".tex", ".dvi", ".html"].iter();
    let is_title = !is_file.clone().any(|end| title.ends_with(end)) && title != "untitled";
    is_title.then_some(title)
}

/// The text so far, and where its last character ended.
#[derive(Default)]
struct Lines {
    text: String,
    /// The line being read.
    line: Vec<Letter>,
    end: f64,
    height: f64,
    /// A character from another run of text: it may be on another line.
    begins: bool,
    /// The direction in which the text runs.
    direction: (f64, f64),
    /// The page being read, and its number of characters so far.
    page: u32,
    letters: usize,
    /// Pages with hardly any characters.
    sparse: Vec<u32>,
}

struct Letter {
    text: String,
    /// The space before it, relative to its height.
    gap: f64,
}

/// Minimum gaps, relative to character height, of a blank, a new line and a new paragraph. Kerning
/// moves characters by up to a tenth.
const BLANK: f64 = 0.17;
const LINE: f64 = 0.5;
const PARAGRAPH: f64 = 1.9;
/// Letter-spaced characters are closer together than this.
const APART: f64 = 0.6;
/// With fewer gaps, letter spacing cannot be recognised.
const FEW: usize = 4;
/// Text in the same direction as the text before it: the cosine between the two.
const SAME_WAY: f64 = 0.9;
/// Fewer characters are a page number, and perhaps a heading.
const SPARSE: usize = 20;

impl Lines {
    /// Writes the line with its blanks, which programs omit or write as gaps.
    fn end(&mut self, ending: &str) {
        let line = std::mem::take(&mut self.line);
        let blank = BLANK + spread(&line);
        self.join_word(&line);
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

    /// Removes a hyphen and line end if the rest of the hyphenated word follows.
    fn join_word(&mut self, line: &[Letter]) {
        let rest = line.first().and_then(|letter| letter.text.chars().next());
        if !rest.is_some_and(char::is_lowercase) {
            return;
        }
        let before = self.text.trim_end_matches('\n');
        let cut = before.strip_suffix(['-', '\u{2010}']);
        let cut =
            cut.filter(|cut| cut.ends_with(char::is_alphabetic) && before.len() < self.text.len());
        if let Some(cut) = cut.map(str::len) {
            self.text.truncate(cut);
        }
    }
}

/// The letter spacing of a line, as in the title of a book.
fn spread(line: &[Letter]) -> f64 {
    let is_blank = |letter: &Letter| letter.text.trim().is_empty();
    let pairs = line.windows(2).filter(|pair| !pair.iter().any(is_blank));
    let mut gaps: Vec<f64> = pairs.map(|pair| pair[1].gap).collect();
    gaps.sort_by(f64::total_cmp);
    let middle = gaps.get(gaps.len() / 2).copied().unwrap_or_default();
    if gaps.len() >= FEW && middle < APART { middle.max(0.0) } else { 0.0 }
}

impl OutputDev for Lines {
    fn begin_page(
        &mut self,
        page: u32,
        _: &MediaBox,
        _: Option<ArtBox>,
    ) -> Result<(), OutputError> {
        (self.page, self.letters) = (page, 0);
        self.begins = true;
        self.end = f64::INFINITY;
        Ok(())
    }

    fn end_page(&mut self) -> Result<(), OutputError> {
        self.end("\n\n");
        if self.letters < SPARSE {
            self.sparse.push(self.page);
        }
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
        let length = place.m11.hypot(place.m12).max(f64::EPSILON);
        let (right, up) = (place.m11 / length, place.m12 / length);
        if right * self.direction.0 + up * self.direction.1 < SAME_WAY {
            // A page may be rotated, or a label on it.
            self.end("\n\n");
            (self.direction, self.end) = ((right, up), f64::INFINITY);
        }
        // As if the text ran to the right.
        let x = place.m31 * right + place.m32 * up;
        let y = place.m32 * right - place.m31 * up;
        let down = (y - self.height).abs() / size;
        if self.begins && !self.line.is_empty() {
            if down > PARAGRAPH {
                self.end("\n\n");
            } else if down > LINE && x < self.end {
                self.end("\n");
            }
        }
        let gap = (x - self.end) / size;
        let text = without_ligatures(letters);
        self.letters += text.chars().filter(|letter| !letter.is_whitespace()).count();
        self.line.push(Letter { text, gap });
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

/// `ﬁ` is two letters to someone searching.
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
            // Some programs use these for a blank.
            '\t' | '\u{a0}' => plain.push(' '),
            letter => plain.push(letter),
        }
    }
    plain
}
