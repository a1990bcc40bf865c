//! What merges left for a person to look at, as questions of a review.
//!
//! Invariant: the same on every laptop. An answer says that all is as it should be and changes no
//! text; an edit or a forget of what a question is about is an answer as well.

use super::proposal::{Proposal, Question};
use crate::identity::{
    Blob, ContentHash, Document, FactView, RelPath,
    answers::Answers,
    kind::QUESTIONS,
    questions::{self, MergeQuestion, Met},
    shell,
};
use crate::index::{self, store::Store};
use crate::machine::{files, folder};
use crate::merge::blocks;
use crate::secrets::redact;
use crate::workspace::{Workspace, named};
use std::collections::BTreeMap;

type FactsByText = BTreeMap<ContentHash, FactView>;

pub(super) fn open(ws: &Workspace, store: &Store, answers: &Answers) -> Vec<Proposal> {
    let bytes = files::read(&store.root.join(QUESTIONS)).ok().flatten().unwrap_or_default();
    let mut asked = questions::read(&bytes);
    if asked.is_empty() {
        return Vec::new();
    }
    asked.retain(|question| !answers.has(question.hash()));
    let (mut list, _) = index::listed(store, ws);
    named::tell_apart(ws, &mut list);
    let facts: FactsByText = list.iter().map(|row| (row.hash(), row.view())).collect();
    let file = |path: &RelPath| -> Option<Blob> {
        Some(folder::read_file(path, &store.root.join(path.as_str())).ok()?.0)
    };
    let is_fact = |text: &ContentHash| facts.contains_key(text);
    asked.retain(|question| question.is_open(is_fact, file));
    asked.iter().map(|question| proposal(store, question, &facts, file)).collect()
}

fn proposal(
    store: &Store,
    question: &MergeQuestion,
    facts: &FactsByText,
    file: impl Fn(&RelPath) -> Option<Blob>,
) -> Proposal {
    let field = question.path.as_ref().and_then(|path| field(question, &file(path)?));
    let (named, text) = match &question.path {
        None => of_facts(question, facts),
        Some(path) => of_file(path, field.as_deref()),
    };
    let (hash, told) = (question.hash(), question.met.told());
    let named = redact(&question.met.named(&named)).into_owned();
    let about: Vec<&FactView> = question.texts.iter().filter_map(|text| facts.get(text)).collect();
    let corrections = match &question.path {
        None => about.iter().flat_map(|fact| of_fact(fact)).collect::<Vec<String>>(),
        Some(path) => of_document(store, path),
    };
    let corrections = corrections.iter().map(|command| redact(command).into_owned()).collect();
    let facts = about.iter().map(|fact| fact.created).collect();
    let what = Question::Look {
        named,
        facts,
        corrections,
        path: question.path.clone(),
        field,
        other_values: Vec::new(),
        other_texts: Vec::new(),
        bring_back: Vec::new(),
    };
    let text = redact(&text).into_owned();
    Proposal { why: Some(told.to_owned()), ..Proposal::of(hash, what, text) }
}

fn of_fact(fact: &FactView) -> [String; 2] {
    let handle = &fact.handle;
    [format!("co edit {handle} TEXT"), format!("co forget {handle}")]
}

fn of_document(store: &Store, path: &RelPath) -> Vec<String> {
    if path.is_document() {
        let typed = shell::quoted(path.as_str());
        return vec![
            format!("co knowledge write {typed} TEXT"),
            format!("co knowledge delete {typed}"),
        ];
    }
    let file = store.root.join(path.as_str()).display().to_string();
    vec![format!("$EDITOR {}", shell::quoted(&file))]
}

/// By their numbers, and with their first lines.
fn of_facts(question: &MergeQuestion, facts: &FactsByText) -> (String, String) {
    let there = question.texts.iter().filter_map(|text| facts.get(text));
    let told: Vec<(String, String)> = there
        .map(|fact| (fact.handle.clone(), format!("{}  {}", fact.handle, fact.summary)))
        .collect();
    let (handles, lines): (Vec<String>, Vec<String>) = told.into_iter().unzip();
    (handles.join(" and "), lines.join("\n"))
}

/// The line of the field that it is about.
fn field(question: &MergeQuestion, blob: &Blob) -> Option<String> {
    let document = Document::of_text(blob).filter(|_| question.met == Met::BothSet)?;
    question.line(&document).map(str::to_owned)
}

/// A line of a list, without its bullet.
pub(super) fn unlisted(line: &str) -> &str {
    line.trim_start().trim_start_matches("- ").trim_start_matches("* ")
}

/// By the field, or else by the path.
fn of_file(path: &RelPath, field: Option<&str>) -> (String, String) {
    let Some(line) = field.map(unlisted) else {
        return (path.to_string(), path.to_string());
    };
    let field = blocks::key_of(line).unwrap_or(line);
    (field.to_owned(), format!("{path}: {line}"))
}
