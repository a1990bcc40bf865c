//! `hook install` and `uninstall`: the merge driver and the hooks for plain git.
//!
//! Invariant: other content of a hook stays, and uninstalling restores the same bytes. A hook that
//! is not a shell script is left alone and reported.

use crate::git::Repo;
use crate::identity::{FileChange, shell};
use crate::machine::{Context, files, oplog::OpVerb};
use crate::sync;
use crate::workspace::{Error, Workspace, transaction};
use serde::Serialize;
use std::path::PathBuf;
use std::rc::Rc;

const HOOKS: &[(&str, &str)] = &[
    ("pre-commit", include_str!("../../hooks/pre-commit")),
    ("post-merge", include_str!("../../hooks/post-merge")),
    ("post-rewrite", include_str!("../../hooks/post-rewrite")),
];

const SECTION: &str = "merge.co-identity";
/// The git configuration key of the merge driver.
pub const DRIVER: &str = "merge.co-identity.driver";
const ATTRIBUTES: &str = "\
*.md merge=co-identity
knowledge/forgotten.md merge=union
knowledge/reviewed.md merge=union
knowledge/merge-questions.md merge=union
";

/// Whether `co hook install` has set up the identity's repository.
pub fn is_set_up(ws: &Workspace) -> bool {
    let repo = ws.repo().ok().flatten();
    repo.is_some_and(|repo| repo.config(DRIVER).is_some())
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct HookChange {
    pub file: PathBuf,
    /// `create`, `add to`, `replace in`, `take out of`, `remove`.
    pub what: &'static str,
    #[serde(skip)]
    change: FileChange<PathBuf>,
    #[serde(skip)]
    mode: Mode,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Plan {
    pub changes: Vec<HookChange>,
    /// The command of the merge driver; `None` when it is removed.
    pub driver: Option<String>,
    /// Hooks that are left alone, and why.
    pub left_alone: Vec<String>,
    /// Whether core.hooksPath points to hooks that other repositories share.
    pub shared_hooks: bool,
    #[serde(skip)]
    setup: HookSetup,
}

impl Plan {
    /// Keeps only the identity's own part: its attributes and the merge driver.
    pub fn without_hooks(mut self) -> Plan {
        self.changes.retain(|change| change.mode == Mode::Plain);
        self
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mode {
    /// An existing hook; its permissions stay.
    Hook,
    /// Created by co, as executable.
    NewHook,
    Plain,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HookSetup {
    Install,
    Uninstall,
}

fn repository(ws: &Workspace) -> Result<Rc<Repo>, Error> {
    ws.identity()?;
    sync::repository(ws)
}

pub fn plan(ws: &Workspace, setup: HookSetup) -> Result<Plan, Error> {
    let repo = repository(ws)?;
    let mut folder = repo.hooks_dir()?;
    // husky regenerates `_`; people's own hooks are in the folder above.
    if folder.ends_with(".husky/_") {
        folder.pop();
    }
    let program = ws.program.display().to_string();
    // Hooks shared by several repositories must do nothing in the others.
    let own = repo
        .named_in_shared_hooks()?
        .map(|git_dir| format!("[ \"{}\" = {} ]", Repo::prints_git_dir(), shell::quoted(&git_dir)));
    let mut plan = Plan {
        changes: Vec::new(),
        driver: None,
        left_alone: Vec::new(),
        shared_hooks: own.is_some(),
        setup,
    };
    for (name, script) in HOOKS {
        let file = folder.join(name);
        let before = files::read_text(&file)?;
        if let Some(why) = left_alone(ws, &file, before.as_deref(), name) {
            // A block that an earlier co wrote there is removed all the same.
            let own =
                setup == HookSetup::Uninstall && before.as_deref().is_some_and(shell::has_block);
            if !own {
                plan.left_alone.extend((setup == HookSetup::Install).then_some(why));
                continue;
            }
        }
        let here = work_tree(&repo.prefix);
        let script = match &own {
            Some(own) => script.replace("[ -n \"$co\" ]", &format!("[ -n \"$co\" ] && {own}")),
            None => (*script).to_owned(),
        };
        let script = script
            .replace("${CO_BIN:-}", &shell::quoted(&program))
            .replace(&format!("hook {name}"), &format!("--identity {here} hook {name}"));
        plan.changes.extend(change_hook(&file, before.as_deref(), &script, setup));
    }
    let attributes = ws.identity.resolved.join(".gitattributes");
    if setup == HookSetup::Install && files::is_link(&attributes) {
        let shown = ws.shown(&attributes);
        plan.left_alone.push(format!("{shown} is a link; add `*.md merge=co-identity` to it"));
    } else {
        plan.changes.extend(change_attributes(ws, setup)?);
    }
    if setup == HookSetup::Install {
        plan.driver = Some(format!("{} hook merge-driver %O %A %B %L %P", shell::quoted(&program)));
    }
    Ok(plan)
}

/// Why a hook is not changed: it is a symlink, not executable, or not a shell script.
fn left_alone(
    context: &Context,
    file: &std::path::Path,
    before: Option<&str>,
    name: &str,
) -> Option<String> {
    let shown = context.shown(file);
    if files::is_link(file) {
        let target = context.shown(&files::resolve(file));
        return Some(format!("{shown} is a link to {target}; make that run `co hook {name}`"));
    }
    // git does not run it as it is, and making it executable would enable what a person disabled.
    let runs = files::is_executable(file) || is_run_by_husky(file);
    if before.is_some_and(|text| !shell::has_block(text)) && !runs {
        let off = "is not executable, so git does not run it";
        return Some(format!("{shown} {off}; after `chmod +x`, `co hook install` can add to it"));
    }
    let is_shell = before.is_none_or(shell::is_shell);
    (!is_shell).then(|| format!("{shown} is not a shell script; make it run `co hook {name}`"))
}

/// husky runs its own hooks through the shell, from a folder `_` next to them.
fn is_run_by_husky(file: &std::path::Path) -> bool {
    file.parent().is_some_and(|folder| files::is_file(&folder.join("_").join("h")))
}

/// The identity's folder, as a shell expression within a hook.
fn work_tree(prefix: &str) -> String {
    let root = "\"$(git rev-parse --show-toplevel)\"";
    match prefix.trim_end_matches('/') {
        "" => root.to_owned(),
        prefix => format!("{root}/{}", shell::quoted(prefix)),
    }
}

fn change_hook(
    file: &std::path::Path,
    before: Option<&str>,
    script: &str,
    setup: HookSetup,
) -> Option<HookChange> {
    let change = |what, after: Option<String>| HookChange {
        file: file.to_owned(),
        what,
        mode: if before.is_some() { Mode::Hook } else { Mode::NewHook },
        change: FileChange::of_text(files::resolve(file), before.map(str::to_owned), after),
    };
    let block = shell::block_of(script);
    match (setup, before) {
        (HookSetup::Install, None) => Some(change("create", Some(script.to_owned()))),
        (HookSetup::Install, Some(text)) => {
            let after = shell::with_block(text, block);
            let what = if shell::has_block(text) { "replace in" } else { "add to" };
            (after != text).then(|| change(what, Some(after)))
        }
        (HookSetup::Uninstall, Some(text)) if shell::has_block(text) => {
            let after = shell::without_block(text);
            // Only our own first line is left, so the file was ours.
            if after == "#!/bin/sh\n" {
                Some(change("remove", None))
            } else {
                Some(change("take out of", Some(after)))
            }
        }
        (HookSetup::Uninstall, _) => None,
    }
}

/// `.gitattributes` sets the driver; an identity not created by `init` may lack it.
fn change_attributes(context: &Context, setup: HookSetup) -> Result<Option<HookChange>, Error> {
    let file = context.identity.resolved.join(".gitattributes");
    let before = files::read_text(&file)?;
    let text = before.clone().unwrap_or_default();
    let block = format!("# >>> co identity >>>\n{ATTRIBUTES}# <<< co identity <<<");
    let change = |what, after: Option<String>| {
        let change = FileChange::of_text(files::resolve(&file), before.clone(), after);
        Some(HookChange { file: file.clone(), what, change, mode: Mode::Plain })
    };
    Ok(match setup {
        HookSetup::Install if text.lines().any(|line| line.trim() == "*.md merge=co-identity") => {
            None
        }
        HookSetup::Install => change(
            if before.is_some() { "add to" } else { "create" },
            Some(shell::with_block(&text, &block)),
        ),
        HookSetup::Uninstall if shell::has_block(&text) => {
            let after = shell::without_block(&text);
            if after.is_empty() {
                change("remove", None)
            } else {
                change("take out of", Some(after))
            }
        }
        HookSetup::Uninstall => None,
    })
}

pub fn apply(ws: &Workspace, plan: &Plan) -> Result<(), Error> {
    let repo = repository(ws)?;
    let verb = if plan.setup == HookSetup::Install { OpVerb::Install } else { OpVerb::Uninstall };
    let changes: Vec<FileChange<PathBuf>> =
        plan.changes.iter().map(|planned| planned.change.clone()).collect();
    transaction::write_machine_files(ws, verb, "hooks", &changes)?;
    for change in plan.changes.iter().filter(|change| change.mode == Mode::NewHook) {
        files::make_executable(&change.file)?;
    }
    match &plan.driver {
        Some(driver) => {
            repo.set_own(&format!("{SECTION}.name"), "co: facts, fields and entries")?;
            repo.set_own(&format!("{SECTION}.driver"), driver)?;
        }
        None if plan.setup == HookSetup::Uninstall => repo.remove_section(SECTION)?,
        None => {}
    }
    Ok(())
}
