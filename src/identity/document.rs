//! One markdown file: an optional frontmatter block and a body.
//!
//! Invariant: writing what was read gives the same bytes, whatever the byte order mark, line
//! endings or spacing.

use super::{
    block::Fault,
    finding::{Code, Finding},
    frontmatter::{self, Entry, Frontmatter},
    hash::ContentHash,
    path::RelPath,
    unquoted,
    value::Value,
};

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

/// Why a file could not be parsed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Broken {
    NotUtf8,
    /// Larger than the limit for its kind.
    TooLarge,
    /// The opening `---` has no closing one.
    Unclosed,
    Front(Fault),
}

impl Broken {
    pub fn finding(&self, path: &RelPath) -> Finding {
        match self {
            Broken::NotUtf8 => {
                Finding::new(Code::NotUtf8, path, "not UTF-8 text; save it as UTF-8")
            }
            Broken::TooLarge => Finding::new(
                Code::TooLarge,
                path,
                "larger than 1 MiB; a fact is short, long texts belong in knowledge/articles/",
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
                format!("`{key}` is duplicated; keep one"),
            )
            .at(line + 1)
            .field(key),
            Broken::Front(Fault::Invalid { line, message }) => Finding::new(
                Code::FrontmatterInvalid,
                path,
                format!("the frontmatter cannot be read: {message}"),
            )
            .at(line + 1),
        }
    }
}

impl Document {
    /// A document without frontmatter; [`Document::set`] adds it.
    pub fn new(body: &str) -> Document {
        Document { body: body.to_owned(), ..Document::default() }
    }

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

    /// Like [`Document::read`], for a text from another program: a value that YAML refuses as it
    /// stands, such as `globs: *.ts`, is the text behind its key, and gets quotes.
    pub fn arriving(text: &str) -> Result<Document, Broken> {
        let read = Document::read(text.as_bytes());
        if !matches!(read, Err(Broken::Front(Fault::Invalid { .. }))) {
            return read;
        }
        let Some(Ok((open, block, close, body))) = split(text) else { return read };
        match unquoted::with_quotes(block) {
            Some(block) => Document::read([open, &block, close, body].concat().as_bytes()),
            None => read,
        }
    }

    /// Like [`Document::read`], but what looks like a broken frontmatter is part of the body, as in
    /// YAML that begins with `---`. `None` if it is no text.
    pub fn of_text(bytes: &[u8]) -> Option<Document> {
        Document::read(bytes).ok().or_else(|| Some(Document::new(std::str::from_utf8(bytes).ok()?)))
    }

    pub fn front(&self) -> Option<&Frontmatter> {
        self.front.as_ref().map(|front| &front.block)
    }

    /// Adds an empty frontmatter if there is none.
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

    pub fn set_body(&mut self, body: String) {
        self.body = body;
    }

    /// The trimmed body, as it is shown and loaded.
    pub fn text(&self) -> &str {
        super::hash::canonical_trim(&self.body)
    }

    /// Byte offset of the body in the file.
    pub(super) fn body_at(&self) -> usize {
        let front = self.front.as_ref();
        let bom = if self.bom { '\u{feff}'.len_utf8() } else { 0 };
        bom + front.map_or(0, |front| front.open.len() + front.block.len() + front.close.len())
    }

    pub fn hash(&self) -> ContentHash {
        ContentHash::of_body(&self.body)
    }

    pub fn get(&self, key: &str) -> Option<&Value> {
        self.front()?.get(key)
    }

    pub fn set(&mut self, key: &str, value: Value) {
        self.front_mut().set(key, value);
    }

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

    /// Line of the key in the file, from 1; 1 if the key is absent.
    pub fn line_of(&self, key: &str) -> usize {
        self.front().and_then(|front| front.entry(key)).map_or(1, |entry| entry.line + 1)
    }

    pub fn set_checksum(&mut self) {
        let hash = self.hash();
        self.set("checksum", Value::Text(hash.to_string()));
    }

    /// `None` without a readable checksum. A bare hexadecimal checksum may also be that of the
    /// untrimmed body after the blank line, as other tools write it.
    pub fn checksum_holds(&self) -> Option<bool> {
        self.checksum_is(self.hash())
    }

    /// [`Document::checksum_holds`] for callers that already have the hash of the body.
    pub(super) fn checksum_is(&self, of_body: ContentHash) -> Option<bool> {
        let claimed = self.get("checksum")?.as_text()?;
        let hash = ContentHash::parse(&claimed)?;
        if hash == of_body {
            return Some(true);
        }
        let bare = !claimed.trim().starts_with("sha256:");
        let as_it_stands = self.body.strip_prefix('\n').unwrap_or(&self.body);
        Some(bare && hash == ContentHash::of_bytes(as_it_stands.as_bytes()))
    }

    /// The value as typed, for messages.
    pub fn shown(&self, key: &str) -> String {
        self.front().and_then(|front| front.entry(key)).map_or("", Entry::shown).to_owned()
    }
}

type Parts<'a> = (&'a str, &'a str, &'a str, &'a str);

/// Opening line, block, closing line, body; `None` without frontmatter.
fn split(text: &str) -> Option<Result<Parts<'_>, Broken>> {
    let open_end = frontmatter::lines(text).next().map_or(0, str::len);
    if text[..open_end].trim_end() != "---" {
        return None;
    }
    let mut at = open_end;
    for line in frontmatter::lines(&text[open_end..]) {
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
