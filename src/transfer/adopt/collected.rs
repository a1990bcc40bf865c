//! What the files say: proposals with their sources, and what is left out.
//!
//! Invariant: each line of a file that is read becomes a proposal or is left out with its reason; a
//! secret is held back and not repeated. Must not know: what is already saved here.

use super::{
    candidates::Candidate,
    report::{ImportedFile, Left},
    request::Request,
};
use crate::adopt::{self, Place, Proposal, Reading, SourceForm, zipped};
use crate::extract;
use crate::identity::{Stamp, incoming, memory, validate};
use crate::machine::{Context, files};
use crate::secrets::Allowed;
use crate::workspace::guard;

/// The largest file that is not an export, in MiB.
const MAX: u64 = 1;

/// A proposal with its source and time.
pub(super) struct SourcedProposal {
    pub proposal: Proposal,
    pub source: String,
    /// Its file, as it is shown.
    pub file: String,
    pub at: Stamp,
}

impl SourcedProposal {
    pub(super) fn left(&self, why: String) -> Left {
        Left {
            file: self.file.clone(),
            at: Some(self.proposal.place),
            text: memory::summary(&self.proposal.text),
            why,
            is_alike: false,
            is_rejected: false,
            is_minor: false,
        }
    }
}

#[derive(Default)]
pub(super) struct Collected {
    pub all: Vec<SourcedProposal>,
    pub found: Vec<ImportedFile>,
    pub left: Vec<Left>,
    pub unread: Vec<String>,
}

impl Collected {
    pub(super) fn file(&mut self, context: &Context, candidate: &Candidate, request: &Request) {
        let file = &candidate.file;
        let shown = context.shown(file);
        let begins = files::beginning(file, zipped::BEGINNING);
        if begins.is_some_and(|begins| zipped::is_archive(&begins)) {
            return self.archive(context, candidate, request);
        }
        let name = shown.to_lowercase();
        let is_export = [".json", ".jsonl", ".ndjson"].iter().any(|ending| name.ends_with(ending));
        let limit = if is_export { zipped::MAX } else { MAX };
        if files::size(file) as u64 > limit * 1024 * 1024 {
            self.unread.push(format!("{shown}: larger than {limit} MiB"));
            return;
        }
        match files::read(file).map(|bytes| extract::decoded(&bytes.unwrap_or_default())) {
            Ok(Some(text)) => self.text(context, candidate, request, &shown, &text),
            Ok(None) => self.unread.push(format!("{shown}: it is not a text")),
            Err(error) => self.unread.push(error.to_string()),
        }
    }

    /// An export as it was downloaded.
    fn archive(&mut self, context: &Context, candidate: &Candidate, request: &Request) {
        let shown = context.shown(&candidate.file);
        let export = match files::open(&candidate.file).map(zipped::read) {
            Ok(Ok(export)) => export,
            Ok(Err(why)) => return self.unread.push(format!("{shown}: {why}")),
            Err(error) => return self.unread.push(error.to_string()),
        };
        self.left.extend(export.attachments.into_iter().map(|of_kind| Left {
            file: shown.clone(),
            at: Some(Place::Parts(of_kind.count)),
            text: of_kind.names,
            why: of_kind.reason.to_string(),
            is_alike: false,
            is_rejected: false,
            is_minor: of_kind.reason.is_structure(),
        }));
        for member in export.members {
            let file = format!("{shown}/{}", member.name);
            match member.text {
                Ok(text) => self.text(context, candidate, request, &file, &text),
                Err(reason) => self.left.push(Left {
                    file,
                    at: None,
                    text: String::new(),
                    why: reason.to_string(),
                    is_alike: false,
                    is_rejected: false,
                    is_minor: reason.is_structure(),
                }),
            }
        }
    }

    fn text(
        &mut self,
        context: &Context,
        candidate: &Candidate,
        request: &Request,
        shown: &str,
        text: &str,
    ) {
        let text = incoming::plain(text);
        let form = match adopt::form_of(shown, &text) {
            // Only a file that a person gave is read as another program's notes.
            SourceForm::Note if request.from.is_none() => SourceForm::Markdown,
            form => form,
        };
        match adopt::read(form, &text) {
            Ok(reading) => self.reading(context, candidate, shown, reading, &request.allowed),
            Err(why) => self.unread.push(format!("{shown}: {why}")),
        }
    }

    fn reading(
        &mut self,
        context: &Context,
        candidate: &Candidate,
        shown: &str,
        reading: Reading,
        allowed: &Allowed,
    ) {
        self.left.extend(reading.left.into_iter().map(|left| Left {
            file: shown.to_owned(),
            at: Some(left.place),
            text: left.text,
            why: left.reason.to_string(),
            is_alike: false,
            is_rejected: false,
            is_minor: left.reason.is_structure(),
        }));
        let read = files::mtime(&candidate.file).unwrap_or_else(|| context.now());
        let before = self.all.len();
        for proposal in reading.proposals {
            // Distinct creation times keep the facts of one file apart.
            let at = proposal.at.unwrap_or(read);
            let at = Stamp::from_micros(at.micros() + self.all.len() as i64);
            let (source, file) = (candidate.source.clone(), shown.to_owned());
            let mut gained = SourcedProposal { proposal, source, file, at };
            match fit(&gained.proposal, allowed) {
                Err(why) => self.left.push(Left { text: String::new(), ..gained.left(why) }),
                Ok(text) => {
                    gained.proposal.text = text;
                    self.all.push(gained);
                }
            }
        }
        let proposals = self.all.len() - before;
        if proposals > 0 {
            let Candidate { source, title, file } = candidate.clone();
            self.found.push(ImportedFile { source, title, file, proposals });
        }
    }
}

/// The text as it is saved, or why it cannot be.
fn fit(proposal: &Proposal, allowed: &Allowed) -> Result<String, String> {
    let text = validate::text(&proposal.text).map_err(|rejected| rejected.to_string())?;
    let tags: Vec<&str> = proposal.tags.iter().map(String::as_str).collect();
    guard::refuse_part(&text, &tags, allowed)?;
    Ok(text)
}
