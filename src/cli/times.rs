//! `--at` and `--on`: of which time a reading verb tells.
//!
//! Invariant: `--at` is what co knew then, `--on` what held then; `--at` alone is both. Must not
//! know: how dates are written, the verbs.

use super::{failure::Failure, style::Style, verb::Cli};
use crate::foreign::{Said, said};
use crate::identity::{
    Stamp,
    dates::{Reading, When},
};
use crate::workspace::{
    Workspace, asked,
    at::{self, Gap, PastIdentity},
};
use clap::Args;

/// `--at` and `--on`, wherever facts are read.
#[derive(Args, Debug, Clone, Default)]
pub struct Times {
    /// Show what was known at a time (yesterday, 17:05, "3 weeks ago", 2026-10-01), after an
    /// operation (o42) or at a git revision (HEAD~3)
    #[arg(long, value_name = "DATE|OP|REV")]
    pub at: Option<String>,
    /// Show what held at a time, as it is known today (or was known --at)
    #[arg(long, value_name = "DATE")]
    pub on: Option<String>,
}

impl Times {
    pub(super) fn asked(&self, cli: &Cli<'_>) -> Result<AskedTime, Failure> {
        let past = self.at.as_ref().map(|text| at::identity_at(cli.ws, text)).transpose()?;
        let on = match &self.on {
            Some(text) => {
                let when = asked::date(cli.ws, text, Reading::Past)?;
                let known = past.as_ref().map_or(cli.ws, |past| &past.ws);
                let context = known.context().clone().about(when.last(cli.ws.calendar()));
                Some((when, Workspace::unrecovered(context)))
            }
            None => None,
        };
        Ok(AskedTime { past, on })
    }
}

/// The time that a call is about; its files live as long as this value.
pub(super) struct AskedTime {
    past: Option<PastIdentity>,
    on: Option<(When, Workspace)>,
}

impl AskedTime {
    /// What the verb reads.
    pub(super) fn ws<'a>(&'a self, cli: &Cli<'a>) -> &'a Workspace {
        match (&self.on, &self.past) {
            (Some((_, ws)), _) => ws,
            (None, Some(past)) => &past.ws,
            (None, None) => cli.ws,
        }
    }

    /// What is not known about an earlier state, as a warning.
    pub(super) fn unknown(&self) -> Option<String> {
        let past = self.past.as_ref()?;
        let minute = |at: Stamp| past.ws.calendar().minute(at);
        Some(match past.gap.as_ref()? {
            Gap::Since { sync, laptop } => format!(
                "as the sync of {} left it: what changed between is not known for {}",
                minute(*sync),
                laptop.as_deref().unwrap_or("the laptop that made it")
            ),
            Gap::ByHand { found } => format!(
                "without what was changed by hand: the sync of {} found it, and when it was done \
                 is not known",
                minute(*found)
            ),
        })
    }

    /// The lines above output that is about another time.
    pub(super) fn heading(&self, style: Style) -> Said {
        let mut text = Said::new();
        if let Some(past) = &self.past {
            let from = match (&past.commit, &past.last_op) {
                (Some(commit), Some(op)) => {
                    said!("commit {}, and operations up to {}", commit, op)
                }
                (Some(commit), None) => said!("commit {}", commit),
                (None, Some(op)) => said!("operations up to {}", op),
                (None, None) => Said::from("no commit yet"),
            };
            let line = said!("As it was on {} ({}):", past.when(), from);
            text.push(said!("{}\n", style.dim(line)));
        }
        if let Some((when, ws)) = &self.on {
            let calendar = ws.calendar();
            let moment = match when {
                When::Days(..) => calendar.day(ws.moment()).to_string(),
                When::Time(..) => calendar.minute(ws.moment()),
            };
            let known = if self.past.is_some() { "" } else { ", as known today" };
            text.push(said!("{}\n", style.dim(said!("What held on {}{}:", moment, known))));
        }
        text
    }
}
