//! `co knowledge reindex`: arguments and output. The verb is `upkeep::reindex`.

use crate::cli::{
    args::scope,
    failure::Failure,
    output::Output,
    progress::Bar,
    style::plural,
    verb::{Cli, Verb},
};
use crate::foreign::{Said, said};
use crate::index::store::Scope;
use crate::upkeep::reindex::{self, Freshness, Refreshed, Step};
use clap::Args;

pub(super) const HELP: &str = "Searches do this on their own: they notice files that were added, \
    removed or replaced, and changes in the files of their answers; with up to 5,000 files, they \
    check each one. With more, a file that another program changed in place is found by this \
    command, or by a sync. It also computes any missing vectors; if interrupted, it resumes where \
    it stopped. The index is local/index.db and can be deleted at any time.";

/// `co knowledge reindex`
#[derive(Args, Debug, Default)]
pub struct Reindex {
    /// Only in this scope
    #[arg(long, value_parser = scope())]
    pub scope: Option<Scope>,
    /// Rebuild it from scratch
    #[arg(long)]
    pub rebuild: bool,
}

impl Verb for Reindex {
    fn name(&self) -> &'static str {
        "knowledge reindex"
    }

    fn run(self, cli: &Cli<'_>) -> Result<Output, Failure> {
        let freshness = if self.rebuild { Freshness::Anew } else { Freshness::Whole };
        let request = reindex::Request { scope: self.scope, freshness };
        let (reading, encoding) = (Bar::new("Reading", cli.err), Bar::new("Encoding", cli.err));
        let report = reindex::run(cli.ws, &request, &|step, done, of| match step {
            Step::Reading => reading.moved(done, of),
            Step::Encoding => encoding.moved(done, of),
        });
        reading.end();
        encoding.end();
        let report = report?;
        let line = |row: &reindex::Row| match &row.refreshed {
            Some(refreshed) => line(cli, row, refreshed),
            None => said!(
                "{}: the search index is off; every search reads all files\n",
                row.scope.word()
            ),
        };
        let text: Said = report.stores.iter().map(line).collect();
        let findings = report.findings.clone();
        Ok(Output::done(text, report).skipped(&findings))
    }
}

fn line(cli: &Cli<'_>, row: &reindex::Row, refreshed: &Refreshed) -> Said {
    let Refreshed { files, articles, added, changed, removed, .. } = *refreshed;
    let scope = row.scope.word();
    let vectors = match row.vectors.made {
        0 => Said::new(),
        made => said!("; {} computed", plural(made, "vector", "vectors")),
    };
    let documents = match articles {
        0 => Said::new(),
        documents => said!(", {}", plural(documents, "document", "documents")),
    };
    let all = said!("{}: {}{}", scope, plural(files, "fact", "facts"), documents);
    if refreshed.rebuilt {
        let shown = cli.ws.shown(&refreshed.file);
        return said!("{}; index rebuilt in {}{}\n", all, shown, vectors);
    }
    match added + changed + removed {
        0 => said!("{}, up to date{}\n", all, vectors),
        _ => {
            said!("{}; {} added, {} changed, {} removed{}\n", all, added, changed, removed, vectors)
        }
    }
}
