//! Checks git, the repository, its remote and its hooks.

use super::{
    check::{Area, Check, Remedy},
    machine::typed,
};
use crate::git::{self, Access, Branch, GitError, Repo, Timeout, program, transport::Heads};
use crate::integrations::{
    agent::doctor::Level,
    git_hooks::{self, HookSetup},
};
use crate::machine::{Context, lock};
use crate::sync;
use crate::transfer::seal::recovery;
use crate::upkeep::status;
use crate::workspace::{Workspace, login};
use std::time::Duration;

/// Checks the git program.
pub(super) fn program() -> Check {
    let oldest = format!("install git {}.{} or newer", program::OLDEST.0, program::OLDEST.1);
    match program::version() {
        Ok(version) if program::is_too_old(&version) => {
            Check::error(Area::Git, format!("git {version} is too old"), Remedy::sentence(oldest))
        }
        Ok(version) => Check::ok(Area::Git, format!("git {version}")),
        Err(error) => failed(Area::Git, error),
    }
}

fn failed(area: Area, error: GitError) -> Check {
    Check::failed(area, error, "git fsck")
}

pub(super) fn repository(ws: &Workspace) -> Vec<Check> {
    let repo = match ws.repo() {
        Ok(Some(repo)) => repo,
        Ok(None) => return vec![none(ws)],
        Err(error) => return vec![failed(Area::Git, error)],
    };
    let (mut checks, stay) = faults(ws, &repo);
    if checks.is_empty() {
        checks.push(Check::ok(Area::Git, format!("repository {}", ws.shown(&repo.root))));
    }
    checks.extend(
        sync::swallowed(ws, &repo).map(|nested| {
            Check::warning(Area::Git, nested.described, Remedy::sentence(nested.ways))
        }),
    );
    checks.extend(kept_back(&stay));
    checks.extend(versions(ws, &repo));
    checks.extend(remote(ws, &repo));
    checks.extend(hooks(ws, &repo));
    checks
}

/// The check if there is no repository: a cloud service may sync the folder instead.
fn none(context: &Context) -> Check {
    let shown = context.shown(&context.identity.path);
    match crate::machine::cloud::service_of(&context.identity.resolved) {
        Some(service) => Check::ok(Area::Git, format!("no repository: {service} syncs {shown}")),
        None => {
            let check = Check::failed(Area::Git, sync::no_repository(context), "co init");
            Check { level: Level::Warning, ..check }
        }
    }
}

/// With the sentences on files that stay on this laptop, which are no faults.
fn faults(ws: &Workspace, repo: &Repo) -> (Vec<Check>, Vec<String>) {
    let (mut checks, mut stay) = (Vec::new(), Vec::new());
    let refused = [repo.refuse_unfinished().map(drop), repo.refuse_nested()];
    checks.extend(refused.into_iter().filter_map(Result::err).map(|e| failed(Area::Git, e)));
    if let Some(lock) = git::index_lock::abandoned(repo) {
        let shown = ws.shown(&lock);
        let message = format!("{shown} is over an hour old, probably left behind when git crashed");
        let mend = Remedy::command(format!("rm {}", typed(&lock)));
        checks.push(Check::warning(Area::Git, message, mend));
    }
    // A bigger repository would take long, and is not co's to check.
    let damage = if repo.prefix.is_empty() { program::first_damage(repo) } else { Ok(None) };
    match damage {
        Ok(None) => {}
        Ok(Some(found)) => {
            let message = format!("{} is damaged: {found}", ws.shown(&repo.root));
            let mend = format!("git -C {} fsck", typed(&repo.root));
            checks.push(Check::error(Area::Git, message, Remedy::command(mend)));
            return (checks, stay);
        }
        Err(error) => return (vec![failed(Area::Git, error)], stay),
    }
    match status::git(ws) {
        Ok(git) => {
            let gone = git.as_ref().and_then(|git| git.facts_gone.as_ref());
            checks.extend(gone.map(|_| {
                let message =
                    "many facts disappeared without being forgotten; the next sync will stop";
                Check::error(Area::Git, message, Remedy::sentence(sync::BRING_BACK))
            }));
            let branch = repo.branch(&ws.settings.sync).err().filter(|_| checks.is_empty());
            checks.extend(branch.map(|error| failed(Area::Git, error)));
            stay.extend(git.into_iter().flat_map(|git| git.ignored));
        }
        Err(error) => {
            checks.push(Check::failed(Area::Git, error, "co status"));
        }
    }
    (checks, stay)
}

/// Files that no other laptop gets. A folder that cannot be compared is a fault.
fn kept_back(all: &[String]) -> Option<Check> {
    let message = sync::some_that_stay(all).join("; ");
    let mend = "remove or narrow that line if the other laptops should have the file";
    (!all.is_empty()).then(|| Check::warning(Area::Git, message, Remedy::sentence(mend)))
}

/// Laptops with a newer co may write what this one does not understand.
fn versions(context: &Context, repo: &Repo) -> Vec<Check> {
    let here = env!("CARGO_PKG_VERSION");
    let others = repo.versions().into_iter().filter(|(host, _)| *host != context.host);
    let check = |(host, version): (String, String)| {
        if is_newer(&version, here) {
            let message = format!("{host} has co {version}; this laptop has {here}");
            let mend = format!("install co {version} or newer here");
            Check::warning(Area::Git, message, Remedy::sentence(mend))
        } else {
            Check::ok(Area::Git, format!("{host} has co {version}"))
        }
    };
    others.map(check).collect()
}

/// Compares version numbers; a non-numeric part is 0.
fn is_newer(one: &str, other: &str) -> bool {
    let numbers = |version: &str| -> Vec<u64> {
        version.split(['.', '-', '+']).map(|number| number.parse().unwrap_or_default()).collect()
    };
    numbers(one) > numbers(other)
}

/// Whether the remote can be reached with this laptop's login.
fn remote(context: &Context, repo: &Repo) -> Vec<Check> {
    let Ok(branch) = repo.branch(&context.settings.sync) else { return Vec::new() };
    let (Some(name), Some(url)) = (&branch.remote, &branch.url) else {
        let message =
            "none: what you save stays on this laptop; set one with `co identity remote URL`";
        return vec![Check::ok(Area::Remote, message)];
    };
    // Nobody can enter a password here.
    let silence = Duration::from_secs(context.settings.sync.timeout);
    let timeout = Timeout { silence, interactive: false };
    let access = match login::access(context, url) {
        Ok(access) => Access { timeout, ..access },
        Err(error) => {
            return vec![Check::failed(Area::Remote, error, "co config")];
        }
    };
    match git::remote::heads(repo, name, &access) {
        Ok(heads) => {
            // A sealed remote has one branch, whatever it is called.
            let there = heads.branches.contains_key(&branch.there)
                || (branch.sealed && !heads.branches.is_empty());
            let sealed = if branch.sealed { ", sealed" } else { "" };
            let message = if there {
                format!("{name} ({url}{sealed}) answers")
            } else {
                format!("{name} ({url}{sealed}) answers; nothing has been pushed there yet")
            };
            let mut checks = vec![Check::ok(Area::Remote, message)];
            checks.extend(refused(context, repo, name, &heads, &access));
            checks.extend(untried(repo, &branch));
            if !branch.sealed && git::public::anybody_reads(url) {
                let message = format!("anyone can read {url} without a login");
                let mend = "make it private where it is hosted, or set another one: `co identity \
                    remote URL`";
                checks.push(Check::warning(Area::Remote, message, Remedy::sentence(mend)));
            }
            checks
        }
        Err(error) => vec![failed(Area::Remote, error)],
    }
}

/// What lies on a sealed remote, if a sync would not take it.
fn refused(
    context: &Context,
    repo: &Repo,
    remote: &str,
    heads: &Heads,
    access: &Access,
) -> Option<Check> {
    let url = repo.sealed_in(remote)?;
    // A sync that is at work says it itself.
    let _lock = lock::folder(&context.identity.resolved, Duration::ZERO).ok()?;
    let examined = git::sealed::examine(repo, &url, heads, access);
    examined.err().map(|error| failed(Area::Remote, error))
}

/// Who loses all laptops needs the recovery key, which may have been lost before.
fn untried(repo: &Repo, branch: &Branch) -> Option<Check> {
    if !branch.sealed || recovery::tried(repo).is_some() {
        return None;
    }
    let message = "the recovery key of the sealed remote was never tried on this laptop";
    Some(Check::warning(Area::Remote, message, Remedy::command("co seal recovery")))
}

/// Hooks that would stop a sync, or the state of co's own.
fn hooks(ws: &Workspace, repo: &Repo) -> Vec<Check> {
    let dead = repo.dead_hooks(git::dead_hook::RUN).into_iter().map(|hook| {
        let message = format!("{} cannot start: {}", ws.shown(&hook.file), hook.why);
        let mend = "fix the first line of that file, or `chmod -x` it if it is not needed";
        Check::error(Area::Hooks, message, Remedy::sentence(mend))
    });
    dead.chain(own_hooks(ws, repo)).collect()
}

/// Whether the hooks and the merge driver call this co.
fn own_hooks(ws: &Workspace, repo: &Repo) -> Vec<Check> {
    let plan = match git_hooks::plan(ws, HookSetup::Install) {
        Ok(plan) => plan,
        Err(error) => {
            let check = Check::failed(Area::Hooks, error, "co hook install");
            return vec![Check { level: Level::Warning, ..check }];
        }
    };
    let driver = repo.config(git_hooks::DRIVER);
    let old = plan.changes.iter().find(|change| change.what == "replace in");
    if let Some(old) = old {
        let message = format!("{} was written by another version of co", ws.shown(&old.file));
        return vec![Check::warning(Area::Hooks, message, Remedy::command("co hook install"))];
    }
    vec![match (driver.is_some(), driver == plan.driver, plan.changes.is_empty()) {
        (true, false, _) => {
            let message = "git is configured to merge facts with another co";
            Check::warning(Area::Hooks, message, Remedy::command("co hook install"))
        }
        (true, true, true) => {
            Check::ok(Area::Hooks, "git merges facts with co and checks them before each commit")
        }
        (true, true, false) => {
            let first = plan.changes.first().map(|change| ws.shown(&change.file));
            let message = format!("{} does not call co", first.unwrap_or_default());
            Check::warning(Area::Hooks, message, Remedy::command("co hook install"))
        }
        (false, ..) => Check::ok(
            Area::Hooks,
            "not installed; `co hook install` makes git check facts before each commit",
        ),
    }]
}
