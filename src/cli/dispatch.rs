//! One arm per verb: arguments to request, report to text and data.

use super::{
    args::{self, Cli, Command, FormatArg, Identity, Memory, ScopeArg},
    generate, hooks,
    look::{self, Look},
    prompt, render, render_sync, review, secrets, topics,
};
use crate::context::{Format, LayerKind};
use crate::identity::{Finding, document::MAX_MEMORY_BYTES};
use crate::ops::{
    Exit, Failure, check, context, edit, forget, init, install, list, log, recall, restore, save, show, status,
    store::{self, Scope, Store},
    sync, undo,
};
use crate::system::{Machine, files, folder, git::without_credentials, terminal};
use serde::Serialize;
use serde_json::{Value, json};

/// What a verb came to.
pub struct Outcome {
    /// For people.
    pub text: String,
    /// For programs; made only when asked for.
    pub data: Box<dyn FnOnce() -> Value>,
    /// For standard error.
    pub warnings: Vec<String>,
    /// A failure that still has data, as findings of `check`.
    pub failure: Option<Failure>,
    /// Whether the text is what was asked for, and stays under `--quiet`.
    pub is_data: bool,
    /// Whether a format option asked for JSON.
    pub as_json: bool,
}

impl Outcome {
    pub(super) fn done(text: String, data: impl Serialize + 'static) -> Outcome {
        Outcome::said(text, data)
    }

    fn said(text: String, data: impl Serialize + 'static) -> Outcome {
        let data = Box::new(move || serde_json::to_value(data).unwrap_or(Value::Null));
        Outcome { text, data, warnings: Vec::new(), failure: None, is_data: false, as_json: false }
    }

    /// Data that costs something to make, and is made only when asked for.
    pub(super) fn lazy(text: String, data: impl FnOnce() -> Value + 'static) -> Outcome {
        Outcome { text, data: Box::new(data), warnings: Vec::new(), failure: None, is_data: true, as_json: false }
    }

    pub(super) fn data(text: String, data: impl Serialize + 'static) -> Outcome {
        Outcome { is_data: true, ..Outcome::said(text, data) }
    }

    pub(super) fn warn(mut self, findings: &[Finding]) -> Outcome {
        let line = |finding: &Finding| {
            let line = finding.line.map_or_else(String::new, |line| format!(":{line}"));
            format!("{}{line}: {}; skipped", finding.path, finding.message)
        };
        self.warnings.extend(findings.iter().map(line));
        self
    }
}

/// A verb's name as the envelope shows it.
pub fn name(command: &Command) -> &'static str {
    match command {
        Command::Init(_) => "init",
        Command::Status => "status",
        Command::Identity(Identity::Path) => "identity path",
        Command::Identity(Identity::Show { .. }) => "identity show",
        Command::Identity(Identity::Check(_)) => "identity check",
        Command::Identity(Identity::Sync(_)) => "identity sync",
        Command::Identity(Identity::Diff(_)) => "identity diff",
        Command::Identity(Identity::Import(_)) => "identity import",
        Command::Identity(Identity::Export(_)) => "identity export",
        Command::Identity(Identity::Restore(_)) => "identity restore",
        Command::Identity(Identity::Log { .. }) => "identity log",
        Command::Identity(Identity::Undo { .. }) => "identity undo",
        Command::Identity(Identity::Remote { .. }) => "identity remote",
        Command::Memory(Memory::Save(_)) | Command::Learn(_) => "memory save",
        Command::Memory(Memory::Recall(_)) | Command::Recall(_) => "memory recall",
        Command::Memory(Memory::List(_)) | Command::Knowledge(_) => "memory list",
        Command::Memory(Memory::Show { .. }) => "memory show",
        Command::Memory(Memory::Edit(_)) => "memory edit",
        Command::Memory(Memory::Forget(_)) | Command::Forget(_) => "memory forget",
        Command::Context(_) => "context",
        Command::Identity(Identity::Install { .. }) => "identity install",
        Command::Identity(Identity::Uninstall { .. }) => "identity uninstall",
        Command::Secret(args::Secret::Set { .. }) => "secret set",
        Command::Secret(args::Secret::Get { .. }) => "secret get",
        Command::Secret(args::Secret::List) => "secret list",
        Command::Secret(args::Secret::Rm { .. }) => "secret rm",
        Command::Secret(args::Secret::Status { .. }) => "secret status",
        Command::Secret(args::Secret::Scan(_)) => "secret scan",
        Command::Hook(_) => "hook",
        Command::Completions { .. } => "completions",
        Command::Man => "man",
        Command::Help { .. } => "help",
    }
}

/// Carries a verb out.
///
/// # Errors
/// Whatever the verb fails with.
pub fn run(cli: Cli, machine: &Machine, look: Look, err: Look) -> Result<Outcome, Failure> {
    let common = &cli.common;
    let ask = machine.interactive && !common.json;
    match cli.command {
        Command::Init(args) => run_init(machine, args, ask, err, look),
        Command::Status => {
            let report = status::run(machine)?;
            Ok(Outcome::data(render::status(&report, machine, look), report))
        }
        Command::Identity(verb) => {
            run_identity(machine, verb, look, err, Asks { terminal: ask, chatty: !common.quiet && ask, verbose: common.verbose })
        }
        Command::Memory(Memory::Save(args)) | Command::Learn(args) => run_save(machine, args, look),
        Command::Memory(Memory::Recall(args)) | Command::Recall(args) => {
            let request = recall::Request { query: args.query.join(" "), limit: args.limit, scope: scope(args.scope) };
            let report = recall::run(machine, &request)?;
            let findings = report.findings.clone();
            Ok(Outcome::data(render::recalled(&report), report).warn(&findings))
        }
        Command::Memory(Memory::List(args)) => run_list(machine, &list::Request { scope: scope(args.scope), tags: args.tags }),
        Command::Knowledge(_) => run_list(machine, &list::Request::default()),
        Command::Memory(Memory::Show { handle, scope: named }) => {
            let (_, placed) = show::find(machine, &handle, scope(named))?;
            let memory = &placed.memory;
            let data = json!({ "id": memory.id, "hash": memory.hash.to_string(), "created": memory.written, "updated": memory.updated.map(|at| at.to_string()),
                "tags": memory.tags, "content": memory.document().text(), "path": placed.file, "scope": placed.scope });
            Ok(Outcome::data(render::shown(&placed, look), data))
        }
        Command::Memory(Memory::Edit(args)) => run_edit(machine, args, ask, look),
        Command::Memory(Memory::Forget(args)) | Command::Forget(args) => run_forget(machine, &args, ask, look),
        Command::Context(args) => run_context(machine, &args, look),
        Command::Secret(verb) => secrets::run(machine, verb, ask, look),
        Command::Hook(hook) => hooks::run(machine, hook, look).map_err(hooks::never_two),
        Command::Completions { shell } => Ok(Outcome::data(generate::completions(shell), Value::Null)),
        Command::Man => Ok(Outcome::data(generate::main_page(), Value::Null)),
        Command::Help { topic } => help(&topic),
    }
}

fn scope(named: Option<ScopeArg>) -> Option<Scope> {
    named.map(|named| match named {
        ScopeArg::Identity => Scope::Identity,
        ScopeArg::Project => Scope::Project,
    })
}

/// Text from the command line, or from standard input for `-`.
fn text(words: &[String]) -> Result<String, Failure> {
    if words != ["-"] {
        return Ok(words.join(" "));
    }
    let bytes = files::read_stdin(MAX_MEMORY_BYTES as u64)?;
    String::from_utf8(bytes).map_err(|_| Failure::new(Exit::Usage, "standard input is not UTF-8 text"))
}

fn run_init(machine: &Machine, args: args::Init, ask: bool, err: Look, look: Look) -> Result<Outcome, Failure> {
    let mut request = init::Request { target: args.target, answers: store::told(args.name, args.timezone), remote: args.remote };
    let mut hooks = args.hooks;
    let mut plan = init::plan(machine, &request)?;
    if !args.yes {
        if !ask {
            return Err(Failure::new(Exit::Declined, "`co init` asks before it writes, and there is no terminal to ask on")
                .hint("`co init --yes` takes what is proposed"));
        }
        if !plan.existing && request.target.is_none() {
            let intro = format!("No identity yet. I will create one in {} (a git repository of markdown files).\n\n", machine.shown(&plan.identity));
            let _ = look::write(std::io::stderr(), &intro);
            prompt::first_day(machine, &mut request)?;
            plan = init::plan(machine, &request)?;
        }
        let own = !matches!(plan.repository, init::Repository::Inside(_));
        hooks = hooks || (own && prompt::confirm("Check facts before each commit (git hooks and merge driver)")?);
        let shown = render::init_plan(&plan, machine, err);
        let _ = look::write(std::io::stderr(), &format!("\n{shown}"));
        if !shown.is_empty() && !prompt::confirm("Go ahead")? {
            return Err(prompt::declined());
        }
    }
    let report = init::apply(machine, &plan)?;
    if hooks {
        let moved = machine.with_identity(&plan.identity);
        install::apply(&moved, &install::plan(&moved, install::Way::In)?)?;
    }
    let mut warnings = report.sync.as_ref().map(|sync| sync.warnings.clone()).unwrap_or_default();
    warnings.retain(|warning| !warning.starts_with("there is no remote yet"));
    warnings.extend(plan.remote.iter().flat_map(|url| secrets::password_in(url)));
    let failure = report.sync.as_ref().and_then(sync::Report::stayed_behind);
    Ok(Outcome { warnings, failure, ..Outcome::said(render::initialised(&report, machine, look), report) })
}

/// What there is to talk to.
#[derive(Clone, Copy)]
struct Asks {
    /// A person who can be asked, and who does not want JSON.
    terminal: bool,
    /// A person who wants to see that something is going on.
    chatty: bool,
    /// A person who wants to know why.
    verbose: bool,
}

fn run_identity(machine: &Machine, verb: Identity, look: Look, err: Look, asks: Asks) -> Result<Outcome, Failure> {
    match verb {
        Identity::Path => {
            let path = machine.identity.path.display().to_string();
            Ok(Outcome::data(format!("{path}\n"), json!({ "path": path, "source": machine.identity.source, "resolved": machine.identity.resolved })))
        }
        Identity::Show { path } => run_show(machine, path.as_deref()),
        Identity::Check(args) => {
            let what = match (args.staged, args.history) {
                (true, _) => check::What::Staged,
                (_, true) => check::What::History,
                _ => check::What::Files,
            };
            let report = check::run(
                machine,
                &check::Request { paths: args.paths, strict: args.strict, fix: args.fix, what, allowed: secrets::allowed(&args.allow)? },
            )?;
            let failure = (!report.passed).then(|| Failure::new(Exit::Found, ""));
            Ok(Outcome { failure, ..Outcome::data(render::checked(&report, look), report) })
        }
        Identity::Sync(args) => run_sync(machine, &args, look, err, asks),
        Identity::Diff(args) => review::run_diff(machine, &args, asks.terminal, look),
        Identity::Import(args) => review::run_import(machine, &args, asks.terminal, look, err),
        Identity::Export(args) => review::run_export(machine, &args, look, err),
        Identity::Restore(args) => review::run_restore(machine, &args, look),
        Identity::Log { handle: Some(handle), .. } => review::run_life(machine, &handle, look),
        Identity::Log { handle: None, limit } => {
            let entries = log::run(machine, limit)?;
            Ok(Outcome::data(render::logged(&entries, look), json!({ "operations": entries })))
        }
        Identity::Undo { op, accept_deletions } => {
            let report = undo::run(machine, &undo::Request { op, accept_deletions })?;
            Ok(Outcome::said(render::undone(&report, look), report))
        }
        Identity::Install { dry_run } => hooks::install(machine, install::Way::In, dry_run, look),
        Identity::Uninstall { dry_run } => hooks::install(machine, install::Way::Out, dry_run, look),
        Identity::Remote { url: Some(url) } => {
            init::set_remote(machine, &url)?;
            let shown = without_credentials(&url);
            let text = format!("{} The remote is {}. Next: `co identity sync`.\n", look.learned("✓"), look::safe(&shown));
            Ok(Outcome { warnings: secrets::password_in(&url), ..Outcome::said(text, json!({ "url": shown })) })
        }
        Identity::Remote { url: None } => {
            let git = status::run(machine)?.git;
            let url = git
                .and_then(|git| git.url)
                .ok_or_else(|| Failure::new(Exit::NotFound, "there is no remote").hint("`co identity remote URL` names one"))?;
            Ok(Outcome::data(format!("{}\n", look::safe(&url)), json!({ "url": url })))
        }
    }
}

fn run_sync(machine: &Machine, args: &args::Sync, look: Look, err: Look, asks: Asks) -> Result<Outcome, Failure> {
    let allowed = secrets::allowed(&args.allow)?;
    let request = sync::Request { accept_deletions: args.accept_deletions, require_remote: args.require_remote, allowed };
    if asks.chatty {
        let _ = look::write(std::io::stderr(), &err.dim("Syncing…"));
    }
    let result = sync::run(machine, &request);
    if asks.chatty {
        let _ = look::write(std::io::stderr(), "\r\u{1b}[K");
    }
    let report = result?;
    let mut text = render_sync::synced(&report, look);
    if asks.verbose {
        for decision in &report.decisions {
            text.push_str(&format!("  {}\n", look.dim(&look::safe(&format!("{}: {}", decision.path, decision.why)))));
        }
    }
    let (failure, findings, warnings) = (report.stayed_behind(), report.findings.clone(), report.warnings.clone());
    let mut outcome = Outcome::said(text, report).warn(&findings);
    outcome.warnings.extend(warnings);
    outcome.failure = failure;
    Ok(outcome)
}

fn run_show(machine: &Machine, path: Option<&str>) -> Result<Outcome, Failure> {
    let store = Store::identity(machine)?;
    let (listed, _) = folder::list(&store.root, "");
    let Some(path) = path else {
        let names: Vec<String> = listed.iter().map(|file| file.path.to_string()).collect();
        let text = names.iter().map(|name| format!("{}\n", look::safe(name))).collect();
        return Ok(Outcome::data(text, json!({ "files": names })));
    };
    let blob = restore::look(machine, &store, path)?;
    let text = String::from_utf8_lossy(&blob).into_owned();
    Ok(Outcome::data(look::safe(&text), json!({ "path": path, "content": text })))
}

fn run_save(machine: &Machine, args: args::Save, look: Look) -> Result<Outcome, Failure> {
    let allowed = secrets::allowed(&args.allow)?;
    let request = save::Request { text: text(&args.text)?, tags: args.tags, scope: scope(args.scope), source: args.source, allowed };
    let report = save::run(machine, &request)?;
    let first_in_project = report.first_in_project;
    let mut outcome = Outcome::said(render::saved(&report, look), report);
    if first_in_project {
        outcome.warnings.push(
            "this is the first fact in this project; whoever reads its repository reads it, too (`--scope identity` keeps facts to yourself)".into(),
        );
    }
    Ok(outcome)
}

fn run_list(machine: &Machine, request: &list::Request) -> Result<Outcome, Failure> {
    let report = list::run(machine, request)?;
    let findings = report.findings.clone();
    Ok(Outcome::data(render::listed(&report), report).warn(&findings))
}

fn run_edit(machine: &Machine, args: args::Edit, ask: bool, look: Look) -> Result<Outcome, Failure> {
    let scope = scope(args.scope);
    let mut based_on = None;
    let new = if !args.text.is_empty() {
        Some(text(&args.text)?)
    } else if args.tags.is_empty() {
        if !ask {
            return Err(Failure::new(Exit::Usage, "say the new text or tags; there is no terminal for an editor")
                .hint("`co memory edit HANDLE \"new text\"` or `--tag T`"));
        }
        let (old, hash) = edit::text(machine, &args.handle, scope)?;
        based_on = Some(hash);
        terminal::edit(machine, &old)?
    } else {
        None
    };
    let tags = (!args.tags.is_empty()).then_some(args.tags);
    let in_editor = based_on.is_some();
    let mut request = edit::Request { handle: args.handle, scope, text: new, based_on, tags, allowed: secrets::allowed(&args.allow)? };
    loop {
        match edit::run(machine, &request) {
            // What was typed into an editor is not thrown away for a token in it.
            Err(failure) if in_editor && failure.exit == Exit::Refused && request.text.is_some() => {
                let _ = look::write(std::io::stderr(), &super::complaint(&failure, look));
                if !prompt::confirm("Edit the text again")? {
                    return Err(failure);
                }
                let again = terminal::edit(machine, request.text.as_deref().unwrap_or_default())?;
                request.text = again.or(request.text);
            }
            result => {
                let report = result?;
                return Ok(Outcome::said(render::edited(&report, look), report));
            }
        }
    }
}

fn run_forget(machine: &Machine, args: &args::Forget, ask: bool, look: Look) -> Result<Outcome, Failure> {
    let what = args.what.join(" ");
    let mut plan = forget::plan(machine, &forget::Request { what: what.clone(), scope: scope(args.scope) })?;
    match plan.matches().len() {
        1 => {}
        _ if ask => {
            plan = {
                let at = prompt::which(&plan)?;
                plan.only(at)
            }
        }
        _ => return Err(plan.ambiguous(&what)),
    }
    let by_text = crate::identity::handle::Handle::parse(&what).is_none();
    if by_text && ask && !args.yes {
        let summary = look::safe(&plan.matches()[0].summary);
        if !prompt::confirm_loss(&format!("Forget \"{summary}\""))? {
            return Err(prompt::declined());
        }
    }
    let done = forget::apply(machine, &plan)?;
    Ok(Outcome::said(render::forgotten(&done, look), json!({ "forgotten": done })))
}

fn run_context(machine: &Machine, args: &args::Context, look: Look) -> Result<Outcome, Failure> {
    let request = context::Request {
        format: if args.format == FormatArg::Xml { Format::Xml } else { Format::Markdown },
        token_budget: args.token_budget,
        layers: args.layers.iter().map(|layer| layer_kind(*layer)).collect(),
        system_reminder: args.wrap.is_some(),
    };
    let assembled = context::run(machine, &request)?;
    let text = if args.explain { render::explained(&assembled.accounts, look) } else { assembled.text.clone() };
    let data = json!({ "text": assembled.text, "layers": assembled.accounts });
    Ok(Outcome { warnings: assembled.warnings, as_json: args.format == FormatArg::Json, ..Outcome::data(text, data) })
}

fn layer_kind(layer: args::LayerArg) -> LayerKind {
    use args::LayerArg as L;
    match layer {
        L::System => LayerKind::System,
        L::Personality => LayerKind::Personality,
        L::Profile => LayerKind::Profile,
        L::GlobalKnowledge => LayerKind::GlobalKnowledge,
        L::Traits => LayerKind::Traits,
        L::ProjectKnowledge => LayerKind::ProjectKnowledge,
        L::ProjectInstructions => LayerKind::ProjectInstructions,
    }
}

fn help(topic: &[String]) -> Result<Outcome, Failure> {
    let data = |text: String| Ok(Outcome::data(text.clone(), json!({ "text": text })));
    if let [name] = topic
        && let Some(text) = topics::text(name)
    {
        return data(text);
    }
    let mut command = super::definition();
    command.build();
    for word in topic {
        let found = command.find_subcommand(word).cloned();
        command = found.ok_or_else(|| {
            Failure::new(Exit::NotFound, format!("there is no command or topic `{}`", topic.join(" ")))
                .hint(format!("topics: {}; commands: `co --help`", topics::NAMES.join(", ")))
        })?;
    }
    data(command.render_long_help().to_string())
}
