//! What can be done where this laptop cannot sync by itself.
//!
//! Invariant: every variant is listed by name, so that a new one does not compile without a hint.

use super::Hints;
use crate::integrations::timer::TimerError;

pub(super) fn timer(error: &TimerError) -> Hints {
    let hint = match error {
        TimerError::NoScheduler => {
            "install cron, or let whatever starts programs here run `co sync --timed 15m`"
        }
        TimerError::NotOfCron { .. } => {
            "cron can do 5m, 10m, 15m, 20m, 30m, 1h, 2h, 3h, 4h, 6h, 8h, 12h and 1d"
        }
        TimerError::NotOurs { .. } => "rename it, then run the command again",
        TimerError::OddText { .. } => {
            "move the program, or take that folder off your PATH, then run the command again"
        }
        TimerError::Variable { name } => {
            return vec![format!(
                "`setx {name} …` sets it for your account; then run it again there"
            )];
        }
        TimerError::OfLayer { .. } => "run it in your home folder, without --layer",
        TimerError::Program { .. } => {
            "`co status` says what is set up; the same command can be run again"
        }
    };
    vec![hint.to_owned()]
}
