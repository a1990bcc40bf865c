//! Reports of single facts, lists, context and checks, as a person reads them. The words of the memory displays are those of seed 002.

use super::look::{Look, safe};
use crate::context::layers::Account;
use crate::ops::{check, diff, edit, export, forget, import, init, list, log, recall, restore, save, status, store::Scope, undo};
use crate::system::{Machine, machine::Source};

/// `memory save`
pub fn saved(report: &save::Report, look: Look) -> String {
    if report.known {
        return format!(
            "{} Memory {} says this already: {}\nLocation: {}\n",
            look.learned("✓"),
            report.id,
            safe(&report.filename),
            report.path.display()
        );
    }
    format!("{} Saved memory {}: {}\nLocation: {}\n", look.learned("✓"), report.id, safe(&report.filename), report.path.display())
}

/// `memory recall`
pub fn recalled(report: &recall::Report) -> String {
    let query = safe(&report.query);
    if report.results.is_empty() {
        return format!("No memories found matching '{query}'\n");
    }
    let mut text = format!("Found {} memories matching '{query}':\n\n", report.count);
    for answer in &report.results {
        let id = answer.id.map_or_else(|| answer.hash.clone(), |id| id.to_string());
        text.push_str(&format!("**Memory {id}** (created {})\n", safe(&answer.created.chars().take(10).collect::<String>())));
        if !answer.tags.is_empty() {
            text.push_str(&format!("Tags: {}\n", safe(&answer.tags.join(", "))));
        }
        text.push_str(&format!("{}\n\n", safe(&answer.content)));
    }
    text
}

/// `memory list`
pub fn listed(report: &list::Report) -> String {
    if !report.folder {
        return "No memories saved yet.\n".to_owned();
    }
    if report.memories.is_empty() {
        return "No memories found.\n".to_owned();
    }
    let mut text = format!("Total memories: {}\n\n", report.count);
    for row in &report.memories {
        let number = row.id.map_or_else(|| row.handle.clone(), |id| format!("{id:03}"));
        let mark = row.handle.split_once('·').map_or_else(String::new, |(_, digits)| format!("·{digits}"));
        let tags = if row.tags.is_empty() { String::new() } else { format!(" [{}]", row.tags.join(", ")) };
        let date: String = row.created.chars().take(10).collect();
        text.push_str(&safe(&format!("**{number}{mark}** ({date}){tags}: {}\n", row.summary)));
    }
    text
}

/// `memory show`
pub fn shown(placed: &crate::ops::store::Placed, look: Look) -> String {
    let memory = &placed.memory;
    let id = memory.id.map_or_else(|| "?".to_owned(), |id| id.to_string());
    let mut head = format!("memory {id}·{}  learned {}", memory.hash.short(4), memory.date());
    if let Some(updated) = memory.updated {
        head.push_str(&format!(", changed {}", updated.date()));
    }
    if !memory.tags.is_empty() {
        head.push_str(&format!("  [{}]", memory.tags.join(", ")));
    }
    format!("{}\n{}\n\n{}\n", look.strong(&safe(&head)), look.dim(&placed.file.display().to_string()), safe(memory.document().text()))
}

/// `memory edit`
pub fn edited(report: &edit::Report, look: Look) -> String {
    let id = report.id.map_or_else(String::new, |id| format!(" {id}"));
    if !report.changed {
        return format!("Memory{id} is as it was.\n");
    }
    format!("{} Edited memory{id}: {}\n", look.edited("✓"), safe(&report.summary))
}

/// `memory forget`
pub fn forgotten(done: &[forget::Forgotten], look: Look) -> String {
    let line = |fact: &forget::Forgotten| {
        let id = fact.id.map_or_else(String::new, |id| format!(" {id}"));
        let place = if fact.scope == Scope::Project { " (project)" } else { "" };
        format!("{} Forgot memory{id}{place}: {}\n", look.forgotten("✓"), safe(&fact.summary))
    };
    done.iter().map(line).collect()
}

/// Candidates of an ambiguous forget.
pub fn candidates(matches: &[forget::Forgotten]) -> Vec<String> {
    let line = |fact: &forget::Forgotten| {
        let id = fact.id.map_or_else(String::new, |id| format!("{id}·"));
        safe(&format!("{id}{}  {}", &fact.hash["sha256:".len()..][..4], fact.summary))
    };
    matches.iter().map(line).collect()
}

/// `context --explain`
pub fn explained(accounts: &[Account], look: Look) -> String {
    let rows: Vec<[String; 5]> = accounts
        .iter()
        .map(|a| {
            let file = match a.files.as_slice() {
                [one] => one.clone(),
                [first, ..] => {
                    format!("{} ({})", first.rsplit_once('/').map_or(first.as_str(), |(folder, _)| folder).to_owned() + "/*.md", a.files.len())
                }
                [] => String::new(),
            };
            [a.layer.replace('-', " "), file, a.bytes.to_string(), a.tokens.to_string(), a.notes.join("; ")]
        })
        .collect();
    let width = |at: usize, least: usize| rows.iter().map(|row| row[at].chars().count()).max().unwrap_or(0).max(least);
    let (layer, file) = (width(0, 5), width(1, 4));
    let mut text = format!("{}\n", look.dim(&format!("{:layer$}  {:file$}  {:>7}  {:>7}", "layer", "file", "bytes", "tokens")));
    for [name, path, bytes, tokens, notes] in &rows {
        let line = format!("{name:layer$}  {path:file$}  {bytes:>7}  {tokens:>7}");
        text.push_str(&safe(&line));
        if !notes.is_empty() {
            text.push_str(&format!("  {}", look.edited(&safe(notes))));
        }
        text.push('\n');
    }
    text
}

/// `identity check`
pub fn checked(report: &check::Report, look: Look) -> String {
    let mut text = String::new();
    for path in &report.fixed {
        text.push_str(&format!("{} {}\n", look.learned("fixed"), safe(path)));
    }
    for finding in &report.findings {
        let line = finding.line.map_or_else(String::new, |line| format!(":{line}"));
        let severity = match finding.severity {
            crate::identity::Severity::Error => look.forgotten("error"),
            crate::identity::Severity::Warning => look.edited("warning"),
        };
        let fix = if finding.fixable { look.dim("  (fixable)") } else { String::new() };
        let place = look.strong(&safe(&format!("identity/{}{line}", finding.path)));
        text.push_str(&format!("{place}  {severity} {}{fix}\n    {}\n", look.dim(&format!("[{}]", finding.code.as_str())), safe(&finding.message)));
    }
    let count = report.findings.len();
    if count == 0 {
        text.push_str(&format!("{} {} files, nothing wrong.\n", look.learned("✓"), report.files));
        return text;
    }
    let fixable = report.findings.iter().filter(|finding| finding.fixable).count();
    let tail = if fixable == 0 { ".".to_owned() } else { format!(", {fixable} can be fixed: `co identity check --fix`.") };
    let noun = if count == 1 { "problem" } else { "problems" };
    text.push_str(&format!("{count} {noun} in {}{tail}\n", plural(report.files, "file", "files")));
    text
}

/// `status`
pub fn status(report: &status::Report, machine: &Machine, look: Look) -> String {
    let source = match report.source {
        Source::Flag => " (--identity)",
        Source::Environment => " (CO_IDENTITY_PATH)",
        Source::Settings => " (settings.json)",
        Source::Default => "",
    };
    let mut rows = vec![("identity", format!("{}{source}", machine.shown(&report.identity)))];
    if let Some(resolved) = &report.resolved {
        rows.push(("", format!("→ {}", machine.shown(resolved))));
    }
    if !report.exists {
        rows.push(("", "not there yet: `co init`".to_owned()));
    } else {
        if let Some(name) = &report.name {
            rows.push(("name", safe(name)));
        }
        let c = report.counts;
        rows.push((
            "holds",
            format!(
                "{}, {}, {}",
                plural(c.memories, "memory", "memories"),
                plural(c.traits, "trait", "traits"),
                plural(c.documents, "document", "documents")
            ),
        ));
        git_rows(report, machine, &mut rows);
    }
    match report.missing_secrets.as_slice() {
        [] => {}
        names => rows.push(("secrets", safe(&format!("{} missing here: {}; `co secret status`", names.len(), names.join(", "))))),
    }
    if let Some(project) = &report.project {
        rows.push(("project", machine.shown(project)));
    }
    rows.iter().map(|(name, value)| format!("{}  {}\n", look.dim(&format!("{name:>10}")), value)).collect()
}

fn git_rows(report: &status::Report, machine: &Machine, rows: &mut Vec<(&'static str, String)>) {
    let Some(git) = &report.git else {
        rows.push(("git", "no repository; `co init` makes one".to_owned()));
        return;
    };
    let place = git.prefix.as_ref().map_or_else(|| "own repository".to_owned(), |prefix| format!("{prefix} in {}", machine.shown(&git.root)));
    let branch = git.branch.as_ref().map_or_else(String::new, |branch| format!(", branch {branch}"));
    rows.push(("git", safe(&format!("{place}{branch}"))));
    if let Some(problem) = &git.problem {
        rows.push(("", safe(problem)));
    }
    let remote = match (&git.remote, &git.url) {
        (Some(remote), Some(url)) => format!("{remote} ({url})"),
        _ => "none; `co identity remote URL` names one".to_owned(),
    };
    rows.push(("remote", safe(&remote)));
    let todo = match (git.uncommitted.len(), git.unpublished) {
        (0, 0) => "everything is committed and published".to_owned(),
        (files, commits) => {
            format!("{} to commit, {} to push: `co identity sync`", plural(files, "file", "files"), plural(commits, "commit", "commits"))
        }
    };
    rows.push(("sync", todo));
}

/// `3 facts`
pub fn plural(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// What init will do.
pub fn init_plan(plan: &init::Plan, machine: &Machine, look: Look) -> String {
    let mut text = String::new();
    let mut row = |verb: &str, what: &str| text.push_str(&format!("  {}{}\n", look.learned(&format!("{verb:<8}")), safe(what)));
    if let Some(url) = plan.remote.as_ref().filter(|_| plan.create.is_empty() && !plan.existing) {
        row("clone", &format!("{url} → {}", machine.shown(&plan.identity)));
    }
    if !plan.create.is_empty() {
        let names: Vec<&String> = plan.create.iter().filter(|name| !name.starts_with('.')).collect();
        let shown: Vec<&str> = names.iter().map(|name| name.as_str()).collect();
        row("create", &format!("{}  ({} in {})", shown.join("  "), plural(plan.create.len(), "file", "files"), machine.shown(&plan.identity)));
    }
    for (from, to) in &plan.adopt {
        row("adopt", &format!("{from} → {to}"));
    }
    match &plan.repository {
        init::Repository::New => row("git", "a new repository there"),
        init::Repository::Own => {}
        init::Repository::Inside(root) => row("git", &format!("stays in the repository {}", machine.shown(root))),
    }
    if plan.set_path {
        row("write", &format!("{} (identity_path)", machine.shown(&machine.settings_file())));
    }
    text
}

/// What init did.
pub fn initialised(report: &init::Report, machine: &Machine, look: Look) -> String {
    let c = report.counts;
    let holds = format!(
        "{}, {}, {}",
        plural(c.memories, "memory", "memories"),
        plural(c.traits, "trait", "traits"),
        plural(c.documents, "document", "documents")
    );
    if report.cloned {
        let whose = report.name.as_ref().map_or_else(|| "the".to_owned(), |name| format!("{}'s", safe(name)));
        let lacks = match report.missing_secrets.as_slice() {
            [] => String::new(),
            [one] => format!(" 1 secret is missing on this laptop: {one} (`co secret set {one}`)."),
            [first, ..] => format!(
                " {} secrets are missing on this laptop: {} (`co secret set {first}`).",
                report.missing_secrets.len(),
                report.missing_secrets.join(", ")
            ),
        };
        return format!("{} Cloned {whose} identity: {holds}.{lacks}\n", look.learned("✓"));
    }
    let published = report.sync.as_ref().is_some_and(|sync| sync.published);
    let and = if published { " and published" } else { "" };
    let place = machine.shown(&report.plan.identity);
    if report.plan.existing && report.plan.create.is_empty() {
        return format!("{} Your identity in {place} is ready{and}: {holds}.\n", look.learned("✓"));
    }
    let next = match report.sync.as_ref().and_then(|sync| sync.url.as_ref()) {
        Some(url) => format!(", and on the other laptop `co init {}`", safe(url)),
        None => ", and `co identity remote URL` to publish it".to_owned(),
    };
    format!("{} Your identity in {place} is ready{and}. Next: `co learn \"…\"`, `co status`{next}.\n", look.learned("✓"))
}

/// `identity log`
pub fn logged(entries: &[log::Entry], look: Look) -> String {
    if entries.is_empty() {
        return "Nothing happened here yet.\n".to_owned();
    }
    let mut text = String::new();
    for entry in entries {
        let undoes = entry.undoes.map_or_else(String::new, |op| format!(" (takes back {op})"));
        let head = format!("{:>6}  {}  {:<8}", entry.op, entry.at.chars().take(16).collect::<String>().replace('T', " "), entry.verb);
        text.push_str(&format!("{}{}{}\n", look.strong(&head), safe(&entry.what), look.dim(&undoes)));
        let mut line = |sign: &str, fact: &str| text.push_str(&format!("          {sign} {}\n", safe(&look.fit(fact, 12))));
        let several = entry.meaning.learned.len() + entry.meaning.forgotten.len() + entry.meaning.edited.len() > 1;
        if several || entry.verb == "sync" || entry.verb == "undo" {
            entry.meaning.learned.iter().take(10).for_each(|fact| line(&look.learned("+"), &fact.summary));
            entry.meaning.forgotten.iter().take(10).for_each(|fact| line(&look.forgotten("-"), &fact.summary));
            entry.meaning.edited.iter().take(10).for_each(|fact| line(&look.edited("~"), &fact.now.summary));
        }
    }
    text
}

/// `identity undo`
pub fn undone(report: &undo::Report, look: Look) -> String {
    let mut text = format!("{} Took back {} ({} {}).\n", look.learned("✓"), report.op, report.verb, safe(&report.what));
    let mut line = |sign: &str, fact: &str| text.push_str(&format!("  {sign} {}\n", safe(fact)));
    report.meaning.learned.iter().for_each(|fact| line(&look.learned("+"), &fact.summary));
    report.meaning.forgotten.iter().for_each(|fact| line(&look.forgotten("-"), &fact.summary));
    report.meaning.edited.iter().for_each(|fact| line(&look.edited("~"), &fact.now.summary));
    if report.published {
        text.push_str("It was published: the next `co identity sync` takes it back on the other laptops.\n");
    }
    text
}

/// `identity import`
pub fn imported(done: &import::Done, report: &diff::Report, look: Look) -> String {
    let m = &done.meaning;
    let parts = [(m.learned.len(), "learned"), (m.edited.len(), "edited"), (m.forgotten.len(), "forgotten")];
    let mut told: Vec<String> = parts.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}")).collect();
    if !m.documents.is_empty() {
        told.push(plural(m.documents.len(), "other file changed", "other files changed"));
    }
    let told = if told.is_empty() { vec![plural(done.files, "file changed", "files changed")] } else { told };
    let told = told.join(", ");
    let memories = plural(done.memories, "memory", "memories");
    format!("{} Imported {}: {told}.\n{memories}. Undo: `co identity undo`.\n", look.learned("✓"), safe(&report.source))
}

/// `identity export`
pub fn exported(report: &export::Report, machine: &Machine, look: Look) -> String {
    let size = if report.bytes < 10_240 { format!("{} bytes", report.bytes) } else { format!("{} KiB", report.bytes / 1024) };
    let memories = plural(report.memories, "memory", "memories");
    let place = machine.shown(&report.path);
    format!(
        "{} Exported {memories} in {} to {place} ({size}), read back and equal.\nOn the other laptop: `co identity diff FILE`, `co identity import FILE`.\n",
        look.learned("✓"),
        plural(report.files, "file", "files")
    )
}

/// `identity restore`
pub fn restored(report: &restore::Report, look: Look) -> String {
    let line = |path: &String| format!("{} {}\n", look.learned("restored"), safe(path));
    if report.restored.is_empty() {
        return "All of it is as it was there.\n".to_owned();
    }
    format!("{}Undo: `co identity undo`.\n", report.restored.iter().map(line).collect::<String>())
}

/// `identity log HANDLE`
pub fn life(life: &log::Life, look: Look) -> String {
    let mut text = format!("{}\n", look.strong(&safe(&life.summary)));
    for event in &life.events {
        let sign = match event.what.as_str() {
            "learned" | "learned again" => look.learned("+"),
            "forgotten" => look.forgotten("-"),
            _ => look.edited("~"),
        };
        let at = event.at.chars().take(16).collect::<String>().replace('T', " ");
        let place = look.dim(&safe(&format!("{} {}", event.commit.as_deref().map_or("not committed", |id| &id[..7.min(id.len())]), event.who)));
        text.push_str(&format!("  {at}  {sign} {:<14} {}  {place}\n", event.what, safe(&look.fit(&event.detail, 60))));
    }
    text
}
