//! `co knowledge reindex`

use crate::cli::{
    args::{ScopeArg, scope},
    output::Output,
    progress::Bar,
    style::{plural, safe},
    verb::{Cli, Verb},
};
use crate::ops::{
    Failure,
    reindex::{self, Few, Look, Refreshed},
    store::Scope,
};
use clap::Args;

pub(super) const HELP: &str = "Questions do this by themselves: they see files that came, went or \
    were replaced, and the answers' own files; up to 5,000 facts they look at every file. Above \
    that, a file that another program changed in its place is found by this, or by a sync. The \
    indexes lie in local/knowledge.db (facts) and local/documents.db and can be deleted at any time.";

/// `co knowledge reindex`
#[derive(Args, Debug, Default)]
pub struct Reindex {
    /// Only in this scope
    #[arg(long)]
    pub scope: Option<ScopeArg>,
    /// Make it anew, whatever is there
    #[arg(long)]
    pub rebuild: bool,
}

impl Verb for Reindex {
    fn name(&self) -> &'static str {
        "knowledge reindex"
    }

    fn run(self, cli: &Cli<'_>) -> Result<Output, Failure> {
        let look = if self.rebuild { Look::Anew } else { Look::Whole };
        let request = reindex::Request { scope: scope(self.scope), look };
        let bar = Bar::new("Indexing", cli.err);
        let report = reindex::run(cli.context, &request, &|done, of| bar.moved(done, of));
        bar.end();
        let report = report?;
        let line = |row: &reindex::Row| match (&row.refreshed, &row.few) {
            (Some(refreshed), _) => line(cli, row.scope, refreshed),
            (None, Some(few)) => few_line(row.scope, few),
            (None, None) => String::new(),
        };
        let text: String = report.stores.iter().map(line).collect();
        let findings = report.findings.clone();
        Ok(Output::done(text, report).skipped(&findings))
    }
}

fn scope_name(scope: Scope) -> &'static str {
    match scope {
        Scope::Identity => "identity",
        Scope::Project => "project",
    }
}

fn few_line(scope: Scope, few: &Few) -> String {
    let (scope, files) = (scope_name(scope), plural(few.files, "file", "files"));
    let from = few.index_from;
    format!("{scope}: {files}, read at every question; an index begins at {from}\n")
}

fn line(cli: &Cli<'_>, scope: Scope, refreshed: &Refreshed) -> String {
    let Refreshed { files, added, changed, removed, .. } = *refreshed;
    let scope = scope_name(scope);
    let memories = match refreshed.articles {
        0 => plural(files, "memory", "memories"),
        documents => plural(documents, "document", "documents"),
    };
    if let Some(note) = refreshed.note() {
        let shown = safe(&cli.context.shown(&refreshed.file));
        return format!("{scope}: {note} in {shown}\n");
    }
    match added + changed + removed {
        0 => format!("{scope}: {memories}, up to date\n"),
        _ => format!("{scope}: {memories}; {added} added, {changed} changed, {removed} removed\n"),
    }
}
