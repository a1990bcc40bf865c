//! Problems that only documents have, on top of those of any file.
//!
//! Invariant: warnings only: a document with one is still read, found and merged like any other.

use super::{
    DocSummary, added, headings,
    names::{LinkForm, LinkUse, Names},
    original,
    placement::{self, OneWord},
    targets::{self, LinkTarget},
};
use crate::identity::{
    Blob, Code, Digest, Digests, Document, Finding, Kind, RelPath, Snapshot, memory,
};
use std::{
    cell::{OnceCell, RefCell},
    collections::{BTreeMap, BTreeSet},
};

/// Unknown labels, and missing originals and linked files.
pub fn check(snapshot: &Snapshot, before: &Digests) -> Vec<Finding> {
    let linked = Linked { snapshot, names: OnceCell::new(), headings: RefCell::default() };
    let is_known = |path: &RelPath, blob: &Blob| {
        let digest = before.get(path, blob);
        digest.is_some_and(|digest| {
            digest.is_sound && digest.needs.iter().all(|need| linked.is_there(need, path))
        })
    };
    let documents = snapshot.iter().filter_map(|(path, blob)| {
        if is_known(path, blob) {
            return None;
        }
        let entry = DocSummary::read(path, blob)?.ok()?;
        Some((path, blob, entry))
    });
    let of = |(path, blob, entry): (&RelPath, &Blob, DocSummary)| {
        let mut findings = labels(path, blob, &entry);
        findings.extend(attachment(path, &entry, |path| snapshot.get(path).is_some()));
        findings.extend(broken_links(path, blob, &linked));
        findings
    };
    documents.flat_map(of).chain(crowded_words(snapshot)).collect()
}

/// Folders where many documents begin with the same word.
fn crowded_words(snapshot: &Snapshot) -> Vec<Finding> {
    let documents = snapshot.paths().filter(|path| path.is_document()).filter_map(|path| {
        let below = path.as_str().strip_prefix("knowledge/")?.strip_suffix(".md")?;
        Some(below.rsplit_once('/').unwrap_or(("", below)))
    });
    let crowded = placement::of_one_word(documents).into_iter();
    let found = |one: OneWord<'_>| {
        let (folder, own) = (format!("knowledge/{}", one.folder), one.own_folder());
        let message = format!(
            "{} documents begin with `{}`; a folder {own}/ would make them easier to find \
             (`co knowledge move`)",
            one.count, one.word
        );
        let folder = RelPath::known(folder.trim_end_matches('/'));
        Finding::new(Code::PathConvention, &folder, message)
    };
    crowded.filter(|one| one.count > placement::MANY).map(found).collect()
}

/// What the check of a document depends on: whether its labels are valid, and what must exist:
/// files, and the targets of its wiki links.
pub fn digest(path: &RelPath, blob: &Blob, entry: &DocSummary, is_sound: bool) -> Digest {
    let original = entry.attachment.as_deref().map(original);
    let is_sound = is_sound && labels(path, blob, entry).is_empty() && original != Some(None);
    let mut needs: BTreeSet<String> =
        original.flatten().into_iter().map(|file| file.to_string()).collect();
    let text = std::str::from_utf8(blob).unwrap_or_default();
    let document = Document::read(blob).ok();
    for link in document.iter().flat_map(|document| targets(path, document, text)) {
        let target = &text[link.range];
        let file = Names::default().means(target, link.form, path);
        needs.extend(match link.form {
            LinkForm::Wiki => Some(format!("{WIKI}{target}")),
            LinkForm::Markdown => file.map(|file| file.to_string()),
        });
    }
    let stamp = |key: &str| memory::stamp_of(document.as_ref()?, key);
    let latest = ["created", "updated", "fetched"].into_iter().filter_map(stamp).max();
    Digest { latest, needs: needs.into_iter().collect(), ..Digest::of(blob, is_sound) }
}

/// Prefix of a need that is the target of a wiki link.
const WIKI: &str = "[[";

/// Whether the text was written elsewhere and then added.
fn is_of_others(path: &RelPath, document: &Document) -> bool {
    path.kind() == Kind::Article || added::sum(document).is_some()
}

/// The targets that must exist. Paths in added documents refer to their author's files, which only
/// the author has; but what co keeps and such a document shows is not the author's.
fn targets(path: &RelPath, document: &Document, text: &str) -> Vec<LinkTarget> {
    let mut targets = targets::targets(text);
    targets.retain(|link| match (is_of_others(path, document), link.form) {
        // Pages and other programs' files do not link by name.
        (true, LinkForm::Wiki) => added::is_own_text(document),
        (true, LinkForm::Markdown) => {
            link.purpose == LinkUse::Shown && is_kept(&text[link.range.clone()], path)
        }
        (false, LinkForm::Wiki) => true,
        (false, LinkForm::Markdown) => is_path(&text[link.range.clone()]),
    });
    targets
}

/// Whether a target is in the folder of originals.
fn is_kept(target: &str, from: &RelPath) -> bool {
    let file = Names::default().means(target, LinkForm::Markdown, from);
    file.is_some_and(|file| file.as_str().starts_with("knowledge/attachments/"))
}

/// What links may refer to.
struct Linked<'a> {
    snapshot: &'a Snapshot,
    /// Built when the first wiki link needs it.
    names: OnceCell<Names>,
    headings: RefCell<BTreeMap<RelPath, BTreeSet<String>>>,
}

impl Linked<'_> {
    fn names(&self) -> &Names {
        self.names.get_or_init(|| {
            let named = |(path, blob): (&RelPath, &Blob)| (path.clone(), aliases(path, blob));
            Names::from_files(self.snapshot.iter().filter(|(path, _)| !path.is_hidden()).map(named))
        })
    }

    fn is_there(&self, need: &str, from: &RelPath) -> bool {
        match need.strip_prefix(WIKI) {
            Some(target) => self.broken(target, from).is_none(),
            None => RelPath::new(need).is_some_and(|path| self.snapshot.get(&path).is_some()),
        }
    }

    /// Reads the headings of each file only once.
    fn has_heading(&self, file: &RelPath, blob: &Blob, heading: &str) -> bool {
        let mut known = self.headings.borrow_mut();
        let all = known
            .entry(file.clone())
            .or_insert_with(|| headings::all(std::str::from_utf8(blob).unwrap_or_default()));
        all.contains(&headings::named(heading))
    }

    /// What is wrong with a target; `None` if it exists, or cannot be a file.
    fn broken(&self, target: &str, from: &RelPath) -> Option<String> {
        let (file, _) = self.names().resolve(target, LinkForm::Wiki, from)?;
        let Some(blob) = self.snapshot.get(&file) else {
            return Some(format!("links to \"{target}\", but there is no such document"));
        };
        let (_, heading) = target.split_once('#').filter(|_| file.as_str().ends_with(".md"))?;
        let is_there = heading.is_empty() || self.has_heading(&file, blob, heading);
        (!is_there).then(|| format!("links to \"{heading}\" in {file}, which has no such heading"))
    }
}

/// The aliases that a document declares.
pub fn aliases(path: &RelPath, blob: &Blob) -> Vec<String> {
    if memchr::memmem::find(blob, b"alias").is_none() {
        return Vec::new();
    }
    let entry = DocSummary::read(path, blob).and_then(Result::ok);
    entry.map(|entry| entry.aliases).unwrap_or_default()
}

/// Labels of an added document may be its author's.
fn labels(path: &RelPath, blob: &Blob, entry: &DocSummary) -> Vec<Finding> {
    let Ok(document) = Document::read(blob) else { return Vec::new() };
    if is_of_others(path, &document) {
        return Vec::new();
    }
    let fields = [
        ("type", &entry.kind, placement::KINDS),
        ("status", &entry.status, placement::STATUSES),
        ("temporal", &entry.temporal, placement::TIMES),
    ];
    let finding = |(key, value, known): (&str, &Option<String>, &[&str])| {
        let value = value.as_deref().filter(|value| !known.contains(value))?;
        let message = format!("{key}: {value} is not one of {}", known.join(", "));
        let finding = Finding::new(Code::LabelUnknown, path, message);
        Some(finding.at(document.line_of(key)).field(key))
    };
    fields.into_iter().filter_map(finding).collect()
}

fn attachment(
    path: &RelPath,
    entry: &DocSummary,
    there: impl Fn(&RelPath) -> bool,
) -> Option<Finding> {
    let named = entry.attachment.as_deref()?;
    let message = match original(named) {
        Some(file) if there(&file) => return None,
        Some(file) => format!(
            "its original {file} is missing; `co identity restore --missing`, or add the file again"
        ),
        None => format!("attachment: {named} is not a path below attachments/"),
    };
    Some(Finding::new(Code::AttachmentMissing, path, message).field("attachment"))
}

/// A target that has no extension may be the name of anything.
fn is_path(target: &str) -> bool {
    let path = target.split(['#', '?']).next().unwrap_or_default();
    let ending = path.rsplit_once('.').map(|(_, ending)| ending);
    let has_ending = ending.is_some_and(|ending| {
        ending.chars().all(char::is_alphanumeric) && ending.chars().any(char::is_alphabetic)
    });
    has_ending || path.contains('/') && path.contains('.')
}

fn broken_links(path: &RelPath, blob: &Blob, linked: &Linked<'_>) -> Vec<Finding> {
    let Ok(text) = std::str::from_utf8(blob) else { return Vec::new() };
    let lines: Vec<usize> = memchr::memchr_iter(b'\n', text.as_bytes()).collect();
    let finding = |link: LinkTarget| {
        let target = &text[link.range.clone()];
        let why = match link.form {
            LinkForm::Wiki => linked.broken(target, path)?,
            LinkForm::Markdown => {
                let file = linked.names().means(target, link.form, path)?;
                let is_broken = linked.snapshot.get(&file).is_none();
                is_broken.then(|| format!("links to {file}, which does not exist"))?
            }
        };
        let line = lines.partition_point(|end| *end < link.range.start) + 1;
        Some(Finding::new(Code::LinkBroken, path, why).at(line))
    };
    let document = Document::read(blob).ok();
    let targets = document.iter().flat_map(|document| targets(path, document, text));
    targets.filter_map(finding).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_originals_and_links() {
        let files = [
            (
                "knowledge/a.md",
                "---\ntype: poem\nstatus: active\nattachment: attachments/x.pdf\n---\n\n[b](b.md) [c](c.md) [[later]]\n\n[[B]] ![[b#Part|p]] [[b#None]] [[Bee]]\n",
            ),
            (
                "knowledge/b.md",
                "---\nattachment: attachments/b.pdf\naliases: [Bee]\n---\n\n# Part\n\n![[b.pdf]] ![p](attachments/b.pdf) [web](https://x.org/y.md)\n",
            ),
            ("knowledge/d/near.jpg", "JFIF"),
            (
                "knowledge/d/e.md",
                "![a](near.jpg) ![b](./near.jpg) ![c](../attachments/b.pdf) [d](later) [e](1.5)\n\n![f](gone.png)\n\n[g](gone.pdf#page=2)\n\n![h](../gone.svg)\n\n![i](<a gone.webp> \"Title\")\n\n[j][k]\n\n[k]: gone.csv\n",
            ),
            ("knowledge/attachments/b.pdf", "%PDF"),
            (
                "knowledge/articles/c.md",
                "---\ntype: poem\nfetched: x\n---\n\n[x](x.md) [[nowhere]] ![y](y.png)\n\n![b](../attachments/b.pdf) [z](../attachments/z.png)\n\n![z](../attachments/z.png)\n",
            ),
        ];
        let snapshot: Snapshot =
            files.iter().map(|(path, text)| (RelPath::known(path), Blob::from(*text))).collect();
        let found: Vec<(&str, String, Option<usize>)> = check(&snapshot, &Digests::default())
            .into_iter()
            .map(|finding| (finding.code.as_str(), finding.path, finding.line))
            .collect();
        let at = |code, line| (code, "knowledge/a.md".to_owned(), line);
        let (found, of_e): (Vec<_>, Vec<_>) =
            found.into_iter().partition(|(_, path, _)| path != "knowledge/d/e.md");
        let mut lines: Vec<Option<usize>> = of_e.into_iter().map(|(.., line)| line).collect();
        lines.sort_unstable();
        assert_eq!(lines, [3, 5, 7, 9, 13].map(Some));
        assert_eq!(
            found,
            [
                at("label-unknown", Some(2)),
                at("attachment-missing", None),
                at("link-broken", Some(7)),
                at("link-broken", Some(7)),
                at("link-broken", Some(9)),
                ("link-broken", "knowledge/articles/c.md".to_owned(), Some(10)),
            ]
        );
    }
}
