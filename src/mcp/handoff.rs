//! The tool that leaves a hand-off.
//!
//! Invariant: thin; the verb is `integrations::handoff`.

use super::{
    arguments::SaveHandoff,
    failure::Failure,
    tools::{Arguments, Call},
};
use crate::foreign::{Said, said, unquoted};
use crate::identity::handoff::Work;
use crate::integrations::handoff;

impl Arguments for SaveHandoff {
    fn run(self, call: &Call<'_>) -> Result<Said, Failure> {
        let text = |text: Option<String>| unquoted(&text.unwrap_or_default()).into_owned();
        let work = Work {
            goal: text(Some(self.goal)),
            done: text(self.done),
            next: text(self.next),
            questions: text(self.questions),
            files: self.files,
        };
        // A word for nothing, as models write it: a note under that name would reach nobody.
        let branch = self.branch.filter(|name| !matches!(name.trim(), "null" | "None"));
        let request = handoff::Request { work, branch };
        let report = handoff::save(call.ws, &request)?;
        let branch = report.branch.map_or_else(Said::new, |name| said!(", branch {}", name));
        Ok(said!("✓ Left for the next session in {}{}\n", report.project, branch))
    }
}
