//! Showing, agreeing, applying: diff, import, export, restore, and the life of a fact.

use super::{
    args,
    dispatch::Outcome,
    look::{self, Look},
    prompt, render, render_diff, secrets,
};
use crate::identity::Kind;
use crate::merge::import::{Group, How, Item};
use crate::ops::{Exit, Failure, diff, export, import, log, restore};
use crate::system::{Machine, terminal};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde_json::json;

fn how(replace: bool, restore_forgotten: bool) -> How {
    match (replace, restore_forgotten) {
        (true, _) => How::Replace,
        (false, true) => How::RestoreForgotten,
        (false, false) => How::Merge,
    }
}

/// `identity diff`
pub fn run_diff(machine: &Machine, args: &args::Diff, paging: bool, look: Look) -> Result<Outcome, Failure> {
    let report = diff::run(machine, &diff::Request { source: args.source.clone(), how: how(args.replace, args.restore_forgotten) })?;
    let mut text = match (args.stat, args.patch) {
        (true, _) => render_diff::stat(&report, look),
        (_, true) => render_diff::patch(&report, look),
        _ => render_diff::review(&report, look),
    };
    if !args.stat && !args.patch && report.direction == diff::Direction::Import && !report.is_empty() {
        let option = if args.replace { "--replace" } else { "--merge" };
        let source = args.source.as_deref().unwrap_or_default();
        text.push_str(&format!("\n`co identity import {} {option}` applies exactly this.\n", look::safe(source)));
    }
    let failure = (args.exit_code && !report.is_empty()).then(|| Failure::new(Exit::Found, ""));
    let warnings = report.warnings.clone();
    if paging && !args.no_pager && look.width.is_some() && terminal::page(machine, &text) {
        text.clear();
    }
    Ok(Outcome { failure, warnings, ..Outcome::lazy(text, move || report.json()) })
}

/// A bar on a terminal's standard error, for work that takes longer than a moment.
fn bar(verb: &'static str, err: Look) -> Bar {
    let bar = ProgressBar::with_draw_target(Some(1), ProgressDrawTarget::hidden());
    let style = ProgressStyle::with_template("{msg} [{bar:30}] {percent}%");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()).progress_chars("=> "));
    bar.set_message(verb);
    Bar { bar, seen: err.width.is_some() }
}

/// A bar that shows itself only for long work.
struct Bar {
    bar: ProgressBar,
    seen: bool,
}

impl Bar {
    const LONG: usize = 200;

    fn moved(&self, done: usize, of: usize) {
        if of < Bar::LONG || !self.seen {
            return;
        }
        if done == 1 {
            self.bar.set_length(of as u64);
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        self.bar.set_position(done as u64);
    }
}

/// `identity import`
pub fn run_import(machine: &Machine, args: &args::Import, ask: bool, look: Look, err: Look) -> Result<Outcome, Failure> {
    let request =
        import::Request { source: args.source.clone(), how: how(args.replace, args.restore_forgotten), allowed: secrets::allowed(&args.allow)? };
    let mut plan = import::plan(machine, &request)?;
    let shown = render_diff::review(&plan.report, if args.dry_run { look } else { err });
    let warnings = plan.report.warnings.clone();
    if args.dry_run {
        let report = plan.report;
        return Ok(Outcome { warnings, ..Outcome::lazy(shown, move || report.json()) });
    }
    if plan.is_empty() {
        return Ok(Outcome { warnings, ..Outcome::lazy("Nothing to take in: all of it is here.\n".into(), || json!({ "files": 0 })) });
    }
    if !args.yes {
        if !ask || args.source == "-" {
            return Err(import::needs_agreement());
        }
        let _ = look::write(std::io::stderr(), &format!("{shown}\n"));
        let items = plan.items();
        let agreed = if args.select { prompt::facts(&items)? } else { agreed_groups(&items)? };
        if agreed.is_empty() {
            return Err(prompt::declined());
        }
        if agreed.len() < items.len() {
            plan = plan.only(&agreed);
        }
    }
    let bar = bar("Importing", err);
    let done = import::apply(machine, &plan, &|done, of| bar.moved(done, of))?;
    bar.bar.finish_and_clear();
    let text = render::imported(&done, &plan.report, look);
    Ok(Outcome { warnings, ..Outcome::done(text, done) })
}

fn agreed_groups(items: &[Item]) -> Result<Vec<Item>, Failure> {
    let mut agreed = Vec::new();
    for (group, verb) in [(Group::Learned, "Take in"), (Group::Changed, "Change"), (Group::Removed, "Remove")] {
        let of_group: Vec<&Item> = items.iter().filter(|item| item.group == group).collect();
        if of_group.is_empty() {
            continue;
        }
        let facts = of_group.iter().filter(|item| item.paths.iter().any(|path| path.kind() == Kind::Memory)).count();
        let counts = [(facts, "fact", "facts"), (of_group.len() - facts, "other file", "other files")];
        let counts: Vec<String> =
            counts.into_iter().filter(|(count, ..)| *count > 0).map(|(count, one, many)| render::plural(count, one, many)).collect();
        let question = format!("{verb} {}", counts.join(" and "));
        let yes = if group == Group::Removed { prompt::confirm_loss(&question)? } else { prompt::confirm(&question)? };
        if yes {
            agreed.extend(of_group.into_iter().cloned());
        }
    }
    Ok(agreed)
}

/// `identity export`
pub fn run_export(machine: &Machine, args: &args::Export, look: Look, err: Look) -> Result<Outcome, Failure> {
    let format = match args.format {
        args::ExportFormat::TarGz => export::Format::TarGz,
        args::ExportFormat::Dir => export::Format::Dir,
    };
    let bar = bar("Exporting", err);
    let report = export::run(machine, &export::Request { path: args.path.clone(), format, allowed: secrets::allowed(&args.allow)? }, &|done, of| {
        bar.moved(done, of)
    })?;
    bar.bar.finish_and_clear();
    let mut outcome = Outcome::done(render::exported(&report, machine, look), report.clone()).warn(&report.findings);
    if !report.left_out.is_empty() {
        outcome.warnings.push(format!("left out, because it belongs to this machine: {}", report.left_out.join(", ")));
    }
    Ok(outcome)
}

/// `identity restore`
pub fn run_restore(machine: &Machine, args: &args::Restore, look: Look) -> Result<Outcome, Failure> {
    let report =
        restore::run(machine, &restore::Request { paths: args.paths.clone(), from: args.from.clone(), allowed: secrets::allowed(&args.allow)? })?;
    Ok(Outcome::done(render::restored(&report, look), report))
}

/// `identity log HANDLE`
pub fn run_life(machine: &Machine, handle: &str, look: Look) -> Result<Outcome, Failure> {
    let life = log::life(machine, handle)?;
    Ok(Outcome::data(render::life(&life, look), life))
}
