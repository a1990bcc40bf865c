//! One markdown file: an optional frontmatter block and a body.
//!
//! Invariant: writing what was read gives the same bytes, whatever the byte order mark, line ends
//! or spacing.

use super::{
    finding::{Code, Finding},
    frontmatter::{self, Entry, Fault, Frontmatter},
    hash::ContentHash,
    path::RelPath,
    value::Value,
};

/// A markdown file, taken apart.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Document {
    bom: bool,
    front: Option<Front>,
    body: String,
}

#[derive(Clone, PartialEq, Debug)]
struct Front {
    open: String,
    block: Frontmatter,
    close: String,
}

/// Why a file could not be taken apart.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Broken {
    /// Not UTF-8.
    NotUtf8,
    /// Larger than its kind may be.
    TooLarge,
    /// The opening `---` has no closing one.
    Unclosed,
    /// The block is no YAML mapping.
    Front(Fault),
}

impl Broken {
    /// The finding that `check` reports for it.
    pub fn finding(&self, path: &RelPath) -> Finding {
        match self {
            Broken::NotUtf8 => {
                Finding::new(Code::NotUtf8, path, "not UTF-8 text; save it as UTF-8")
            }
            Broken::TooLarge => Finding::new(
                Code::TooLarge,
                path,
                "larger than 1 MiB; a memory holds one fact, long texts belong into \
                 knowledge/articles/",
            ),
            Broken::Unclosed => Finding::new(
                Code::FrontmatterUnclosed,
                path,
                "the `---` block at the top is never closed; add a `---` line before the text",
            )
            .at(1),
            Broken::Front(Fault::TooLarge) => Finding::new(
                Code::FrontmatterTooLarge,
                path,
                format!("the frontmatter is larger than {} KiB", frontmatter::MAX_BYTES / 1024),
            )
            .at(1),
            Broken::Front(Fault::DuplicateKey { line, key }) => Finding::new(
                Code::FrontmatterDuplicateKey,
                path,
                format!("`{key}` stands twice; keep one"),
            )
            .at(line + 1)
            .field(key),
            Broken::Front(Fault::Invalid { line, message }) => Finding::new(
                Code::FrontmatterInvalid,
                path,
                format!("the frontmatter is no valid YAML: {message}"),
            )
            .at(line + 1),
        }
    }
}

impl Document {
    /// A new document from a body; frontmatter comes with [`Document::set`].
    pub fn new(body: &str) -> Document {
        Document { body: body.to_owned(), ..Document::default() }
    }

    /// Takes a file apart.
    ///
    /// # Errors
    /// [`Broken`] when the bytes are no UTF-8 or the frontmatter cannot be read.
    pub fn read(bytes: &[u8]) -> Result<Document, Broken> {
        let text = std::str::from_utf8(bytes).map_err(|_| Broken::NotUtf8)?;
        let (bom, text) = text.strip_prefix('\u{feff}').map_or((false, text), |rest| (true, rest));
        let Some(parts) = split(text) else {
            return Ok(Document { bom, front: None, body: text.to_owned() });
        };
        let (open, block, close, body) = parts?;
        let block = Frontmatter::read(block).map_err(Broken::Front)?;
        let front = Front { open: open.to_owned(), block, close: close.to_owned() };
        Ok(Document { bom, front: Some(front), body: body.to_owned() })
    }

    /// The frontmatter, where there is one.
    pub fn front(&self) -> Option<&Frontmatter> {
        self.front.as_ref().map(|front| &front.block)
    }

    /// The frontmatter to edit; an empty one is put at the top where there was none.
    pub fn front_mut(&mut self) -> &mut Frontmatter {
        if self.front.is_none() {
            let blank =
                if self.body.is_empty() || self.body.starts_with(['\n', '\r']) { "" } else { "\n" };
            self.body.insert_str(0, blank);
        }
        let make =
            || Front { open: "---\n".into(), block: Frontmatter::default(), close: "---\n".into() };
        &mut self.front.get_or_insert_with(make).block
    }

    /// Everything after the closing `---` line.
    pub fn body(&self) -> &str {
        &self.body
    }

    /// Replaces the body.
    pub fn set_body(&mut self, body: String) {
        self.body = body;
    }

    /// The body as it is shown and loaded: without margins.
    pub fn text(&self) -> &str {
        super::hash::canonical_trim(&self.body)
    }

    /// Where the body begins in the file's text.
    pub(super) fn body_at(&self) -> usize {
        let front = self.front.as_ref();
        let bom = if self.bom { '\u{feff}'.len_utf8() } else { 0 };
        bom + front.map_or(0, |front| front.open.len() + front.block.len() + front.close.len())
    }

    /// The hash of the canonical body.
    pub fn hash(&self) -> ContentHash {
        ContentHash::of_body(&self.body)
    }

    /// The value of a frontmatter key.
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.front()?.get(key)
    }

    /// Sets a frontmatter key.
    pub fn set(&mut self, key: &str, value: Value) {
        self.front_mut().set(key, value);
    }

    /// The file's text.
    pub fn write(&self) -> String {
        let mut text = String::with_capacity(self.body.len() + 256);
        if self.bom {
            text.push('\u{feff}');
        }
        if let Some(front) = &self.front {
            text.push_str(&front.open);
            text.push_str(&front.block.write());
            text.push_str(&front.close);
        }
        text.push_str(&self.body);
        text
    }

    /// The file's line of the frontmatter key, from 1.
    pub fn line_of(&self, key: &str) -> usize {
        self.front().and_then(|front| front.entry(key)).map_or(1, |entry| entry.line + 1)
    }

    /// Writes the checksum of the body as it is now.
    pub fn set_checksum(&mut self) {
        let hash = self.hash();
        self.set("checksum", Value::Text(hash.to_string()));
    }

    /// Whether the checksum in the frontmatter belongs to the body. `None` without a readable
    /// checksum.
    ///
    /// A bare hexadecimal checksum may also be that of the body exactly as it stands after the
    /// blank line, as other tools write it.
    pub fn checksum_holds(&self) -> Option<bool> {
        self.checksum_is(self.hash())
    }

    /// As [`Document::checksum_holds`], where the hash of the body is known.
    pub(super) fn checksum_is(&self, of_body: ContentHash) -> Option<bool> {
        let claimed = self.get("checksum")?.text()?;
        let hash = ContentHash::parse(&claimed)?;
        if hash == of_body {
            return Some(true);
        }
        let bare = !claimed.trim().starts_with("sha256:");
        let as_it_stands = self.body.strip_prefix('\n').unwrap_or(&self.body);
        Some(bare && hash == ContentHash::of_bytes(as_it_stands.as_bytes()))
    }

    /// A key's value as it stands in the file, for messages.
    pub fn shown(&self, key: &str) -> String {
        self.front().and_then(|front| front.entry(key)).map_or("", Entry::shown).to_owned()
    }
}

type Parts<'a> = (&'a str, &'a str, &'a str, &'a str);

/// Opening line, block, closing line, body; `None` without frontmatter.
fn split(text: &str) -> Option<Result<Parts<'_>, Broken>> {
    let open_end = text.find('\n').map_or(text.len(), |at| at + 1);
    if text[..open_end].trim_end() != "---" {
        return None;
    }
    let mut at = open_end;
    for line in text[open_end..].split_inclusive('\n') {
        if line.trim_end() == "---" {
            let body = at + line.len();
            return Some(Ok((
                &text[..open_end],
                &text[open_end..at],
                &text[at..body],
                &text[body..],
            )));
        }
        at += line.len();
        if at - open_end > frontmatter::MAX_BYTES {
            return Some(Err(Broken::Front(Fault::TooLarge)));
        }
    }
    Some(Err(Broken::Unclosed))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_what_it_read() {
        for text in [
            "",
            "x",
            "---\n---\n",
            "\u{feff}---\r\nid: 1\r\n---\r\n\r\nbody\r\n",
            "---\nid: 1\n---\nbody",
            "no front\n---\n",
        ] {
            assert_eq!(Document::read(text.as_bytes()).map(|d| d.write()), Ok(text.to_owned()));
        }
    }

    #[test]
    fn breaks_are_told_apart() {
        assert_eq!(Document::read(b"---\nid: 1\n"), Err(Broken::Unclosed));
        assert_eq!(Document::read(b"\xff"), Err(Broken::NotUtf8));
        assert!(matches!(
            Document::read(b"---\n- x\n---\n"),
            Err(Broken::Front(Fault::Invalid { line: 1, .. }))
        ));
        let huge = format!("---\n{}", "a: b\n".repeat(20_000));
        assert_eq!(Document::read(huge.as_bytes()), Err(Broken::Front(Fault::TooLarge)));
    }

    #[test]
    fn frontmatter_is_added_at_the_top() {
        let mut document = Document::new("text\n");
        document.set("id", Value::Int(1));
        assert_eq!(document.write(), "---\nid: 1\n---\n\ntext\n");
    }

    #[test]
    fn a_bare_checksum_may_be_of_the_text_as_it_stands() {
        let raw = ContentHash::of_bytes(b"abc\n").hex();
        let holds = |sum: &str| {
            Document::read(format!("---\nchecksum: {sum}\n---\n\nabc\n").as_bytes())
                .expect("valid")
                .checksum_holds()
        };
        assert_eq!(holds(&raw), Some(true));
        assert_eq!(holds(&format!("sha256:{raw}")), Some(false));
        assert_eq!(holds(&ContentHash::of_body("abc").to_string()), Some(true));
        assert_eq!(holds("nonsense"), None);
    }
}
